"""Decimals of a Python text, exactly: 0.1 is a tenth."""

from __future__ import annotations

from fractions import Fraction

LARGEST_EXPONENT = 400
"""No number of a greater exponent, in size, is worked out: it would fill the memory, though it be 0e9999999999."""


def written_decimal(text: str) -> Fraction:
    """The number that a decimal such as 1_000.5e-3 writes.  ValueError where its exponent is too large."""
    digits = text.replace("_", "").lower()
    exponent = digits.partition("e")[2] or "0"
    if len(exponent) > 10 or abs(int(exponent)) > LARGEST_EXPONENT:
        raise ValueError(f"exponents must be at most {LARGEST_EXPONENT}, got {text[:40]}")
    return Fraction(digits)
