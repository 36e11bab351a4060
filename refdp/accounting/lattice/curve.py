"""delta(epsilon) read off lower bounds of the masses of a loss, on one lattice or on the sum of several."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball, digit_steps
from refdp.accounting.closed_forms.formula import probability
from refdp.accounting.lattice.powers import Masses
from refdp.numerics.enclosures import precision
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from flint import arb


POINT = 10
"""Steps of work that a loss counts as."""


@dataclass(frozen=True, slots=True)
class Sums:
    """c[i] + c[i + 1] + ... of the bounds c[i] of the masses at origin + step i, in units."""

    origin: arb
    step: arb
    above: list[int]
    """above[i] = c[i] + c[i + 1] + ..."""
    weighted: list[arb]
    """weighted[i] = c[i] + e^-step c[i + 1] + e^(-2 step) c[i + 2] + ..."""

    def least(self, epsilon: arb) -> arb:
        """The sum of c[i] (1 - e^(epsilon - loss))_+: the greater of two where the first such i is not decided."""
        position = (epsilon - self.origin) / self.step
        if position < 0 or position > len(self.above):
            return self.excess(epsilon, 0 if position < 0 else len(self.above))
        low, high = (x.floor().unique_fmpz() for x in (position.lower(), position.upper()))
        if low is None or high is None or high > low + 1:
            return ball(0).union(ball(self.above[0]))
        found = self.excess(epsilon, int(low) + 1)
        return found if high == low else found.max(self.excess(epsilon, int(high) + 1))

    def excess(self, epsilon: arb, first: int) -> arb:
        """The sum of c[i] (1 - e^(epsilon - loss)) over i >= first."""
        i = max(first, 0)
        if i >= len(self.above):
            return ball(0)
        return self.above[i] - (epsilon - self.origin - i * self.step).exp() * self.weighted[i]


@dataclass(frozen=True, slots=True)
class LatticeCurve:
    """delta(epsilon) of an infinite loss and a sum of two: lower bounds of masses on a lattice, and at points."""

    engine: str
    infinite: arb
    sums: Sums
    points: list[tuple[arb, int]]
    """(loss, lower bound of its mass), all losses of the second kind."""
    bits: int
    """All these bounds are in units of 2^-bits."""
    precision: int
    trusts: frozenset[str] = field(default=frozenset({"Arb"}))

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at any rational epsilon: as wide as the sum of the masses left out (Lemma 3.5)."""
        work.step(POINT * len(self.points) + digit_steps(self.precision))
        with precision(self.precision):
            at = ball(epsilon)
            found = sum((mass * self.sums.least(at - loss) for loss, mass in self.points), ball(0))
            finite = found.union(found + self.missing) * ball(Fraction(1, 1 << 2 * self.bits))
            return probability(self.infinite + (1 - self.infinite) * finite, self.bits)

    @property
    def missing(self) -> int:
        """1 - the product of the sums of both kinds of bounds, in units of 2^(-2 bits)."""
        return (1 << 2 * self.bits) - self.sums.above[0] * sum(mass for _, mass in self.points)


def sums(origin: arb, step: arb, found: Masses) -> Sums:
    """What is to be known of the masses to read off delta; called at the precision of the curve."""
    from flint import arb

    work.step(2 * found.polynomial.length())
    top_down = found.coefficients()[::-1] or [0]
    shrink = (-step).exp()
    weighted = accumulate(map(arb, top_down), lambda rest, c: rest * shrink + c)
    return Sums(origin + found.start * step, step, list(accumulate(top_down))[::-1], list(weighted)[::-1])


def points(origin: arb, step: arb, found: Masses) -> list[tuple[arb, int]]:
    """Each loss with the lower bound of its mass."""
    return [(origin + i * step, mass) for i, mass in enumerate(found.coefficients(), found.start)]


def crossed(one: list[tuple[arb, int]], other: list[tuple[arb, int]], bits: int) -> list[tuple[arb, int]]:
    """The sums of two independent losses with lower bounds of their masses."""
    return [(a + b, mass * weight >> bits) for a, mass in one for b, weight in other]
