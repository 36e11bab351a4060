"""Laws on the line, symmetric around 0, as tests of samplers ask for them: masses of intervals, certified and rough.

Certified masses are enclosures and carry verdicts.  Rough ones are floats: they choose cells and alternatives only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, log, sqrt, tanh
from statistics import NormalDist
from typing import Protocol

from refdp.auditing.evidence.normal_sums import gaussian_mass, rough_gaussian
from refdp.numerics.exact import Exactly, exact
from refdp.numerics.intervals import Interval, Intervals

BITS = 128
ONE = Fraction(1)
End = Fraction | None
"""An end of an interval; None for infinity."""


class LineLaw(Protocol):
    """A law, symmetric around 0: of the integers, or continuous."""

    @property
    def lattice(self) -> bool:
        """Whether it is a law of integers."""

    @property
    def spread(self) -> Fraction:
        """The scale or standard deviation: the unit of arguments below."""

    @property
    def shape(self) -> str:
        """The name of its family."""

    def rescaled(self, factor: Fraction) -> LineLaw:
        """The law of the same family with spread times the factor."""

    def mass(self, above: End, upto: End) -> Interval:
        """Enclosure of P[above < X <= upto]; neither end is strictly on the other side of 0 than the other.

        For integers, "on the side of 0" means that both are >= 0, both are <= -1, or that they are -1 and 0.
        """

    def rough(self, above: End, upto: End, factor: float = 1.0) -> float:
        """About P[above < factor X <= upto], for such ends."""

    def quantile(self, tail: float) -> float:
        """About the x >= 0 in units of the spread with P[X > x spread] = tail, for tail <= 1/2."""


def positive(value: Exactly, parameter: str) -> Fraction:
    """The number where it is > 0; ValueError otherwise."""
    found = exact(value, parameter)
    if found <= 0:
        raise ValueError(f"{parameter} must be > 0, got {found}")
    return found


def mirrored(above: End, upto: End, lattice: bool) -> tuple[Fraction, End]:
    """The interval of the right side that a symmetric law gives the same mass: (a, b] with 0 <= a."""
    if above is not None and above >= 0:
        return above, upto
    if upto is None or upto > (-1 if lattice else 0):
        raise ValueError(f"an interval must be on one side of 0, got ({above}, {upto}]")
    # Integers: a < X <= b is -b <= -X < -a, that is -b - 1 < -X <= -a - 1.  Else single points have no mass.
    shift = int(lattice)
    return -upto - shift, None if above is None else -above - shift


def is_atom(above: End, upto: End, lattice: bool) -> bool:
    """Whether the interval is {0}, for integers."""
    return lattice and above == -1 and upto == 0


@dataclass(frozen=True, slots=True)
class DiscreteLaplace:
    """P[k] = (1 - r) / (1 + r) r^|k| on the integers, r = e^(-1 / scale), scale > 0."""

    scale: Fraction
    lattice = True
    shape = "laplace"

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive(self.scale, "scale"))

    @property
    def spread(self) -> Fraction:
        return self.scale

    def rescaled(self, factor: Fraction) -> DiscreteLaplace:
        return DiscreteLaplace(self.scale * factor)

    def mass(self, above: End, upto: End) -> Interval:
        """With P[X > k] = r^(k + 1) / (1 + r) for k >= 0."""
        arithmetic = Intervals(BITS + 2 * abs(self.scale.numerator.bit_length() - self.scale.denominator.bit_length()))

        def power(k: Fraction | int) -> Interval:
            found: Interval = arithmetic.function("exp", arithmetic.number(-Fraction(k) / self.scale))
            return found

        one = arithmetic.number(ONE)
        if is_atom(above, upto, True):
            return (one - power(1)) / (one + power(1))
        a, b = mirrored(above, upto, True)
        rest = one if b is None else one - power(b - a)
        return power(a + 1) * rest / (one + power(1))

    def rough(self, above: End, upto: End, factor: float = 1.0) -> float:
        unit = 1 / factor
        if is_atom(above, upto, True):
            return tanh(unit * ratio(ONE, self.scale) / 2)
        a, b = mirrored(above, upto, True)
        first = exp(-unit * ratio(a + 1, self.scale)) / (1 + exp(-unit * ratio(ONE, self.scale)))
        return first * (1.0 if b is None else 1 - exp(-unit * ratio(b - a, self.scale)))

    def quantile(self, tail: float) -> float:
        return -log(2 * tail)


@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """P[k] proportional to e^(-k^2 / (2 sigma^2)) on the integers, sigma > 0."""

    sigma: Fraction
    lattice = True
    shape = "gaussian"

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", positive(self.sigma, "sigma"))

    @property
    def spread(self) -> Fraction:
        return self.sigma

    def rescaled(self, factor: Fraction) -> DiscreteGaussian:
        return DiscreteGaussian(self.sigma * factor)

    def mass(self, above: End, upto: End) -> Interval:
        if is_atom(above, upto, True):
            return gaussian_mass(self.sigma, -1, 0)
        a, b = mirrored(above, upto, True)
        return gaussian_mass(self.sigma, int(a), None if b is None else int(b))

    def rough(self, above: End, upto: End, factor: float = 1.0) -> float:
        if is_atom(above, upto, True):
            return rough_gaussian(self.sigma * Fraction(factor), -1, 0)
        a, b = mirrored(above, upto, True)
        return rough_gaussian(self.sigma * Fraction(factor), int(a), None if b is None else int(b))

    def quantile(self, tail: float) -> float:
        return -NormalDist().inv_cdf(tail)


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


def ratio(x: Fraction, unit: Fraction) -> float:
    """x / unit as a float, 1e300 where it is more."""
    found = x / unit
    return float(found) if found < 10**300 else 1e300
