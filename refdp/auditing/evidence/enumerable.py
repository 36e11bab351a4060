"""Exact judgements of programs whose laws on both neighbours are known: no statistics, no error.

Laws are exact masses (`Fraction`), enclosures (`Interval`), or what a walk of a coin-flip tree knows (`PartialLaw`).
The divergences are those of `refdp.spec.distances` wherever the masses are exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.e_values import BITS
from refdp.auditing.evidence.event_families import Masses, ends
from refdp.auditing.evidence.finite_laws import possible
from refdp.auditing.evidence.pairs import Claim
from refdp.numerics.elementary import exp_bounds, ln_bounds
from refdp.numerics.exact import ExactReal
from refdp.numerics.intervals import Interval
from refdp.sampling.tree import PartialLaw
from refdp.spec import distances
from refdp.verdicts import PROVED, REFUTED, UNKNOWN, Verdict

ZERO = Fraction(0)
OPEN = "what is known of the laws leaves it open"


@dataclass(frozen=True, slots=True)
class Known:
    """lower[y] <= P(y) for each outcome, and the probabilities that are not accounted for: `rest` in all.

    `upper[y]` bounds P(y) from above; it is at most lower[y] + rest.
    """

    lower: Mapping[Hashable, Fraction]
    upper: Mapping[Hashable, Fraction]
    rest: Fraction

    def at_most(self, event: frozenset[Hashable]) -> Fraction:
        """An upper bound of the probability of an event."""
        by_rest = min(Fraction(1), self.at_least(event) + self.rest)
        if event <= self.upper.keys():
            return min(by_rest, sum((self.upper[y] for y in event), ZERO))
        return by_rest

    def at_least(self, event: frozenset[Hashable]) -> Fraction:
        """A lower bound of it."""
        return sum((self.lower.get(y, ZERO) for y in event), ZERO)

    def most(self, y: Hashable) -> Fraction:
        """An upper bound of P(y)."""
        return self.upper.get(y, self.rest)

    @property
    def exact(self) -> bool:
        """Whether nothing is left open."""
        return self.rest == 0 and self.lower == self.upper


def known(law: Masses | PartialLaw[Any]) -> Known:
    """What is known of the law; ValueError unless masses are >= 0 and can sum to 1."""
    if isinstance(law, PartialLaw):
        return Known(dict(law.masses), {y: p + law.unresolved for y, p in law.masses.items()}, law.unresolved)
    bounds = {y: ends(p) for y, p in possible(law).items()}
    lower = {y: max(ZERO, low) for y, (low, _) in bounds.items()}
    return Known(lower, {y: high for y, (_, high) in bounds.items()}, 1 - sum(lower.values(), ZERO))


@dataclass(frozen=True, slots=True)
class Excess:
    """The hockey stick in one direction: least delta at epsilon, and an event whose excess is the lower end."""

    direction: int
    delta: Interval
    event: frozenset[Hashable]


@dataclass(frozen=True, slots=True)
class Judgement(Verdict):
    """Whether the claim holds for the pair of inputs, and the excess in both directions, the greater one first."""

    excesses: tuple[Excess, Excess]


def power_bounds(epsilon: ExactReal, times: int = 1) -> tuple[Fraction, Fraction]:
    """Bounds of e^(times epsilon), equal where that is rational."""
    low, high = exp_bounds(times * epsilon.rational, BITS) if epsilon.rational else (Fraction(1), Fraction(1))
    power = epsilon.argument**times
    return power * low, power * high


def excess(claim: Claim, first: Known, second: Known, direction: int = 1) -> Excess:
    """The greatest P(S) - e^epsilon Q(S): enclosed, exact where masses and e^epsilon are rational.

    From below by two events, of which the better is given: the outcomes whose bounds say P > e^epsilon Q each by
    itself, and those of which the lower bounds say so, what is not accounted for of Q being charged once.
    """
    low, high = power_bounds(claim.epsilon)
    if first.exact and second.exact and low == high:
        delta = distances.hockey_stick(first.lower, second.lower, low)
        event = frozenset(y for y, p in first.lower.items() if p > low * second.lower.get(y, ZERO))
        return Excess(direction, Interval(delta, delta), event)
    separate = frozenset(y for y, p in first.lower.items() if p > high * second.most(y))
    together = frozenset(y for y, p in first.lower.items() if p > high * second.lower.get(y, ZERO))
    tried = [(first.at_least(event) - high * second.at_most(event), event) for event in (separate, together)]
    least, event = max(tried, key=lambda t: t[0])
    # From above, the sum of (P - E Q)+ over all y: what is not accounted for of P may be anywhere.
    most = sum((max(ZERO, p - low * second.lower.get(y, ZERO)) for y, p in first.lower.items()), first.rest)
    return Excess(direction, Interval(max(ZERO, least), max(ZERO, least, min(Fraction(1), most))), event)


def judge(claim: Claim, first: Masses | PartialLaw[Any], second: Masses | PartialLaw[Any]) -> Judgement:
    """Whether the pair of laws is within (epsilon, delta), both ways, exactly."""
    p, q = known(first), known(second)
    found = [excess(claim, p, q, 1), excess(claim, q, p, -1)]
    found.sort(key=lambda e: (e.delta.lower, e.delta.upper), reverse=True)
    both = found[0], found[1]
    if found[0].delta.lower > claim.delta:
        return Judgement(REFUTED, both)
    if max(e.delta.upper for e in found) <= claim.delta:
        return Judgement(PROVED, both)
    return Judgement(UNKNOWN, both, reason=OPEN)


def max_divergence(first: Masses | PartialLaw[Any], second: Masses | PartialLaw[Any]) -> Interval | None:
    """ln of the greatest P(y) / Q(y), enclosed; None where it is infinite or has no upper bound."""
    p, q = known(first), known(second)
    if p.exact and q.exact:
        ratio = distances.greatest_ratio(p.lower, q.lower)
        return None if ratio is None else Interval(*ln_bounds(ratio, BITS), BITS)
    least = max((x / q.most(y) for y, x in p.lower.items() if q.most(y) > 0), default=Fraction(1))
    if p.rest and not isinstance(first, Mapping) or any(q.lower.get(y, ZERO) == 0 for y, x in p.upper.items() if x):
        return None
    most = max(x / q.lower[y] for y, x in p.upper.items() if x)
    return Interval(ln_bounds(least, BITS)[0], ln_bounds(most, BITS)[1], BITS)
