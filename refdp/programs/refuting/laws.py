"""Laws of draws in floats: distribution functions with tails that do not cancel, and grids to sum functions on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import ceil, erfc, exp, expm1, floor, inf, pi, sqrt

CORE = 8.0
"""Up to here data, thresholds and cut-offs make densities bend; beyond it they are smooth."""
WIDEST = 0.5
"""The widest cell of a grid where functions bend: cut-offs lie at multiples of it."""
GROWTH = 1.6
"""How much wider each cell is than the one before it, where functions are smooth."""
MOST_CELLS = 100_000
"""Most cells of a side of a grid."""
GAUSS = ((0.1127016653792583, 5 / 18), (0.5, 4 / 9), (0.8872983346207417, 5 / 18))
"""Places and weights of Gauss on [0, 1]."""
ROUNDING = 1e-9
"""Numbers that are less than this apart are one."""


@dataclass(frozen=True, eq=False)
class ApproximateLaw:
    """A law of numbers in floats: on the reals, or where it is `lattice` on the integers."""

    below: Callable[[float], float]
    """P[X <= t], t an integer on the lattice."""
    above: Callable[[float], float]
    """P[X >= t], t an integer on the lattice."""
    density: Callable[[float], float]
    reach: float
    """Beyond it there is next to nothing."""
    lattice: bool
    width: float

    def between(self, low: float, high: float) -> float:
        """P[low <= X <= high]."""
        if high < low:
            return 0.0
        if low == -inf:
            return self.below(high)
        if high == inf:
            return self.above(low)
        gap = 1.0 if self.lattice else 0.0
        if low > 0:
            return max(self.above(low) - self.above(high + gap), 0.0)
        return max(self.below(high) - self.below(low - gap), 0.0)

    def limits(self, low: float, strict_low: bool, high: float, strict_high: bool) -> tuple[float, float]:
        """The same limits, as integers that are included on the lattice."""
        if not self.lattice:
            return low, high
        if low != -inf:
            low = floor(low + ROUNDING) + 1.0 if strict_low else float(ceil(low - ROUNDING))
        if high != inf:
            high = ceil(high - ROUNDING) - 1.0 if strict_high else float(floor(high + ROUNDING))
        return low, high

    @property
    def has_grid(self) -> bool:
        """Whether functions can be summed against it: not where a scale is far below or above what data move."""
        cells = self.reach + CORE if self.lattice else CORE / self.width if self.width else inf
        return cells <= MOST_CELLS

    @cached_property
    def grid(self) -> Grid:
        """Where functions are summed against this law."""
        return lattice_grid(self) if self.lattice else real_grid(self)


@dataclass(frozen=True)
class Grid:
    """Nodes, each with a weight that holds the density, and with the interval for which it stands."""

    nodes: list[float]
    weights: list[float]
    intervals: list[tuple[float, float]]

    def within(self, low: float, high: float) -> list[float]:
        """What part of the interval of each node lies within the limits."""
        return [
            1.0 if low <= left and right <= high else max(min(right, high) - max(left, low), 0.0) / (right - left)
            for left, right in self.intervals
        ]


def real_grid(law: ApproximateLaw) -> Grid:
    """Narrow cells where functions bend, and ever wider ones as far as the law reaches."""
    half, width = [0.0], law.width
    while half[-1] < CORE:
        half.append(half[-1] + width)
    while half[-1] < CORE + law.reach:
        width *= GROWTH
        half.append(half[-1] + width)
    edges = [-x for x in reversed(half[1:])] + half
    nodes, weights, intervals = [], [], []
    for left, right in pairwise(edges):
        end = left
        for place, weight in GAUSS:
            node, start, end = left + place * (right - left), end, end + weight * (right - left)
            nodes.append(node)
            weights.append(weight * (right - left) * law.density(node))
            intervals.append((start, end))
    return Grid(nodes, weights, intervals)


def lattice_grid(law: ApproximateLaw) -> Grid:
    """The integers as far as the law reaches."""
    reach = ceil(law.reach + CORE)
    nodes = [float(k) for k in range(-reach, reach + 1)]
    return Grid(nodes, [law.density(k) for k in nodes], [(k - 0.5, k + 0.5) for k in nodes])


def width_for(scale: float) -> float:
    """A width of cells that divides WIDEST and is narrow beside the scale."""
    width = WIDEST
    while width > scale:
        width /= 2
    return width


@lru_cache(maxsize=256)
def laplace(b: float) -> ApproximateLaw:
    """Density e^(-|x|/b) / (2b)."""

    def below(t: float) -> float:
        return exp(t / b) / 2 if t < 0 else 1 - exp(-t / b) / 2

    return ApproximateLaw(below, lambda t: below(-t), lambda x: exp(-abs(x) / b) / (2 * b), 25 * b, False, width_for(b))


@lru_cache(maxsize=256)
def exponential(b: float) -> ApproximateLaw:
    """Density e^(-x/b) / b from 0 on."""

    def below(t: float) -> float:
        return -expm1(-t / b) if t > 0 else 0.0

    def above(t: float) -> float:
        return exp(-t / b) if t > 0 else 1.0

    return ApproximateLaw(below, above, lambda x: exp(-x / b) / b if x >= 0 else 0.0, 25 * b, False, width_for(b))


@lru_cache(maxsize=256)
def gaussian(sigma: float) -> ApproximateLaw:
    """Density of the normal law."""

    def below(t: float) -> float:
        return erfc(-t / (sigma * sqrt(2))) / 2

    def density(x: float) -> float:
        return exp(-((x / sigma) ** 2) / 2) / (sigma * sqrt(2 * pi))

    return ApproximateLaw(below, lambda t: below(-t), density, 9 * sigma, False, width_for(sigma))


@lru_cache(maxsize=256)
def discrete_laplace(b: float) -> ApproximateLaw:
    """Mass in proportion to e^(-|k|/b) on the integers."""
    a = exp(-1 / b)

    def below(k: float) -> float:
        return exp(k / b) / (1 + a) if k < 0 else 1 - exp(-(k + 1) / b) / (1 + a)

    return ApproximateLaw(below, lambda k: below(-k), lambda k: exp(-abs(k) / b) * (1 - a) / (1 + a), 25 * b, True, 1.0)


@lru_cache(maxsize=256)
def uniform(low: float, high: float) -> ApproximateLaw:
    """Equal mass on the integers from low to high."""
    size = high - low + 1

    def below(k: float) -> float:
        return min(max((k - low + 1) / size, 0.0), 1.0)

    def density(k: float) -> float:
        return 1 / size if low <= k <= high else 0.0

    return ApproximateLaw(below, lambda k: 1 - below(k - 1), density, min(max(abs(low), abs(high)), 2_000), True, 1.0)
