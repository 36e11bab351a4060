"""Noise with a scale for each element, from one table: arrays of exponential variables, asked one question each.

The floats are +, -, *, / and floor; what they do not decide with a proved margin is decided exactly.  The same digits
give the same numbers whatever the margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from refdp.sampling.bulk.slots import BulkSlots, bulk_slots
from refdp.sampling.bulk.tables import Floats, Integers, Mask
from refdp.sampling.exponential import DIGITS, at_least, floor_of, prefix
from refdp.sampling.words import SYSTEM_WORDS, Source

LARGEST = 2**50
"""Numerators and denominators of scales are at most this: exact as floats."""
BEYOND = 2.0**63
"""No int64, and neither is what is above."""
UNIT = 2.0**-DIGITS


@dataclass(frozen=True, slots=True)
class Scales:
    """numerator / denominator > 0, for each element."""

    numerator: Integers
    denominator: Integers

    def __post_init__(self) -> None:
        for part in (self.numerator, self.denominator):
            if part.dtype != np.int64 or part.shape != self.numerator.shape or part.ndim != 1:
                raise ValueError("numerators and denominators must be int64, in one dimension and equally many")
            if part.size and not 0 < part.min() <= part.max() <= LARGEST:
                raise ValueError(f"numerators and denominators of scales must be > 0 and at most {LARGEST}")

    def __getitem__(self, places: Integers) -> Scales:
        return Scales(self.numerator[places], self.denominator[places])

    def exact(self, i: int) -> Fraction:
        """The scale of element i."""
        return Fraction(int(self.numerator[i]), int(self.denominator[i]))

    def floats(self) -> Floats:
        """The nearest floats: one rounding."""
        return self.numerator / self.denominator


@dataclass(frozen=True, slots=True)
class PerElement:
    """Samplers with a scale for each element; `slack` >= 1 widens every margin, for tests."""

    slack: float = 1.0

    def __post_init__(self) -> None:
        if not self.slack >= 1:
            raise ValueError(f"slack must be >= 1, got {self.slack}")

    def geometric(self, scales: Scales, source: Source = SYSTEM_WORDS) -> Integers:
        """floor(t E): k >= 0 with probability proportional to e^(-k/t)."""
        g = table().sample(scales.numerator.size, source)
        t = scales.floats()
        x = g * (t * UNIT)
        low, high = self._cell(x, t * UNIT)
        if (high >= BEYOND).any():
            raise OverflowError("a draw exceeds the range of int64")
        drawn = low.astype(np.int64)
        for i in np.flatnonzero(low != high).tolist():
            drawn[i] = floor_of(scales.exact(i), int(g[i]), source)
        return drawn

    def _cell(self, x: Floats, step: Floats) -> tuple[Floats, Floats]:
        """Whole numbers around floor(t E), where t E is in [X, X + T), X = t G / 2^49 and T = t / 2^49.

        u = 2^-53.  x is X after three roundings (of t, of G, of the product: 2^-49 is a power of two), so
        X (1 - 4 u) <= x <= X (1 + 4 u); step is T (1 + e), |e| <= u.
        Below: x - 8 u x after a rounding is <= X (1 + 4 u)(1 - 8 u)(1 + u) <= X.
        Above: (x + 8 u x) + 2 step after two roundings is >= (X (1 - 4 u)(1 + 8 u) + 2 T (1 - u)) (1 - u)^2 >= X + T.
        """
        error = x * (2.0**-50 * self.slack)
        return np.floor(np.maximum(x - error, 0)), np.floor((x + error) + 2 * step)

    def laplace(self, scales: Scales, source: Source = SYSTEM_WORDS) -> Integers:
        """k with probability proportional to e^(-|k|/t): a geometric draw with a fair sign, but no minus zero."""
        drawn = self.geometric(scales, source)
        signs = np.frombuffer(source.octets((drawn.size + 7) // 8), np.uint8)
        minus = np.unpackbits(signs, count=drawn.size).astype(np.bool_)
        again = np.flatnonzero(minus & (drawn == 0))
        np.negative(drawn, out=drawn, where=minus)
        if again.size:
            drawn[again] = self.laplace(scales[again], source)
        return drawn

    def gaussian(self, sigmas: Scales, source: Source = SYSTEM_WORDS) -> Integers:
        """k with probability proportional to e^(-k^2 / (2 sigma^2)).  Source: CKS20 Alg. 3."""
        whole = sigmas.numerator // sigmas.denominator + 1
        drawn = self.laplace(Scales(whole, np.ones_like(whole)), source)
        again = np.flatnonzero(~self._accepted(drawn, sigmas, whole, source))
        if again.size:
            drawn[again] = self.gaussian(sigmas[again], source)
        return drawn

    def _accepted(self, y: Integers, sigmas: Scales, whole: Integers, source: Source) -> Mask:
        """E >= gamma = (a - c)^2 / (2 s), where a = |y|, s = sigma^2 and c = s / t, for a variable E of each element.

        u = 2^-53.  a, s, c, 2 s have 1, 3, 5, 3 roundings, so a - c is off by 7 u (a + c) at most, its square by
        16 u (a + c)^2, and gamma by 21 u (a + c)^2 / (2 s): less than 2^-48 (a + c)^2 / (2 s), as that is worked out.
        2^49 E is in [G, G + 1); G, and the sums below, are off by u of themselves: 2^-50 of gamma more makes up for it.
        """
        a, s = np.abs(y).astype(np.float64), sigmas.floats()
        s *= s
        c, twice = s / whole, 2 * s
        gamma = (a - c) * (a - c) / twice
        error = ((a + c) * (a + c) / twice * 2.0**-48 + gamma * 2.0**-50) * self.slack
        g = table().sample(y.size, source)
        accepted = g > (gamma + error) / UNIT
        for i in np.flatnonzero(~accepted & (g + 2 >= (gamma - error) / UNIT)).tolist():
            variance = sigmas.exact(i) ** 2
            exact = (abs(int(y[i])) - variance / int(whole[i])) ** 2 / (2 * variance)
            accepted[i] = at_least(exact, int(g[i]), source)
        return accepted


def table() -> BulkSlots:
    """The one table: G = floor(2^49 E)."""
    return bulk_slots(prefix())
