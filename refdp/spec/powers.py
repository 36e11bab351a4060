"""Rational bounds of e^x for rational x, in integers alone: what formulas that read a power of e are evaluated at."""

from __future__ import annotations

from fractions import Fraction


def power_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Rational numbers with 0 < lower <= e^x <= upper, about one part in 2^bits apart.

    >>> power_bounds(Fraction(0), 8)[0] <= 1 <= power_bounds(Fraction(0), 8)[1]
    True
    """
    size = abs(x)
    halvings = max(0, (size.numerator // size.denominator).bit_length() + 1)  # size / 2^halvings <= 1/2
    work = bits + 2 * halvings + 16
    least = (size.numerator << work) // (size.denominator << halvings)
    lower, upper = _series(least, work)
    low_shift = high_shift = -work
    for _ in range(halvings):
        lower, low_shift = lower * lower, 2 * low_shift
        upper, high_shift = upper * upper, 2 * high_shift
        cut = max(0, lower.bit_length() - work - 1)
        lower, low_shift = lower >> cut, low_shift + cut  # rounded down
        cut = max(0, upper.bit_length() - work - 1)
        upper, high_shift = -(-upper >> cut), high_shift + cut  # rounded up
    bounds = _scaled(lower, low_shift), _scaled(upper, high_shift)
    return bounds if x >= 0 else (1 / bounds[1], 1 / bounds[0])


def _series(least: int, work: int) -> tuple[int, int]:
    """Integers s <= 2^work e^y <= t for every y from least to least + 1 units of 2^-work, y <= 1/2 and a unit."""
    # Of the sum of y^i / i! every term is rounded down in s, and up in t.  The terms after the i-th come to at most
    # the i-th, as each is at most (1/2 + 2^-work) / (i + 1) <= 1/3 of the one before it, i >= 1.
    low = high = total_low = total_high = 1 << work
    i = 0
    while low > 0 or i < 1:
        i += 1
        low = (low * least >> work) // i
        high = -((-high * (least + 1) >> work) // i)
        total_low, total_high = total_low + low, total_high + high
    return total_low, total_high + high


def _scaled(mantissa: int, shift: int) -> Fraction:
    """mantissa 2^shift."""
    return Fraction(mantissa << shift) if shift >= 0 else Fraction(mantissa, 1 << -shift)
