"""What a grid may lose of delta, and how fine it may get."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log2

from refdp.accounting.curves import Effort
from refdp.accounting.losses import Composition

NAME = "chords and tangents (section 4 of docs/accounting_proofs.md)"
"""The engine, as accounts name it."""
FIRST_POINTS = 2000
"""Points of the first grid, about."""
FEWEST_BITS = 172
MOST_DIGITS = 1000.0
"""A spare mass of fewer than 2^-MOST_DIGITS is too small for the floats that choose grids."""
ROOM = 26
"""Binary digits by which masses are finer than what may be lost: so many points times products."""
FINER, FINEST = 2.0, 8.0
"""Each grid is finer than the one before by a factor between these."""
BYTES = 2_000
"""Bytes per point that are needed at most."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be lost: the share `relative` of delta, `spare` in all, in masses of `bits` binary digits."""

    relative: float
    spare: float
    bits: int

    @property
    def precision(self) -> int:
        """Binary digits to work with."""
        return max(self.bits + 48, FEWEST_BITS)


def budget(composition: Composition, effort: Effort) -> Budget:
    """A share of the least delta in proportion to the width."""
    count = sum(count for _, count in composition.parts)
    relative = min(max(_digits(effort.width), 10.0), 60.0) + 8
    lost = min(relative + _digits(effort.delta), MOST_DIGITS)
    return Budget(2.0**-relative, 2.0**-lost, int(lost + log2(count)) + ROOM)


def _digits(x: Fraction) -> float:
    """-log2 x."""
    return log2(x.denominator) - log2(x.numerator)
