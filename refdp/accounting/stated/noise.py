"""Noise added to an answer.

`sensitivity` is how far the answer moves: without sampling and with samples of a fixed size, between neighbours; with
Poisson sampling, by one row that is ADDED to the sample, also where the account is about replaced rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from refdp.accounting import losses
from refdp.accounting.losses import require
from refdp.accounting.stated.fields import read_fields


@dataclass(frozen=True, slots=True)
class Gaussian:
    """x + Z, Z with density proportional to exp(-|z|^2 / (2 sigma^2)); sensitivity in the Euclidean norm."""

    sigma: Fraction
    sensitivity: Fraction = Fraction(1)
    stem: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        read_fields(self, sigma=True, sensitivity=True)

    def loss(self) -> losses.Normal:
        return losses.Normal((self.sensitivity / self.sigma) ** 2)


@dataclass(frozen=True, slots=True)
class Gaussians:
    """Gaussian answers to queries of one sample, taken together; mu_squared = the sum of (sensitivity / sigma)^2.

    Lemma 1.7 of docs/accounting_proofs.md.
    """

    mu_squared: Fraction
    stem: ClassVar[str] = "gaussians"

    def __post_init__(self) -> None:
        read_fields(self, mu_squared=True)

    def loss(self) -> losses.Normal:
        return losses.Normal(self.mu_squared)


@dataclass(frozen=True, slots=True)
class Laplace:
    """x + Z, coordinates of Z independent with density exp(-|z| / scale) / (2 scale); sensitivity in the L1 norm."""

    scale: Fraction
    sensitivity: Fraction = Fraction(1)
    stem: ClassVar[str] = "laplace"

    def __post_init__(self) -> None:
        read_fields(self, scale=True, sensitivity=True)

    def loss(self) -> losses.Laplace:
        return losses.Laplace(self.sensitivity / self.scale)


def steps_of(sensitivity: Fraction, granularity: Fraction) -> int:
    """By how many grid steps noise is moved."""
    steps = sensitivity / granularity
    require(steps.denominator == 1, "sensitivity", f"a multiple of the granularity {granularity}", sensitivity)
    require(steps <= losses.LARGEST_SHIFT, "sensitivity / granularity", f"at most {losses.LARGEST_SHIFT}", steps)
    return int(steps)


@dataclass(frozen=True, slots=True)
class DiscreteLaplace:
    """x + Z on the multiples of granularity, weights exp(-|z| / scale), coordinates independent; L1 sensitivity."""

    scale: Fraction
    sensitivity: Fraction = Fraction(1)
    granularity: Fraction = Fraction(1)
    stem: ClassVar[str] = "discrete_laplace"

    def __post_init__(self) -> None:
        read_fields(self, scale=True, sensitivity=True, granularity=True)
        steps_of(self.sensitivity, self.granularity)

    def loss(self) -> losses.DiscreteLaplace:
        return losses.DiscreteLaplace(self.granularity / self.scale, steps_of(self.sensitivity, self.granularity))


@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """x + Z on the multiples of granularity, weights exp(-z^2 / (2 sigma^2)), coordinates independent; L1 sensitivity.

    Source: CKS20 Def. 1
    """

    sigma: Fraction
    sensitivity: Fraction = Fraction(1)
    granularity: Fraction = Fraction(1)
    stem: ClassVar[str] = "discrete_gaussian"

    def __post_init__(self) -> None:
        read_fields(self, sigma=True, sensitivity=True, granularity=True)
        steps_of(self.sensitivity, self.granularity)

    def loss(self) -> losses.DiscreteGaussian:
        steps = steps_of(self.sensitivity, self.granularity)
        return losses.DiscreteGaussian((self.sigma / self.granularity) ** 2, steps)
