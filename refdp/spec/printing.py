"""The canonical text of a term: a Python expression that `read` reads back as the same term."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol


class Printed(Protocol):
    """What is read of a term (`refdp.spec.terms.Term`) to print it."""

    @property
    def operator(self) -> str: ...
    @property
    def arguments(self) -> Sequence[Printed]: ...
    @property
    def value(self) -> object: ...
    @property
    def rational(self) -> Fraction: ...


PRECEDENCE = {"==": 1, "!=": 1, "<=": 1, "<": 1, "+": 2, "-": 2, "*": 3, "/": 3, "negate": 4, "**": 5}
"""How strongly an operator binds; whatever is not listed is written as a call."""


def text_of(t: Printed, outer: int = 0) -> str:
    """Canonical text: brackets only where precedence needs them, left-associative."""
    if t.operator == "number":
        value = t.rational
        level = 3 if value.denominator != 1 else 4 if value < 0 else 9
        return f"({value})" if level <= outer else str(value)
    if t.operator == "name":
        return str(t.value)
    if t.operator == "text":
        return repr(t.value)
    if t.operator not in PRECEDENCE:
        return f"{t.operator}({', '.join(text_of(a) for a in t.arguments)})"
    level = PRECEDENCE[t.operator]
    if t.operator == "negate":
        body = "-" + text_of(t.arguments[0], level)
    elif t.operator == "**":
        body = f"{text_of(t.arguments[0], level)} ** {text_of(t.arguments[1])}"
    else:
        left, right = t.arguments
        body = f"{text_of(left, level if level == 1 else level - 1)} {t.operator} {text_of(right, level)}"
    return f"({body})" if level <= outer else body
