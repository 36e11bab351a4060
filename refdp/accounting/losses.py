"""Dominating pairs of laws (P, Q), each with the law of its privacy loss ln(P(y) / Q(y)) for y drawn from P.

An event between neighbours is dominated by such a pair in each direction: its delta at every epsilon is at most that of
the pair, however many events are composed (ZDW22 Thm 10).  Lemmas and proofs: docs/accounting_proofs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from refdp.numerics.exact import ExactReal, exact_real

LARGEST_SHIFT = 100_000
"""Most grid steps by which noise on a grid is moved."""


class LossError(ValueError):
    """A parameter of a pair is outside its domain."""


def require(condition: bool, parameter: str, requirement: str, value: object) -> None:
    """LossError with one sentence unless the condition holds."""
    if not condition:
        raise LossError(f"{parameter} must be {requirement}, got {value}")


@dataclass(frozen=True, slots=True)
class Normal:
    """P = N(mu, 1), Q = N(0, 1); mu = sensitivity / sigma, and mu^2 > 0 is rational."""

    mu_squared: Fraction

    def __post_init__(self) -> None:
        require(self.mu_squared > 0, "mu_squared", "> 0", self.mu_squared)


@dataclass(frozen=True, slots=True)
class Laplace:
    """P = Laplace noise of scale 1 around epsilon, Q = the same around 0; epsilon = sensitivity / scale > 0."""

    epsilon: Fraction

    def __post_init__(self) -> None:
        require(self.epsilon > 0, "epsilon", "> 0", self.epsilon)


@dataclass(frozen=True, slots=True)
class Response:
    """The pair of (epsilon, delta)-DP: with probability delta the loss is infinite, else it is epsilon or -epsilon.

    P = (delta, (1 - delta) t, (1 - delta) / (1 + e^epsilon), 0) with t = e^epsilon / (1 + e^epsilon), and Q is P read
    backwards; epsilon >= 0, 0 <= delta <= 1.
    """

    epsilon: ExactReal
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        require(self.epsilon >= 0, "epsilon", ">= 0", self.epsilon)
        require(0 <= self.delta <= 1, "delta", "between 0 and 1", self.delta)


@dataclass(frozen=True, slots=True)
class Finite:
    """Laws on finitely many outcomes, as (P(y), Q(y)): rational, >= 0, each summing to 1."""

    outcomes: tuple[tuple[Fraction, Fraction], ...]

    def __post_init__(self) -> None:
        for name, law in zip("PQ", zip(*self.outcomes, strict=True), strict=True):
            require(all(p >= 0 for p in law), f"each probability of {name}", ">= 0", min(law))
            require(sum(law) == 1, f"the sum of {name}", "1", sum(law))


@dataclass(frozen=True, slots=True)
class DiscreteLaplace:
    """P = the law with weights e^(-epsilon |k - shift|) on the integers, Q = that with e^(-epsilon |k|)."""

    epsilon: Fraction
    shift: int = 1

    def __post_init__(self) -> None:
        require(self.epsilon > 0, "epsilon", "> 0", self.epsilon)
        require(1 <= self.shift <= LARGEST_SHIFT, "shift", f"1 to {LARGEST_SHIFT}", self.shift)


@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """P = the law with weights e^(-(k - shift)^2 / (2 variance)) on the integers, Q = that around 0."""

    variance: Fraction
    shift: int = 1

    def __post_init__(self) -> None:
        require(self.variance > 0, "variance", "> 0", self.variance)
        require(1 <= self.shift <= LARGEST_SHIFT, "shift", f"1 to {LARGEST_SHIFT}", self.shift)


Base = Normal | Laplace | Response | Finite | DiscreteLaplace | DiscreteGaussian
"""A pair without sampling."""
Direction = Literal["remove", "add", "replace"]


@dataclass(frozen=True, slots=True)
class Sampled:
    """Poisson sampling at `rate` of an event with the base pair (P, Q), 0 < rate < 1.

    remove: (rate P + (1 - rate) Q, Q).  add: (Q, rate P + (1 - rate) Q).
    replace: (rate P + (1 - rate) Q, rate P' + (1 - rate) Q) where P' is P reflected, for noise around a centre: P moves
    Q's centre by the sensitivity, P' by as much the other way; Normal, Laplace, DiscreteLaplace, DiscreteGaussian only.
    """

    base: Base
    rate: Fraction
    direction: Direction

    def __post_init__(self) -> None:
        require(0 < self.rate < 1, "rate", "strictly between 0 and 1", self.rate)
        moved = isinstance(self.base, Normal | Laplace | DiscreteLaplace | DiscreteGaussian)
        require(self.direction != "replace" or moved, "base", "noise around a centre under replacement", self.base)


@dataclass(frozen=True, slots=True)
class FixedSize:
    """A sample of a fixed size, a share `rate` of the rows, of an event with the base pair (P, Q) under replacement.

    It is given by its profile: delta at e^epsilon = x is that of (rate P + (1 - rate) Q, Q) for x >= 1, and that of
    (P, rate Q + (1 - rate) P) for x < 1.
    """

    base: Base
    rate: Fraction

    def __post_init__(self) -> None:
        require(0 < self.rate < 1, "rate", "strictly between 0 and 1", self.rate)


Part = Base | Sampled | FixedSize
"""What may be mixed."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """With probability `weight` the pair beside it, and the outcome tells which; weights > 0 that sum to 1."""

    parts: tuple[tuple[Fraction, Part], ...]

    def __post_init__(self) -> None:
        for weight, part in self.parts:
            require(weight > 0, "each weight", "> 0", weight)
            require(isinstance(part, Part), "each part of a mixture", "a pair of laws, sampled or not", part)
        require(sum(weight for weight, _ in self.parts) == 1, "the sum of the weights", "1", "another")


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is known is delta at each epsilon >= 0, in both directions: at most `upper`, at least `lower` (or 0)."""

    name: str
    upper: Callable[[Fraction], Fraction]
    lower: Callable[[Fraction], Fraction] | None = None


@dataclass(frozen=True, slots=True)
class Concentrated:
    """All that is known is rho-zCDP: every Renyi divergence of order > 1 is at most rho times the order; rho > 0."""

    rho: Fraction

    def __post_init__(self) -> None:
        require(self.rho > 0, "rho", "> 0", self.rho)


@dataclass(frozen=True, slots=True)
class Renyi:
    """All that is known are bounds (order > 1, epsilon >= 0) of Renyi divergences, in both directions."""

    bounds: tuple[tuple[Fraction, Fraction], ...]

    def __post_init__(self) -> None:
        require(len(self.bounds) > 0, "bounds", "at least one", "none")
        for order, epsilon in self.bounds:
            require(order > 1, "order", "> 1", order)
            require(epsilon >= 0, "epsilon", ">= 0", epsilon)


@dataclass(frozen=True, slots=True)
class BoundedRange:
    """All that is known is that all losses are in an interval of length epsilon > 0, whose place is not known.

    The worst of them at each x have together the profile of P and Q with densities proportional to e^y and e^-y on
    [0, epsilon], whose loss is 2 y - epsilon.
    """

    epsilon: ExactReal

    def __post_init__(self) -> None:
        require(self.epsilon > 0, "epsilon", "> 0", self.epsilon)


Known = Profile | Concentrated | Renyi | BoundedRange
"""What is no pair of laws: of these there are upper bounds, and lower ones only as said."""
Loss = Part | Mixture | Known


@dataclass(frozen=True, slots=True)
class Composition:
    """The product of pairs, each to the power of its count: (pair, count >= 1), no pair twice."""

    parts: tuple[tuple[Loss, int], ...]

    def __post_init__(self) -> None:
        require(len(self.parts) > 0, "parts", "at least one", "none")
        for loss, count in self.parts:
            require(count >= 1, f"the count of {type(loss).__name__}", ">= 1", count)


def composition(parts: list[tuple[Loss, int]]) -> Composition:
    """The product of the pairs: equal ones counted together, Gaussian ones merged into one (mu^2 adds up).

    >>> composition([(Normal(Fraction(1)), 3), (Laplace(Fraction(1)), 1), (Laplace(Fraction(1)), 2)]).parts
    ((Normal(mu_squared=Fraction(3, 1)), 1), (Laplace(epsilon=Fraction(1, 1)), 3))
    """
    counts: dict[Loss, int] = {}
    for loss, count in parts:
        require(count >= 1, f"the count of {type(loss).__name__}", ">= 1", count)
        counts[loss] = counts.get(loss, 0) + count
    normal = sum((loss.mu_squared * count for loss, count in counts.items() if isinstance(loss, Normal)), Fraction(0))
    rest = [(loss, count) for loss, count in counts.items() if not isinstance(loss, Normal)]
    return Composition((*([(Normal(normal), 1)] if normal else []), *rest))


def mixture(parts: Iterable[tuple[Fraction, Any]]) -> Part | Mixture:
    """The mixture of the pairs, equal ones taken together and those of weight 0 left out; one alone is itself.

    >>> mixture([(Fraction(1, 3), Laplace(Fraction(1))), (Fraction(2, 3), Laplace(Fraction(1)))])
    Laplace(epsilon=Fraction(1, 1))
    """
    weights: dict[Part, Fraction] = {}
    for weight, loss in parts:
        if weight:
            weights[loss] = weights.get(loss, Fraction(0)) + weight
    found = Mixture(tuple((weight, loss) for loss, weight in weights.items()))
    return found.parts[0][1] if len(found.parts) == 1 else found


def response(epsilon: object, delta: Fraction = Fraction(0)) -> Response:
    """The pair of (epsilon, delta)-DP, epsilon exact: a rational number or a + ln b."""
    return Response(exact_real(epsilon, "epsilon"), delta)
