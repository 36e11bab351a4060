"""The claim and the assumption at given parameters and numbers of rows, rounded so that no violation is false."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isqrt

from refdp.terms.exact_values import NotRational, evaluate
from refdp.terms.leaves import parts
from refdp.terms.term import Term, Value

BITS = 400
"""Bits after the point of the bounds of an irrational root."""
Interval = tuple[Fraction, Fraction]


def upper_bound(term: Term, values: Mapping[Term, Value]) -> Fraction | None:
    """A rational number >= the term, the term itself where it is rational; None where it has no value.

    An irrational square root is rounded outward at 2^-400, so that what exceeds the bound exceeds the term.
    """
    try:
        return Fraction(evaluate(term, values))
    except NotRational:
        interval = _interval(term, values)
        return None if interval is None else interval[1]
    except ZeroDivisionError:
        return None


def holds(condition: Term, values: Mapping[Term, Value]) -> bool:
    """Whether the condition has a value, and is true."""
    try:
        return bool(evaluate(condition, values))
    except ArithmeticError:
        return False


def _interval(term: Term, values: Mapping[Term, Value]) -> Interval | None:
    """Bounds of a term with irrational roots in it; None where its branches depend on one."""
    found: dict[Term, Interval | None] = {}
    for part in parts(term):
        if part.sort == "Bool":
            found[part] = None
            continue
        try:
            exact = Fraction(evaluate(part, values))
            found[part] = (exact, exact)
        except ZeroDivisionError:
            found[part] = None
        except NotRational:
            found[part] = _composed(part, values, found)
    return found[term]


def _composed(part: Term, values: Mapping[Term, Value], found: Mapping[Term, Interval | None]) -> Interval | None:
    """Bounds of a term from those of its arguments."""
    if part.operator == "ite":
        try:
            return found[part.arguments[1 if evaluate(part.arguments[0], values) else 2]]
        except ArithmeticError:
            return None
    inner = [found[a] for a in part.arguments]
    if part.operator not in OPERATIONS or any(i is None for i in inner):
        return None
    return OPERATIONS[part.operator](*inner)


def _sum(a: Interval, b: Interval) -> Interval:
    return a[0] + b[0], a[1] + b[1]


def _product(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _quotient(a: Interval, b: Interval) -> Interval | None:
    return None if b[0] <= 0 <= b[1] else _product(a, (1 / b[1], 1 / b[0]))


def _root(a: Interval) -> Interval | None:
    return None if a[0] < 0 else (_below(a[0]), _below(a[1]) + Fraction(1, 2**BITS))


def _below(value: Fraction) -> Fraction:
    """At most 2^-400 below the square root."""
    return Fraction(isqrt((value.numerator << 2 * BITS) // value.denominator), 2**BITS)


OPERATIONS: Mapping[str, Callable[..., Interval | None]] = {
    "+": _sum,
    "*": _product,
    "/": _quotient,
    "sqrt": _root,
    "real": lambda a: a,
}
