"""A uniform real, its digits revealed on demand, and `less`, on which exact samplers rest; no float decides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from refdp.numerics.elementary import exp_bounds, ln_bounds
from refdp.numerics.intervals import Interval
from refdp.sampling.words import Source

Enclosure = Callable[[int], Interval]
"""bits -> a rational interval that holds the number, narrow to about that many digits, or to 2^(-2^20)."""
GUARD = 32  # digits by which a number is known better than U: one cell in 2^32 is left undecided needlessly


class Uniform:
    """U, uniform in [0, 1), with its first `size` binary digits known: digits <= 2^size U < digits + 1."""

    __slots__ = ("digits", "size", "source")

    def __init__(self, source: Source, digits: int = 0, size: int = 0) -> None:
        self.source, self.digits, self.size = source, digits, size

    def reveal(self, count: int) -> None:
        """Learn `count` more digits."""
        self.digits, self.size = self.digits << count | self.source.digits(count), self.size + count

    def cell(self) -> tuple[Fraction, Fraction]:
        """Bounds: lower <= U < upper."""
        return Fraction(self.digits, 1 << self.size), Fraction(self.digits + 1, 1 << self.size)


def less(u: Uniform, p: Enclosure) -> bool:
    """Whether U < p, exactly; needs more than n digits with probability about 2^-n, n < 2^20."""
    while True:
        (lower, upper), bounds = u.cell(), p(u.size + GUARD)
        if upper <= bounds.lower:
            return True
        if bounds.upper <= lower:
            return False
        u.reveal(u.source.step)


def bernoulli(p: Enclosure, source: Source) -> bool:
    """True with probability p, cut to [0, 1]."""
    return less(Uniform(source), p)


def exp_minus(gamma: Fraction) -> Enclosure:
    """e^-gamma."""
    return lambda bits: Interval(*exp_bounds(-gamma, bits), bits)


def inverse_cdf(u: Uniform, cdf: Callable[[int], Enclosure], first: int, last: int) -> int:
    """The least k in first..last with U < cdf(k), where cdf(last) = 1 is never asked for."""
    while first < last:
        middle = (first + last) // 2
        first, last = (first, middle) if less(u, cdf(middle)) else (middle + 1, last)
    return first


def geometric(rho: Fraction, source: Source) -> int:
    """g >= 0 with probability (1 - e^-rho) e^(-rho g), where rho > 0: the greatest g with U < e^(-rho g)."""
    u = Uniform(source)
    while u.digits == 0 or (g := _guess(u, rho)) is None:
        u.reveal(u.source.step)
    while not less(u, exp_minus(rho * g)):
        g -= 1
    while less(u, exp_minus(rho * (g + 1))):
        g += 1
    return g


def _guess(u: Uniform, rho: Fraction) -> int | None:
    """About -ln(U) / rho if the digits known tell it nearly; the comparisons put it right, so nothing rests on it."""
    middle = Fraction(2 * u.digits + 1, 2 << u.size)
    return -sum(ln_bounds(middle, 64)) // (2 * rho) if 8 * u.digits * rho > 1 else None
