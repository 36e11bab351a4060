"""Stars: a draw in the middle and others that are bounded by it alone, in floats.

The middle is summed on a grid; what the others contribute at its nodes is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from operator import mul

from refdp.numerics.floats import added
from refdp.programs.refuting.laws import ApproximateLaw
from refdp.work import step

MOST_TABLES = 20_000
"""Tables that are kept."""


@dataclass(frozen=True, slots=True)
class Bound:
    """slope * other + offset(inputs) as an upper (or a lower) limit of a draw."""

    upper: bool
    strict: bool
    slope: float
    constant: float
    inputs: tuple[tuple[int, float], ...]

    def offset(self, values: Sequence[float]) -> float:
        """The offset at these inputs."""
        found = self.constant
        for place, factor in self.inputs:
            found += factor * values[place]
        return found


Found = tuple[bool, bool, float, float]
"""A bound at given inputs: upper, strict, slope, offset."""
TABLES: dict[tuple[object, ...], list[float]] = {}
"""Messages of leaves, by law, bounds and the law of whom they are for."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A draw of a star, with what bounds it by itself, and by the draw in the middle."""

    law: ApproximateLaw
    bounds: tuple[Bound, ...]

    def table(self, values: Sequence[float], middle: ApproximateLaw) -> list[float]:
        """The probability of its bounds at each node of the grid of the middle."""
        bounds = at(self.bounds, values)
        key = (self.law, bounds, middle)
        if key not in TABLES:
            if len(TABLES) > MOST_TABLES:
                TABLES.clear()
            TABLES[key] = table_of(self.law, bounds, middle.grid.nodes)
        return TABLES[key]


STEPS_OF_A_STAR = 20
"""What the probability of a star counts as, by the time that it takes."""


@dataclass(frozen=True, slots=True)
class Star:
    """A draw in the middle and others that are bounded by it alone."""

    law: ApproximateLaw
    bounds: tuple[Bound, ...]
    leaves: tuple[Leaf, ...]

    def value(self, values: Sequence[float]) -> float:
        """The probability of all the bounds."""
        step(STEPS_OF_A_STAR)
        low, high = limits(self.law, at(self.bounds, values), 0.0)
        if not self.leaves:
            return self.law.between(low, high)
        found = self.law.grid.weights
        for leaf in self.leaves:
            found = list(map(mul, found, leaf.table(values, self.law)))
        if low > -inf or high < inf:
            beyond = 0.5 if self.law.lattice else 0.0
            return added(map(mul, found, self.law.grid.within(low - beyond, high + beyond)))
        return added(found)


def table_of(law: ApproximateLaw, bounds: tuple[Found, ...], nodes: list[float]) -> list[float]:
    """The probability of the bounds at each node."""
    if len(bounds) == 1 and not law.lattice:
        upper, _, slope, offset = bounds[0]
        side = law.below if upper else law.above
        return [side(slope * x + offset) for x in nodes]
    return [law.between(*limits(law, bounds, x)) for x in nodes]


def at(bounds: tuple[Bound, ...], values: Sequence[float]) -> tuple[Found, ...]:
    """The bounds at given inputs."""
    return tuple([(b.upper, b.strict, b.slope, b.offset(values)) for b in bounds])


def limits(law: ApproximateLaw, bounds: tuple[Found, ...], x: float) -> tuple[float, float]:
    """The limits where the draw above is x."""
    low, high, strict_low, strict_high = -inf, inf, False, False
    for upper, strict, slope, offset in bounds:
        t = slope * x + offset
        if upper and t <= high:
            high, strict_high = t, strict or (strict_high and t == high)
        elif not upper and t >= low:
            low, strict_low = t, strict or (strict_low and t == low)
    return law.limits(low, strict_low, high, strict_high)
