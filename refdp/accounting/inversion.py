"""epsilon(delta) read backwards from a curve of delta(epsilon), both sides certified by enclosures of the curve.

The curve falls, so delta(x).lower > delta shows epsilon(delta) >= x, and delta(x).upper <= delta shows the converse.
Where to ask is chosen by interpolation of ln delta; a bad choice costs time, never truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, inf

from refdp import work
from refdp.accounting.curves import Curve
from refdp.numerics.elementary import Undecided, ln_bounds
from refdp.numerics.intervals import Interval

LEAST_TOLD = Fraction(1, 2**2048)
"""Where nothing is known from below, no less delta is told from above: engines would be asked for so many digits."""
LARGEST_EPSILON = 2**20
"""No greater epsilon is looked for: beyond it an upper bound is infinite."""
BEYOND = Fraction(33, 32)
"""How far beyond what one direction costs another is looked for first."""
MOST_ROUNDS = 200
"""Most evaluations for one edge."""
Point = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Bounds:
    """lower <= the number <= upper; None is infinity."""

    lower: Fraction | None
    upper: Fraction | None

    @property
    def width(self) -> Fraction | None:
        """upper - lower, 0 where both are infinite; None where only the upper one is."""
        if self.lower is None:
            return Fraction(0)
        return None if self.upper is None else self.upper - self.lower

    def within(self, width: Fraction) -> bool:
        """Whether the width is at most that."""
        return self.width is not None and self.width <= width

    def meet(self, other: Bounds) -> Bounds:
        """What both say."""
        return Bounds(greater(self.lower, other.lower), lesser(self.upper, other.upper))

    def greatest(self, other: Bounds) -> Bounds:
        """Bounds of the greater of the two numbers."""
        return Bounds(greater(self.lower, other.lower), greater(self.upper, other.upper))


UNKNOWN = Bounds(Fraction(0), None)
"""All that is known without looking."""


def greater(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    """The greater one, None being infinity."""
    return None if a is None or b is None else max(a, b)


def lesser(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    """The lesser one, None being infinity."""
    return b if a is None else a if b is None else min(a, b)


def epsilon_bounds(
    curve: Curve,
    delta: Fraction,
    width: Fraction = Fraction(1, 10**9),
    known: Bounds = UNKNOWN,
    end: float = inf,
    enough: Fraction | None = None,
) -> Bounds:
    """Bounds of the least epsilon >= 0 with delta(epsilon) <= delta, for 0 < delta < 1; no wider than need be.

    They are wider than `width` where the enclosures of the curve are too wide, and where `work.spent()` reaches
    `end`.  `known` bounds say where to look; that it is at most `enough` is all that need be known, if it is so.
    """
    if known.lower is None or known.within(width):
        return known
    search = _Search(curve.delta, delta, width, end)
    if enough is not None and search.at(enough).upper <= delta:
        return Bounds(known.lower, enough).meet(known)
    return search.bounds(known, enough)


def delta_bounds(curve: Curve, epsilon: Fraction) -> Bounds:
    """Bounds of delta(epsilon), within [0, 1]."""
    found = curve.delta(epsilon)
    lower, upper = max(found.lower, Fraction(0)), min(found.upper, Fraction(1))
    return Bounds(lower, max(upper, LEAST_TOLD) if lower == 0 < upper else upper)


@dataclass(slots=True)
class _Search:
    """One question, and what was found where."""

    evaluate: Callable[[Fraction], Interval]
    delta: Fraction
    width: Fraction
    end: float = inf
    found: dict[Fraction, Interval] = field(default_factory=dict)

    def at(self, x: Fraction) -> Interval:
        """The enclosure at x, worked out once."""
        if x not in self.found:
            try:
                self.found[x] = self.evaluate(x)
            except Undecided:
                self.found[x] = Interval(Fraction(0), Fraction(1))
        return self.found[x]

    def bounds(self, known: Bounds, near: Fraction | None = None) -> Bounds:
        """The upper edge first: where the enclosures are tight the lower one is then settled, too."""
        start = near if near is not None and self.at(near).lower > self.delta else Fraction(0)
        if self.at(start).upper <= self.delta:  # then it is 0
            return Bounds(Fraction(0), Fraction(0))
        right = self._right(known, near)
        if right is not None:
            self._close(right, lambda interval: interval.upper)
        beyond = right if right is not None else Fraction(LARGEST_EPSILON)
        if self.at(start).lower > self.delta and self.at(beyond).lower <= self.delta:
            self._close(beyond, lambda interval: interval.lower)
        above = [x for x, interval in self.found.items() if interval.upper <= self.delta]
        below = [x for x, interval in self.found.items() if interval.lower > self.delta]
        return Bounds(max(below, default=Fraction(0)), min(above, default=None)).meet(known)

    def _right(self, known: Bounds, near: Fraction | None) -> Fraction | None:
        """A point with upper bound <= delta, or None; it may be a little beyond `near`."""
        x = self._rounded(known.upper or (near * BEYOND if near else Fraction(1))) or Fraction(1)
        while self.at(x).upper > self.delta:
            if x >= LARGEST_EPSILON:
                return None
            x = min(2 * x, Fraction(LARGEST_EPSILON))
        return x

    def _rounded(self, x: Fraction) -> Fraction:
        """A dyadic number near x, with few digits."""
        unit = 1 << max(0, (128 / self.width).__ceil__().bit_length())
        return Fraction(floor(x * unit), unit)

    def _height(self, value: Fraction) -> Fraction:
        """About ln(value / delta)."""
        if value <= 0:
            return Fraction(-(10**6))
        return ln_bounds(value / self.delta, 64 + (1 / self.width).__ceil__().bit_length())[0]

    def _close(self, right: Fraction, side: Callable[[Interval], Fraction]) -> None:
        """Points on either side of where side(delta(x)) = delta, at most width / 4 apart."""
        known = sorted((x, side(interval)) for x, interval in self.found.items() if x <= right)
        a = max(x for x, value in known if value > self.delta)
        b = min(x for x, value in known if value <= self.delta and x > a)
        near = nearest((x, self._height(value)) for x, value in known)
        for turn in range(MOST_ROUNDS):
            if b - a <= self.width / 4 or work.spent() > self.end:
                return
            x = self._next(a, b, near, turn)
            value = side(self.at(x))
            a, b = (x, b) if value > self.delta else (a, x)
            near = nearest([*near, (x, self._height(value))])

    def _next(self, a: Fraction, b: Fraction, near: list[Point], turn: int) -> Fraction:
        """Where to ask next, strictly between a and b."""
        middle = self._rounded((a + b) / 2)
        guess = None if turn % 4 == 3 else interpolated(near, self.width / 16)
        if guess is None:
            return middle
        root, error = guess
        x = self._rounded(root + error if b - root > root - a else root - error)
        return x if a < x < b else middle


def nearest(points: Iterable[Point]) -> list[Point]:
    """The three points (x, y) of least |y|."""
    return sorted(points, key=lambda point: (abs(point[1]), point[0]))[:3]


def interpolated(points: list[Point], least: Fraction) -> tuple[Fraction, Fraction] | None:
    """x at y = 0 by a parabola in y through the points, smallest |y| first; and about how far off that may be."""
    if len(points) < 2:
        return None
    (x0, y0), (x1, y1) = points[:2]
    if y0 == y1:
        return None
    line = x0 - y0 * (x1 - x0) / (y1 - y0)
    if len(points) < 3 or points[2][1] in (y0, y1):
        return line, max(least, abs(x1 - x0) / 4)
    x2, y2 = points[2]
    slope, other = (x1 - x0) / (y1 - y0), (x2 - x1) / (y2 - y1)
    curved = x0 - y0 * slope + y0 * y1 * (other - slope) / (y2 - y0)
    return curved, max(least, abs(curved - line) / 8)
