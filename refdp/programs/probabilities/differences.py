"""The measure of a set of points given by bounds of differences of coordinates: one coordinate is eliminated at a time.

Where x lies between the greatest of several lower bounds z + l and the least of several upper ones, the cases are taken
apart by which bound is the greatest and which the least, so that each summand is a function of one coordinate again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from refdp import work
from refdp.programs.probabilities.calculus import Calculus
from refdp.programs.probabilities.pieces import (
    CONSTANT,
    Piece,
    Pieces,
    Place,
    constant,
    difference,
    product,
    sum_of,
    times,
)
from refdp.programs.probabilities.sums import NotComputed

ORIGIN = -1
"""The coordinate that is 0."""
Bounds = Mapping[tuple[int, int], Place]
"""(i, j): b says x_i - x_j <= b."""
Offset = tuple[int, Place]
"""(z, b) stands for x_z + b, which bounds another coordinate."""
Factors = Mapping[int, Pieces]
"""The density of each coordinate."""


STEPS_OF_A_COORDINATE = 300
"""What eliminating a coordinate counts as, by the time that it takes."""


@dataclass(frozen=True, slots=True)
class Elimination:
    """Eliminates coordinates, until a moment of the clock."""

    calculus: Calculus
    deadline: float

    def measure(self, factors: Factors, bounds: Bounds) -> Piece:
        """The integral of the product of the densities over the points within the bounds, a constant."""
        work.step(STEPS_OF_A_COORDINATE)
        if work.spent() > self.deadline:
            raise NotComputed("the time for a probability is spent")
        if any(b + bounds[j, i] < 0 for (i, j), b in bounds.items() if (j, i) in bounds):
            return {}
        if not factors:
            return {CONSTANT: self.calculus.one}
        x = min(factors, key=lambda i: len({j for pair in bounds if i in pair for j in pair}))
        low, high = bounds.get((ORIGIN, x)), bounds.get((x, ORIGIN))
        density = self.calculus.within(factors[x], None if low is None else -low, high)
        others = {i: f for i, f in factors.items() if i != x}
        rest = {pair: b for pair, b in bounds.items() if x not in pair}
        upper = [(j, b) for (i, j), b in bounds.items() if i == x and j != ORIGIN]
        lower = [(i, -b) for (i, j), b in bounds.items() if j == x and i != ORIGIN]
        return self._without(self.calculus.accumulated(density), upper, lower, others, rest)

    def _without(
        self, whole: Pieces, upper: list[Offset], lower: list[Offset], factors: Factors, bounds: Bounds
    ) -> Piece:
        """The integral without the coordinate that has those bounds and whose density, accumulated, is `whole`."""
        if not upper and not lower:
            return product(self.calculus.limit(whole), self.measure(factors, bounds))
        found = []
        for high, least in self._extremes(upper, 1):
            for low, greatest in self._extremes(lower, -1):
                case = tightened(tightened(bounds, least), greatest)
                if high is not None and low is not None and high[0] != low[0]:
                    case = tightened(case, {(low[0], high[0]): high[1] - low[1]})
                for z, factor in self._summands(whole, high, low):
                    found.append(self.measure({**factors, z: times(factors[z], factor)}, case))
        return sum_of(found)

    def _extremes(self, offsets: list[Offset], side: int) -> Iterator[tuple[Offset | None, Bounds]]:
        """Each bound that may be the least (for side 1) or the greatest (-1), and what then holds of the others."""
        if not offsets:
            yield None, {}
        for z, offset in offsets:
            holds: dict[tuple[int, int], Place] = {}
            for other, its in offsets:
                if other != z:  # where two are equal, the one with the lesser number counts
                    pair = (z, other) if side > 0 else (other, z)
                    holds[pair] = (its - offset) * side - (self.calculus.gap if other < z else 0)
            yield (z, offset), holds

    def _summands(self, whole: Pieces, high: Offset | None, low: Offset | None) -> Iterator[tuple[int, Pieces]]:
        """Functions of one coordinate each that add up to the mass between the two bounds."""
        calculus = self.calculus
        over = constant(calculus.limit(whole)) if high is None else calculus.shifted(whole, high[1])
        under = constant({}) if low is None else calculus.shifted(whole, low[1] - calculus.gap)
        if high is None or low is None or high[0] == low[0]:
            yield (high or low or (ORIGIN, 0))[0], difference(over, under)
        else:
            yield high[0], over
            yield low[0], difference(constant({}), under)


def tightened(bounds: Bounds, more: Bounds) -> Bounds:
    """All of the bounds."""
    found = dict(bounds)
    for pair, b in more.items():
        found[pair] = min(b, found[pair]) if pair in found else b
    return found
