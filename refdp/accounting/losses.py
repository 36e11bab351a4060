"""Privacy losses: pairs of laws that dominate a mechanism on all neighbours, in one direction.

A pair (P, Q) dominates a mechanism if delta(epsilon), the greatest P(S) - e^epsilon Q(S), is for no neighbours and for
real epsilon greater than for the pair (ZDW22 Def. 7).  Pairs compose: the product of dominating pairs
dominates the adaptive composition (ZDW22 Thm 10).  The loss is ln(P/Q) at a point drawn from P.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from refdp.numerics.exact import ExactReal
from refdp.numerics.intervals import Interval

Direction = Literal["remove", "add", "replace"]
"""What the neighbour does to the data that P is about: the pair of the other direction is (Q, P)."""


@dataclass(frozen=True, slots=True)
class Normal:
    """N(mu, 1) against N(0, 1): Gaussian noise of sigma = sensitivity / mu, mu > 0."""

    mu: Fraction


@dataclass(frozen=True, slots=True)
class Exponential:
    """Laplace(epsilon, 1) against Laplace(0, 1): Laplace noise of scale = sensitivity / epsilon, epsilon > 0."""

    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class Atom:
    """One outcome of a finite pair: ln(P/Q), None where Q has no mass there, and both masses, exact."""

    loss: ExactReal | None
    p: Fraction | Interval
    q: Fraction | Interval


@dataclass(frozen=True, slots=True)
class Response:
    """Two outcomes e^epsilon : 1 against 1 : e^epsilon, with probability delta told apart: any (epsilon, delta)-DP."""

    epsilon: ExactReal
    delta: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class GeometricLattice:
    """Discrete Laplace noise: masses proportional to e^(-|k| epsilon) on the integers, moved by `shift` >= 1."""

    epsilon: Fraction
    shift: int = 1


@dataclass(frozen=True, slots=True)
class NormalLattice:
    """Discrete Gaussian noise: masses proportional to e^(-k^2 / (2 variance)) on the integers, moved by `shift`."""

    variance: Fraction
    shift: int = 1


@dataclass(frozen=True, slots=True)
class SampledNormal:
    """Gaussian noise on a Poisson sample: (1 - rate) N(0, 1) + rate N(mu, 1) against N(0, 1) where a row is removed.

    add: the same the other way round.  replace: (1 - rate) N(0, 1) + rate N(mu, 1) against (1 - rate) N(0, 1) +
    rate N(-mu, 1).
    """

    mu: Fraction
    rate: Fraction
    direction: Direction


@dataclass(frozen=True, slots=True)
class SampledExponential:
    """Laplace noise on a Poisson sample, as SampledNormal."""

    epsilon: Fraction
    rate: Fraction
    direction: Direction


Loss = (
    Normal | Exponential | Response | GeometricLattice | NormalLattice | SampledNormal | SampledExponential
    | tuple[Atom, ...]
)  # fmt: skip
"""A dominating pair; a finite one is a tuple of its atoms."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The product of pairs, each a number of times: what one direction of a composed mechanism is dominated by."""

    parts: tuple[tuple[Loss, int], ...]
