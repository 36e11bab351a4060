"""The numbers of machines, by the names of their formats, and the names of the sums that functions are run with.

A float format has the numbers m 2^e with |m| < 2^bits, e no smaller than that of its smallest number, and below 2^top.
A program in floats also has whole numbers of any size, as Python's ints are.  A format of integers has those of so many
bits; what they do beyond their range, wrap or saturate, is no part of which they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

FLOATS: Mapping[str, tuple[int, int, int]] = {
    "float64": (53, -1074, 1024),
    "float32": (24, -149, 128),
    "float16": (11, -24, 16),
    "bfloat16": (8, -133, 128),
}
"""Name -> bits of the significand, exponent of the smallest number > 0, and of the power of two that bounds all."""
INTEGERS: Mapping[str, tuple[int, int]] = {
    f"{sign}int{bits}{overflow}": (-(1 << bits - 1), (1 << bits - 1) - 1) if not sign else (0, (1 << bits) - 1)
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
    for overflow in ("", "_saturating")
}
"""Name -> the least integer and the greatest."""
SPECIALS = ("nan", "inf", "-inf", "-0.0")
"""Floats that are no rational number, or not the only one of their value."""
SUM = re.compile(r"naive|pairwise(:[1-9][0-9]{0,5})?|kahan|neumaier|numpy|fsum|python3\.11|python3\.12")
"""What the builtin `sum` of a function may be; `python` is none, as it is another one in another version."""


def is_format(name: str) -> bool:
    """Whether there is a format of the name."""
    return name in FLOATS or name in INTEGERS


def is_float(x: Fraction, form: str) -> bool:
    """Whether the format of floats has this number.

    >>> [is_float(x, "float16") for x in (Fraction(1, 3), Fraction(1, 2**24), Fraction(2049))]
    [False, True, False]
    """
    bits, smallest, top = FLOATS[form]
    steps = x / Fraction(2) ** smallest
    if steps.denominator != 1 or abs(x) >= 2**top:
        return False
    size = abs(steps.numerator)
    return size == 0 or (size // (size & -size)).bit_length() <= bits


def is_machine_number(x: Fraction, form: str) -> bool:
    """Whether a program in that format can hold the number: one of the format or, beside floats, a whole number."""
    if form in INTEGERS:
        least, greatest = INTEGERS[form]
        return x.denominator == 1 and least <= x <= greatest
    return x.denominator == 1 or is_float(x, form)
