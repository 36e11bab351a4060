"""Obligations decided by trying every point of a finite box, and the lemmas that this makes.

Statements are turned into Python source on exact numbers: quick, and a second reading of what terms mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from refdp.kernel.judgements import Holds
from refdp.kernel.theorem import Theorem
from refdp.spec.statements import Statement
from refdp.terms.term import Term
from tests.exactness.entering import given

Axes = Mapping[str, Iterable[int]]
BINARY = {"+", "-", "*", "<=", "<", "==", "!="}


def holds_everywhere(statement: Statement, axis: Iterable[int], axes: Axes | None = None) -> bool:
    """Whether the statement holds wherever its names take whole values of the axis, or of their own one.

    Where a denominator is 0, its conclusion does not hold.
    """
    own, known = axes or {}, {"quotient": quotient}
    hypotheses = " and ".join(source(g, known) for g in statement.given) or "True"
    arguments = ", ".join(f"v_{name}" for name in statement.variables)
    holds = eval(f"lambda {arguments}: not ({hypotheses}) or {source(statement.show, known)}", known)
    points = product(*(list(own.get(name, axis)) for name in statement.variables))
    try:
        return all(holds(*point) for point in points)
    except ZeroDivisionError:
        return False


def source(t: Term, known: dict[str, Any]) -> str:
    """The term as Python source; numbers that are not whole are entered in `known`."""
    inner = [source(a, known) for a in t.arguments]
    match t.operator:
        case "number" if t.rational.denominator == 1:
            return f"({t.rational})"
        case "number":
            known[f"n_{len(known)}"] = t.rational
            return f"n_{len(known) - 1}"
        case "name":
            return f"v_{t.value}"
        case "negate":
            return f"(-{inner[0]})"
        case "**":
            return f"({inner[0]} ** {inner[1]})"
        case "/":
            return f"quotient({inner[0]}, {inner[1]})"
        case "indicator":
            return f"int({inner[0]})"
        case "all_of":
            return f"({' and '.join(inner)})"
        case "abs" | "min" | "max":
            return f"{t.operator}({', '.join(inner)})"
        case "integer":
            return f"({inner[0]} % 1 == 0)"
    if t.operator not in BINARY:
        raise ValueError(f"{t} is not rational arithmetic")
    return f"({inner[0]} {t.operator} {inner[1]})"


def quotient(a: Fraction | int, b: Fraction | int) -> Fraction:
    """a / b."""
    return Fraction(a) / b


def lemma(stem: str, key: str, statement: Statement) -> Theorem:
    """The obligation as a lemma, on the word of whoever tried every point."""
    return given(Holds(stem, key, statement.digest))
