"""How fast the moments of a sampled Gaussian event decay far out: |M(c + it)| after moving the outcomes into the plane.

On x + iy the modulus of e^(itL) is e^(-t arg), arg > 0 (Lemma 5.9 of docs/accounting_proofs.md).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from fractions import Fraction
from math import atan2, cos, exp, inf, log, log1p, sin

from flint import acb, arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.decay import CELL, Layers, spaced
from refdp.accounting.contour.factors import Decay
from refdp.accounting.contour.moments import GaussianMoments

CELLS = 250
ENOUGH = 40
"""Accuracy of M(c), by which the masses are divided, and of the tails."""
MOVES = tuple(Fraction(i, 8) for i in (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 32, 36, 40))
"""The y that are tried."""
FARTHEST = 3
"""mu y <= 3 < pi."""


@dataclass(frozen=True, slots=True)
class Cell:
    """At least its share of the tilted law, and q e^a / r at both ends: at x (it rises), and at -x (it falls)."""

    mass: arb
    rise: tuple[arb, arb]
    fall: tuple[arb, arb]


@dataclass(frozen=True, slots=True)
class Shift:
    """Bounds from each of several y."""

    factor: GaussianMoments
    order: Fraction
    cells: tuple[Cell, ...]
    sketch: tuple[tuple[float, float, float, float], ...]
    """The cells in floats: ln mass, least slope terms at x and -x, and the greatest p (1 - p) of the denominator."""
    rows: dict[Fraction, tuple[array[float], array[float]]] = field(default_factory=dict, compare=False)
    """For each y that was tried: of each cell what does not depend on t, and what is multiplied by it."""

    @classmethod
    def of(cls, factor: GaussianMoments, order: Fraction) -> Shift:
        """The cells between the ends of the factor's grid."""
        work.step(CELL * CELLS)
        whole = factor.moment(order, ENOUGH).lower()
        grid = factor.grid(order, ENOUGH, 0.0)
        left, width = grid.step * grid.first, grid.step * (grid.last - grid.first) / CELLS
        points = spaced(left, width, CELLS)
        law = factor.tilted(order)
        weights = [law.outcome(x)[0].exp().upper() for x in points]
        rises, falls = [law.share(x) for x in points], [law.share(-x) for x in points]
        scale = ball(width) * _bulge(factor, order, width).exp() / (2 * arb.pi()).sqrt() / whole
        cells = tuple(
            Cell((scale * max(weights[i : i + 2])).upper(), (rises[i], rises[i + 1]), (falls[i], falls[i + 1]))
            for i in range(CELLS)
        )
        below, above = ((tail / whole).upper() for tail in factor.tails(points[0], points[-1], order))
        cells = (
            Cell(below, (arb(0), rises[0]), (arb(1), falls[0])),
            *cells,
            Cell(above, (rises[-1], arb(1)), (falls[-1], arb(0))),
        )
        sketch = [(c.mass.log(), c.rise[0], c.fall[1], _spread(c, factor.direction)) for c in cells]
        return cls(factor, order, cells, tuple(tuple(float(x.mid()) for x in row) for row in sketch))  # type: ignore[misc]

    def bound(self, t: arb) -> arb:
        """At least |M(c + iu)| / M(c) for u >= t."""
        y = MOVES[self._best(float(t.mid()))]
        theta = self.factor.mu() * ball(y)
        if not theta <= FARTHEST:
            return arb(1)
        work.step(CELL * len(self.cells))
        total = arb(0)
        for cell in self.cells:
            total += cell.mass * self._stretch(cell, theta) * (-t * self._turn(cell, theta)).exp()
        return ((ball(y * y) / 2).exp() * total).upper().min(arb(1))

    def _turn(self, cell: Cell, theta: arb) -> arb:
        """At most the imaginary part of |L| at x + iy, for every x in the cell."""
        turn = arb(0)
        for share in [cell.rise[0], cell.fall[1]][: 2 if self.factor.direction == "replace" else 1]:
            turn += acb(1 - share + share * theta.cos(), share * theta.sin()).arg()
        return turn

    def _stretch(self, cell: Cell, theta: arb) -> arb:
        """At least the power -c of |r(x + iy)| / r(x), of the r in the denominator of the tilted weight."""
        if self.factor.direction == "remove":
            return arb(1)
        spread = 4 * _spread(cell, self.factor.direction) * (theta / 2).sin() ** 2
        return (1 - spread) ** (-ball(self.order) / 2)

    def estimate(self, t: float) -> float:
        """The logarithm of nearly `bound`."""
        return min(0.0, self._estimate(t, MOVES[self._best(t)]))

    def _best(self, t: float) -> int:
        """Which y is the best one at t, nearly: the estimates fall to it and rise from there."""
        low, high = 0, len(MOVES) - 1
        while low < high:
            middle = (low + high) // 2
            falls = self._estimate(t, MOVES[middle + 1]) < self._estimate(t, MOVES[middle])
            low, high = (middle + 1, high) if falls else (low, middle)
        return low

    def _estimate(self, t: float, y: Fraction) -> float:
        """The logarithm of nearly the bound by that y; inf where it is too far."""
        if y not in self.rows:
            self.rows[y] = self._row(float(y))
        work.step(len(self.cells) // 16)
        exponents = [mass - t * turn for mass, turn in zip(*self.rows[y], strict=True)]
        top = max(exponents, default=inf)
        return float(y * y) / 2 + top + log(sum([exp(x - top) for x in exponents])) if exponents else inf

    def _row(self, y: float) -> tuple[array[float], array[float]]:
        """Of each cell ln of its mass, stretched, and how far it turns; none where y is too far."""
        theta, c, both = float(self.factor.mu().mid()) * y, float(self.order), self.factor.direction == "replace"
        masses, turns = array("d"), array("d")
        if theta > FARTHEST * 0.999:
            return masses, turns
        cosine, sine, half = cos(theta), sin(theta), sin(theta / 2) ** 2
        for mass, rise, fall, spread in self.sketch:
            turn = atan2(rise * sine, 1 - rise + rise * cosine)
            turn += atan2(fall * sine, 1 - fall + fall * cosine) if both else 0
            masses.append(mass - c / 2 * log1p(-4 * spread * half))
            turns.append(turn)
        return masses, turns


@dataclass(frozen=True, slots=True)
class Better:
    """The lesser of two bounds: layers are better near, the shift far out."""

    layers: Layers
    shift: Shift

    def bound(self, t: arb) -> arb:
        """That of the one which floats prefer."""
        near = float(t.mid())
        return (self.layers if self.layers.estimate(near) < self.shift.estimate(near) else self.shift).bound(t)

    def estimate(self, t: float) -> float:
        """The logarithm of the lesser."""
        return min(self.layers.estimate(t), self.shift.estimate(t))

    def of(self, factor: GaussianMoments, t: float) -> Decay:
        """For a factor that is much like this one the bound that is the lesser one here."""
        near = self.layers.estimate(t) < self.shift.estimate(t)
        return Layers.of(factor, self.shift.order) if near else Shift.of(factor, self.shift.order)


def _bulge(factor: GaussianMoments, order: Fraction, width: Fraction) -> arb:
    """How far ln of the tilted weight can rise above its values at both ends of a cell."""
    bend = 1 + (order * factor.mu_squared / 4 if factor.direction != "remove" else 0)
    return ball(bend * width * width / 8)


def _spread(cell: Cell, direction: str) -> arb:
    """At least p (1 - p) in the cell, p = q e^a / r of the r in the denominator of the tilted weight; 0 without one."""
    if direction == "remove":
        return arb(0)
    low, high = cell.rise if direction == "add" else cell.fall[::-1]
    if high <= arb(1) / 2:
        return high * (1 - high)
    return low * (1 - low) if low >= arb(1) / 2 else arb(1) / 4
