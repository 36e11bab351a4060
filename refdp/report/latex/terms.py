"""Terms as LaTeX.

What an operator looks like stands in one table; an operator that is not in it prints as itself, in upright type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from refdp.terms.printing import PRECEDENCE
from refdp.terms.term import Term, subterms

GREEK = {
    "epsilon": r"\varepsilon", "delta": r"\delta", "rho": r"\rho", "sigma": r"\sigma", "alpha": r"\alpha",
    "beta": r"\beta", "gamma": r"\gamma", "Delta": r"\Delta", "lambda": r"\lambda", "eta": r"\eta", "tau": r"\tau",
    "mu": r"\mu", "theta": r"\theta",
}  # fmt: skip
RELATIONS = {"<=": r"\le", "<": "<", "==": "=", "!=": r"\ne"}
ATOM = 9
"""The precedence of what needs no brackets."""
LEVELS = {"integral": 2, "all_of": 1, "chain": 3, "post_process": 3, **dict.fromkeys(("ln", "exp", "min", "max"), 5)}
"""How strongly a printed function binds, where it is no atom: `ln(x) ** 2` is the square of the logarithm."""
ESCAPES = str.maketrans({**{c: f"\\{c}" for c in "_%#&${}"}, "\\": r"\backslash{}", "^": r"\^{}", "~": r"\sim{}"})


def latex(t: Term, outer: int = 0) -> str:
    """The term as LaTeX mathematics, in brackets where it binds no more strongly than `outer`."""
    body, level = _printed(t)
    return bracketed(body) if level <= outer else body


def _printed(t: Term) -> tuple[str, int]:
    """The term without brackets, and how strongly it binds."""
    match t.operator, t.arguments:
        case "number", _:
            return _number(t)
        case "name", _:
            return name_of(str(t.value)), ATOM
        case "text", _:
            return rf"\text{{{escaped(str(t.value))}}}", ATOM
        case "/", (a, b):
            return rf"\frac{{{latex(a)}}}{{{latex(b)}}}", PRECEDENCE["negate"]
        case "**", (a, b):
            return f"{latex(a, PRECEDENCE['**'])}^{{{latex(b)}}}", PRECEDENCE["**"]
        case "negate", (a,):
            body = latex(a, PRECEDENCE["+"])
            return f"-{bracketed(body) if body.startswith('-') else body}", PRECEDENCE["*"]
        case "*", (a, b):
            return _product(a, b), PRECEDENCE["*"]
        case (("+" | "-" | "<=" | "<" | "==" | "!=") as sign, (a, b)):
            level = PRECEDENCE[sign]
            return f"{latex(a, level - (level > 1))} {RELATIONS.get(sign, sign)} {_right(b, level)}", level
    return _function(t)


def _number(t: Term) -> tuple[str, int]:
    """A rational: a fraction binds like a quotient, a negative number like a negation."""
    value = t.rational
    size, sign = abs(value), "-" if value < 0 else ""
    body = str(size) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}"
    level = PRECEDENCE["*"] if sign else ATOM if size.denominator == 1 else PRECEDENCE["negate"]
    return sign + body, level


def _right(t: Term, level: int) -> str:
    """The right operand of a sum or comparison: a sign does not follow another sign."""
    body = latex(t, level)
    return bracketed(body) if body.startswith("-") and level > 1 else body


def _product(a: Term, b: Term) -> str:
    """A product, with a dot where two numbers would run together."""
    right = latex(b, PRECEDENCE["*"])
    dot = right[0].isdigit() or (right.startswith(r"\frac") and b.operator == "number")
    sign = r"\cdot" if dot else r"\,"
    return f"{latex(a, PRECEDENCE['*'] - 1)} {sign} {right}"


def _function(t: Term) -> tuple[str, int]:
    """A function: one of the table, or the application of a named thing."""
    if t.operator == "exp" and not any(a.operator == "/" for a in subterms(t.arguments[0])):
        return f"e^{{{latex(t.arguments[0])}}}", PRECEDENCE["**"]
    shown = TABLE.get(t.operator)
    if shown is not None and len(t.arguments) in shown[0]:
        return shown[1](*t.arguments), LEVELS.get(t.operator, ATOM)
    return applied(rf"\mathrm{{{escaped(t.operator)}}}", *t.arguments), PRECEDENCE["**"]


def applied(function: str, *arguments: Term) -> str:
    """A function, already printed, of arguments."""
    return function + bracketed(", ".join(map(latex, arguments)))


def bracketed(body: str) -> str:
    """In round brackets of the right height."""
    return rf"\left({body}\right)"


def _flat(operator: str, *arguments: Term) -> str:
    """A minimum or maximum of several numbers, nested ones taken apart."""
    pending, found = list(arguments), []
    while pending:
        t = pending.pop(0)
        if t.operator == operator:
            pending = [*t.arguments, *pending]
        else:
            found.append(t)
    return applied(rf"\{operator}", *found)


def _integral(body: Term, variable: Term) -> str:
    """An integral over the whole line."""
    return rf"\int_{{-\infty}}^{{\infty}} {latex(body, PRECEDENCE['+'])} \, \mathrm{{d}}{latex(variable)}"


def _step(step: Term) -> str:
    """The multiples of a step."""
    return r"\mathbb{Z}" if latex(step) == "1" else rf"{latex(step, PRECEDENCE['*'])} \, \mathbb{{Z}}"


def _up_to(first: str, n: Term) -> str:
    """{first, ..., n - 1}."""
    return rf"\left\{{{first}, \ldots, {latex(n - 1)}\right\}}"


def _joined(sign: str) -> Callable[..., str]:
    """The arguments with a sign between them."""
    return lambda *arguments: f" {sign} ".join(latex(a, PRECEDENCE["*"]) for a in arguments)


ANY = range(100)
TABLE: Mapping[str, tuple[range, Callable[..., str]]] = {
    "abs": (range(1, 2), lambda a: rf"\left|{latex(a)}\right|"),
    "sqrt": (range(1, 2), lambda a: rf"\sqrt{{{latex(a)}}}"),
    "exp": (range(1, 2), lambda a: applied(r"\exp", a)),
    "ln": (range(1, 2), lambda a: applied(r"\ln", a)),
    "pi": (range(1), lambda: r"\pi"),
    "indicator": (range(1, 2), lambda a: rf"\mathbf{{1}}\left[{latex(a)}\right]"),
    "normal_tail": (range(1, 2), lambda a: applied(r"\bar{\Phi}", a)),
    "min": (range(2, 3), lambda *a: _flat("min", *a)),
    "max": (range(2, 3), lambda *a: _flat("max", *a)),
    "integral": (range(2, 3), _integral),
    "all_of": (ANY, _joined(r"\wedge")),
    "tuple_of": (ANY, lambda *a: bracketed(", ".join(map(latex, a)))),
    "list_of": (ANY, lambda *a: rf"\left[{', '.join(map(latex, a))}\right]"),
    "integer": (range(1, 2), lambda a: rf"{latex(a)} \in \mathbb{{Z}}"),
    "multiple": (range(2, 3), lambda a, b: rf"{latex(a)} \in {_step(b)}"),
    "has_length": (range(2, 3), lambda a, b: rf"\left|{latex(a)}\right| = {latex(b)}"),
    "reals": (range(1), lambda: r"\mathbb{R}"),
    "records": (range(1), lambda: r"\text{records}"),
    "grid": (range(1, 2), _step),
    "bounded": (range(3, 4), lambda g, a, b: rf"{_step(g)} \cap \left[{latex(a)}, {latex(b)}\right]"),
    "finite": (range(1, 2), lambda n: r"\left\{0, 1\right\}" if latex(n) == "2" else _up_to("0", n)),
    "category": (range(1, 2), lambda n: _up_to("-1, 0", n)),
    "vector": (range(2, 3), lambda d, n: f"{latex(d) if ' ' not in latex(d) else bracketed(latex(d))}^{{{latex(n)}}}"),
    "table": (range(1, 2), lambda d: rf"\text{{tables of rows in }} {latex(d)}"),
    "sized_table": (range(2, 3), lambda d, n: rf"\text{{tables of }} {latex(n)} \text{{ rows in }} {latex(d)}"),
    "chain": (range(2, 3), lambda first, second: rf"{latex(second)} \circ {latex(first)}"),
    "post_process": (range(2, 3), lambda f, m: rf"{latex(f)} \circ {latex(m)}"),
}
"""Operator -> how many arguments are foreseen, and how it is printed with them."""


def name_of(identifier: str) -> str:
    """A variable: Greek letters by name, d_in with a subscript, longer words upright."""
    stem, _, index = identifier.partition("_")
    if stem not in GREEK and len(stem) > 1:
        return rf"\mathrm{{{escaped(identifier)}}}"
    below = index if index.isdigit() else rf"\mathrm{{{escaped(index)}}}"
    return GREEK.get(stem, stem) + (f"_{{{below}}}" if index else "")


def escaped(word: str) -> str:
    """The word with the signs that mean something to LaTeX made printable."""
    return word.translate(ESCAPES)
