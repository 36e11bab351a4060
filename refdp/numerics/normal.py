"""Rational bounds of pi and of the normal tail Q(x) = P[N(0, 1) > x], every rounding outward.

Each bound is proved in the comment beside it; an "ulp" is 2^-w, the unit of the integers at hand.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from refdp.numerics.elementary import GUARD, LARGEST_ARGUMENT, down, exp_bounds, sqrt_bounds, up
from refdp.numerics.intervals import Interval


@lru_cache(maxsize=64)
def pi_bounds(bits: int) -> tuple[Fraction, Fraction]:
    """Dyadic bounds of pi with about `bits` binary digits."""
    w = bits + GUARD
    (a, e), (b, f) = arctan_bounds(5, w), arctan_bounds(239, w)
    # Machin: pi / 4 = 4 arctan(1/5) - arctan(1/239), as (5 + i)^4 (239 - i) = 114244 (1 + i) and that angle is below 1.
    return down(16 * (a - e) - 4 * (b + f), 1 << w, bits), up(16 * (a + e) - 4 * (b - f), 1 << w, bits)


def arctan_bounds(n: int, w: int) -> tuple[int, int]:
    """Integers s and e with s - e <= 2^w arctan(1/n) <= s + e, for n > 1."""
    p, total, terms = (1 << w) // n, 0, 0
    while p:
        total += (-1) ** terms * (p // (2 * terms + 1))
        p //= n * n
        terms += 1
    # arctan(1/n) is the sum of (-1)^i / ((2i+1) n^(2i+1)).  The floor of a floor is that of the quotient, so each term
    # is short of 2^w times its size by less than 1.  The first one left out has p = 0, so its size is below 1 ulp, and
    # what is left of an alternating series whose terms fall is no larger than its first term.
    return total, terms + 1


def normal_tail_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Dyadic bounds of Q(x), for every rational x; beyond x^2 / 2 = LARGEST_ARGUMENT only a bound of 0 and above."""
    if x < 0:  # the density is even and integrates to 1
        lower, upper = normal_tail_bounds(-x, bits)
        one = Interval(Fraction(1), Fraction(1), bits) - Interval(lower, upper, bits)
        return one.lower, one.upper
    square = x * x
    if square > 2 * LARGEST_ARGUMENT:  # x > 1, and Q(x) = density(x) r_0 with r_0 < 1 / x (see mills_bounds)
        return Fraction(0), exp_bounds(-square / 2, bits)[1]
    if square > bits + GUARD:
        tail = density(x, bits + GUARD) * mills_bounds(x, bits + GUARD)
    else:  # more digits, for what the difference loses: width, never truth, depends on them
        w = bits + GUARD + square.numerator // square.denominator
        tail = Interval(Fraction(1, 2), Fraction(1, 2), w) - density(x, w) * series_bounds(x, w)
    return down(*tail.lower.as_integer_ratio(), bits), up(*tail.upper.as_integer_ratio(), bits)


def density(x: Fraction, bits: int) -> Interval:
    """Enclosure of e^(-x^2 / 2) / sqrt(2 pi)."""
    turn = Interval(Fraction(2), Fraction(2), bits) * Interval(*pi_bounds(bits), bits)
    root = Interval(sqrt_bounds(turn.lower, bits)[0], sqrt_bounds(turn.upper, bits)[1], bits)
    return Interval(*exp_bounds(-x * x / 2, bits), bits) / root


def series_bounds(x: Fraction, w: int) -> Interval:
    """Enclosure of S = the sum over k >= 0 of x^(2k+1) / (2k+1)!!, for x >= 0; then Q(x) = 1/2 - density(x) S.

    Proof: S' = 1 + x S and density' = -x density, so density S has the derivative density, as 1/2 - Q has; both are 0
    at x = 0.
    """
    low = (x.numerator << w) // x.denominator
    square = (x.numerator**2 << w) // x.denominator**2
    high, k, lower, upper = low + 1, 0, low, low + 1
    # x lies in [low, low + 1] and x^2 in [square, square + 1] ulps.  The k-th summand is the one before times
    # x^2 / (2k+1); the lower bound of it is rounded down and the upper bound up.
    while high > 1:
        k += 1
        low = (low * square >> w) // (2 * k + 1)
        high = -((-high * (square + 1) >> w) // (2 * k + 1))
        lower, upper = lower + low, upper + high
    # At the end the last summand is <= 1.  Then x^2 <= k + 3/2: else k > 0, and it is x times the product of the
    # x^2 / (2i+1), i = 1..k, and so more than sqrt(k + 3/2) ((k + 3/2) / (k + 2))^k, as (2i+1) (2k+3-2i) <= (k + 2)^2;
    # which is more than 1 for k = 1 and 2, and from k = 3 on, where the second factor is at least 1/2.  So
    # x^2 / (2j+1) <= 1/2 for all j > k: what is left is at most the last summand, which is <= high.
    unit = 1 << w
    return Interval(down(lower, unit, w), up(upper + high, unit, w), w)


def mills_bounds(x: Fraction, bits: int) -> Interval:
    """Enclosure of r_0 = Q(x) / density(x), for x >= 1; about `bits` digits where x^2 > bits.

    Proof: let I_n be the integral over t >= x of (t - x)^n / n! density(t), and I_(-1) = density(x), all positive.  By
    parts, as t density(t) = -density'(t): x I_n = I_(n-1) - (n + 1) I_(n+1) for n >= 0.  With r_n = I_n / I_(n-1) that
    is r_n = 1 / (x + (n + 1) r_(n+1)); so 0 < r_n < 1 / x, and bounds of r_(n+1) give bounds of r_n, exchanged.
    """
    w = bits + GUARD + 2 * (x.numerator // x.denominator).bit_length()
    near = (x.numerator << w) // x.denominator  # x lies in [near, near + 1] ulps
    low, high = 0, (1 << 2 * w) // near + 1
    for n in range(bits // 2 + 8, 0, -1):  # how many steps there are decides the width only
        low, high = (1 << 2 * w) // (near + 1 + n * high), (1 << 2 * w) // (near + n * low) + 1
    unit = 1 << w
    return Interval(down(low, unit, bits), up(high, unit, bits), bits)
