"""How fast the moments of a smooth loss decay: |M(c + it)| <= rho M(c) (Lemma 5.7 of docs/accounting_proofs.md).

A step function below the density of the tilted loss is cut into layers, each a height times an interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log1p, sin

from flint import arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.moments import GaussianMoments

CELLS = 400
CELL = 6
"""Steps of work that a cell counts as."""
DIGITS = 100
"""Heights and lengths are multiples of 2^-DIGITS, rounded down."""
ENOUGH = 24
"""Accuracy of M(c), by which the density is divided."""


@dataclass(frozen=True, slots=True)
class Layers:
    """(height, length), in units of 2^-DIGITS: their sum is below the density of the tilted loss."""

    layers: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, factor: GaussianMoments, order: Fraction) -> Layers:
        """The layers of a sampled Gaussian event."""
        work.step(CELL * CELLS)
        whole = factor.moment(order, ENOUGH).upper()
        grid = factor.grid(order, ENOUGH, 0.0)
        left, width = grid.step * grid.first, grid.step * (grid.last - grid.first) / CELLS
        points = spaced(left, width, CELLS)
        law = factor.tilted(order)
        outcomes = list(map(law.outcome, points))
        slopes = [law.share(x) for x in points], [law.share(-x) for x in points]
        dip = _dip(factor, order, ball(width))
        heights = []
        for i in range(CELLS):
            steepest = slopes[0][i + 1] + (slopes[1][i] if factor.direction == "replace" else 0)
            lowest = min(outcomes[i][0].lower(), outcomes[i + 1][0].lower()) - dip
            heights.append(_floor(lowest.exp() / (2 * arb.pi()).sqrt() / (factor.mu() * steepest * whole)))
        return cls(tuple(layers(heights, [loss for _, loss in outcomes])))

    def bound(self, t: arb) -> arb:
        """1 - sum of height length (1 - S(t length / 2)), where S bounds |sin u| / u from there on."""
        work.step(2 * len(self.layers))
        gone, half = arb(0), t * _unit(1) / 2
        for height, length in self.layers:
            x = half * length
            gone += height * length * (1 - (x.sin() / x if x <= 2 else 1 / x)) if x > 0 else 0
        return (1 - gone * _unit(1) ** 2).upper()

    def estimate(self, t: float) -> float:
        """The logarithm of nearly that."""
        work.step(len(self.layers) // 4)
        gone = 0.0
        for height, length in self.layers:
            x = t * length * 2.0 ** -(DIGITS + 1)
            gone += height * length * 4.0**-DIGITS * (1 - (sin(x) / x if x <= 2 else 1 / x)) if x > 0 else 0
        return log1p(-min(gone, 1 - 1e-15))


def spaced(left: Fraction, width: Fraction, cells: int) -> list[arb]:
    """The ends of cells of that width."""
    start, step = ball(left), ball(width)
    return [start + step * i for i in range(cells + 1)]


def _dip(factor: GaussianMoments, order: Fraction, width: arb) -> arb:
    """How far ln of the tilted weight can fall below its values at both ends of a cell: (width^2 / 8) max(0, its K)."""
    if factor.direction == "add":
        return arb(0)
    bend = ball((order + 1) * factor.mu_squared / 4 - 1)
    return bend.max(arb(0)) * width * width / 8


def layers(heights: list[int], ends: list[arb]) -> list[tuple[int, int]]:
    """Layers whose sum is at most height i between ends i and i + 1, from the highest cell outward."""
    low = high = max(range(len(heights)), key=heights.__getitem__)
    found, level = [], heights[low]
    while level > 0:
        left = heights[low - 1] if low > 0 else 0
        right = heights[high + 1] if high + 1 < len(heights) else 0
        below = min(level, max(left, right))
        if below < level:
            found.append((level - below, max(0, _floor(abs(ends[high + 1] - ends[low])))))
        low, high, level = (low - 1, high, below) if left > right else (low, high + 1, below)
    return found


def _floor(x: arb) -> int:
    """An integer at most x 2^DIGITS, for x >= 0."""
    whole = (x * arb(2) ** DIGITS).lower().floor().unique_fmpz()
    return int(whole) if whole is not None else 0


def _unit(n: int) -> arb:
    """n 2^-DIGITS."""
    return ball(Fraction(n, 1 << DIGITS))
