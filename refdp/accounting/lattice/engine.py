"""The engine `lattice`: products of pairs whose losses lie on one lattice or few, without any discretisation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.lattice.curve import LatticeCurve, crossed, points, sums
from refdp.accounting.lattice.groups import NO_LATTICE, TOO_FINE, crossings, groups
from refdp.accounting.lattice.loss_distributions import LossDistribution, loss_distribution
from refdp.accounting.lattice.powers import SECONDS_PER_BIT
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import precision

if TYPE_CHECKING:
    from flint import arb

GUARD = 48
"""Binary digits more than the least delta and the width ask for, besides those that rounding may take."""
ROUNDS = 4
"""So many curves are given, each with twice as many binary digits as the one before."""
MOST_CROSSINGS = 1000
"""Losses on several lattices are added up if all but the longest have at most so many points together."""


class Lattice:
    """Responses, discrete Laplace and Gaussian noise and finite laws whose losses lie on one lattice, or few."""

    name = "lattice"

    def why_not(self, composition: Composition) -> str | None:
        """None if all losses are found to lie on one lattice, or few with few points, else one sentence."""
        for loss, _ in composition.parts:
            if loss_distribution(loss) is None:
                return f"the losses of {type(loss).__name__} are not found to lie on a lattice"
        try:
            found = groups(laws(composition))
        except OutOfReach as reason:
            return str(reason)
        if any(group.is_fine for group in found):
            return TOO_FINE
        return NO_LATTICE if crossings(found) > MOST_CROSSINGS else None

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves with more and more binary digits; OutOfReach if there are none, or where time or memory ends."""
        if reason := self.why_not(composition):
            raise OutOfReach(f"{self.name}: {reason}")
        parts = laws(composition)
        count = sum(count for _, count in parts)
        bits = digits(effort, count)
        points = max(group.spread_out for group in groups(parts))
        effort.plan(
            points * bits * SECONDS_PER_BIT * count.bit_length(),
            f"the product of all losses, of about {points} lattice points, takes more work than is left",
        )
        for number in range(ROUNDS):
            yield curve(parts, bits << number, effort)


def laws(composition: Composition) -> list[tuple[LossDistribution, int]]:
    """The laws of all parts that have one, with their counts."""
    return [(law, count) for loss, count in composition.parts if (law := loss_distribution(loss)) is not None]


def digits(effort: Effort, count: int) -> int:
    """Binary digits of masses with which the least delta that is asked about comes out as narrow as it should be."""
    ratio = effort.delta * effort.width / count**2
    return ratio.denominator.bit_length() - ratio.numerator.bit_length() + GUARD


def curve(parts: list[tuple[LossDistribution, int]], bits: int, effort: Effort) -> LatticeCurve:
    """The curve with masses in units of 2^-bits."""
    working = bits + 2 * GUARD
    with precision(working):
        first, *others = groups(parts)
        few = [points(group.origin, group.length, group.masses(bits, effort)) for group in others]
        crossing = reduce(lambda a, b: crossed(a, b, bits), few, [(ball(0), 1 << bits)])
        many = sums(first.origin, first.length, first.masses(bits, effort))
        return LatticeCurve(Lattice.name, infinite(parts), many, crossing, bits, working)


def infinite(parts: list[tuple[LossDistribution, int]]) -> arb:
    """1 - the product of (1 - infinite mass)^count."""
    if any(law.infinite == 1 for law, _ in parts):
        return ball(1)
    return -sum((count * (-ball(law.infinite)).log1p() for law, count in parts if law.infinite > 0), ball(0)).expm1()


ENGINE = Lattice()
