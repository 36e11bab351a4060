"""Privacy odometers: how much was lost so far, at every moment, whatever was chosen, and when to stop may depend on it.

Pure DP: the sum of the epsilons bounds the loss of every transcript (Lemma 7.1).  zCDP: with probability 1 - delta all
readings are right at once, by filters of doubling size that share delta (Lemma 7.5).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from refdp.accounting.theorems.composition import DIGITS, added, term
from refdp.accounting.theorems.guarantees import Guarantee, Neighbours, Number, rational, require
from refdp.numerics.exact import exact, upper_bound
from refdp.terms.term import ln, number, sqrt

ODOMETERS = ("pure", "concentrated")
"""The measures of which an odometer is proved here."""


def _checked(event: Guarantee, measure: str, neighbours: str) -> None:
    """The event is of the odometer's measure and relation."""
    require(event.measure in ODOMETERS, f"an odometer is stated for {' and '.join(ODOMETERS)} DP, got {event.measure}")
    require(event.measure == measure, f"the odometer is of {measure} DP, got {event.measure}")
    same = event.neighbours == neighbours and event.edits == 1
    require(same, f"the odometer is of one edit under {neighbours}, got {event.edits} under {event.neighbours}")


@dataclass(frozen=True, slots=True)
class PureOdometer:
    """The sum of the epsilons spent: exact."""

    neighbours: Neighbours
    spent: Number = Fraction(0)

    def spend(self, event: Guarantee) -> PureOdometer:
        """The odometer after the mechanism."""
        _checked(event, "pure", self.neighbours)
        return replace(self, spent=added([self.spent, event.loss[0]]))

    @property
    def reading(self) -> Guarantee:
        """A bound of the loss of this transcript, also if it stops because of this reading.

        It depends on outcomes, so that it is no loss of the interaction as a mechanism: that is what a filter has.
        """
        return Guarantee("pure", (self.spent,), self.neighbours, chosen="adaptively")


@dataclass(frozen=True, slots=True)
class ConcentratedOdometer:
    """The sum of the rhos spent, read as an epsilon that all moments keep at once with probability 1 - delta.

    Level j = 0, 1, ... is a filter of rho = step 2^j with delta / ((j + 1) (j + 2)); the reading is that of the least
    level that holds what was spent.
    """

    neighbours: Neighbours
    delta: Fraction
    step: Fraction
    spent: Fraction = Fraction(0)

    def spend(self, event: Guarantee) -> ConcentratedOdometer:
        """The odometer after the mechanism."""
        _checked(event, "concentrated", self.neighbours)
        return replace(self, spent=self.spent + rational(event.loss[0]))

    @property
    def level(self) -> int:
        """The least j with spent <= step 2^j."""
        j = 0
        while self.step * 2**j < self.spent:
            j += 1
        return j

    @property
    def reading(self) -> Guarantee:
        """(rho + 2 sqrt(rho ln((j + 1) (j + 2) / delta)), delta) at rho = step 2^j, rounded up.

        All readings bound the losses of their transcripts at once, but with probability delta; see `PureOdometer`.
        """
        if self.spent == 0:
            return Guarantee("approximate", (Fraction(0), self.delta), self.neighbours, chosen="adaptively")
        rho, share = self.step * 2**self.level, self.delta / ((self.level + 1) * (self.level + 2))
        epsilon = upper_bound(term(rho) + 2 * sqrt(number(rho) * ln(1 / number(share))), DIGITS)
        return Guarantee("approximate", (epsilon, self.delta), self.neighbours, chosen="adaptively")


def odometer(
    measure: str, neighbours: Neighbours, delta: object = None, step: object = "1/100"
) -> PureOdometer | ConcentratedOdometer:
    """An odometer at 0; under zCDP it needs a delta, and reads in steps from `step` on.  HypothesisError otherwise."""
    require(measure in ODOMETERS, f"an odometer is stated for {' and '.join(ODOMETERS)} DP, got {measure}")
    if measure == "pure":
        require(delta is None, "an odometer of pure DP has no delta")
        return PureOdometer(neighbours)
    chance, least = exact(delta, "delta"), exact(step, "step")
    require(0 < chance < 1 and least > 0, f"delta must be in (0, 1) and step > 0, got {chance} and {least}")
    return ConcentratedOdometer(neighbours, chance, least)
