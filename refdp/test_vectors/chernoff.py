"""How many samples tell two probabilities apart, and whether a count is too far from one: Chernoff's bound, certified.

With K of n events of probability p, P[K / n >= t] <= e^(-n d(t, p)) where t >= p, and P[K / n <= t] likewise where
t <= p; d(t, p) = t ln(t / p) + (1 - t) ln((1 - t) / (1 - p)).
"""

from __future__ import annotations

from fractions import Fraction

from refdp.numerics.elementary import ln_bounds
from refdp.numerics.intervals import Interval

BITS = 64
SHORT = 2**30
"""Thresholds are multiples of 1 / SHORT."""


def divergence(t: Fraction, p: Fraction) -> Fraction | None:
    """A lower bound of d(t, p); None where it is infinite."""
    if (p == 0 and t > 0) or (p == 1 and t < 1):
        return None
    return _part(t, p) + _part(1 - t, 1 - p)


def _part(t: Fraction, p: Fraction) -> Fraction:
    """A lower bound of t ln(t / p), 0 at t = 0."""
    return t * ln_bounds(t / p, BITS)[0] if t else Fraction(0)


def exceeds(t: Fraction, p: Fraction, n: int, alpha: Fraction) -> bool:
    """Whether a share t of n events has, where they have probability p, a bound of probability below alpha."""
    found = divergence(t, p)
    return found is None or n * found >= ln_bounds(1 / alpha, BITS)[1]


def refutes(count: int, n: int, p: Interval, alpha: Fraction) -> bool:
    """Whether `count` of n events refute every probability in the interval, with false alarms at most 2 alpha."""
    share = Fraction(count, n)
    if share > p.upper:
        return exceeds(share, p.upper, n, alpha)
    return share < p.lower and exceeds(share, p.lower, n, alpha)


def samples(p: Interval, q: Interval, alpha: Fraction) -> int | None:
    """n so that a threshold tells p from q > p with both errors at most alpha; None where they are not told apart."""
    t = Fraction((p.upper + q.lower) / 2 * SHORT // 1, SHORT)
    if not p.upper < t < q.lower:
        return None
    rates = [one for one in (divergence(t, p.upper), divergence(t, q.lower)) if one is not None]
    return max(1, -(-ln_bounds(1 / alpha, BITS)[1] // min(rates))) if min(rates, default=Fraction(1)) > 0 else None
