"""Which moments a pair has."""

from __future__ import annotations

from fractions import Fraction

from refdp.accounting.contour.atoms import AtomsFactor
from refdp.accounting.contour.closed import LaplaceFactor, NormalFactor
from refdp.accounting.contour.factors import Factor
from refdp.accounting.contour.fixed_size import FixedSizeFactor
from refdp.accounting.contour.gaussian import GaussianFactor
from refdp.accounting.contour.mixed import MixedFactor
from refdp.accounting.contour.pieces import SampledLaplaceFactor
from refdp.accounting.curves import OutOfReach
from refdp.accounting.losses import (
    Direction,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    FixedSize,
    Laplace,
    Loss,
    Mixture,
    Normal,
    Response,
    Sampled,
)


def factor(loss: Loss) -> Factor:
    """The moments of a pair; OutOfReach where its law is not known."""
    match loss:
        case Normal(mu_squared):
            return NormalFactor(mu_squared)
        case Laplace(epsilon):
            return LaplaceFactor(epsilon)
        case Response() | Finite() | DiscreteLaplace() | DiscreteGaussian():
            return _sampled(loss, Fraction(1), "remove")
        case Sampled(base, rate, direction):
            return _sampled(base, rate, direction)
        case FixedSize(Normal() | Laplace() as base, rate):
            return FixedSizeFactor(base, rate)
        case Mixture(parts):
            return MixedFactor(tuple((weight, factor(part)) for weight, part in parts))
    raise OutOfReach(f"{type(loss).__name__} does not give the law of the loss")


def _sampled(base: Loss, rate: Fraction, direction: Direction) -> Factor:
    match base:
        case Normal(mu_squared):
            return GaussianFactor(mu_squared, rate, direction)
        case Laplace(epsilon):
            return SampledLaplaceFactor(epsilon, rate, direction)
        case DiscreteGaussian(variance, shift):
            return GaussianFactor(Fraction(shift * shift) / variance, rate, direction, variance)
        case Response() | Finite() | DiscreteLaplace():
            return AtomsFactor(base, rate, direction)
    raise OutOfReach(f"{type(base).__name__} does not give the law of the loss")
