"""Functions that are no arithmetic: square root, e^a, ln a, a^b, a mod b; worked out where constant and rational."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import isqrt

from refdp.logic.operations import multiply, real
from refdp.logic.terms import Term, integer, is_number, make, number, rational

LARGEST_POWER = 64
"""The largest exponent, in size, for which the power of a constant is worked out."""
LARGEST_PRODUCT = 8
"""The largest exponent for which a power is written as a product."""


def root(a: Term) -> Term:
    """The square root of a >= 0; whoever makes it sees to the sign."""
    a = real(a)
    if is_number(a) and (exact := _root(number(a))) is not None:
        return rational(exact)
    return make("root", "Real", a)


def exponential(a: Term) -> Term:
    """e^a."""
    a = real(a)
    if is_number(a) and number(a) == 0:
        return rational(1)
    return a.arguments[0] if a.operator == "ln" else make("exp", "Real", a)


def logarithm(a: Term) -> Term:
    """ln a; whoever makes it sees to it that a > 0."""
    a = real(a)
    if is_number(a) and number(a) == 1:
        return rational(0)
    return a.arguments[0] if a.operator == "exp" else make("ln", "Real", a)


def power(base: Term, exponent: Term) -> Term:
    """base^exponent; of an integer base, whoever makes it sees to it that the exponent is an integer >= 0."""
    if is_number(exponent) and number(exponent).denominator == 1 and abs(number(exponent)) <= LARGEST_POWER:
        size = int(number(exponent))
        if is_number(base) and (number(base) or size >= 0):
            return make("number", base.sort, value=Fraction(number(base) ** size))
        if 0 <= size <= LARGEST_PRODUCT:
            return reduce(multiply, [base] * size, make("number", base.sort, value=Fraction(1)))
    return make("power", base.sort, base, exponent)


def modulo(a: Term, b: Term) -> Term:
    """a mod b of integers, in [0, b) for b > 0; whoever makes it sees to it that b is not 0."""
    if is_number(a) and is_number(b) and number(b) != 0:
        return integer(int(number(a) % number(b)))
    return make("mod", "Int", a, b)


def _root(value: Fraction) -> Fraction | None:
    """The rational square root, if there is one."""
    if value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    exact = top * top == value.numerator and bottom * bottom == value.denominator
    return Fraction(top, bottom) if exact else None
