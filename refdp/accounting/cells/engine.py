"""The engine `cells`: products of any pairs with finitely many losses, on one grid, from above and from below."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count as numbers
from math import isqrt

from refdp.accounting.cells.curve import CellCurve, read_off
from refdp.accounting.cells.laws import Listed, atoms_of, lists, why_not
from refdp.accounting.cells.split import origin, split
from refdp.accounting.curves import Curve, Effort
from refdp.accounting.lattice.engine import GUARD, digits
from refdp.accounting.lattice.powers import Masses, power, product
from refdp.accounting.losses import Composition
from refdp.accounting.products.engine import infinite_mass
from refdp.numerics.enclosures import precision

POINTS = 1 << 14
"""Points of the first grid, about."""
MOST_POINTS = 1 << 21
FINER, FINEST = Fraction(2), Fraction(8)
"""Each grid is finer than the one before by a factor between these."""
MOST_EVENTS = 10_000
"""Each is split, and what splitting adds grows with their number."""
HALVINGS = 40
LEAST_SPREAD = 1e-6


@dataclass(frozen=True, slots=True)
class Cells:
    """Responses, finite laws, discrete Laplace and Gaussian noise, sampled or not, whatever their losses are."""

    name: str = "cells"

    def why_not(self, composition: Composition) -> str | None:
        """None if every pair has finitely many losses, few enough to be listed, else one sentence."""
        reason = next((reason for loss, _ in composition.parts if (reason := why_not(loss))), None)
        many = sum(count for _, count in composition.parts) > MOST_EVENTS
        return reason or (f"splits of over {MOST_EVENTS} events add up to too much" if many else None)

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """Curves on finer and finer grids, as long as the next one is affordable and the width not attained."""
        bits = digits(effort, sum(count for _, count in composition.parts))
        with precision(bits + 2 * GUARD):
            listed = lists(((atoms_of(loss, bits), count) for loss, count in composition.parts), effort)
            step = spread(listed) / POINTS
        while True:
            found = curve(composition, listed, step, bits, effort)
            yield found
            gap = width(found, effort.delta)
            if gap <= effort.width:
                return
            wanted = 1.2 * float(gap / effort.width) ** 0.5  # the gap falls as step^2
            points = len(found.sums.above)
            factor = min(max(Fraction(wanted).limit_denominator(100), FINER), FINEST, Fraction(MOST_POINTS, points))
            if factor < FINER:
                return
            step /= factor


def spread(listed: list[Listed]) -> Fraction:
    """About where the sum of the losses is, in floats that choose the grid: ten standard deviations to either side."""
    square = widest = 0.0
    for one in listed:
        laws = [(float(loss.mid()), float(mass.mid())) for loss, mass in one.atoms]
        mean = sum(loss * mass for loss, mass in laws)
        square += one.count * sum((loss - mean) ** 2 * mass for loss, mass in laws)
        widest += one.count * (max(loss for loss, _ in laws) - min(loss for loss, _ in laws)) if laws else 0.0
    return Fraction(max(min(20 * square**0.5, widest), LEAST_SPREAD)).limit_denominator(10**15)


def curve(composition: Composition, listed: list[Listed], step: Fraction, bits: int, effort: Effort) -> CellCurve:
    """The curve from the grid of that step."""
    with precision(bits + 2 * GUARD):
        splits = sum(one.count for one in listed)
        powers = [power(split(one.atoms, step, bits, effort), one.count, effort) for one in listed]
        return read_off(
            infinite_mass(composition), origin(step, splits), step, summed(powers, effort), splits, bits + 2 * GUARD
        )


def summed(powers: list[Masses], effort: Effort) -> Masses:
    """The sum of independent losses: the two shortest first."""
    order = numbers()
    heap = [(one.polynomial.length(), next(order), one) for one in powers]
    heapq.heapify(heap)
    while len(heap) > 1:
        one, other = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
        found = product(one, other, effort)
        heapq.heappush(heap, (found.polynomial.length(), next(order), found))
    return heap[0][2]


def width(found: CellCurve, delta: Fraction) -> Fraction:
    """About how far apart the ends of epsilon are at that delta."""
    ends = []
    for side in ("lower", "upper"):
        low, high = Fraction(0), Fraction(isqrt(len(found.sums.above)) + 1)
        while getattr(found.delta(high), side) > delta and high < 2**20:
            high *= 2
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if getattr(found.delta(middle), side) > delta else (low, middle)
        ends.append(high)
    return abs(ends[1] - ends[0])


ENGINE = Cells()
