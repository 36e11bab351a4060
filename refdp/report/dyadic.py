"""Exact numbers of machine arithmetic in few characters: 2^1023, (2^52 - 1)/2^105."""

from __future__ import annotations

from fractions import Fraction

SHORT = 10**9
"""Whole numbers below this are written out."""
NEAR = 4096
"""How far from a power of two a number may be to be written as one and the rest."""


def dyadic(value: Fraction) -> str:
    """The number exactly, with powers of two where they make it short.

    >>> dyadic(Fraction(2**1023)), dyadic(Fraction(2**52 - 1, 2**105)), dyadic(Fraction(3, 4)), dyadic(Fraction(-5))
    ('2^1023', '(2^52 - 1)/2^105', '3/4', '-5')
    """
    top, bottom = whole(value.numerator), whole(value.denominator)
    if value.denominator == 1:
        return top
    return "/".join(f"({part})" if " " in part else part for part in (top, bottom))


def whole(number: int) -> str:
    """A whole number, as a multiple of a power of two and a small rest where that is shorter."""
    size, sign = abs(number), "-" if number < 0 else ""
    if size < SHORT:
        return str(number)
    power = size.bit_length() - 1
    for exponent in (power, power + 1):
        rest = size - 2**exponent
        if abs(rest) < NEAR:
            tail = "" if rest == 0 else f" {'-' if rest < 0 else '+'} {abs(rest)}"
            return f"-({2}^{exponent}{tail})" if sign and tail else f"{sign}2^{exponent}{tail}"
    zeros = (size & -size).bit_length() - 1
    odd = size >> zeros
    return f"{sign}{odd} * 2^{zeros}" if odd < SHORT and zeros > 10 else str(number)
