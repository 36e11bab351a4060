"""The LaTeX of the pages, command by command, as MathML: what is not in these tables is not understood."""

from html import escape

SPACES = {"\\,": "0.1667em", "\\:": "0.2222em", "\\;": "0.2778em", "\\ ": "0.25em", "\\quad": "1em", "\\qquad": "2em"}
LETTERS = {
    "\\alpha": "α", "\\beta": "β", "\\gamma": "γ", "\\delta": "δ", "\\epsilon": "ϵ", "\\varepsilon": "ε",
    "\\eta": "η", "\\theta": "θ", "\\kappa": "κ", "\\lambda": "λ", "\\mu": "μ", "\\nu": "ν", "\\xi": "ξ",
    "\\ell": "ℓ", "\\phi": "ϕ", "\\psi": "ψ", "\\pi": "π", "\\rho": "ρ", "\\sigma": "σ", "\\tau": "τ", "\\omega": "ω",
}  # fmt: skip
UPRIGHT = {
    "\\Phi": "Φ", "\\Delta": "Δ", "\\Gamma": "Γ", "\\Sigma": "Σ", "\\Theta": "Θ", "\\infty": "∞", "\\ldots": "…",
    "\\prime": "′", ".": ".", "!": "!",
}  # fmt: skip
NAMED = ("arg", "cos", "cot", "exp", "inf", "ln", "log", "max", "min", "sin", "sinh", "sup", "Pr")
FUNCTIONS = {f"\\{each}": each for each in NAMED}
OPERATORS = {
    "+": "+", "=": "=", "<": "<", ">": ">", ":": ":", "\\le": "≤", "\\ge": "≥", "\\ne": "≠", "\\in": "∈",
    "\\cap": "∩", "\\cup": "∪", "\\cdot": "⋅", "\\times": "×", "\\circ": "∘", "\\sim": "∼", "\\Rightarrow": "⇒",
    "\\to": "→", "\\mapsto": "↦", "\\wedge": "∧", "\\vee": "∨",
}  # fmt: skip
SIGNS = {"-": "\N{MINUS SIGN}", "\\pm": "±", "\\mp": "∓"}
"""Operators that are signs where nothing stands before them."""
LARGE = {"\\int": "∫", "\\oint": "∮", "\\sum": "∑", "\\prod": "∏"}
FENCES = {"(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "\\{": "{", "\\}": "}", "\\|": "‖", "\\Vert": "‖", ".": ""}
BLACKBOARD = {"N": "ℕ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
BOLD_ZERO = 0x1D7CE


def attributes(given: dict[str, str]) -> str:
    """Attributes as they are written, each after a space."""
    return "".join(f' {name}="{escape(value)}"' for name, value in given.items())


def element(tag: str, body: str, **given: str) -> str:
    """<tag attribute="value">body</tag>."""
    return f"<{tag}{attributes(given)}>{body}</{tag}>"


def name(word: str) -> str:
    """An upright name: MathML slants single letters only, unless told."""
    return element("mi", escape(word), **({"mathvariant": "normal"} if len(word) == 1 else {}))


def operator(sign: str, **given: str) -> str:
    """An operator, with the spacing of the MathML dictionary unless attributes are given."""
    return element("mo", escape(sign), **given)


def text(words: str) -> str:
    """Words of a sentence, with the spaces at both ends kept."""
    return element("mtext", escape(words).replace(" ", "\N{NO-BREAK SPACE}"))


def bold(digits: str) -> str:
    """Bold digits, which MathML knows as characters of their own."""
    return element("mn", "".join(chr(BOLD_ZERO + int(digit)) for digit in digits))


HIGH = ("<mfrac", "<msqrt", "<mover", "<mtable", "<msup", "<msubsup", "minsize")
"""What brackets grow with."""
FLAT = {"fence": "true", "stretchy": "false"}
TALL = {"fence": "true", "stretchy": "true", "symmetric": "true"}
BIG = {"fence": "true", "stretchy": "true", "symmetric": "true", "minsize": "1.2em", "maxsize": "1.2em"}
MACRON = operator("\N{MACRON}", stretchy="false")
PRIME = operator("\N{PRIME}", lspace="0", rspace="0", form="postfix")
BAR = operator("|", fence="false", stretchy="false", lspace="0", rspace="0")
