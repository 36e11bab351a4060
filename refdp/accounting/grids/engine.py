"""The engine of chords and tangents: any pairs of laws with computable tails, composed on a common grid.

Upper bounds are chords of each profile, lower bounds tangents; both err by about the number of parts times the square
of the step.  Proofs: section 4 of docs/accounting_proofs.md.

Source: DGKKM22 (chords); the tangents are our own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log2

from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.losses import Composition, Concentrated, Renyi

NAME = "chords and tangents (section 4 of docs/accounting_proofs.md)"
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


class Grids:
    """Chords and tangents."""

    name = NAME

    def why_not(self, composition: Composition) -> str | None:
        """None for pairs of laws and profiles."""
        for loss, _ in composition.parts:
            if isinstance(loss, Concentrated | Renyi):
                return f"a grid needs a profile at every epsilon, and of {type(loss).__name__} there are moments only"
        return None

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves on finer and finer grids, as long as the next one is affordable and the width not attained."""
        from refdp.accounting.grids.refinement import refined

        if (reason := self.why_not(composition)) is not None:
            raise OutOfReach(reason)
        yield from refined(composition, effort, budget(composition, effort))


ENGINE = Grids()
