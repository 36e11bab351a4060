"""A curve held by a few contours, each for a range of epsilon, made when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, exp, log, pi

from flint import arb

from refdp.accounting.contour.choice import factor
from refdp.accounting.contour.factors import Factor, Line, ball
from refdp.accounting.contour.integral import Contour
from refdp.accounting.contour.saddle import Landscape, coarse
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Composition
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval

REACH = 14.0
"""A contour serves where at most a factor e^REACH of accuracy is lost."""
LAST_REACH = 26.0
"""Likewise for the last one, towards epsilon = -infinity."""
LADDER = 12
"""Most contours."""
FARTHEST = 1e7
"""Largest T that is tried."""
SKETCH = 96
"""Binary digits while floats choose."""
GUARD = 44
ABOVE = (1.25, 1.5, 2.0, 3.0, 4.0, 6.0)
"""Multiples of c at which the moments bound what lies far to the right."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A contour's order c, and (epsilon, ln delta) at both ends of the range that it serves."""

    order: float
    ends: tuple[tuple[float, float], tuple[float, float]]


@dataclass(slots=True)
class Ladder:
    """Enclosures of delta(epsilon), relative width about `tolerance` times the order of the saddle."""

    parts: list[tuple[Factor, int]]
    landscape: Landscape
    rungs: list[Rung]
    effort: Effort
    width: float
    built: dict[int, Contour] = field(default_factory=dict)
    engine: str = "contour integral (section 5 of docs/accounting_proofs.md)"
    trusts: frozenset[str] = frozenset({"Arb"})

    @classmethod
    def of(cls, composition: Composition, effort: Effort, width: Fraction) -> Ladder:
        """The curve, its first contour made; OutOfReach where that costs too much."""
        parts = [(factor(loss), count) for loss, count in composition.parts]
        with precision(SKETCH):
            landscape = Landscape(parts)
            found = cls(parts, landscape, _rungs(landscape, log(effort.delta)), effort, float(width))
        found.contour(0)
        return found

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at e^epsilon, any rational epsilon."""
        near = float(max(min(epsilon, Fraction(10**9)), Fraction(-(10**9))))
        chosen = next((i for i, rung in enumerate(self.rungs) if near >= rung.ends[1][0]), len(self.rungs) - 1)
        contour = self.contour(chosen)
        with precision(contour.bits):
            infinite = 1 - _finite_mass(self.parts)
            low, high = contour.delta(epsilon)
            least = interval(infinite + low).lower
            trivial = interval(1 - ball(epsilon).exp()).lower if epsilon < 0 else Fraction(0)
            lower = max(least, trivial, interval(infinite).lower, Fraction(0))
            upper = min(interval(infinite + high).upper if high.is_finite() else Fraction(1), Fraction(1))
        return Interval(min(lower, upper), upper)

    def contour(self, i: int) -> Contour:
        """The i-th contour."""
        if i not in self.built:
            with precision(SKETCH):
                plan = Plan.of(self.parts, self.landscape, self.rungs[i], self.width)
            self.built[i] = Contour.of(plan.parts, plan.line, plan.above, plan.bits, self.effort)
        return self.built[i]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a contour is made with."""

    parts: list[tuple[Factor, int, int]]
    line: Line
    above: list[Fraction]
    bits: int

    @classmethod
    def of(cls, parts: list[tuple[Factor, int]], landscape: Landscape, rung: Rung, width: float) -> Plan:
        """R, T and the accuracy of the moments such that each of the errors is about `width`, or 1/16 of it."""
        order = coarse(rung.order)
        aim = log(width * min(1.0, rung.order) / 16)
        period, above = _period(landscape, rung, aim)
        lost = max(landscape.growth(rung.order) - float(order) * e - size for e, size in rung.ends)
        reach = _reach(parts, order, aim - lost)
        line = Line(order, coarse(period), ceil(reach * period / (2 * pi)) + 1)
        accurate = [(f, k, ceil((lost - aim + log(k) + log(len(parts)) + 3) / log(2))) for f, k in parts]
        return cls(accurate, line, above, max(a for _, _, a in accurate) + GUARD + line.count.bit_length())


def _period(landscape: Landscape, rung: Rung, aim: float) -> tuple[float, list[Fraction]]:
    """R with aliases below e^aim delta at both ends of the range, and the orders that show it."""
    period, above = 0.0, set()
    for epsilon, size in rung.ends:
        tried = []
        for multiple in ABOVE:
            order = float(coarse(multiple * rung.order))
            excess = landscape.growth(order) - order * epsilon - size - aim
            tried.append((excess / (order - rung.order), coarse(multiple * rung.order)))
        right, order_above = min(tried)
        period, above = max(period, right, -(aim + size) / rung.order), above | {order_above}
    return period, sorted(above)


def _reach(parts: list[tuple[Factor, int]], order: Fraction, aim: float) -> float:
    """T beyond which about e^aim of the integrand is left; OutOfReach if that is too far."""
    decays = [(decay, k) for f, k in parts if (decay := f.decay(order)) is not None]

    def left(t: float) -> float:
        return sum(k * decay.estimate(t) for decay, k in decays) - log(pi * t)

    reach = float(order)
    while left(reach) > aim:
        reach *= 2
        if reach > FARTHEST:
            raise OutOfReach(
                f"at t = {FARTHEST:.0g} the moments are still {exp(left(FARTHEST)):.1g} of their size, and "
                f"{exp(aim):.1g} is needed: so few smooth events decay too slowly for the contour"
            )
    low = reach / 2
    for _ in range(5):
        middle = (low + reach) / 2
        low, reach = (middle, reach) if left(middle) > aim else (low, middle)
    return reach


def _rungs(landscape: Landscape, size: float) -> list[Rung]:
    """Contours for all epsilon, from the saddle of the least delta down."""
    order, found = landscape.order(size), []
    while len(found) < LADDER:
        top = landscape.slope(order), landscape.size(order)
        lower = order
        while lower > order / 64 and landscape.amplified(order, lower) < REACH:
            lower /= 1.1
        last = order * landscape.bend(order) ** 0.5 <= 1.5 or lower <= order / 64 or len(found) == LADDER - 1
        if last:
            far = (landscape.growth(order) - LAST_REACH) / order
            return [*found, Rung(order, (top, (min(far, top[0]), 0.0)))]
        found.append(Rung(order, (top, (landscape.slope(lower), landscape.size(lower)))))
        order = lower
    return found


def _finite_mass(parts: list[tuple[Factor, int]]) -> arb:
    """P(no loss is infinite)."""
    mass = arb(1)
    for f, count in parts:
        mass *= f.finite_mass() ** count
    return mass
