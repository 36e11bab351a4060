"""The engine that always has an answer: no amplification, concentrated privacy, basic composition.  It may be far off.

Lemma 1.12 of docs/accounting_proofs.md.  Nothing is known from below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting import losses
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Composition, Loss
from refdp.numerics.elementary import exp_bounds, ln_bounds
from refdp.numerics.intervals import Interval

BITS = 128


@dataclass(frozen=True, slots=True)
class Cost:
    """A pair is rho-zCDP and has losses of at most epsilon (None: unbounded), but for the share delta."""

    rho: Fraction
    epsilon: Fraction | None
    delta: Fraction = Fraction(0)

    def times(self, count: int) -> Cost:
        most = None if self.epsilon is None else self.epsilon * count
        return Cost(self.rho * count, most, min(Fraction(1), self.delta * count))

    def __add__(self, other: Cost) -> Cost:
        most = None if self.epsilon is None or other.epsilon is None else self.epsilon + other.epsilon
        return Cost(self.rho + other.rho, most, min(Fraction(1), self.delta + other.delta))


@dataclass(frozen=True, slots=True)
class LooseCurve:
    """delta(epsilon) <= delta + e^(-(epsilon - rho)^2 / (4 rho)) for epsilon >= rho, and <= delta from max loss on."""

    cost: Cost
    engine: str = "basic composition and zCDP"
    trusts: frozenset[str] = frozenset()

    def delta(self, epsilon: Fraction) -> Interval:
        rho, most = self.cost.rho, self.cost.epsilon
        if most is not None and epsilon >= most:
            tail = Fraction(0)
        elif rho > 0 and epsilon > rho:
            tail = exp_bounds(-((epsilon - rho) ** 2) / (4 * rho), BITS)[1]
        else:
            tail = Fraction(1)
        return Interval(Fraction(0), min(Fraction(1), self.cost.delta + tail))


@dataclass(frozen=True, slots=True)
class LooseEngine:
    """One curve, at once."""

    name: str = "loose"

    def why_not(self, composition: Composition) -> str | None:
        try:
            for loss, _ in composition.parts:
                cost(loss)
        except OutOfReach as reason:
            return str(reason)
        return None

    def curves(self, composition: Composition, effort: Effort) -> Iterator[LooseCurve]:
        yield total(composition)


def total(composition: Composition) -> LooseCurve:
    """The curve of the sums."""
    found = Cost(Fraction(0), Fraction(0))
    for loss, count in composition.parts:
        found += cost(loss).times(count)
    return LooseCurve(found)


def cost(loss: Loss) -> Cost:
    """What one pair costs; OutOfReach for what has no zCDP."""
    match loss:
        case losses.Normal(mu_squared=mu_squared):
            return Cost(mu_squared / 2, None)
        case losses.Laplace(epsilon=epsilon):
            return pure(epsilon)
        case losses.Response(epsilon=epsilon, delta=delta):
            most = epsilon.rational + ln_bounds(epsilon.argument, BITS)[1]
            return Cost(most**2 / 2, most, delta)
        case losses.BoundedRange(epsilon=epsilon):  # Lemma 1.19
            most = epsilon.rational + ln_bounds(epsilon.argument, BITS)[1]
            return Cost(most**2 / 8, most)
        case losses.Finite(outcomes=outcomes):
            ratios = [max(p / q, q / p) for p, q in outcomes if p and q]
            lost = max(sum((p for p, q in outcomes if not q), Fraction(0)),
                       sum((q for p, q in outcomes if not p), Fraction(0)))  # fmt: skip
            if lost:
                raise OutOfReach("a finite law with impossible outcomes is not concentrated")
            return pure(ln_bounds(max(ratios), BITS)[1])
        case losses.DiscreteLaplace(epsilon=epsilon, shift=shift):
            return pure(epsilon * shift)
        case losses.DiscreteGaussian(variance=variance, shift=shift):
            return Cost(Fraction(shift**2) / (2 * variance), None)
        case losses.Concentrated(rho=rho):
            return Cost(rho, None)
        case losses.Sampled(base=base, direction=side):
            return cost(base) if side != "replace" else twice(cost(base))
        case losses.FixedSize(base=base):
            return cost(base)
        case losses.Mixture(parts=parts):
            return worst([cost(part) for _, part in parts])
    raise OutOfReach(f"{type(loss).__name__} has no zCDP")


def worst(costs: list[Cost]) -> Cost:
    """What costs no less than any of them: each moment of a mixture is a mean of those of its parts."""
    most = [one.epsilon for one in costs if one.epsilon is not None]
    bounded = len(most) == len(costs)
    return Cost(max(one.rho for one in costs), max(most) if bounded else None, max(one.delta for one in costs))


def pure(epsilon: Fraction) -> Cost:
    """A pure epsilon is (epsilon^2 / 2)-zCDP (BS16 Prop. 1.4)."""
    return Cost(epsilon**2 / 2, epsilon)


def twice(one: Cost) -> Cost:
    """Noise moved twice as far."""
    return Cost(4 * one.rho, None if one.epsilon is None else 2 * one.epsilon, one.delta)


ENGINE = LooseEngine()
