"""Parameters of stated mechanisms, read as exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refdp.accounting.losses import require
from refdp.accounting.numbers import number

MOST_PAIRS = 10_000
"""Most outcomes of a finite law, and most bounds or points that one event states."""
Pairs = tuple[tuple[Fraction, Fraction], ...]


def read_fields(mechanism: Any, **positive: bool) -> None:
    """The named fields as exact numbers, > 0 where so marked, else >= 0."""
    for name, strictly in positive.items():
        value = number(getattr(mechanism, name), name)
        require(value > 0 if strictly else value >= 0, name, "> 0" if strictly else ">= 0", value)
        object.__setattr__(mechanism, name, value)


def read_pairs(value: object, parameter: str, first: str, second: str) -> Pairs:
    """A list of pairs of numbers."""
    rows = value if isinstance(value, list | tuple) else ()
    shaped = all(isinstance(row, list | tuple) and len(row) == 2 for row in rows)
    need = f"1 to {MOST_PAIRS} pairs ({first}, {second})"
    require(shaped and 1 <= len(rows) <= MOST_PAIRS, parameter, need, f"{type(value).__name__} of {len(rows)}")
    return tuple((number(a, f"{first} in {parameter}"), number(b, f"{second} in {parameter}")) for a, b in rows)
