"""Terms as LaTeX: the page prints what the code says, nobody retypes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from refdp.spec.terms import PRECEDENCE, Term, TermError, read

GREEK = {
    "epsilon", "delta", "rho", "sigma", "alpha", "beta", "gamma", "Delta", "lambda",
}  # fmt: skip
RELATIONS = {"<=": r"\le", "<": "<", "==": "=", "!=": r"\ne"}


def latex_of(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a walk: the sentence, the claim, each formula."""
    yield f"% {found['claim']}: {found['sentence']}"
    try:
        yield rf"\[ {latex(read(found['formal']))} \]"
    except TermError:
        yield rf"\[ \text{{{found['formal']}}} \]"
    for f in found["formulas"]:
        head, _, body = f["formula"].partition(" = ")
        yield rf"\[ {latex(read(head))} = {latex(read(body))} \]"


def latex(t: Term, outer: int = 0) -> str:
    """The term as LaTeX mathematics."""
    match t.operator, t.arguments:
        case "number", _:
            value = t.rational
            sign, size = "-" if value < 0 else "", abs(value)
            body = str(size) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}"
            return f"({sign}{body})" if sign and outer > 2 else sign + body
        case "name", _:
            return _name(str(t.value))
        case "text", _:
            return rf"\text{{{t.value}}}"
        case "/", (a, b):
            return rf"\frac{{{latex(a)}}}{{{latex(b)}}}"
        case "**", (a, b):
            return f"{latex(a, PRECEDENCE['**'])}^{{{latex(b)}}}"
        case "abs", (a,):
            return rf"\left|{latex(a)}\right|"
        case "sqrt", (a,):
            return rf"\sqrt{{{latex(a)}}}"
        case "indicator", (a,):
            return rf"\mathbf{{1}}\left[{latex(a)}\right]"
        case "pi", ():
            return r"\pi"
        case "normal_tail", (a,):
            return rf"\overline{{\Phi}}\left({latex(a)}\right)"
        case ("exp" | "ln" | "min" | "max") as f, arguments:
            return rf"\{f}\left({', '.join(map(latex, arguments))}\right)"
    return _operator(t, outer)


def _operator(t: Term, outer: int) -> str:
    """A sum, product, negation, comparison, or the application of a named thing."""
    level = PRECEDENCE.get(t.operator)
    if level is None:
        return rf"\mathrm{{{_escaped(t.operator)}}}\left({', '.join(map(latex, t.arguments))}\right)"
    if t.operator == "negate":
        body = f"-{latex(t.arguments[0], level)}"
    else:
        sign = {**RELATIONS, "*": r"\,"}.get(t.operator, t.operator)
        body = f"{latex(t.arguments[0], level - 1)} {sign} {latex(t.arguments[1], level)}"
    return rf"\left({body}\right)" if level <= outer else body


def _name(identifier: str) -> str:
    """A variable: Greek letters by name, d_in as a subscript, longer words upright."""
    stem, _, index = identifier.partition("_")
    head = rf"\{stem}" if stem in GREEK else stem if len(stem) == 1 else rf"\mathrm{{{_escaped(identifier)}}}"
    return f"{head}_{{\\mathrm{{{_escaped(index)}}}}}" if index and len(head.lstrip(chr(92))) <= len(stem) else head


def _escaped(word: str) -> str:
    """Underscores made printable."""
    return word.replace("_", r"\_")
