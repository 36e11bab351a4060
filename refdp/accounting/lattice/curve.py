"""delta(epsilon) read off lower bounds of the masses of a loss on a lattice."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from refdp.accounting.closed_forms.formula import ball, probability
from refdp.accounting.lattice.powers import Masses
from refdp.numerics.enclosures import precision
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from flint import arb


@dataclass(frozen=True, slots=True)
class LatticeCurve:
    """delta(epsilon) of a loss with mass >= 2^-bits c[i] at origin + step i and an infinite loss (Lemma 3.5)."""

    engine: str
    origin: arb
    step: arb
    infinite: arb
    above: list[int]
    """above[i] = c[i] + c[i + 1] + ..."""
    weighted: list[arb]
    """weighted[i] = c[i] + e^-step c[i + 1] + e^(-2 step) c[i + 2] + ..."""
    missing: int
    bits: int
    precision: int
    trusts: frozenset[str] = field(default=frozenset({"Arb"}))

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at any rational epsilon; the masses left out make it wider, by their sum."""
        with precision(self.precision):
            unit = ball(Fraction(1, 1 << self.bits))
            finite = self.least(ball(epsilon)) * unit
            enclosed = finite.union(finite + self.missing * unit)
            return probability(self.infinite + (1 - self.infinite) * enclosed, self.bits)

    def least(self, epsilon: arb) -> arb:
        """The sum of c[i] (1 - e^(epsilon - loss))_+: the greatest over the two indices where the sign may change."""
        position = (epsilon - self.origin) / self.step
        low, high = (x.floor().unique_fmpz() for x in (position.lower(), position.upper()))
        if low is None or high is None or high > low + 1:
            return ball(0).union(ball(1 << self.bits))
        found = self.excess(epsilon, int(low) + 1)
        return found if high == low else found.max(self.excess(epsilon, int(high) + 1))

    def excess(self, epsilon: arb, first: int) -> arb:
        """The sum of c[i] (1 - e^(epsilon - loss)) over i >= first."""
        i = max(first, 0)
        if i >= len(self.above):
            return ball(0)
        return self.above[i] - (epsilon - self.origin - i * self.step).exp() * self.weighted[i]


def lattice_curve(engine: str, origin: arb, step: arb, infinite: arb, found: Masses, bits: int) -> LatticeCurve:
    """The curve of these masses, its sums worked out at the precision `bits`, which is set."""
    from flint import arb

    top_down = [int(c) for c in reversed(found.polynomial.coeffs())]
    shrink = (-step).exp()
    above = list(accumulate(top_down))[::-1]
    weighted = list(accumulate(map(arb, top_down), lambda rest, c: rest * shrink + c))[::-1]
    return LatticeCurve(
        engine, origin + found.start * step, step, infinite, above, weighted, found.missing(), found.bits, bits
    )
