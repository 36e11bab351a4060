"""Events as users state them: a mechanism with its parameters, how its rows are sampled, and how often it is run.

Parameters have the names that the constructors of `refdp.mechanisms` give them.  Epsilon, delta, rho and bounds of a
mechanism hold between neighbours, with Poisson sampling between samples that differ by one added row.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Literal

from refdp.accounting.losses import require
from refdp.accounting.numbers import LARGEST_COUNT, shown, whole
from refdp.accounting.stated.bounds import Approximate, Concentrated, Profile, Renyi, StatedPoints, stated_profile
from refdp.accounting.stated.fields import read_fields
from refdp.accounting.stated.laws import Finite, KAryRandomisedResponse, RandomisedResponse, TradeOff
from refdp.accounting.stated.noise import DiscreteGaussian, DiscreteLaplace, Gaussian, Gaussians, Laplace
from refdp.numerics.exact import ExactReal

Neighbours = Literal["add_remove", "change_one", "none"]
NEIGHBOURS: tuple[Neighbours, ...] = ("add_remove", "change_one", "none")
"""Tables that differ by one row more or less; by one row replaced; inputs as each event states its distance."""
LARGEST_TABLE = 10**15
"""Most rows of a table from which samples of a fixed size are drawn."""
Noise = Gaussian | Gaussians | Laplace | DiscreteLaplace | DiscreteGaussian
"""Noise around a centre."""
Law = RandomisedResponse | KAryRandomisedResponse | Finite | TradeOff
Mechanism = Noise | Law | Approximate | Concentrated | Renyi | Profile
NOT_PRIVATE = Approximate(ExactReal(), Fraction(1))
"""A mechanism that may tell everything."""


def unmasked(rate: Fraction, neighbours: str) -> Finite:
    """A row is seen where it is in the sample: with probability rate, 0 < rate <= 1, the laws share nothing."""
    one, rest, none = rate, 1 - rate, Fraction(0)
    if neighbours == "change_one":
        return Finite(((one, none), (rest, rest), (none, one)))
    return Finite(((one, none), (rest, Fraction(1))))


class NoTheorem(ValueError):
    """An event for which no proved bound is known here; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Poisson:
    """Each row is in the sample with probability rate, independently of the others and of other samples."""

    rate: Fraction

    def __post_init__(self) -> None:
        read_fields(self, rate=True)
        require(self.rate <= 1, "rate", "at most 1", self.rate)

    def __str__(self) -> str:
        return f"a Poisson sample, rate {_short(self.rate)}"


@dataclass(frozen=True, slots=True)
class FixedSize:
    """Each set of `sample` of the `rows` rows is as likely, independently of other samples."""

    rows: int
    sample: int

    def __post_init__(self) -> None:
        for name in ("rows", "sample"):
            object.__setattr__(self, name, whole(getattr(self, name), name, LARGEST_TABLE))
        require(self.sample <= self.rows, "sample", f"at most rows = {self.rows}", self.sample)

    def __str__(self) -> str:
        return f"a sample of {self.sample} of {self.rows} rows"


@dataclass(frozen=True, slots=True)
class Event:
    """A mechanism, run `count` times with fresh noise and fresh samples; each run may depend on earlier answers."""

    mechanism: Mechanism
    count: int = 1
    sampling: Poisson | FixedSize | None = None
    trusts: frozenset[str] = frozenset()
    """What is believed of its parameters."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", whole(self.count, "count", LARGEST_COUNT))
        known = isinstance(self.mechanism, Mechanism)
        require(known, "mechanism", "one of refdp.accounting.events", shown(self.mechanism))

    def __str__(self) -> str:
        sampled = f" on {self.sampling}" if self.sampling else ""
        return f"{self.count} x {self.name}{sampled}"

    @property
    def name(self) -> str:
        """The mechanism and its parameters, in short."""
        if isinstance(self.mechanism, Approximate) and self.mechanism.delta == 0:
            return f"pure(epsilon={_short(self.mechanism.epsilon)})"
        given = [(f.name, getattr(self.mechanism, f.name)) for f in fields(self.mechanism)]
        parts = [f"{name}={_short(value)}" for name, value in given if value is not None and not callable(value)]
        return f"{self.mechanism.stem}({', '.join(parts)})"


def _short(value: object) -> str:
    """A parameter for a sentence."""
    text = f"{len(value)} pairs" if isinstance(value, tuple) else str(value)
    return text if len(text) <= 40 else f"about {float(value):.6g}" if isinstance(value, Fraction) else text[:40]


__all__ = [
    "Approximate", "Concentrated", "DiscreteGaussian", "DiscreteLaplace", "Event", "Finite", "FixedSize", "Gaussian",
    "Gaussians", "KAryRandomisedResponse", "LARGEST_TABLE", "Laplace", "Mechanism", "NEIGHBOURS", "NOT_PRIVATE",
    "Neighbours", "NoTheorem", "Noise", "Poisson", "Profile", "RandomisedResponse", "Renyi", "StatedPoints", "TradeOff",
    "stated_profile", "unmasked",
]  # fmt: skip
