"""The LaTeX of the pages, command by command, as MathML: what is not in these tables is not understood."""

from html import escape

SPACES = {"\\,": "0.1667em", "\\:": "0.2222em", "\\;": "0.2778em", "\\ ": "0.25em", "\\quad": "1em", "\\qquad": "2em"}
LETTERS = {
    "\\alpha": "α", "\\beta": "β", "\\gamma": "γ", "\\delta": "δ", "\\epsilon": "ϵ", "\\varepsilon": "ε",
    "\\eta": "η", "\\theta": "θ", "\\kappa": "κ", "\\lambda": "λ", "\\mu": "μ", "\\nu": "ν", "\\xi": "ξ",
    "\\phi": "ϕ", "\\psi": "ψ", "\\pi": "π", "\\rho": "ρ", "\\sigma": "σ", "\\tau": "τ", "\\omega": "ω",
}  # fmt: skip
UPRIGHT = {
    "\\Phi": "Φ", "\\Delta": "Δ", "\\Gamma": "Γ", "\\Sigma": "Σ", "\\infty": "∞", "\\ldots": "…",
    "\\prime": "′", ".": ".", "!": "!",
}  # fmt: skip
NAMED = ("arg", "cos", "exp", "inf", "ln", "log", "max", "min", "sin", "sup", "Pr")
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


def element(tag: str, body: str, **attributes: str) -> str:
    """<tag attribute="value">body</tag>."""
    given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{given}>{body}</{tag}>"


def name(word: str) -> str:
    """An upright name: MathML slants single letters only, unless told."""
    return element("mi", escape(word), **({"mathvariant": "normal"} if len(word) == 1 else {}))


def operator(sign: str, **attributes: str) -> str:
    """An operator, with the spacing of the MathML dictionary unless attributes say otherwise."""
    return element("mo", escape(sign), **attributes)


def text(words: str) -> str:
    """Words of a sentence, with the spaces at both ends kept."""
    return element("mtext", escape(words).replace(" ", "\N{NO-BREAK SPACE}"))


def bold(digits: str) -> str:
    """Bold digits, which MathML knows as characters of their own."""
    return element("mn", "".join(chr(BOLD_ZERO + int(digit)) for digit in digits))
