"""What is small in floats, as views for learning: exponents, granularity, last digits, residues.

A continuous law says nothing of these, but neighbours must not differ in them: the excess of any event over e^epsilon
times its probability on the other side is a violation, whatever the event is made of.  Noise that is added in floats
gives itself away here: near 0 it is finer than an answer of 1 leaves it, and a grid is moved by the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from math import floor, frexp, isfinite, ldexp
from typing import Any

SIGNIFICAND = 53
LAST = 4
"""How many of the last digits are looked at."""
PLACES = (-20, -10, -4, 0, 4, 10, 20, 30, 40)
"""Residues are those of 2^-k, for k in this list."""
MOST_ENTRIES = 16
"""Entries of a sequence or dictionary that are looked at."""
PARTS = 16
"""Parts of equal length in which a residue may be."""


def low_bits(y: Any) -> Any:
    """A float's exponent, low zeros, granularity, last four digits, and the last four up to its last 1.

    A float y is an odd number times 2^g, g being its granularity.  Sequences and dictionaries are looked at entry by
    entry; there is None for what is no float.
    """
    return each(_low_bits, y)


def residues(y: Any) -> Any:
    """In which sixteenth of 2^-k a float is, above a multiple of 2^-k, for k from -20 to 40.

    Sequences and dictionaries are looked at entry by entry; there is None for what is no float.
    """
    return each(_residues, y)


def each(view: Callable[[float], Any], y: Any) -> Any:
    """The view of a finite float, or of the first entries of a sequence or dictionary; infinities and NaN stay."""
    if isinstance(y, float):
        return view(y) if isfinite(y) else y
    if isinstance(y, list | tuple):
        return tuple(each(view, one) for one in y[:MOST_ENTRIES])
    if isinstance(y, dict):
        return {key: each(view, value) for key, value in islice(y.items(), MOST_ENTRIES)}
    return None


def _low_bits(y: float) -> tuple[Any, ...]:
    if y == 0:
        return "zero", repr(y)
    fraction, exponent = frexp(y)
    whole = int(fraction * 2**SIGNIFICAND)  # with its sign: -1 ends in ...1111, as a grid below 0 goes on
    zeros = (whole & -whole).bit_length() - 1
    last, odd = (f"{digits & (2**LAST - 1):04b}" for digits in (whole, whole >> zeros))
    return f"2^{exponent}", zeros, exponent - SIGNIFICAND + zeros, last, odd


def _residues(y: float) -> tuple[str, ...]:
    return tuple(f"{k}: {residue(y, k)}" for k in PLACES)


def residue(y: float, k: int) -> int:
    """floor(16 (y / 2^-k mod 1)) mod 16, for tiny y up to the rounding of floats."""
    exponent = frexp(y)[1]
    if exponent + k > SIGNIFICAND:
        return 0  # y is a multiple of 2^-k
    scaled = ldexp(y, k)
    return floor((scaled - floor(scaled)) * PARTS) % PARTS
