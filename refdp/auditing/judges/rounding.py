"""Words and numbers of results: errors rounded up, exact numbers as people write them, intervals."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from math import inf, nextafter

DIGITS = 4
"""Of short decimals."""
MOST_DIGITS = 60
"""Of those that must tell two numbers apart."""


def upwards(x: Fraction) -> str:
    """A short decimal that is >= x >= 0."""
    return _short(x, 1)


def downwards(x: Fraction) -> str:
    """A short decimal that is <= x."""
    return _short(x, -1)


def told_apart(low: Fraction, high: Fraction) -> tuple[str, str]:
    """Decimals a and b, of as few digits as will do, with low <= a < b <= high; for 0 <= low < high.

    >>> told_apart(Fraction("3.53648"), Fraction("3.53699"))
    ('3.5365', '3.5369')
    """
    if not 0 <= low < high:
        raise ValueError(f"low and high must be 0 <= low < high, got {low} and {high}")
    for digits in range(DIGITS, MOST_DIGITS):
        found = decimal_of(low, digits, ROUND_CEILING), decimal_of(high, digits, ROUND_FLOOR)
        if Fraction(found[0]) < Fraction(found[1]):
            return found
    return str(low), str(high)


def decimal_of(x: Fraction, digits: int, rounding: str) -> str:
    """x to so many digits, rounded as said."""
    with localcontext(prec=digits, rounding=rounding):
        return f"{(Decimal(x.numerator) / Decimal(x.denominator)).normalize():f}"


def _short(x: Fraction, way: int) -> str:
    """Four digits, moved one unit of the last where they are on the wrong side."""
    text = f"{float(x):.4g}"
    if (Fraction(text) - x) * way >= 0:
        return text
    step = Fraction(f"1e{int(f'{float(x):.3e}'.partition('e')[2]) - 3}")
    moved = Fraction(text) + way * step
    found = f"{float(moved):.4g}"
    return found if (Fraction(found) - x) * way >= 0 else repr(nextafter(float(moved), way * inf))


def number(x: Fraction) -> str:
    """The number exactly: a whole one, a short decimal, or a fraction."""
    if x.denominator == 1:
        return str(x.numerator)
    text = f"{float(x):.15g}"
    return text if Fraction(text) == x else str(x)


def bounds(low: Fraction, high: Fraction) -> str:
    """An interval, rounded outwards."""
    return f"[{downwards(low)}, {upwards(high)}]"
