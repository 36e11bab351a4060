"""What is known from below of the worst mechanisms within rho-zCDP or Renyi bounds: products of laws within them.

For a part of which only bounds are known stand normal laws or randomised responses within the bounds, or equal laws;
each product is a lower bound of the worst case (Lemma 6.10 of docs/accounting_proofs.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from refdp import work
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.losses import (
    BoundedRange,
    Composition,
    Concentrated,
    Known,
    Loss,
    Normal,
    Renyi,
    Response,
    composition,
)
from refdp.accounting.theorems.rare_outcome import rare_outcomes
from refdp.accounting.theorems.renyi_moments import why_not
from refdp.numerics.elementary import Undecided, exp_bounds, ln_bounds, sqrt_bounds
from refdp.numerics.exact import ExactReal
from refdp.numerics.intervals import Interval

BITS = 64
MOST_RESPONSES = 64
"""For more copies normal laws alone are taken: many small losses add up to a nearly normal one."""
SHARE = Fraction(1, 4)
"""Each product may take this share of the time that is left."""
Lower = Callable[[Composition, Effort], Curve]
"""A curve of a composition of pairs of laws."""


def attained(parts: Composition) -> list[Composition]:
    """Products of laws within every bound: with normal laws for what is bounded, and with randomised responses."""
    kept = [(loss, count) for loss, count in parts.parts if not isinstance(loss, Known)]
    normal: list[tuple[Loss, int]] = list(kept)
    responses: list[tuple[Loss, int]] = list(kept)
    for loss, count in parts.parts:
        if isinstance(loss, BoundedRange):
            kept_within = (_halves(loss), count)
            normal.append(kept_within)
            responses.append(kept_within)
            kept.append(kept_within)
        if isinstance(loss, Concentrated | Renyi):
            normal += [(one, count) for one in normal_within(loss)]
            responses += [(one, count) for one in response_within(loss)]
    few = sum(count for loss, count in parts.parts if isinstance(loss, Concentrated | Renyi)) <= MOST_RESPONSES
    found = [normal, *([responses] if few and responses != kept else [])]
    return [composition(one) for one in found if one]


def _halves(loss: BoundedRange) -> Response:
    """The response with the losses e / 2 and -e / 2, e at most the range."""
    e = loss.epsilon
    return Response(ExactReal((e.rational + ln_bounds(e.argument, 2 * BITS)[0]) / 2))


def normal_within(loss: Concentrated | Renyi) -> list[Loss]:
    """The normal pair with the greatest mu within the bounds, a mu^2 / 2 <= epsilon of each order a; none if mu = 0."""
    if isinstance(loss, Concentrated):
        return [Normal(2 * loss.rho)]
    mu_squared = min(2 * epsilon / order for order, epsilon in loss.bounds)
    return [Normal(mu_squared)] if mu_squared > 0 else []


def response_within(loss: Concentrated | Renyi) -> list[Loss]:
    """The response of an epsilon e within the bounds: e^2 / 2 <= rho; and a e^2 / 2 or e is at most that of order a."""
    if isinstance(loss, Concentrated):
        squared = 2 * loss.rho
    else:
        squared = min(max(2 * epsilon / order, epsilon**2) for order, epsilon in loss.bounds)
    epsilon = sqrt_bounds(squared, BITS)[0]
    return [Response(ExactReal(epsilon))] if epsilon > 0 else []


def attained_curves(parts: Composition, effort: Effort, lower: Lower) -> tuple[Curve, ...]:
    """A curve of each product for which there is one; none where every part is a pair of laws."""
    found: list[Curve] = []
    if any(isinstance(loss, Known) for loss, _ in parts.parts):
        for one in attained(parts):
            with suppress(OutOfReach):
                found.append(lower(one, hurried(effort)))
        found += rare_outcomes(parts, effort)
    return tuple(found)


def hurried(effort: Effort) -> Effort:
    """The effort that may be made for one product."""
    end = min(effort.end, work.until(float(SHARE) * max(0.0, effort.end - work.spent())))
    return Effort(effort.width, effort.delta, end, effort.memory)


def first_curve(parts: Composition, effort: Effort) -> Curve:
    """The first curve of the first engine that bounds these pairs from below; OutOfReach where all refuse them."""
    from refdp.accounting.engines import engines

    for engine in engines():
        if engine.name not in ("renyi", "loose") and engine.why_not(parts) is None:
            with suppress(OutOfReach, StopIteration):
                return next(iter(engine.curves(parts, effort)))
    raise OutOfReach("no engine has a curve of what is attained")


def greatest_lower(curves: tuple[Curve, ...], epsilon: Fraction) -> Fraction:
    """The greatest of the curves' lower bounds; or P(S) - e^epsilon Q(S) of S everything or nothing."""
    least = max(Fraction(0), 1 - exp_bounds(epsilon, 2 * BITS)[1]) if epsilon < 0 else Fraction(0)
    for curve in curves:
        with suppress(Undecided):
            least = max(least, curve.delta(epsilon).lower)
    return least


@dataclass(frozen=True, slots=True)
class AttainedCurve:
    """delta(epsilon) at least that of each product, at most 1."""

    curves: tuple[Curve, ...]
    engine: str = "laws within the bounds (Lemma 6.10)"

    @property
    def trusts(self) -> frozenset[str]:
        return frozenset[str]().union(*(curve.trusts for curve in self.curves))

    def delta(self, epsilon: Fraction) -> Interval:
        return Interval(greatest_lower(self.curves, epsilon), Fraction(1))


@dataclass(frozen=True, slots=True)
class AttainedEngine:
    """Lower bounds where the engine of Renyi divergences refuses the other parts."""

    lower: Lower = first_curve
    name: str = "attained"

    def why_not(self, composition: Composition) -> str | None:
        """None where there is a part known by rho or Renyi bounds, beside one without Renyi divergence."""
        if not any(isinstance(loss, Concentrated | Renyi | BoundedRange) for loss, _ in composition.parts):
            return "no part is known by rho, by Renyi bounds or by the range of its losses"
        all_have_moments = not any(why_not(loss) for loss, _ in composition.parts)
        return "Renyi divergences have what is attained" if all_have_moments else None

    def curves(self, composition: Composition, effort: Effort) -> Iterator[AttainedCurve]:
        """One curve; OutOfReach where no engine has one."""
        found = attained_curves(composition, effort, self.lower)
        if not found:
            raise OutOfReach("no engine has a curve of what is attained")
        yield AttainedCurve(found)


ENGINE = AttainedEngine()
