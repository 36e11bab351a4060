"""Events as users state them: a mechanism with its parameters, how its rows are sampled, and how often it is run.

Parameters have the names that the constructors of `refdp.mechanisms` give them.  What `sensitivity` means:
without sampling and with samples of a fixed size, how far the query moves between neighbours under the relation of the
account; with Poisson sampling, how far one row that is ADDED moves it, also where the account is about replaced rows.
Epsilon, delta, rho and bounds of an event hold between neighbours, with Poisson sampling between samples that differ by
one added row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Literal

from refdp.accounting import losses
from refdp.accounting.losses import require
from refdp.accounting.numbers import LARGEST_COUNT, number, real, whole
from refdp.numerics.exact import ExactReal, Ln

Neighbours = Literal["add_remove", "change_one", "none"]
NEIGHBOURS: tuple[Neighbours, ...] = ("add_remove", "change_one", "none")
"""Tables that differ by one row more or less; by one row replaced; inputs as each event states its distance."""
LARGEST_TABLE = 10**15
"""Most rows of a table from which samples of a fixed size are drawn."""
MOST_OUTCOMES = 10_000
"""Most outcomes of a finite law, and most bounds or points that one event states."""


class NoTheorem(ValueError):
    """An event for which no proved bound is known here; the sentence says why."""


def _read(event: Any, **positive: bool) -> None:
    """The named fields as exact numbers, > 0 where so marked, else >= 0."""
    for name, strictly in positive.items():
        value = number(getattr(event, name), name)
        require(value > 0 if strictly else value >= 0, name, "> 0" if strictly else ">= 0", value)
        object.__setattr__(event, name, value)


@dataclass(frozen=True, slots=True)
class Gaussian:
    """x + Z, Z with density proportional to exp(-|z|^2 / (2 sigma^2)); sensitivity in the Euclidean norm."""

    sigma: Fraction
    sensitivity: Fraction = Fraction(1)
    stem: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        _read(self, sigma=True, sensitivity=True)

    def loss(self) -> losses.Normal:
        return losses.Normal((self.sensitivity / self.sigma) ** 2)


@dataclass(frozen=True, slots=True)
class Laplace:
    """x + Z, coordinates of Z independent with density exp(-|z| / scale) / (2 scale); sensitivity in the L1 norm."""

    scale: Fraction
    sensitivity: Fraction = Fraction(1)
    stem: ClassVar[str] = "laplace"

    def __post_init__(self) -> None:
        _read(self, scale=True, sensitivity=True)

    def loss(self) -> losses.Laplace:
        return losses.Laplace(self.sensitivity / self.scale)


def _steps(sensitivity: Fraction, granularity: Fraction) -> int:
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
        _read(self, scale=True, sensitivity=True, granularity=True)
        _steps(self.sensitivity, self.granularity)

    def loss(self) -> losses.DiscreteLaplace:
        return losses.DiscreteLaplace(self.granularity / self.scale, _steps(self.sensitivity, self.granularity))


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
        _read(self, sigma=True, sensitivity=True, granularity=True)
        _steps(self.sensitivity, self.granularity)

    def loss(self) -> losses.DiscreteGaussian:
        steps = _steps(self.sensitivity, self.granularity)
        return losses.DiscreteGaussian((self.sigma / self.granularity) ** 2, steps)


@dataclass(frozen=True, slots=True)
class RandomisedResponse:
    """A bit, told with probability truth, else its negation; 1/2 <= truth < 1.  Private between any two values."""

    truth: Fraction
    stem: ClassVar[str] = "randomised_response"

    def __post_init__(self) -> None:
        _read(self, truth=True)
        require(Fraction(1, 2) <= self.truth < 1, "truth", "at least 1/2 and below 1", self.truth)

    def loss(self) -> losses.Response:
        return losses.Response(Ln(self.truth / (1 - self.truth)))


@dataclass(frozen=True, slots=True)
class KAryRandomisedResponse:
    """One of k values, told with probability truth, else one of the others, each as likely; 1/k <= truth < 1."""

    k: int
    truth: Fraction
    stem: ClassVar[str] = "k_ary_randomised_response"

    def __post_init__(self) -> None:
        _read(self, truth=True)
        object.__setattr__(self, "k", whole(self.k, "k", 10**9))
        require(self.k >= 2, "k", ">= 2", self.k)
        require(Fraction(1, self.k) <= self.truth < 1, "truth", "at least 1/k and below 1", self.truth)

    def loss(self) -> losses.Finite:
        """The two laws differ at the two values alone: Lemma 1.9 of docs/accounting_proofs.md."""
        other = (1 - self.truth) / (self.k - 1)
        rest = (self.k - 2) * other
        return losses.Finite(((self.truth, other), (other, self.truth), *([(rest, rest)] if rest else [])))


@dataclass(frozen=True, slots=True)
class Approximate:
    """Any (epsilon, delta)-DP mechanism, delta = 0 for a pure one."""

    epsilon: ExactReal
    delta: Fraction = Fraction(0)
    stem: ClassVar[str] = "approximate"

    def __post_init__(self) -> None:
        _read(self, delta=False)
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
        _read(self, rho=True)

    def loss(self) -> losses.Concentrated:
        return losses.Concentrated(self.rho)


@dataclass(frozen=True, slots=True)
class Renyi:
    """Any mechanism whose Renyi divergence of each order > 1 named is at most the epsilon beside it."""

    bounds: tuple[tuple[Fraction, Fraction], ...]
    stem: ClassVar[str] = "renyi"

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", _pairs(self.bounds, "bounds", "order", "epsilon"))
        self.loss()

    def loss(self) -> losses.Renyi:
        return losses.Renyi(self.bounds)


@dataclass(frozen=True, slots=True)
class Finite:
    """Two laws on finitely many outcomes as (P, Q): with the row and without it, or at the two inputs."""

    outcomes: tuple[tuple[Fraction, Fraction], ...]
    stem: ClassVar[str] = "finite"

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcomes", _pairs(self.outcomes, "outcomes", "P", "Q"))
        self.loss()

    def loss(self) -> losses.Finite:
        return losses.Finite(self.outcomes)

    def is_symmetric(self) -> bool:
        """Whether (Q, P) has the same laws of the loss as (P, Q)."""
        return _by_ratio(self.outcomes) == _by_ratio(tuple((q, p) for p, q in self.outcomes))


def _by_ratio(outcomes: tuple[tuple[Fraction, Fraction], ...]) -> dict[Fraction | None, tuple[Fraction, Fraction]]:
    """Outcomes of the same ratio P / Q taken together; those that never happen left out."""
    found: dict[Fraction | None, tuple[Fraction, Fraction]] = {}
    for p, q in outcomes:
        if p or q:
            ratio = p / q if q else None
            before = found.get(ratio, (Fraction(0), Fraction(0)))
            found[ratio] = (before[0] + p, before[1] + q)
    return found


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
    stated = tuple(sorted(_pairs(points, "points", "epsilon", "delta")))
    require(stated[0][0] >= 0, "epsilon in points", ">= 0", stated[0][0])
    require(all(0 <= delta <= 1 for _, delta in stated), "delta in points", "between 0 and 1", "another")
    return Profile(f"{len(stated)} stated points", StatedPoints(stated))


@dataclass(frozen=True, slots=True)
class StatedPoints:
    """delta(epsilon) <= the least delta stated at an epsilon no greater, and 1 before the first."""

    points: tuple[tuple[Fraction, Fraction], ...]

    def __call__(self, epsilon: Fraction) -> Fraction:
        return min((delta for stated, delta in self.points if stated <= epsilon), default=Fraction(1))


Mechanism = (
    Gaussian | Laplace | DiscreteLaplace | DiscreteGaussian | RandomisedResponse | KAryRandomisedResponse
    | Approximate | Concentrated | Renyi | Finite | Profile
)  # fmt: skip
Noise = Gaussian | Laplace | DiscreteLaplace | DiscreteGaussian
NOT_PRIVATE = Approximate(ExactReal(), Fraction(1))
"""An event that may tell everything."""


def _pairs(value: object, parameter: str, first: str, second: str) -> tuple[tuple[Fraction, Fraction], ...]:
    """A list of pairs of numbers."""
    rows = value if isinstance(value, list | tuple) else ()
    shaped = all(isinstance(row, list | tuple) and len(row) == 2 for row in rows)
    need = f"1 to {MOST_OUTCOMES} pairs ({first}, {second})"
    require(shaped and 1 <= len(rows) <= MOST_OUTCOMES, parameter, need, f"{type(value).__name__} of {len(rows)}")
    return tuple((number(a, f"{first} in {parameter}"), number(b, f"{second} in {parameter}")) for a, b in rows)


@dataclass(frozen=True, slots=True)
class Poisson:
    """Each row is in the sample with probability rate, independently of the others and of other samples."""

    rate: Fraction

    def __post_init__(self) -> None:
        _read(self, rate=True)
        require(self.rate <= 1, "rate", "at most 1", self.rate)


@dataclass(frozen=True, slots=True)
class FixedSize:
    """Each set of `sample` of the `rows` rows is as likely, independently of other samples."""

    rows: int
    sample: int

    def __post_init__(self) -> None:
        for name in ("rows", "sample"):
            object.__setattr__(self, name, whole(getattr(self, name), name, LARGEST_TABLE))
        require(self.sample <= self.rows, "sample", f"at most rows = {self.rows}", self.sample)


@dataclass(frozen=True, slots=True)
class Event:
    """A mechanism, run `count` times with fresh noise and fresh samples; each run may depend on earlier answers."""

    mechanism: Mechanism
    count: int = 1
    sampling: Poisson | FixedSize | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", whole(self.count, "count", LARGEST_COUNT))

    def __str__(self) -> str:
        parts = [f"{f.name}={_short(getattr(self.mechanism, f.name))}" for f in fields(self.mechanism)]
        sampled = f" on {self.sampling}" if self.sampling else ""
        return f"{self.count} x {self.mechanism.stem}({', '.join(parts)}){sampled}"


def _short(value: object) -> str:
    """A parameter for a sentence."""
    text = str(value) if isinstance(value, Fraction | ExactReal | int | str) else f"<{type(value).__name__}>"
    return text if len(text) <= 40 else f"about {float(value):.6g}" if isinstance(value, Fraction) else text[:40]
