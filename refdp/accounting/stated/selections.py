"""Selections: one of finitely many candidates, by scores.

`sensitivity` is how far each score moves at most between neighbours, with Poisson sampling between samples that differ
by one added row.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from refdp.accounting import losses
from refdp.accounting.losses import require
from refdp.accounting.numbers import real, shown
from refdp.accounting.stated.fields import read_fields
from refdp.numerics.exact import ExactReal


@dataclass(frozen=True, slots=True)
class BoundedRange:
    """Any mechanism whose losses between two neighbours lie in an interval of length epsilon."""

    epsilon: ExactReal
    stem: ClassVar[str] = "bounded_range"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", real(self.epsilon, "epsilon"))
        self.loss()

    def loss(self) -> losses.BoundedRange:
        return losses.BoundedRange(self.epsilon)


@dataclass(frozen=True, slots=True)
class Exponential:
    """Candidate i with probability proportional to exp(score_i / scale), as is the noisy maximum with Gumbel noise.

    monotone: between two neighbours no score rises while another falls.
    """

    scale: Fraction
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False
    stem: ClassVar[str] = "exponential"

    def __post_init__(self) -> None:
        read_fields(self, scale=True, sensitivity=True)
        require(isinstance(self.monotone, bool), "monotone", "true or false", shown(self.monotone))

    def loss(self) -> losses.BoundedRange:
        """Of length 2 sensitivity / scale, or half of it: Lemma 1.19 of docs/accounting_proofs.md."""
        return losses.BoundedRange(ExactReal((1 if self.monotone else 2) * self.sensitivity / self.scale))


@dataclass(frozen=True, slots=True)
class PermuteAndFlip:
    """Permute and flip, whose law is that of the noisy maximum with exponential noise."""

    scale: Fraction
    sensitivity: Fraction = Fraction(1)
    stem: ClassVar[str] = "permute_and_flip"

    def __post_init__(self) -> None:
        read_fields(self, scale=True, sensitivity=True)

    def loss(self) -> losses.Laplace:
        """By the claim permute_and_flip.pure, which holds for scores that move by any distance: Lemma 1.25."""
        return losses.Laplace(2 * self.sensitivity / self.scale)


@dataclass(frozen=True, slots=True)
class LaplaceNoisyMax:
    """The candidate with the greatest score plus Laplace noise of that scale."""

    scale: Fraction
    sensitivity: Fraction = Fraction(1)
    stem: ClassVar[str] = "laplace_noisy_max"

    def __post_init__(self) -> None:
        read_fields(self, scale=True, sensitivity=True)

    def loss(self) -> losses.Laplace:
        """By the claim laplace_noisy_max.pure, which holds for scores that move by any distance: Lemma 1.25."""
        return losses.Laplace(2 * self.sensitivity / self.scale)
