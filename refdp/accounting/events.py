"""Events as users state them: a mechanism with its parameters, how its rows are sampled, and how often it is run.

Parameters have the names that the constructors of `refdp.mechanisms` give them.  Epsilon, delta, rho and bounds of a
mechanism hold between neighbours, with Poisson sampling between samples that differ by one added row.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import ClassVar, Literal

from refdp.accounting.losses import require
from refdp.accounting.numbers import LARGEST_COUNT, shown, whole
from refdp.accounting.stated.bounds import Approximate, Concentrated, Profile, Renyi, StatedPoints, stated_profile
from refdp.accounting.stated.fields import read_fields
from refdp.accounting.stated.laws import Finite, KAryRandomisedResponse, RandomisedResponse, TradeOff
from refdp.accounting.stated.noise import DiscreteGaussian, DiscreteLaplace, Gaussian, Gaussians, Laplace
from refdp.accounting.stated.schemes import (
    LARGEST_TABLE,
    BallsInBins,
    CyclicPoisson,
    FixedSize,
    FixedSizeOfAtLeast,
    Poisson,
    Scheme,
    TruncatedPoisson,
    WithReplacement,
    assumptions,
    short,
)
from refdp.accounting.stated.selections import BoundedRange, Exponential, LaplaceNoisyMax, PermuteAndFlip
from refdp.accounting.stated.shuffles import Shuffled, ShuffledRandomisedResponse
from refdp.accounting.stated.votes import GivenVotes
from refdp.numerics.exact import ExactReal

Neighbours = Literal["add_remove", "change_one", "none"]
NEIGHBOURS: tuple[Neighbours, ...] = ("add_remove", "change_one", "none")
"""Tables that differ by one row more or less; by one row replaced; inputs as each event states its distance."""
Noise = Gaussian | Gaussians | Laplace | DiscreteLaplace | DiscreteGaussian
"""Noise around a centre."""
FiniteMechanism = RandomisedResponse | KAryRandomisedResponse | Finite | TradeOff
Selection = BoundedRange | Exponential | PermuteAndFlip | LaplaceNoisyMax
"""One of several candidates."""
Shuffle = ShuffledRandomisedResponse | Shuffled
"""Answers of many users in random order."""


@dataclass(frozen=True, slots=True)
class RepeatAndSelect:
    """The best of K runs of the events by a total order of what they answer; K and the order read no data.

    K = k >= 1 has a probability in proportion to (1 - gamma)^k Gamma(k + shape) / k!: truncated negative binomial, for
    shape 1 geometric, for shape 0 logarithmic.  Without a shape K is a Poisson number, and where it is 0 nothing is
    answered.
    """

    events: tuple[Event, ...]
    shape: Fraction | None = None
    gamma: Fraction | None = None
    mean: Fraction | None = None
    stem: ClassVar[str] = "repeat_and_select"

    def __post_init__(self) -> None:
        stated = isinstance(self.events, list | tuple) and all(isinstance(one, Event) for one in self.events)
        require(stated and len(self.events) > 0, "events", "at least one event", shown(self.events))
        object.__setattr__(self, "events", tuple(self.events))
        nested = any(isinstance(one.mechanism, RepeatAndSelect) for one in self.events)
        require(not nested, "events", "no repeat_and_select themselves", "one")
        poisson = self.mean is not None
        given = (self.shape is None, self.gamma is None)
        require(given == (poisson, poisson), "repeat_and_select", "one with shape and gamma, or with mean", "others")
        read_fields(self, **({"mean": True} if poisson else {"shape": False, "gamma": True}))
        require(self.gamma is None or self.gamma <= 1, "gamma", "at most 1", self.gamma)
        require(self.shape is None or self.shape <= MOST_SHAPE, "shape", f"at most {MOST_SHAPE}", self.shape)

    @property
    def assumptions(self) -> frozenset[str]:
        """What is believed of the events."""
        return frozenset[str]().union(*(one.trusts for one in self.events))

    def __str__(self) -> str:
        law = f"mean={short(self.mean)}" if self.mean else f"shape={short(self.shape)}, gamma={short(self.gamma)}"
        return f"{self.stem}({law}) of {' and '.join(map(str, self.events))}"


MOST_SHAPE = 1000
"""Greatest shape of a number of runs."""
Mechanism = (
    Noise | FiniteMechanism | Selection | Shuffle | RepeatAndSelect | GivenVotes
    | Approximate | Concentrated | Renyi | Profile
)  # fmt: skip
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
class Event:
    """A mechanism, run `count` times with fresh noise and fresh samples; each run may depend on earlier answers.

    Where the sampling is of several steps, a run is all of them.
    """

    mechanism: Mechanism
    count: int = 1
    sampling: Scheme | None = None
    trusts: frozenset[str] = frozenset()
    """What is believed of its parameters, and of the tables from which rows are sampled."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", whole(self.count, "count", LARGEST_COUNT))
        known = isinstance(self.mechanism, Mechanism)
        require(known, "mechanism", "one of refdp.accounting.events", shown(self.mechanism))
        object.__setattr__(self, "trusts", self.trusts | assumptions(self.sampling) | assumptions(self.mechanism))

    def __str__(self) -> str:
        sampled = f" on {self.sampling}" if self.sampling else ""
        return f"{self.count} x {self.name}{sampled}"

    @property
    def name(self) -> str:
        """The mechanism and its parameters, in short."""
        if isinstance(self.mechanism, RepeatAndSelect | GivenVotes):
            return str(self.mechanism)
        if isinstance(self.mechanism, Approximate) and self.mechanism.delta == 0:
            return f"pure(epsilon={short(self.mechanism.epsilon)})"
        given = [(f.name, getattr(self.mechanism, f.name)) for f in fields(self.mechanism)]
        told = [(name, value) for name, value in given if value is not None and value is not False]
        parts = [f"{name}={short(value)}" for name, value in told if not callable(value)]
        return f"{self.mechanism.stem}({', '.join(parts)})"


__all__ = [
    "Approximate", "BallsInBins", "BoundedRange", "Concentrated", "CyclicPoisson", "DiscreteGaussian",
    "DiscreteLaplace", "Event", "Exponential", "Finite", "FixedSize", "FixedSizeOfAtLeast", "Gaussian", "Gaussians",
    "GivenVotes", "KAryRandomisedResponse", "LARGEST_TABLE", "Laplace", "LaplaceNoisyMax", "Mechanism", "NEIGHBOURS",
    "NOT_PRIVATE", "Neighbours", "NoTheorem", "Noise", "PermuteAndFlip", "Poisson", "Profile", "RandomisedResponse",
    "Renyi", "RepeatAndSelect", "Scheme", "Selection", "Shuffle", "Shuffled",
    "ShuffledRandomisedResponse", "StatedPoints", "TradeOff", "TruncatedPoisson",
    "WithReplacement", "stated_profile", "unmasked",
]  # fmt: skip
