"""Where the contour should be: floats that choose and claim nothing.

K(c) = ln of the product of moments; near the saddle c, ln delta is about K - c K' - ln(c (c + 1) sqrt(2 pi K'')).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, log, pi

from refdp.accounting.contour.factors import Decay, Factor
from refdp.accounting.contour.fixed_size import FixedSizeFactor
from refdp.accounting.contour.gaussian import GaussianFactor
from refdp.accounting.curves import Effort
from refdp.accounting.lattice.groups import Group

ACCURACY = 30
TOO_MANY = "finding where the contour should be takes too much work: the moments need too many terms"
BANDS = 10
"""Where more than BANDS^2 parts are sampled Gaussian events, floats look at BANDS^2 groups of like ones instead."""
STEP = 0.04
"""Relative step of the differences."""


def coarse(x: float) -> Fraction:
    """x > 0 to about 10 binary digits, so that it costs nothing to work with."""
    scale = Fraction(2) ** (10 - Fraction(x).numerator.bit_length() + Fraction(x).denominator.bit_length())
    return Fraction(max(1, round(x * scale))) / scale


def growth_of(factor: Factor, order: Fraction) -> float:
    """ln M(c), nearly."""
    if isinstance(factor, GaussianFactor | FixedSizeFactor):
        return factor.growth(order)
    return float(factor.moment(order, ACCURACY).log().mid())


def grouped(parts: list[tuple[Factor, int]]) -> tuple[list[tuple[Factor, int]], dict[Factor, Factor]]:
    """The parts with many sampled Gaussian ones in groups, each of one mean event; and which event stands for which."""
    many = [(f, k) for f, k in parts if isinstance(f, GaussianFactor) and f.variance is None]
    if len(many) <= BANDS**2:
        return parts, {}
    kept: list[tuple[Factor, int]] = [(f, k) for f, k in parts if not isinstance(f, GaussianFactor) or f.variance]
    stands: dict[Factor, Factor] = {}
    for band in _cut(sorted(many, key=lambda one: (one[0].mu_squared, one[0].rate))):
        for group in _cut(sorted(band, key=lambda one: (one[0].rate, one[0].mu_squared))):
            mean, count = _mean(group), sum(k for _, k in group)
            kept.append((mean, count))
            stands |= {f: mean for f, _ in group if f != mean}
    return kept, stands


def _cut(parts: list[tuple[GaussianFactor, int]]) -> list[list[tuple[GaussianFactor, int]]]:
    """The parts in at most BANDS runs of about the same length."""
    size = -(-len(parts) // BANDS)
    return [parts[i : i + size] for i in range(0, len(parts), size)]


def _mean(group: list[tuple[GaussianFactor, int]]) -> GaussianFactor:
    """An event with the mean mu^2 and rate."""
    first, total = group[0][0], sum(k for _, k in group)
    if len(group) == 1:
        return first
    mu_squared, rate = (sum(float(getattr(f, name)) * k for f, k in group) / total for name in ("mu_squared", "rate"))
    return replace(first, mu_squared=Fraction(mu_squared), rate=Fraction(rate))


@dataclass(frozen=True, slots=True)
class Landscape:
    """K and its derivatives; used within a `precision`."""

    parts: list[tuple[Factor, int]]
    end: float = inf
    """`work.spent()` at which it must be known where to go."""
    known: dict[Fraction, float] = field(default_factory=dict)
    stands: Mapping[Factor, Factor] = field(default_factory=dict)
    """For parts that are not there, those that are there for them and for others like them."""
    lattice: Group | None = None
    """Of all losses, where the contour is a circle."""
    latest: dict[Fraction, tuple[Decay | None, ...]] = field(default_factory=dict)
    """The decays along the line that was asked about last."""

    def growth(self, order: float) -> float:
        """K(c)."""
        c = coarse(order)
        if c not in self.known:
            Effort(end=self.end).plan(0.0, TOO_MANY)
            self.known[c] = sum((growth_of(f, c) * k for f, k in self.parts), 0.0)
        return self.known[c]

    def decays(self, order: Fraction) -> tuple[Decay | None, ...]:
        """How the moments of each part decay along a line; those of one line are kept."""
        if order not in self.latest:
            self.latest.clear()
            self.latest[order] = tuple(f.decay(order) for f, _ in self.parts)
        return self.latest[order]

    def slope(self, order: float) -> float:
        """K'(c), the epsilon whose saddle is c."""
        low, high = coarse(order * (1 - STEP)), coarse(order * (1 + STEP))
        return (self.growth(float(high)) - self.growth(float(low))) / float(high - low)

    def bend(self, order: float) -> float:
        """K''(c)."""
        low, mid, high = (coarse(order * (1 + i * STEP)) for i in (-1, 0, 1))
        left = (self.growth(float(mid)) - self.growth(float(low))) / float(mid - low)
        right = (self.growth(float(high)) - self.growth(float(mid))) / float(high - mid)
        return max(1e-300, 2 * (right - left) / float(high - low))

    def size(self, order: float) -> float:
        """About ln delta at the epsilon whose saddle is c."""
        height = self.growth(order) - order * self.slope(order)
        return height - log(order * (order + 1)) - log(2 * pi * self.bend(order)) / 2

    def order(self, size: float) -> float:
        """The c whose `size` is about that: it falls in c."""
        low = high = 1.0
        while self.size(high) > size and high < 2**60:
            low, high = high, 2 * high
        while self.size(low) < size and low > 2**-60:
            low, high = low / 2, low
        for _ in range(8):
            middle = (low * high) ** 0.5
            low, high = (middle, high) if self.size(middle) > size else (low, middle)
        return float((low * high) ** 0.5)

    def amplified(self, order: float, saddle: float) -> float:
        """ln of what is lost by a contour through `order` where the saddle is elsewhere."""
        return self.growth(order) - self.growth(saddle) - (order - saddle) * self.slope(saddle)
