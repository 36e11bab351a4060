"""Draws from a finite law by inverting its cdf: by integers around 2^64 P(X <= k), and enclosures where these fail.

With U uniform, the draw is the least k with U < F(k), F(k) = P(X <= k): it has P(k) = F(k) - F(k - 1), exactly.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Protocol

from refdp.numerics.elementary import exp_bounds
from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import Enclosure, Uniform, inverse_cdf
from refdp.sampling.words import Source, SystemWords, words

DIGITS = 64
"""The bounds are in units of 2^-64."""
FIRST_DIGITS = 16
"""Digits of U that arrays look up first."""


class Categorical(Protocol):
    """A categorical distribution: a law on 0..size - 1, by its cdf."""

    @property
    def size(self) -> int:
        """The number of values."""

    def cdf(self, bits: int) -> Sequence[Interval]:
        """Enclosures of F(0), ..., F(size - 2), narrow to about `bits` digits."""


@dataclass(frozen=True, slots=True)
class Masses:
    """P(k) = masses[k] > 0, rational, with sum 1."""

    masses: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if not all(isinstance(p, Fraction) and p > 0 for p in self.masses) or sum(self.masses) != 1:
            raise ValueError("masses must be Fractions > 0 with sum 1")

    @property
    def size(self) -> int:
        return len(self.masses)

    def cdf(self, bits: int) -> Sequence[Interval]:
        return [Interval(f, f, bits) for f in list(accumulate(self.masses))[:-1]]


@dataclass(frozen=True, slots=True)
class Exponentials:
    """P(k) proportional to e^-exponents[k], rational: the exponential mechanism, randomised response."""

    exponents: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if not self.exponents or not all(isinstance(q, Fraction) for q in self.exponents):
            raise ValueError(f"exponents must be Fractions, at least one, got {self.exponents}")

    @property
    def size(self) -> int:
        return len(self.exponents)

    def cdf(self, bits: int) -> Sequence[Interval]:
        """F(k) is in [L / (L + H'), H / (H + L')], with bounds L, H of the weights up to k and L', H' of the others."""
        least = min(self.exponents)
        ends = [exp_bounds(least - q, bits + self.size.bit_length()) for q in self.exponents]
        lows, highs = (list(accumulate(end[side] for end in ends)) for side in (0, 1))
        low, high = lows[-1], highs[-1]
        pairs = list(zip(lows, highs, strict=True))[:-1]
        return [Interval(a / (a + high - b), b / (b + low - a), bits) for a, b in pairs]


@dataclass(frozen=True, slots=True)
class Bounds:
    """low[k] <= 2^64 F(k) <= high[k] for k < size - 1: a certificate, which `check` accepts or refuses."""

    low: tuple[int, ...]
    high: tuple[int, ...]


class Refused(ValueError):
    """Bounds are not around the cdf."""


def bounds(law: Categorical) -> Bounds:
    """Bounds that nearly always meet."""
    ends = [(f.lower * 2**DIGITS, f.upper * 2**DIGITS) for f in law.cdf(DIGITS + 16)]
    return Bounds(tuple(a.__floor__() for a, _ in ends), tuple(b.__ceil__() for _, b in ends))


def check(law: Categorical, b: Bounds) -> None:
    """Return if the bounds are around the cdf, in order and in range; Refused otherwise."""
    cdf = law.cdf(2 * DIGITS)
    if not len(cdf) == len(b.low) == len(b.high) == law.size - 1:
        raise Refused("there must be bounds for each value but the last")
    for low, high, f in zip(b.low, b.high, cdf, strict=True):
        if not 0 <= low <= 2**DIGITS * f.lower or not 2**DIGITS * f.upper <= high or low >= 2**DIGITS or high < 1:
            raise Refused(f"{low} and {high} must be around 2^64 F(k)")
    if list(b.high) != sorted(b.high):
        raise Refused("the upper bounds must be in order")


class LookupDraws:
    """Independent draws; Refused unless the bounds are right."""

    __slots__ = ("bounds", "law")

    def __init__(self, law: Categorical, certificate: Bounds | None = None) -> None:
        self.law, self.bounds = law, certificate or bounds(law)
        check(law, self.bounds)

    def known(self, u: Uniform) -> int | None:
        """The draw, if the first digits of U tell it by the bounds: U >= F(j) for j < k, and U < F(k)."""
        unit = DIGITS - u.size
        k = bisect_right(self.bounds.high, u.digits << unit)
        return k if k == self.law.size - 1 or u.digits + 1 << unit <= self.bounds.low[k] else None

    def one(self, source: Source) -> int:
        """One draw."""
        u = Uniform(source)
        while (k := self.known(u)) is None and u.size < DIGITS:
            u.reveal(min(source.step, DIGITS - u.size))
        return self.decided(u) if k is None else k

    def single(self, system: SystemWords) -> Callable[[], int]:
        """`one`, of the system's digits, as a function that does as little as it can."""
        word, high, low, last = system.word, self.bounds.high, self.bounds.low, self.law.size - 1

        def draw() -> int:
            digits = word()
            k = bisect_right(high, digits)
            return k if k == last or digits < low[k] else self.decided(Uniform(system, digits, DIGITS))

        return draw

    def decided(self, u: Uniform) -> int:
        """The draw, by comparing U with enclosures of F."""

        def cdf(k: int) -> Enclosure:
            return lambda bits: self.law.cdf(bits)[k]

        return inverse_cdf(u, cdf, 0, self.law.size - 1)

    def many(self, n: int, source: Source) -> list[int]:
        """n draws, from digits in the order in which arrays read them.

        16 digits for each draw, then 64, of which 48 are used, for each that is not known by them, then more.
        """
        uniforms = [Uniform(source, first, FIRST_DIGITS) for first in words(source, n, FIRST_DIGITS)]
        drawn = [self.known(u) for u in uniforms]
        unknown = [i for i, k in enumerate(drawn) if k is None]
        more = DIGITS - FIRST_DIGITS
        for i, word in zip(unknown, words(source, len(unknown), DIGITS), strict=True):
            uniforms[i] = Uniform(source, uniforms[i].digits << more | word >> FIRST_DIGITS, DIGITS)
        found = [self.known(u) if k is None else k for u, k in zip(uniforms, drawn, strict=True)]
        return [self.decided(u) if k is None else k for u, k in zip(uniforms, found, strict=True)]
