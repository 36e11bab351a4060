"""Trade-off functions, f-DP: f(a) is the least error of the second kind of a test with error a of the first kind.

A pair (P, Q) has f(a) = least 1 - P(S) over tests S with Q(S) <= a, and the profile delta(t) = greatest P(S) - t Q(S).
Each gives the other (Lemma 6.4): delta(t) = sup_a (1 - f(a) - t a), and f(a) = max(0, sup_t (1 - delta(t) - t a)).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from refdp.accounting.theorems.guarantees import HypothesisError, require
from refdp.numerics.exact import enclose
from refdp.numerics.intervals import Interval
from refdp.spec.distances import Law, masses
from refdp.terms.term import ln, normal_tail, number, sqrt

BITS = 128
END = (Fraction(1), Fraction(0))
"""Where every trade-off function ends."""


def _share(a: Fraction) -> None:
    require(0 <= a <= 1, f"an error must be from 0 to 1, got {a}")


@dataclass(frozen=True, slots=True)
class PiecewiseLinear:
    """The convex function through the corners (a, f(a)), a rising from 0 to 1: exact."""

    corners: tuple[tuple[Fraction, Fraction], ...]

    def __post_init__(self) -> None:
        points = self.corners
        require(len(points) >= 2 and points[0][0] == 0 and points[-1] == END, "corners must go from 0 to (1, 0)")
        slopes = []
        for (a, f), (b, g) in pairwise(points):
            require(a < b, f"corners must rise, got {a} before {b}")
            slopes.append((g - f) / (b - a))
        convex = all(s <= r for s, r in pairwise(slopes))
        require(convex and slopes[-1] <= 0, "corners must be those of a convex function that does not increase")
        require(all(0 <= f <= 1 - a for a, f in points), "f(a) must be from 0 to 1 - a")

    def at(self, a: Fraction) -> Interval:
        """f(a), exactly."""
        _share(a)
        for (b, f), (c, g) in pairwise(self.corners):
            if b <= a <= c:
                value = f + (g - f) * (a - b) / (c - b)
                return Interval(value, value)
        raise HypothesisError(f"no corner is beyond {a}")

    def delta(self, t: Fraction) -> Interval:
        """sup_a (1 - f(a) - t a), exactly: it is reached at a corner."""
        require(t >= 0, f"e^epsilon must be >= 0, got {t}")
        value = max(1 - f - t * a for a, f in self.corners)
        return Interval(value, value)


@dataclass(frozen=True, slots=True)
class Gaussian:
    """That of N(0, 1) against N(mu, 1): f(a) = 1 - Q(z - mu) where Q(z) = a; mu^2 > 0."""

    mu_squared: Fraction

    def __post_init__(self) -> None:
        require(self.mu_squared > 0, f"mu_squared must be > 0, got {self.mu_squared}")

    def at(self, a: Fraction) -> Interval:
        """f(a), where z is enclosed by bisection: f falls with a, so it lies between its values at bounds of z."""
        _share(a)
        if a in (0, 1):
            return Interval(1 - a, 1 - a)
        low, high = _quantile(a)
        mu = sqrt(self.mu_squared)
        ends = [enclose(normal_tail(mu - number(z)), BITS) for z in (low, high)]  # 1 - Q(z - mu)
        return Interval(max(ends[0].lower, Fraction(0)), min(ends[1].upper, Fraction(1)), BITS)

    def delta(self, t: Fraction) -> Interval:
        """Q(b - mu) - t Q(b) with b = ln(t) / mu + mu / 2 (Lemma 6.3)."""
        require(t >= 0, f"e^epsilon must be >= 0, got {t}")
        if t == 0:
            return Interval(Fraction(1), Fraction(1))
        mu = sqrt(self.mu_squared)
        b = ln(t) / mu + mu / 2
        found = enclose(normal_tail(b - mu) - t * normal_tail(b), BITS)
        return Interval(max(found.lower, Fraction(0), 1 - t), max(found.upper, Fraction(0), 1 - t), BITS)


def _quantile(a: Fraction) -> tuple[Fraction, Fraction]:
    """Rational numbers around the z with Q(z) = a, less than 2^-48 apart or close enough; Q falls, Q(-z) = 1 - Q(z)."""
    if a > Fraction(1, 2):  # near 1 no bound of Q with so many digits is below a
        low, high = _quantile(1 - a)
        return -high, -low
    low, high = Fraction(-1), Fraction(1)
    while enclose(normal_tail(high), BITS).upper > a:
        high *= 2
    while high - low >= Fraction(1, 2**48):
        middle = (low + high) / 2
        q = enclose(normal_tail(middle), BITS)
        if q.lower >= a:
            low = middle
        elif q.upper <= a:
            high = middle
        else:
            break
    return low, high


def of_laws(p: Law, q: Law) -> PiecewiseLinear:
    """The trade-off function of two finite laws: outcomes enter the test by falling likelihood ratio.

    >>> of_laws({0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}).at(Fraction(1, 4)).upper
    Fraction(1, 4)
    """
    zero = Fraction(0)
    certain = sum((a for a, b in masses(p, q) if b == 0), zero)
    order = sorted(((a, b) for a, b in masses(p, q) if b > 0), key=lambda m: m[0] / m[1], reverse=True)
    corners, first, second = [(zero, 1 - certain)], zero, 1 - certain
    for a, b in order:
        first, second = first + b, second - a
        corners.append((first, second))
    return PiecewiseLinear(tuple(corners))


def of_approximate(t: Fraction, delta: Fraction) -> PiecewiseLinear:
    """max(0, 1 - delta - t a, (1 - delta - a) / t): that of (ln t, delta)-DP, t >= 1, 0 <= delta <= 1."""
    require(t >= 1 and 0 <= delta <= 1, f"e^epsilon must be >= 1 and delta in [0, 1], got {t} and {delta}")
    kink, end = (1 - delta) / (1 + t), 1 - delta
    points = [(Fraction(0), end), (kink, kink), (end, Fraction(0)), (Fraction(1), Fraction(0))]
    return PiecewiseLinear(tuple(dict.fromkeys(points)))


def below(profile: Iterable[tuple[Fraction, Fraction]]) -> PiecewiseLinear:
    """A trade-off function that every pair with delta(t) <= d at the given (t, d) has at least: exact.

    The greatest of 0 and the lines 1 - d - t a (Lemma 6.4); fewer points make it smaller, never wrong.
    HypothesisError for points that no pair has: t < 0, d > 1, d < 0 or d < 1 - t.
    """
    points = list(profile)
    known = all(t >= 0 and max(Fraction(0), 1 - t) <= d <= 1 for t, d in points)
    require(known, "a profile has t >= 0 and delta from max(0, 1 - t) to 1")
    lines = {(-t, 1 - d) for t, d in points} | {(Fraction(0), Fraction(0))}
    crossings = {Fraction(0), Fraction(1)}
    for slope, top in lines:
        for other, height in lines:
            if slope != other:
                crossings.add((height - top) / (slope - other))
    inside = sorted(a for a in crossings if 0 <= a <= 1)
    values = [(a, max(top + slope * a for slope, top in lines)) for a in inside]
    return PiecewiseLinear(tuple(values))
