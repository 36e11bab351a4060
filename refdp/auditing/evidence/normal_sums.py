"""Masses of the discrete Gaussian law: by summing where sigma is small, by integrals with proved error where it is not.

With f(x) = e^(-x^2 / (2 s^2)), w(k) = f(k), and the sum Z of all w(k):
- s <= LARGEST_SUMMED: sums; what comes after K > 0 is at most w(K + 1) / (1 - w(K + 2) / w(K + 1)), as ratios fall.
- otherwise, for 0 <= a < b, the sum of f(k) over a < k <= b is the integral of f from a + 1/2 to b + 1/2 up to an error
  of (b - a) M / 24, M being the most that |f''| takes there (midpoint rule); |f''(x)| = f(x) |x^2 / s^2 - 1| / s^2, so
  that M <= f(a + 1/2) max(1, (b + 1/2)^2 / s^2) / s^2.
- the rest after a, where a + 1/2 >= s: f is convex and falls there, so f(k) is at most its integral over
  [k - 1/2, k + 1/2] and at least that over [k, k + 1].
- Z = s sqrt(2 pi) (1 + 2 sum over j >= 1 of e^(-2 pi^2 s^2 j^2)) (Poisson summation), and for s >= 10 what is added to
  1 is positive and below 4 e^(-1900) < 2^-1000.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import erfc, exp, sqrt
from typing import TYPE_CHECKING

from refdp.numerics.enclosures import Balls, interval, precision
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

BITS = 128
LARGEST_SUMMED = 512
"""Largest sigma whose weights are summed one by one."""
FAR = 15
"""Sums end this many sigma out, where the weight is below 2^-162."""
HALF = Fraction(1, 2)


def gaussian_mass(sigma: Fraction, above: int, upto: int | None) -> Interval:
    """Enclosure of P[above < X <= upto] for 0 <= above < upto; for {0}, above = -1 and upto = 0."""
    with precision(BITS):
        if sigma <= LARGEST_SUMMED:
            tails = _tails(sigma)
            whole = 2 * tails[0] + 1
            if above < 0:
                return interval(1 / whole, BITS)
            most = len(tails) - 1
            first = tails[min(above, most)]
            if above > most:  # the rest after `above` is positive, and less than that after `most`
                first = first.union(Balls(BITS).number(Fraction(0)))
            rest = first if upto is None or upto > most else first - tails[upto]
            if upto is not None and upto > most:
                rest = (first - tails[most]).union(first)
            return _clipped(rest / whole)
        return _clipped(_by_integrals(sigma, above, upto))


def _clipped(ball: Ball) -> Interval:
    """The enclosure of a probability."""
    found = interval(ball, BITS)
    return Interval(max(found.lower, Fraction(0)), max(found.upper, Fraction(0)), BITS)


@lru_cache(maxsize=8)
def _tails(sigma: Fraction) -> tuple[Ball, ...]:
    """The sum of w(j) over j > k, for k = 0, 1, ... to FAR sigma."""
    balls, last = Balls(BITS), int(FAR * sigma) + 2

    def weight(k: int) -> Ball:
        return balls.function("exp", balls.number(-(k * k) / (2 * sigma * sigma)))

    after, next_one = weight(last + 1), weight(last + 2)
    total = after.union(after / (1 - next_one / after))
    found = [total]
    for k in range(last, 0, -1):
        total = total + weight(k)
        found.append(total)
    return tuple(reversed(found))


def _by_integrals(sigma: Fraction, above: int, upto: int | None) -> Ball:
    """The mass where sigma is large."""
    balls = Balls(BITS)

    def tail(x: Fraction) -> Ball:
        """The integral of f from x on over s sqrt(2 pi)."""
        return balls.function("normal_tail", balls.number(x / sigma))

    root = balls.function("sqrt", 2 * balls.function("pi")) * balls.number(sigma)
    excess = balls.number(Fraction(0)).union(balls.number(Fraction(1, 2**1000)))
    if above < 0:
        return 1 / root / (1 + excess)
    middle = above + HALF
    if upto is None and middle < sigma:
        raise ValueError(f"above must be at least sigma = {sigma} for a half line, got {above}")
    if upto is None:
        return tail(middle).union(tail(Fraction(above + 1))) / (1 + excess)
    found = tail(middle) - tail(upto + HALF)
    height = balls.function("exp", balls.number(-middle * middle / (2 * sigma * sigma)))
    bend = max(Fraction(1), (upto + HALF) ** 2 / sigma**2) / sigma**2 * Fraction(upto - above, 24)
    slack = height * balls.number(bend) / root
    return (found - slack).union(found + slack) / (1 + excess)


def rough_gaussian(sigma: Fraction, above: int, upto: int | None) -> float:
    """About the same, in floats."""
    if sigma <= 100:
        tails = _rough_tails(float(sigma))
        whole, most = 2 * tails[0] + 1, len(tails) - 1
        if above < 0:
            return 1 / whole
        return (tails[min(above, most)] - (0.0 if upto is None else tails[min(upto, most)])) / whole
    if above < 0:
        return float(1 / sigma) / 2.5066282746310002
    ends = [(Fraction(2 * k + 1, 2) / sigma) for k in (above, upto) if k is not None]
    tails_at = [erfc(float(min(x, Fraction(100))) / sqrt(2)) / 2 for x in ends]
    return tails_at[0] - (tails_at[1] if upto is not None else 0.0)


@lru_cache(maxsize=64)
def _rough_tails(sigma: float) -> tuple[float, ...]:
    """The sum of w(j) over j > k, for k = 0, 1, ..., in floats."""
    total, found = 0.0, [0.0]
    for k in range(int(FAR * sigma) + 2, 0, -1):
        total += exp(-k * k / (2 * sigma * sigma))
        found.append(total)
    return tuple(reversed(found))
