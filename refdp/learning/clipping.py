"""A gradient as a vector of whole numbers whose square is at most a bound: cut to a grid, then clipped, in integers.

What floats came to plays no part in the bound: whatever vector comes in, what goes out is checked by whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from refdp.learning.examples import Floats

    Integers = np.ndarray[Any, np.dtype[np.int64]]

DIGITS = 30
"""Binary digits of a factor, and of the largest norm in units of the grid."""
LARGEST = 2.0**32
"""Coordinates are cut to this many units first, so that products with a factor are int64; infinities too."""
FINEST, COARSEST = 2.0**-900, 2.0**900
"""Between these a granularity is a float whose products with LARGEST are floats, too."""
PIECE = 1 << 16


class NotClipped(ArithmeticError):
    """A clipped vector is longer than its bound: nothing of it may be used."""


@dataclass(frozen=True, slots=True)
class Clip:
    """Clipping to a Euclidean norm, on multiples of the granularity; both > 0 and exact."""

    norm: Fraction
    granularity: Fraction
    bound: int = field(init=False)
    """The greatest square of a clipped vector, in units of the grid: (norm / granularity)^2, rounded down."""

    def __post_init__(self) -> None:
        if not 0 < self.granularity <= self.norm:
            raise ValueError(f"granularity must be > 0 and at most the norm {self.norm}, got {self.granularity}")
        if self.norm > self.granularity * 2**DIGITS:
            raise ValueError(
                f"norm must be at most 2^{DIGITS} times granularity, got {self.norm} and {self.granularity}"
            )
        if not FINEST <= self.granularity <= COARSEST:
            raise ValueError(f"granularity must be from 2^-900 to 2^900, got {self.granularity}")
        object.__setattr__(self, "bound", int((self.norm / self.granularity) ** 2))

    def __call__(self, gradient: Floats) -> Integers:
        """The vector in units, each coordinate rounded towards zero: its square is at most the bound, exactly.

        NaN is 0.  Where the square S of the units is above the bound B, they are multiplied by f = isqrt(B 4^30 // S) /
        2^30, so that f^2 S <= B, and rounded towards zero again.  ValueError for what is no vector.
        """
        import numpy as np

        given = np.asarray(gradient, dtype=np.float64)  # in a shorter type the ends to clip to would be infinite
        if given.ndim != 1:
            raise ValueError(f"a gradient must be a vector, got an array of shape {given.shape}")
        cell = float(self.granularity)
        inside = np.clip(np.nan_to_num(given, nan=0.0), -LARGEST * cell, LARGEST * cell) / cell
        units: Integers = np.clip(inside, -LARGEST, LARGEST).astype(np.int64)
        bound, square = self.bound, square_of(units)
        if square > bound:
            factor = isqrt((bound << 2 * DIGITS) // square)
            units = np.sign(units) * (np.abs(units) * factor >> DIGITS)
            if square_of(units) > bound:
                raise NotClipped("a clipped vector must have a square of at most its bound")
        return units


def square_of(units: Integers) -> int:
    """The sum of the squares, exactly; NotClipped unless |units| <= 2^32, without which sums of pieces would wrap."""
    import numpy as np

    largest = max(int(units.max()), -int(units.min())) if units.size else 0
    if largest > LARGEST:
        raise NotClipped(f"units must be at most 2^32, got {largest}")
    if largest**2 * units.size < 2**62:
        return int(units @ units)
    low, high = units & (1 << 16) - 1, units >> 16  # units = 2^16 high + low
    total = 0
    for i in range(0, units.size, PIECE):
        a, b = high[i : i + PIECE], low[i : i + PIECE]
        total += (int(np.dot(a, a)) << 32) + (int(np.dot(a, b)) << 17) + int(np.dot(b, b))
    return total
