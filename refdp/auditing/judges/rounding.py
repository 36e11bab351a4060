"""Words and numbers of results: errors rounded up, exact numbers as people write them, intervals."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter


def upwards(x: Fraction) -> str:
    """A short decimal that is >= x >= 0."""
    return _short(x, 1)


def downwards(x: Fraction) -> str:
    """A short decimal that is <= x."""
    return _short(x, -1)


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
