"""Privacy filters: a budget from which mechanisms are paid that are chosen, with their losses, after every outcome.

A filter admits a mechanism if what was spent and its loss stay within the budget; then the whole interaction, whenever
it stops, has the budget as its loss (Lemmas 7.1 to 7.4 of docs/accounting_proofs.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from refdp.accounting.theorems.composition import DIGITS, added, term
from refdp.accounting.theorems.guarantees import WHOLE, Guarantee, HypothesisError, Neighbours, Number, require
from refdp.numerics.exact import exact, upper_bound
from refdp.terms.term import ln, number, sqrt

LEMMAS: Mapping[str, str] = {
    "pure": "Lemma 7.1",
    "approximate": "Lemma 7.1",
    "concentrated": "Lemma 7.2",
    "renyi": "Lemma 7.2",
    "gaussian": "Lemma 7.3",
}
"""Measure -> where fully adaptive composition is proved, losses adding up."""
NO_FILTER: Mapping[str, str] = {
    "profile": "privacy loss distributions do not compose where parameters are chosen adaptively: no theorem is known",
    "optimal": "optimal composition is false for losses chosen adaptively: its delta needs them fixed beforehand",
    "loss_tail": "no filter is stated for the tail of the loss",
}
"""What people would like to filter, and why it is refused."""


class Exhausted(HypothesisError):
    """The budget does not admit the mechanism."""


def _columns(g: Guarantee) -> tuple[Number, ...]:
    """The numbers that add up: all but the order of Renyi DP."""
    return g.loss[1:] if g.measure == "renyi" else g.loss


@dataclass(frozen=True, slots=True)
class Filter:
    """The budget, and what was spent of it: exact numbers.  A filter is not changed; `spend` gives the next one."""

    budget: Guarantee
    spent: tuple[Number, ...]
    trusts: frozenset[str] = frozenset()

    def why_not(self, event: Guarantee) -> str | None:
        """None if the mechanism may run, else one sentence."""
        b = self.budget
        for what in ("measure", "neighbours", "edits"):
            if getattr(event, what) != getattr(b, what):
                return f"the filter is of {what} {getattr(b, what)}, got {getattr(event, what)}"
        if b.reads not in (WHOLE, event.reads):
            return f"the filter is of mechanisms that read {b.reads} alone, got one that reads {event.reads}"
        if b.measure == "renyi" and event.loss[0] != b.loss[0]:
            return f"the filter is of order {b.loss[0]}, got {event.loss[0]}"
        for limit, after in zip(_columns(b), self._after(event), strict=True):
            if not after <= limit:
                return f"{after} would be spent of {limit}"
        return None

    def _after(self, event: Guarantee) -> list[Number]:
        """What would be spent after the mechanism, column by column."""
        return [added([s, loss]) for s, loss in zip(self.spent, _columns(event), strict=True)]

    def admits(self, event: Guarantee) -> bool:
        """Whether the mechanism may run; the answer depends on losses alone, never on the data."""
        return self.why_not(event) is None

    def spend(self, event: Guarantee) -> Filter:
        """The filter after the mechanism; Exhausted if it does not admit it."""
        refusal = self.why_not(event)
        if refusal is not None:
            raise Exhausted(refusal)
        return replace(self, spent=tuple(self._after(event)))


def privacy_filter(budget: Guarantee) -> Filter:
    """The filter of that budget, of which nothing is spent: losses add up, epsilon and delta each by itself."""
    return Filter(budget, tuple(Fraction(0) for _ in _columns(budget)))


def refuse(kind: str) -> HypothesisError:
    """Why there is no filter of that kind."""
    return HypothesisError(NO_FILTER.get(kind, f"there is no filter of {kind}"))


@dataclass(frozen=True, slots=True)
class AdvancedFilter:
    """Fully adaptive advanced composition: sqrt(2 ln(1/slack) s) + s / 2 <= epsilon for s the sum of the e_i^2.

    And the deltas add up to at most `failures`.

    The interaction is then (epsilon, failures + slack)-DP.  For losses without a delta that is Lemma 7.2 and a
    conversion; with one, a theorem of WRRW23 that is trusted.
    """

    epsilon: Fraction
    slack: Fraction
    failures: Fraction
    neighbours: Neighbours
    squares: Fraction = Fraction(0)
    failed: Fraction = Fraction(0)
    trusts: frozenset[str] = frozenset()

    def why_not(self, event: Guarantee) -> str | None:
        """None if the mechanism may run, else one sentence."""
        if event.measure not in ("pure", "approximate"):
            return f"the filter is of pure and approximate DP, got {event.measure}"
        if event.neighbours != self.neighbours or event.edits != 1:
            return f"the filter is of one edit under {self.neighbours}, got {event.edits} under {event.neighbours}"
        squares, failed = self._after(event)
        if failed > self.failures:
            return f"deltas of {failed} would be spent of {self.failures}"
        loss = advanced_loss(squares, self.slack)
        return None if loss <= self.epsilon else f"epsilon {loss} would be spent of {self.epsilon}"

    def _after(self, event: Guarantee) -> tuple[Fraction, Fraction]:
        """Sum of squares, rounded up where an epsilon is irrational, and sum of deltas."""
        square = upper_bound(term(event.loss[0]) ** 2, DIGITS)
        return self.squares + square, self.failed + event.delta

    def admits(self, event: Guarantee) -> bool:
        """Whether the mechanism may run; the answer depends on losses alone, never on the data."""
        return self.why_not(event) is None

    def spend(self, event: Guarantee) -> AdvancedFilter:
        """The filter after the mechanism; Exhausted if it does not admit it."""
        refusal = self.why_not(event)
        if refusal is not None:
            raise Exhausted(refusal)
        squares, failed = self._after(event)
        trusts = self.trusts | ({"WRRW23 Thm 1"} if failed > 0 else frozenset())
        return replace(self, squares=squares, failed=failed, trusts=trusts)

    @property
    def guarantee(self) -> Guarantee:
        """What the interaction has, whenever it stops."""
        return Guarantee("approximate", (self.epsilon, self.failures + self.slack), self.neighbours)


def advanced_filter(epsilon: object, slack: object, neighbours: Neighbours, failures: object = 0) -> AdvancedFilter:
    """The filter of which nothing is spent: epsilon >= 0, 0 < slack < 1, failures >= 0."""
    e, d, f = exact(epsilon, "epsilon"), exact(slack, "slack"), exact(failures, "failures")
    require(e >= 0 and f >= 0, f"epsilon and failures must be >= 0, got {e} and {f}")
    require(0 < d < 1, f"slack must be strictly between 0 and 1, got {d}")
    return AdvancedFilter(e, d, f, neighbours)


def advanced_loss(squares: Fraction, slack: Fraction) -> Fraction:
    """sqrt(2 ln(1/slack) s) + s / 2 for s = sum of squares, rounded up."""
    return upper_bound(sqrt(2 * ln(1 / number(slack)) * number(squares)) + number(squares) / 2, DIGITS)


__all__ = [
    "AdvancedFilter", "Exhausted", "Filter", "LEMMAS", "NO_FILTER", "advanced_filter", "advanced_loss",
    "privacy_filter", "refuse",
]  # fmt: skip
