"""Where the contour should be: floats that choose and claim nothing.

K(c) = ln of the product of moments; near the saddle c, ln delta is about K - c K' - ln(c (c + 1) sqrt(2 pi K'')).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log, pi

from refdp.accounting.contour.factors import Decay, Factor
from refdp.accounting.contour.fixed_size import FixedSizeFactor
from refdp.accounting.contour.moments import GaussianMoments
from refdp.accounting.curves import OutOfReach

ACCURACY = 30
MOST_KEPT = 1000
"""Decays of more parts are not kept: each takes a tenth of a megabyte."""
STEP = 0.04
"""Relative step of the differences."""


def coarse(x: float) -> Fraction:
    """x > 0 to about 10 binary digits, so that it costs nothing to work with."""
    scale = Fraction(2) ** (10 - Fraction(x).numerator.bit_length() + Fraction(x).denominator.bit_length())
    return Fraction(max(1, round(x * scale))) / scale


def growth_of(factor: Factor, order: Fraction) -> float:
    """ln M(c), nearly."""
    if isinstance(factor, GaussianMoments | FixedSizeFactor):
        return factor.growth(order)
    return float(factor.moment(order, ACCURACY).log().mid())


@dataclass(frozen=True, slots=True)
class Landscape:
    """K and its derivatives; used within a `precision`."""

    parts: list[tuple[Factor, int]]
    end: float = inf
    """`time.monotonic()` at which it must be known where to go."""
    known: dict[Fraction, float] = field(default_factory=dict)
    latest: dict[Fraction, tuple[Decay | None, ...]] = field(default_factory=dict)
    """The decays along the line that was asked about last."""

    def growth(self, order: float) -> float:
        """K(c)."""
        c = coarse(order)
        if c not in self.known:
            if time.monotonic() > self.end:
                raise OutOfReach("finding where the contour should be takes too long: the moments need too many terms")
            self.known[c] = sum((growth_of(f, c) * k for f, k in self.parts), 0.0)
        return self.known[c]

    def decays(self, order: Fraction) -> tuple[Decay | None, ...]:
        """How the moments of each part decay along a line; those of one line are kept, where they are not too many."""
        found = self.latest.get(order)
        if found is None:
            found = tuple(f.decay(order) for f, _ in self.parts)
            self.latest.clear()
            if len(self.parts) <= MOST_KEPT:
                self.latest[order] = found
        return found

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
