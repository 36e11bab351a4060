"""Mechanisms of which a bound is known, and no more."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from operator import itemgetter
from typing import ClassVar

from refdp.accounting import losses
from refdp.accounting.losses import require
from refdp.accounting.numbers import real
from refdp.accounting.stated.fields import read_fields, read_pairs
from refdp.numerics.exact import ExactReal

ORDERS = tuple(1 + Fraction(2) ** j * (1 + Fraction(i, 2)) for j in range(-3, 12) for i in range(2))
"""The Renyi orders at which a curve of them is read: each is a float, too."""


@dataclass(frozen=True, slots=True)
class Approximate:
    """Any (epsilon, delta)-DP mechanism, delta = 0 for a pure one."""

    epsilon: ExactReal
    delta: Fraction = Fraction(0)
    stem: ClassVar[str] = "approximate"

    def __post_init__(self) -> None:
        read_fields(self, delta=False)
        object.__setattr__(self, "epsilon", real(self.epsilon, "epsilon"))
        require(self.epsilon >= 0, "epsilon", ">= 0", self.epsilon)
        require(self.delta <= 1, "delta", "at most 1", self.delta)

    def loss(self) -> losses.Response:
        return losses.Response(self.epsilon, self.delta)


@dataclass(frozen=True, slots=True)
class Concentrated:
    """Any rho-zCDP mechanism."""

    rho: Fraction
    stem: ClassVar[str] = "zcdp"

    def __post_init__(self) -> None:
        read_fields(self, rho=True)

    def loss(self) -> losses.Concentrated:
        return losses.Concentrated(self.rho)


@dataclass(frozen=True, slots=True)
class Renyi:
    """Any mechanism whose Renyi divergence of each order > 1 named is at most the epsilon beside it."""

    bounds: tuple[tuple[Fraction, Fraction], ...]
    stem: ClassVar[str] = "renyi"

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", read_pairs(self.bounds, "bounds", "order", "epsilon"))
        self.loss()

    def loss(self) -> losses.Renyi:
        return losses.Renyi(self.bounds)


@dataclass(frozen=True, slots=True)
class Profile:
    """Any mechanism that is (epsilon, upper(epsilon))-DP for every rational epsilon >= 0."""

    name: str
    upper: Callable[[Fraction], Fraction]
    lower: Callable[[Fraction], Fraction] | None = None
    stem: ClassVar[str] = "profile"

    def loss(self) -> losses.Profile:
        return losses.Profile(self.name, self.upper, self.lower)


def stated_profile(points: object) -> Profile:
    """Any mechanism that is (epsilon, delta)-DP for each pair in `points`."""
    stated = tuple(sorted(read_pairs(points, "points", "epsilon", "delta")))
    require(stated[0][0] >= 0, "epsilon in points", ">= 0", stated[0][0])
    require(all(0 <= delta <= 1 for _, delta in stated), "delta in points", "between 0 and 1", "another")
    return Profile(f"{len(stated)} stated points", StatedPoints(stated))


@dataclass(frozen=True, slots=True)
class StatedPoints:
    """delta(epsilon) <= the least delta stated at an epsilon no greater, and 1 before the first."""

    points: tuple[tuple[Fraction, Fraction], ...]
    """In order."""
    least: tuple[Fraction, ...] = field(init=False, repr=False, compare=False)
    """1, and the least delta of the points up to each."""

    def __post_init__(self) -> None:
        least = accumulate((delta for _, delta in self.points), min, initial=Fraction(1))
        object.__setattr__(self, "least", tuple(least))

    def __call__(self, epsilon: Fraction) -> Fraction:
        return self.least[bisect_right(self.points, epsilon, key=itemgetter(0))]
