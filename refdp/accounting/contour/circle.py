"""The contour of losses on one lattice: moments come again after a turn, and the sum is finite (Lemma 5.12)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from flint import acb, arb

from refdp.accounting.balls import ball
from refdp.accounting.curves import OutOfReach
from refdp.accounting.lattice.groups import Group, groups
from refdp.accounting.lattice.loss_distributions import loss_distribution
from refdp.accounting.losses import Composition, DiscreteGaussian

Ends = tuple[list[tuple[arb, arb]], arb]
"""Points with weights, and a number: delta is the mean of delta at these points, but for at most that number."""


@dataclass(frozen=True, slots=True)
class Circle:
    """R = h size, where all losses are on a lattice of step h; `size`, an odd number, of points go once around."""

    lattice: Group
    size: int

    @property
    def length(self) -> arb:
        """R."""
        return self.size * self.lattice.length

    def kernels(self, points: list[acb]) -> list[acb]:
        """h (1 / (1 - e^(-s h)) - 1 / (1 - e^(-(s + 1) h))) at each s."""
        h = self.lattice.length
        return [h / (-(s + 1) * h).expm1() - h / (-s * h).expm1() for s in points]

    def beyond(self, count: int) -> arb:
        """sinh(h / 2) cot(pi count / size) / pi; nothing is left out of a whole turn."""
        if 2 * count + 1 >= self.size:
            return arb(0)
        return (self.lattice.length / 2).sinh() * (arb.pi() * count / self.size).cot() / arb.pi()

    def ends(self, epsilon: Fraction) -> Ends:
        """The points y and y + h around epsilon: between them delta is linear in e^epsilon."""
        h, x = self.lattice.length, ball(epsilon)
        place = (x - self.lattice.origin) / h
        low = place.lower().floor()
        y = self.lattice.origin + h * low
        if place.upper().floor() == low:
            share = (x - y - h).expm1() / (-h).expm1()
            return [(y, share), (y + h, 1 - share)], arb(0)
        return [(y + h, arb(1))], abs(x - y - h).expm1().upper()  # it may be y + h itself, or lie beside it


def lattice_of(composition: Composition) -> Group | None:
    """The lattice that all losses lie on; None where none is found, or all of them have one value."""
    laws = [(loss_distribution(loss), count) for loss, count in composition.parts]
    known = [(law, count) for law, count in laws if law is not None]
    if len(known) < len(laws):
        return None
    try:
        found = groups(known)
    except OutOfReach:
        return None
    return found[0] if len(found) == 1 and found[0].step is not None else None


def deviation(composition: Composition, lattice: Group) -> float:
    """About the standard deviation of the sum of all losses, in lattice steps; at least it for bounded losses."""
    total = 0.0
    for loss, count in composition.parts:
        law = loss_distribution(loss)
        if law is not None:
            variance = float(loss.variance) if isinstance(loss, DiscreteGaussian) else law.extent**2 / 4
            total += count * variance * lattice.spread(law) ** 2
    return sqrt(total)
