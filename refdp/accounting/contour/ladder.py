"""A curve held by a few contours, each for a range of epsilon, made when first asked for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import log

from flint import arb

from refdp.accounting.contour.choice import factor
from refdp.accounting.contour.factors import Factor, ball
from refdp.accounting.contour.integral import Contour
from refdp.accounting.contour.plan import CHEAP, REACHES, Plan, Rung, ladder
from refdp.accounting.contour.saddle import Landscape
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval

SKETCH = 96
"""Binary digits while floats choose."""


@dataclass(slots=True)
class Ladder:
    """Enclosures of delta(epsilon), of a width near that asked for from the least delta up."""

    landscape: Landscape
    rungs: list[Rung]
    effort: Effort
    built: dict[int, Contour] = field(default_factory=dict)
    engine: str = "contour integral (section 5 of docs/accounting_proofs.md)"
    trusts: frozenset[str] = frozenset({"Arb"})

    @classmethod
    def of(cls, composition: Composition, effort: Effort, width: Fraction) -> Ladder:
        """The curve, its first contour made; OutOfReach where that costs too much."""
        landscape = Landscape([(factor(loss), count) for loss, count in composition.parts])
        with precision(SKETCH):
            for reaches in REACHES:
                rungs = ladder(landscape, log(effort.delta), float(width), reaches)
                with suppress(OutOfReach):  # the next ones are cheaper
                    if Plan.of(landscape, rungs[0]).work() < CHEAP:
                        break
        found = cls(landscape, rungs, effort)
        found.contour(0)
        return found

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at e^epsilon, any rational epsilon."""
        contour = self._serving(epsilon)
        with precision(contour.bits):
            infinite = 1 - finite_mass(self.landscape.parts)
            low, high = contour.delta(epsilon)
            trivial = 1 - ball(epsilon).exp() if epsilon < 0 else arb(0)
            lower = max(interval(x).lower for x in (infinite + low, infinite, trivial) if x.is_finite())
            upper = interval(infinite + high).upper if high < 1 else Fraction(1)
        upper = min(upper, Fraction(1))
        return Interval(min(max(lower, Fraction(0)), upper), upper)

    def _serving(self, epsilon: Fraction) -> Contour:
        """The contour for an epsilon, or the first one if that costs too much."""
        low = [Fraction(rung.low.epsilon) for rung in self.rungs]
        chosen = next((i for i, end in enumerate(low) if epsilon >= end), len(low) - 1)
        with suppress(OutOfReach):
            return self.contour(chosen)
        return self.contour(0)

    def contour(self, i: int) -> Contour:
        """The i-th contour."""
        if i not in self.built:
            with precision(SKETCH):
                plan = Plan.of(self.landscape, self.rungs[i])
            self.built[i] = Contour.of(plan.parts, plan.line, plan.above, plan.bits, self.effort)
        return self.built[i]


def finite_mass(parts: list[tuple[Factor, int]]) -> arb:
    """P(no loss is infinite)."""
    mass = arb(1)
    for f, count in parts:
        mass *= f.finite_mass() ** count
    return mass
