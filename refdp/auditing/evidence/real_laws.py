"""Continuous laws, by their tails: Laplace and normal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, log, sqrt
from statistics import NormalDist

from refdp.auditing.evidence.line_laws import BITS, End, mirrored, ratio
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import Exactly, exact, positive
from refdp.numerics.intervals import Interval


@dataclass(frozen=True, slots=True)
class Continuous:
    """A continuous law by the tail P[X > x spread], x >= 0: certified (`name` with the enclosure of it), and rough."""

    shape: str
    spread: Fraction
    lattice = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "spread", positive(self.spread, "scale"))
        if self.shape not in TAILS:
            raise ValueError(f"shape must be one of {', '.join(TAILS)}, got {self.shape}")

    def rescaled(self, factor: Fraction) -> Continuous:
        return Continuous(self.shape, self.spread * factor)

    def tail(self, x: Fraction) -> Interval:
        """Enclosure of P[X > x], for x >= 0."""
        arithmetic = Intervals(BITS)
        point = arithmetic.number(x / self.spread)
        if self.shape == "gaussian":
            found: Interval = arithmetic.function("normal_tail", point)
            return found
        return arithmetic.number(Fraction(1, 2)) * arithmetic.function("exp", -point)

    def mass(self, above: End, upto: End) -> Interval:
        a, b = mirrored(above, upto, False)
        found = self.tail(a) if b is None else self.tail(a) - self.tail(b)
        return Interval(max(found.lower, Fraction(0)), found.upper, BITS)

    def rough(self, above: End, upto: End, factor: float = 1.0) -> float:
        a, b = mirrored(above, upto, False)
        tail = TAILS[self.shape]
        return tail(ratio(a, self.spread) / factor) - (0.0 if b is None else tail(ratio(b, self.spread) / factor))

    def quantile(self, tail: float) -> float:
        return -log(2 * tail) if self.shape == "laplace" else -NormalDist().inv_cdf(tail)


TAILS: dict[str, Callable[[float], float]] = {
    "laplace": lambda x: exp(-x) / 2,
    "gaussian": lambda x: erfc(x / sqrt(2)) / 2,
}
"""Rough tails of the continuous laws of spread 1."""


def laplace(scale: Exactly) -> Continuous:
    """The continuous Laplace law of that scale > 0."""
    return Continuous("laplace", exact(scale, "scale"))


def gaussian(sigma: Exactly) -> Continuous:
    """The normal law with mean 0 and standard deviation sigma > 0."""
    return Continuous("gaussian", exact(sigma, "sigma"))
