"""Laws of integers: the discrete Laplace and the discrete Gaussian law."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, tanh
from statistics import NormalDist

from refdp.auditing.evidence.line_laws import BITS, End, is_atom, mirrored, ratio
from refdp.auditing.evidence.normal_sums import gaussian_mass, rough_gaussian
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import positive
from refdp.numerics.intervals import Interval

ONE = Fraction(1)


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
