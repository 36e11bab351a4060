"""Parameters of attacks, each refused in one sentence where it does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refdp.numerics.exact import integer_of


def grid(numbers: str) -> tuple[Fraction, ...]:
    """Numbers with spaces between them.

    >>> grid("1/2 3")
    (Fraction(1, 2), Fraction(3, 1))
    """
    return tuple(map(Fraction, numbers.split()))


def at_most(value: object, name: str, most: int, least: int = 1) -> int:
    """A whole number from least to most; ValueError otherwise."""
    found = integer_of(value)
    if found is None or not least <= found <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}, got {value}")
    return found


def among(value: object, name: str, words: Sequence[str]) -> None:
    """ValueError where the value is none of these words."""
    if value not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}, got {value}")
