"""Which contours serve which epsilons, and with which parameters: floats that choose and claim nothing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, isfinite, log, pi

from flint import arb

from refdp.accounting.contour.circle import Circle
from refdp.accounting.contour.closed import EdgeDecay
from refdp.accounting.contour.factors import Decay, Factor, Line
from refdp.accounting.contour.integral import Contour
from refdp.accounting.contour.moments import GaussianMoments
from refdp.accounting.contour.saddle import Landscape, coarse
from refdp.accounting.contour.shift import Better
from refdp.accounting.curves import OutOfReach
from refdp.accounting.lattice.groups import Group

REACHES = ((14.0, 26.0), (3.0, 8.0))
"""A contour serves where at most a factor e^(first) of accuracy is lost; the last one, towards -infinity, e^(second).

The second pair is for contours that cost much.
"""
CHEAP = 3 * 10**7
"""So many multiplications for the moments are not much."""
LEAST_STEP = 1.3
"""Least ratio of the orders of successive contours."""
LADDER = 16
"""Most contours."""
FARTHEST, FARTHEST_EDGED = 1e6, 2e4
"""Largest T that is tried; the second where no loss is smooth, so that what atoms leave does not fall any more."""
MOST_POINTS = 20_000
"""Most points of a circle."""
GUARD = 44
MOST_BITS = 10_000
"""Most binary digits."""
MOST_DIGITS = 40_000_000
"""Most binary digits of all points together: they are kept at once."""
SLACK = 2.0
"""So much more than planned, as a logarithm, may be left beyond the line."""
BELOW = (1.0, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3)
"""Parts of the saddle's order through which a contour may go: farther left, the aliases are smaller."""
ABOVE = (1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0)
"""Multiples of the contour's order at which the moments bound what lies far to the right."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a range: epsilon, ln delta there, the order of its saddle."""

    epsilon: float
    size: float
    saddle: float

    @classmethod
    def at(cls, landscape: Landscape, saddle: float) -> End:
        """The end with that saddle."""
        return cls(landscape.slope(saddle), landscape.size(saddle), saddle)

    def lost(self, landscape: Landscape, order: float) -> float:
        """ln of how much greater the integrand is on the contour than delta at this end."""
        return landscape.growth(order) - order * self.epsilon - self.size


@dataclass(frozen=True, slots=True)
class Rung:
    """A contour's order c, both ends of the range that it serves, and the logarithm of the errors to aim at."""

    order: float
    high: End
    low: End
    aim: float

    @property
    def ends(self) -> tuple[End, End]:
        """Both."""
        return self.high, self.low

    def lost(self, landscape: Landscape) -> float:
        """The greater of the losses at both ends."""
        return max(end.lost(landscape, self.order) for end in self.ends)


def ladder(landscape: Landscape, size: float, width: float, reaches: tuple[float, float]) -> list[Rung]:
    """Contours for all epsilon, from where ln delta = size down."""
    saddle, found = landscape.order(size), list[Rung]()
    while True:
        high = End.at(landscape, saddle)
        aim = log(width * min(1.0, saddle) / 16)
        order = _order(landscape, high, aim)
        lower = saddle
        while lower > saddle / 64 and End.at(landscape, lower / 1.1).lost(landscape, order) < reaches[0]:
            lower /= 1.1
        spread = landscape.bend(saddle / 32) ** 0.5  # of the bulk, which begins at an order of about 1.5 / spread
        lower = max(min(lower, saddle / LEAST_STEP), 1.4 / spread)
        far = (landscape.growth(order) - reaches[1]) / order
        past = landscape.slope(saddle / 32) - 3 * spread
        if saddle * spread <= 1.5 or (lower * spread <= 1.5 and far < past) or len(found) == LADDER - 1:
            return [*found, Rung(order, high, End(min(far, high.epsilon), 0.0, 0.0), aim)]
        found.append(Rung(order, high, End.at(landscape, lower), aim))
        saddle = lower


def _order(landscape: Landscape, high: End, aim: float) -> float:
    """The order of a contour for epsilons near `high`: the shortest period, weighed by what accuracy is lost."""

    def cost(order: float) -> float:
        return period(landscape, order, (high,), aim)[0] * (high.lost(landscape, order) - aim)

    return min((high.saddle * part for part in BELOW), key=cost)


def period(landscape: Landscape, order: float, ends: tuple[End, ...], aim: float) -> tuple[float, list[Fraction]]:
    """R with aliases below e^aim delta at the ends of the range, and the orders that show it."""
    longest, above = 0.0, set[Fraction]()
    for end in ends:
        tried = []
        for multiple in ABOVE:
            higher = coarse(multiple * order)
            tried.append(((end.lost(landscape, float(higher)) - aim) / (float(higher) - order), higher))
        right, best = min(tried)
        longest, above = max(longest, right, -(aim + end.size) / order), above | {best}
    return longest, sorted(above)


def refitted(rung: Rung, contour: Contour, least: float) -> Rung | None:
    """The range with what the contour shows of delta at its ends, or None if it is narrow enough there.

    `least`, if > 0, is the delta that the upper end is to have.
    """
    high = rung.high
    if least > 0 and _shown(contour, high.epsilon)[1] < log(least) - 2:
        high = End(_farthest(contour, rung, log(least)), log(least), high.saddle)
    high_fits, low_fits = _fits(high, contour, rung.aim), rung.low.saddle == 0 or _fits(rung.low, contour, rung.aim)
    if high_fits and low_fits:
        return None
    low = rung.low if low_fits else _resized(rung.low, contour)
    return Rung(rung.order, high if high_fits else _resized(high, contour), low, rung.aim)


def _fits(end: End, contour: Contour, aim: float) -> bool:
    """Whether the enclosure there is about as narrow as aimed at."""
    width, size = _shown(contour, end.epsilon)
    return width - size < aim + log(64)


def _resized(end: End, contour: Contour) -> End:
    """The end with the delta that the contour shows, or much less where it shows little."""
    width, size = _shown(contour, end.epsilon)
    return End(end.epsilon, min(end.size, size) - (0 if width < size - 1 else 10), end.saddle)


def _shown(contour: Contour, epsilon: float) -> tuple[float, float]:
    """The logarithms of the width of the enclosure at epsilon, and of its upper end."""
    low, high = contour.delta(Fraction(epsilon))
    return float((high - low).log().mid()), float(high.log().mid())


def _farthest(contour: Contour, rung: Rung, size: float) -> float:
    """Nearly the epsilon at which the contour's upper bound is e^size, or the upper end if that is lower."""
    low, high = min(rung.low.epsilon, rung.high.epsilon), rung.high.epsilon
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if _shown(contour, middle)[1] > size else (low, middle)
    return low


@dataclass(frozen=True, slots=True)
class Plan:
    """What a contour is made with: (factor, count, accuracy), the line, orders above it, binary digits."""

    parts: list[tuple[Factor, int, int]]
    line: Line
    above: list[Fraction]
    bits: int
    landscape: Landscape
    aim: float
    """ln of what may be left of the integrand beyond the line."""

    @classmethod
    def of(cls, landscape: Landscape, rung: Rung, parts: list[tuple[Factor, int]], part: float = 1.0) -> Plan:
        """R, T and the accuracy of the moments such that each of the errors is about e^aim of delta.

        `part` is what the logarithms of the decays are of those of the events that stand for them.
        """
        order, lost = coarse(rung.order), rung.lost(landscape)
        length, above = period(landscape, float(order), rung.ends, rung.aim)
        if not (isfinite(lost) and isfinite(length)):
            raise OutOfReach("the moments are greater than all floats, which choose the contour")
        found = [(decay, k * part) for decay, (_, k) in zip(landscape.decays(order), landscape.parts, strict=True)]
        kept = [(decay, k) for decay, k in found if decay is not None]
        if landscape.lattice is None:
            line = _straight(length, kept, order, rung.aim - lost)
        else:
            line = _around(landscape.lattice, length, kept, order, rung.aim - lost)
        accurate = [(f, k, ceil((lost - rung.aim + log(k) + log(len(parts)) + 3) / log(2))) for f, k in parts]
        bits = max(a for _, _, a in accurate) + GUARD + line.count.bit_length()
        if bits > MOST_BITS or line.count * bits > MOST_DIGITS:
            raise OutOfReach(
                f"the contour needs {bits} binary digits at each of {line.count} points; {MOST_BITS} at one and "
                f"{MOST_DIGITS} in all are the most"
            )
        return cls(accurate, line, above, bits, landscape, rung.aim - lost)

    def shares(self) -> list[arb | None]:
        """At least |M(s)| / M(c) of each part beyond the line, None where no bound is known; decays are not kept."""
        landscape, end, found = self.landscape, self.line.reach, list[arb | None]()
        known = dict(zip((f for f, _ in landscape.parts), landscape.decays(self.line.order), strict=True))
        for factor, _, _ in self.parts:
            decay = known[landscape.stands.get(factor, factor)]
            if factor in landscape.stands and isinstance(decay, Better) and isinstance(factor, GaussianMoments):
                decay = decay.of(factor, float(end.mid()))
            found.append(None if decay is None else decay.bound(end))
        return found

    def part(self, shares: list[arb | None]) -> float | None:
        """What the decays are of those planned with, where too much is left for that; else None."""
        end, landscape = float(self.line.reach.mid()), self.landscape
        decays = zip(landscape.decays(self.line.order), landscape.parts, strict=True)
        planned = sum(k * decay.estimate(end) for decay, (_, k) in decays if decay is not None)
        found = sum(k * float(share.log().mid()) for share, (_, k, _) in zip(shares, self.parts, strict=True) if share)
        return found / planned if found - log(pi * end) > self.aim + SLACK and planned < 0 else None

    def work(self) -> int:
        """About how many multiplications the moments take."""
        reach = float(self.line.reach.mid())
        return self.line.count * sum(f.nodes(self.line.order, accuracy, reach) for f, _, accuracy in self.parts)


def _straight(length: float, decays: list[tuple[Decay, float]], order: Fraction, aim: float) -> Line:
    """The points of a line with that period; OutOfReach if about e^aim of the integrand is left only too far away."""
    farthest = FARTHEST_EDGED if all(isinstance(decay, EdgeDecay) for decay, _ in decays) else FARTHEST
    reach = _reach(decays, order, aim, farthest)
    if reach is None:
        raise OutOfReach(
            f"at t = {farthest:.0g} the moments are still {exp(_left(decays, farthest)):.1g} of their size, and "
            f"{exp(aim):.1g} is needed: so few smooth events decay too slowly for the contour"
        )
    return Line(order, coarse(length), ceil(reach * length / (2 * pi)) + 1)


def _around(lattice: Group, length: float, decays: list[tuple[Decay, float]], order: Fraction, aim: float) -> Line:
    """The points of a circle of at least that length, as far as moments are not negligible, or all of them."""
    step = float(lattice.length.mid())
    half = ceil(length / step / 2)
    reach = _reach(decays, order, aim, pi / step)
    count = half if reach is None else min(half, ceil(reach * (2 * half + 1) * step / (2 * pi)) + 1)
    if count > MOST_POINTS:
        raise OutOfReach(f"the contour needs {count} points of {2 * half + 1} on a circle, more than {MOST_POINTS}")
    return Line(order, Circle(lattice, 2 * half + 1), count)


def _left(decays: list[tuple[Decay, float]], t: float) -> float:
    """About the logarithm of what is left of the integrand beyond t."""
    return sum(k * decay.estimate(t) for decay, k in decays) - log(pi * t)


def _reach(decays: list[tuple[Decay, float]], order: Fraction, aim: float, farthest: float) -> float | None:
    """T beyond which about e^aim of the integrand is left; None if that is too far."""
    reach = float(order)
    while _left(decays, reach) > aim:
        reach *= 2
        if reach > farthest:
            return None
    low = reach / 2
    for _ in range(5):
        middle = (low + reach) / 2
        low, reach = (middle, reach) if _left(decays, middle) > aim else (low, middle)
    return reach
