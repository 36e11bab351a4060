"""The shuffle model: each user answers by a local randomiser, and the answers come in random order.

All users run the same randomiser, and draw independently.  Neighbours: one user's value is replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

from refdp.accounting import losses
from refdp.accounting.losses import require
from refdp.accounting.numbers import real, whole
from refdp.accounting.shuffling import (
    MOST_USERS,
    attained_alone,
    attained_pair,
    clones_pair,
    is_exact,
    response_pair,
)
from refdp.accounting.stated.fields import read_fields
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.exact import ExactReal, Ln

LARGEST_EPSILON = 80
"""Greatest epsilon of one answer."""
LEAST_LIE = Fraction(1, 2**128)
"""Least probability with which an answer is not the truth."""
BITS = 160
"""Binary digits to which odds, and long probabilities, are rounded."""
SHORT = 96
"""Binary digits of a denominator that is not."""


@dataclass(frozen=True, slots=True)
class ShuffledRandomisedResponse:
    """The answers of so many users, each a bit told with probability truth, in random order: the number of ones."""

    users: int
    truth: Fraction
    stem: ClassVar[str] = "shuffled_randomised_response"

    def __post_init__(self) -> None:
        read_fields(self, truth=True)
        require(Fraction(1, 2) <= self.truth < 1, "truth", "at least 1/2 and below 1", self.truth)
        require(1 - self.truth >= LEAST_LIE, "truth", "at most 1 - 2^-128", self.truth)
        object.__setattr__(self, "users", whole(self.users, "users", MOST_USERS))

    @property
    def assumptions(self) -> frozenset[str]:
        """What is believed of the users."""
        return honest(self.users)

    @property
    def epsilon(self) -> ExactReal:
        """That of each answer, and of all of them."""
        return Ln(self.truth / (1 - self.truth))

    def loss(self) -> losses.Finite:
        """What no number of ones among the others exceeds: Lemma 1.28 of docs/accounting_proofs.md."""
        return response_pair(self.users, ends(self.truth)[1])

    def attained(self, alone: bool) -> losses.Finite:
        """What is reached: alone at each epsilon by some number of ones, else where all the others hold a one."""
        truth = ends(self.truth)[0]
        return attained_alone(self.users, truth) if alone else attained_pair(self.users, truth, self.users - 1)

    @property
    def is_tight(self) -> bool:
        """Whether the loss is reached at each epsilon, by one run alone."""
        return is_exact(self.users, self.truth) and ends(self.truth)[0] == ends(self.truth)[1]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The answers of so many users in random order, all by one randomiser that is epsilon-DP between any two values."""

    users: int
    epsilon: ExactReal
    stem: ClassVar[str] = "shuffled"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", real(self.epsilon, "epsilon"))
        require(0 <= self.epsilon <= LARGEST_EPSILON, "epsilon", f"from 0 to {LARGEST_EPSILON}", self.epsilon)
        object.__setattr__(self, "users", whole(self.users, "users", MOST_USERS))

    @property
    def assumptions(self) -> frozenset[str]:
        """What is believed of the users."""
        return honest(self.users)

    def loss(self) -> losses.Finite:
        """What no such randomiser exceeds: Lemma 1.29 of docs/accounting_proofs.md."""
        return clones_pair(self.users, odds(self.epsilon)[1])

    def attained(self, alone: bool) -> losses.Finite:
        """What randomised response, which is such a randomiser, reaches."""
        least = odds(self.epsilon)[0]
        return ShuffledRandomisedResponse(self.users, least / (1 + least)).attained(alone)

    @property
    def is_tight(self) -> bool:
        """With one user nothing is shuffled."""
        return self.epsilon == 0 or (self.users == 1 and self.epsilon.rational == 0)


def honest(users: int) -> frozenset[str]:
    """That those who are counted do as is said: answers that others know hide nobody."""
    return frozenset({f"assumption: {users} users answer so, and nobody sees whose answer is which"})


def odds(epsilon: ExactReal) -> tuple[Fraction, Fraction]:
    """Bounds of e^epsilon, the lower one at least 1; the number itself, twice, for the logarithm of a short one."""
    least, most = exp_bounds(epsilon.rational, BITS) if epsilon.rational else (Fraction(1), Fraction(1))
    return max(Fraction(1), ends(least * epsilon.argument)[0]), ends(most * epsilon.argument)[1]


def ends(x: Fraction) -> tuple[Fraction, Fraction]:
    """The number itself, twice, if it is short; else multiples of 2^-BITS beside it.

    Who tells the truth more often, or may have greater odds, hides no better.
    """
    if x.denominator.bit_length() <= SHORT:
        return x, x
    units = x * 2**BITS
    return Fraction(floor(units), 2**BITS), Fraction(ceil(units), 2**BITS)
