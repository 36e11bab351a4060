"""The lower Clopper-Pearson bound of a probability from a number of successes that was fixed beforehand: certified.

P[Bin(n, p) >= k] rises with p.  So the set of p with P[Bin(n, p) >= k] > alpha is an interval up to 1, and its lower
end is at most the true p with probability >= 1 - alpha.  Any p below that end is a bound too: of the p that are tried,
the last one whose tail is certainly <= alpha is returned.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.auditing.evidence.e_values import BITS, error
from refdp.numerics.enclosures import Balls, interval, log_gamma, precision
from refdp.numerics.exact import Exactly
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

STEPS = 40
"""Bisections: the bound is right whatever their number is."""
NEGLIGIBLE = Fraction(1, 2**60)
"""The sum of a tail ends where a term is this part of the first one, and what is left is bounded."""


def tail(n: int, k: int, p: Fraction) -> Interval:
    """Enclosure of P[Bin(n, p) >= k]; 0 <= p <= 1 and 0 <= k <= n."""
    _whole(n, k)
    if k == 0 or p == 1:
        return Interval(Fraction(1), Fraction(1))
    if p == 0:
        return Interval(Fraction(0), Fraction(0))
    with precision(BITS):
        may_rise = (k + 1) * (1 - p) <= (n - k) * p  # then the other tail is summed
        ends = interval(1 - _sum(n, n - k + 1, 1 - p) if may_rise else _sum(n, k, p), BITS)
    return Interval(max(ends.lower, Fraction(0)), min(ends.upper, Fraction(1)), BITS)


def _sum(n: int, k: int, p: Fraction) -> Ball:
    """P[Bin(n, p) >= k] where the terms fall from k on, or from a little later.

    The ratio of term j + 1 to term j is (n - j) p / ((j + 1)(1 - p)), which falls with j.  Once it is r < 1, the terms
    after j sum to at most term j times r / (1 - r).
    """
    balls = Balls(BITS)
    if k > n:
        return balls.number(Fraction(0))
    odds, small = balls.number(p / (1 - p)), balls.number(NEGLIGIBLE)
    choices = log_gamma(Fraction(n + 1), BITS) - log_gamma(Fraction(k + 1), BITS) - log_gamma(Fraction(n - k + 1), BITS)
    logs = [balls.function("ln", balls.number(x)) for x in (p, 1 - p)]
    first = balls.function("exp", choices + logs[0] * k + logs[1] * (n - k))
    term, total = balls.number(Fraction(1)), balls.number(Fraction(1))
    for j in range(k, n):
        ratio = odds * (n - j) / (j + 1)
        term *= ratio
        total += term
        if ratio < 1 and term < small * (1 - ratio):
            rest = term * ratio / (1 - ratio)
            return first * (total + rest.union(balls.number(Fraction(0))))
    return first * total


def at_least(n: int, k: int, alpha: Exactly) -> Fraction:
    """A number that is <= p with probability >= 1 - alpha, for k successes in n independent trials of chance p."""
    _whole(n, k)
    limit, low, high = error(alpha), Fraction(0), Fraction(k, n)
    for _ in range(STEPS):
        middle = _between(low, high, n)
        if tail(n, k, middle).upper <= limit:
            low = middle
        else:
            high = middle
    return low


def _between(low: Fraction, high: Fraction, n: int) -> Fraction:
    """A short number between: the middle, or a power of two below it while nothing is known from below."""
    if low == 0 and high > Fraction(1, n) ** 4:
        return high / 2
    return (low + high) / 2


def _whole(n: int, k: int) -> None:
    """ValueError unless 0 <= k <= n and n >= 1."""
    if type(n) is not int or type(k) is not int or n < 1 or not 0 <= k <= n:
        raise ValueError(f"successes must be whole, from 0 to the number of trials >= 1, got {k!r} of {n!r}")
