"""How far a candidate breaks a claim, in floats: the log-ratio, the excess over delta, or the Renyi divergence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log

from refdp.numerics.floats import added
from refdp.programs.closed_terms import bound, power_of_e
from refdp.programs.probabilities import approximately
from refdp.programs.refuting.climbing import Score, State
from refdp.programs.refuting.outputs import Cell, Output
from refdp.programs.syntax import Claim
from refdp.terms.operations import substitute
from refdp.terms.term import Term
from refdp.work import step

ORDERS = (2, 3, 4, 8, 16)
PLAIN = 0.01
"""How much of its logarithm a probability may lose for numbers that are smaller by one."""
LIMIT = 0.001
"""The same for each cut-off."""
MARGIN = 2e-5
"""A candidate breaks a claim where it does so by more than this, relative to the scale of the score."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The claim in floats."""

    epsilon: float
    delta: float
    rho: float | None
    least: float = 1e-9
    """Events that are less likely are not looked at: some of their estimates are mostly rounding."""

    def excess(self, pairs: Sequence[tuple[float, float]]) -> Score:
        """How far the probabilities on both data break the claim, and how likely the events are."""
        if self.rho is not None:
            return max(divergence(pairs, order) - self.rho * order for order in ORDERS), 0.0
        if self.delta > 0:
            broken = [(p, p - exp(self.epsilon) * q) for p, q in pairs]
            return added(e for _, e in broken if e > 0) - self.delta, added(p for p, e in broken if e > 0)
        return max(
            ((log_ratio(p, q) - self.epsilon if p > self.least else -inf, p) for p, q in pairs), default=(-inf, 0.0)
        )

    def order(self, pairs: Sequence[tuple[float, float]]) -> int | None:
        """The least order at which a Renyi divergence is too great."""
        if self.rho is None:
            return None
        broken = (order for order in ORDERS if divergence(pairs, order) > self.rho * order + self.margin)
        return next(broken, ORDERS[0])

    @property
    def margin(self) -> float:
        """How much a score must be above 0."""
        return MARGIN * max(self.delta, 1e-3) if self.delta > 0 else MARGIN


def log_ratio(p: float, q: float) -> float:
    """ln(p / q) for p > 0."""
    return log(p / q) if q > 0 else inf


def divergence(pairs: Sequence[tuple[float, float]], order: int) -> float:
    """The Renyi divergence of that order, between those events."""
    if any(q <= 0 and p > 1e-9 for p, q in pairs):
        return inf
    moment = added(p * (p / q) ** (order - 1) for p, q in pairs if p > 0 and q > 0)
    return log(moment) / (order - 1) if moment > 0 else -inf


def bounds_of(claim: Claim, values: Mapping[Term, Term]) -> Bounds:
    """The claim at these parameters."""

    def at(term: Term | None) -> float:
        return approximately(bound(term, values))

    epsilon = log(approximately(power_of_e(substitute(claim.epsilon, values)))) if claim.epsilon is not None else 0.0
    return Bounds(epsilon, at(claim.delta), at(claim.rho) if claim.rho is not None else None)


def scorer(bounds: Bounds, members: Sequence[Output | Cell]) -> Callable[[State], Score]:
    """The score of a state, for events of these outputs."""
    return lambda state: bounds.excess(chances(members, state))


def chances(members: Sequence[Output | Cell], state: State) -> list[tuple[float, float]]:
    """The probabilities of the events of a state, on both data."""
    step(8 * len(members))  # as long as it takes
    return [(one.chance(state.old, state.cuts), one.chance(state.new, state.cuts)) for one in members]


def likelihood(bounds: Bounds, members: Sequence[Output | Cell], least: float) -> Callable[[State], Score]:
    """How likely the events are, among states that break the claim by more than the least."""

    def score(state: State) -> Score:
        excess, likely = bounds.excess(chances(members, state))
        if excess <= least or likely <= 0:
            return -inf, 0.0
        plain = PLAIN * added(map(abs, (*state.old, *numbers_of(state)))) + LIMIT * len(list(numbers_of(state)))
        return log(likely) - plain, min(excess, 1.0)

    return score


def numbers_of(state: State) -> Iterator[float]:
    """Its cut-offs."""
    for _, low, high in state.cuts:
        yield from (limit for limit in (low, high) if limit is not None)
