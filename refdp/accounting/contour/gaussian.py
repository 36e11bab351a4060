"""Gaussian noise, continuous and sampled or on a grid, as a factor of a contour: its moments and how they decay."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting.contour.decay import Layers
from refdp.accounting.contour.factors import Decay
from refdp.accounting.contour.moments import GaussianMoments
from refdp.accounting.contour.shift import Better, Shift


@dataclass(frozen=True, slots=True)
class GaussianFactor(GaussianMoments):
    """The moments, and a bound of them far out."""

    def decay(self, order: Fraction) -> Decay | None:
        """The better of two bounds; None on a grid."""
        return Better(Layers.of(self, order), Shift.of(self, order)) if self.variance is None else None
