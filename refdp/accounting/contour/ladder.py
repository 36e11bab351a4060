"""A curve held by a few contours, each for a range of epsilon, made when first asked for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import log

from flint import arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.factors import Factor
from refdp.accounting.contour.integral import Contour
from refdp.accounting.contour.lattice_noise import factor_on
from refdp.accounting.contour.plan import CHEAP, REACHES, Plan, Rung, ladder, refitted
from refdp.accounting.contour.saddle import Landscape, grouped
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.lattice.groups import Group
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval

SKETCH = 96
"""Binary digits while floats choose."""
PLANNING = 0.3
"""Share of the work in which it must be found where the first contour should be."""
PERIODIC = "periodic contour (Lemmas 5.12 and 5.13 of docs/accounting_proofs.md)"
"""The engine on a lattice."""
MOST_REFITS = 3
"""How often a contour is made again."""


@dataclass(slots=True)
class Ladder:
    """Enclosures of delta(epsilon), of a width near that asked for from the least delta up."""

    parts: list[tuple[Factor, int]]
    landscape: Landscape
    rungs: list[Rung]
    effort: Effort
    built: dict[int, Contour] = field(default_factory=dict)
    engine: str = "contour integral (section 5 of docs/accounting_proofs.md)"
    trusts: frozenset[str] = frozenset({"Arb"})

    @classmethod
    def of(cls, composition: Composition, effort: Effort, width: Fraction, lattice: Group | None = None) -> Ladder:
        """The curve, its first contour made, on the lattice of all losses if one is given.

        OutOfReach where that costs too much.
        """
        end = work.until(PLANNING * (effort.end - work.spent()))
        parts = [(factor_on(loss, lattice), count) for loss, count in composition.parts]
        kept, stands = grouped(parts)
        landscape = Landscape(kept, end, stands=stands, lattice=lattice)
        with precision(SKETCH):
            infinite = float(infinite_mass(parts).mid())
            least = max(effort.delta, Fraction(infinite) * width)
            log_least = log(least.numerator) - log(least.denominator)  # it may be below every float
            for reaches in REACHES:
                rungs = ladder(landscape, log_least, float(width), reaches)
                with suppress(OutOfReach):  # the next ones are cheaper
                    if Plan.of(landscape, rungs[0], parts).work() < CHEAP:
                        break
        found = cls(parts, replace(landscape, end=effort.end), rungs, effort)
        if lattice is not None:
            found.engine = PERIODIC
        found.contour(0)
        return found

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at e^epsilon, any rational epsilon."""
        contour = self._serving(epsilon)
        with precision(contour.bits):
            infinite = infinite_mass(self.parts)
            low, high = contour.delta(epsilon)
            trivial = 1 - ball(epsilon).exp() if epsilon < 0 else arb(0)
            certain = [interval(x, contour.bits).lower for x in (infinite + low, infinite, trivial) if x > 0]
            upper = interval(infinite + high, contour.bits).upper if high < 1 else Fraction(1)
        return Interval(max([Fraction(0), *certain]), min(upper, Fraction(1)))

    def _serving(self, epsilon: Fraction) -> Contour:
        """The contour for an epsilon, or the first one if that costs too much."""
        low = [Fraction(rung.low.epsilon) for rung in self.rungs]
        chosen = next((i for i, end in enumerate(low) if epsilon >= end), len(low) - 1)
        try:
            return self.contour(chosen)
        except OutOfReach:
            self.built[chosen] = self.contour(0)  # not to be tried again
            return self.built[chosen]

    def contour(self, i: int) -> Contour:
        """The i-th contour; made again, from what it shows, where the floats that planned it were far off."""
        if i not in self.built:
            self.built[i] = self._made(self.rungs[i])
            with suppress(OutOfReach):
                for _ in range(MOST_REFITS):
                    better = refitted(self.rungs[i], self.built[i], float(self.effort.delta) if i == 0 else 0.0)
                    if better is None:
                        break
                    self.rungs[i], self.built[i] = better, self._made(better)
        return self.built[i]

    def _made(self, rung: Rung) -> Contour:
        with precision(SKETCH):
            plan = Plan.of(self.landscape, rung, self.parts)
            shares = plan.shares()
            for _ in range(MOST_REFITS if self.landscape.stands else 0):
                part = plan.part(shares)
                if part is None:
                    break
                plan = Plan.of(self.landscape, rung, self.parts, part)
                shares = plan.shares()
        return Contour.of(plan.parts, plan.line, plan.above, plan.bits, self.effort, shares)


def infinite_mass(parts: list[tuple[Factor, int]]) -> arb:
    """P(some loss is infinite) = 1 - the product of (1 - m)^k, exactly 0 if it is 0; OutOfReach if it may be 1."""
    total = arb(0)
    for f, count in parts:
        mass = f.infinite_mass()
        if not mass < 1:
            raise OutOfReach("a loss is infinite with probability 1: there are no moments")
        total += count * (-mass).log1p()
    return -total.expm1()
