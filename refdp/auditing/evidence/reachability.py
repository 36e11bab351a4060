"""Outputs that a sampler in floats never gives, where the function of its uniform number is known.

Let the code draw a whole number k from 0, ..., 2^bits - 1 and give f(x, k), with

    |f(x, k) - x - Q(p)| <= error (|x| + |Q(p)|) + absolute,   p = k / 2^bits, or 1 - k / 2^bits if it is falling,

Q being the quantile function of a law.  Q rises.  So f(x, k) = y implies that Q(p) is within t of d = y - x, where

    t = error (|x| + (|d| + error |x| + absolute) / (1 - error)) + absolute,

as |Q| <= |d| + error (|x| + |Q|) + absolute.  Hence P[Z <= d - t] <= p <= P[Z <= d + t] for the law's Z: a few k,
which `near` lists from enclosures and which are tried on the very code.  If none of them gives y, nothing does.  The
accuracy that is assumed of the code is tested wherever the code is run (`accurate`), and it is trusted elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from refdp.laws import Law

MOST_BITS = 64


@dataclass(frozen=True, slots=True)
class Noise:
    """A law, how many bits of a uniform number its sampler draws, in which direction, and how exact it is."""

    law: Law
    bits: int = 53
    falling: bool = False
    error: Fraction = Fraction(1, 2**48)
    absolute: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.law.lattice:
            raise ValueError(f"the law must be continuous, got {self.law}")
        if not 1 <= self.bits <= MOST_BITS:
            raise ValueError(f"bits must be from 1 to {MOST_BITS}, got {self.bits}")
        if not 0 <= self.error <= Fraction(1, 2):
            raise ValueError(f"error must be >= 0 and <= 1/2, got {self.error}")
        if self.absolute < 0:
            raise ValueError(f"absolute must be >= 0, got {self.absolute}")

    def below(self, z: Fraction) -> tuple[Fraction, Fraction]:
        """Bounds of P[Z <= z]."""
        tail = self.law.mass(abs(z), None)
        return (tail.lower, tail.upper) if z < 0 else (1 - tail.upper, 1 - tail.lower)

    def within(self, x: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
        """Bounds of every p from which y may come for x."""
        d = y - x
        largest = (abs(d) + self.error * abs(x) + self.absolute) / (1 - self.error)
        t = self.error * (abs(x) + largest) + self.absolute
        return self.below(d - t)[0], self.below(d + t)[1]

    def near(self, x: Fraction, y: Fraction) -> range:
        """Every k that may give y for x."""
        low, high = self.within(x, y)
        if self.falling:
            low, high = 1 - high, 1 - low
        size = 2**self.bits
        return range(max(0, ceil(low * size)), min(size - 1, floor(high * size)) + 1)

    def accurate(self, x: Fraction, k: int, y: Fraction) -> bool:
        """Whether y may come of k for x: False shows that the code is not what is assumed of it."""
        return k in self.near(x, y)
