"""The least delta, and the least epsilon, that the conversion of concentrated DP gives at any Renyi order.

    delta(epsilon) = inf over a > 1 of exp((a - 1)(a rho - epsilon) + (a - 1) ln(a - 1) - a ln a)    Source: CKS20

The exponent is convex in a: its second derivative is 2 rho + 1 / (a (a - 1)).  So it lies above its tangent at any
order below the minimum, which gives a lower bound; any order gives an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from refdp.accounting.judging.asking import Kind
from refdp.accounting.judging.readings import INFINITE, Extended
from refdp.numerics.elementary import exp_bounds, ln_bounds
from refdp.numerics.intervals import Interval

ONE = Fraction(1)
BITS = 256
"""Binary digits of the enclosures."""
STEPS = 100
"""Halvings of the interval that holds the best order, or the least epsilon."""
NEAREST = Fraction(1, 2**BITS)
"""How near to 1 a best order is looked for."""
LOWEST = Fraction(-(2**20))
"""The least exponent of which the exponential is worked out."""


@dataclass(frozen=True, slots=True)
class ConcentratedInfimum:
    """A truth that answers are put beside: what rho-concentrated DP gives by the conversion, at its best order."""

    rho: Fraction
    trusts: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not self.rho > 0:
            raise ValueError(f"rho must be > 0, got {self.rho}")

    def bounds(self, kind: Kind, at: Fraction) -> tuple[Extended, Extended]:
        """Lower and upper bound of the least delta at an epsilon, or of the least epsilon at a delta."""
        return least_delta(self.rho, at) if kind == "delta" else self._epsilon(at)

    def sharper(self) -> None:
        """There are no narrower bounds."""

    def _epsilon(self, delta: Fraction) -> tuple[Extended, Extended]:
        """The epsilon at which the least delta is `delta`: it falls as epsilon grows, and is never 0."""
        if delta == 0:
            return INFINITE, INFINITE
        low, high = Fraction(0), Fraction(1)
        if least_delta(self.rho, low)[1] <= delta:
            return low, low
        while (found := least_delta(self.rho, high))[1] > delta:
            if found[0] <= delta:  # the digits do not tell, and tell less of greater ones
                return low, INFINITE
            low, high = high, 2 * high
        for _ in range(STEPS):
            middle = (low + high) / 2
            lower, upper = least_delta(self.rho, middle)
            if not lower > delta and not upper <= delta:
                break
            low, high = (middle, high) if lower > delta else (low, middle)
        return low, high


@lru_cache(maxsize=4096)
def least_delta(rho: Fraction, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """An enclosure of the infimum, at most 1, for rho > 0 and epsilon >= 0."""
    if rho >= epsilon and slope(rho, epsilon, 1 + NEAREST).lower > 0:
        # The minimum is at an order a < 1 + h.  The exponent is at least (a - 1) ln(a - 1) - a ln a there, as
        # a rho >= epsilon; that is at least h ln h - (1 + h) h: x ln x falls up to 1/e, and ln a <= a - 1 < h.
        least = NEAREST * ln_bounds(NEAREST, BITS)[0] - (1 + NEAREST) * NEAREST
        return exp_bounds(least, BITS)[0], ONE
    low, high = around(rho, epsilon)
    # The minimum is between the two, and the tangent at the lower one falls: it is least at the upper one.
    least = exponent(rho, epsilon, low).lower + slope(rho, epsilon, low).lower * (high - low)
    most = min(exponent(rho, epsilon, order).upper for order in (low, high))
    lower = exp_bounds(min(least, Fraction(0)), BITS)[0] if least >= LOWEST else Fraction(0)
    return lower, ONE if most >= 0 else exp_bounds(max(most, LOWEST), BITS)[1]


def around(rho: Fraction, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Two orders close to each other: the exponent does not rise at the first, and does not fall at the second."""
    low = high = ONE  # of a - 1
    while slope(rho, epsilon, 1 + low).upper > 0:
        low /= 2
    while slope(rho, epsilon, 1 + high).lower < 0:
        high *= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        found = slope(rho, epsilon, 1 + middle)
        if found.lower <= 0 <= found.upper:
            break
        low, high = (middle, high) if found.upper < 0 else (low, middle)
    return 1 + low, 1 + high


def slope(rho: Fraction, epsilon: Fraction, a: Fraction) -> Interval:
    """The derivative of the exponent: (2 a - 1) rho - epsilon + ln(1 - 1 / a)."""
    return _sure((2 * a - 1) * rho - epsilon) + Interval(*ln_bounds((a - 1) / a, BITS), BITS)


def exponent(rho: Fraction, epsilon: Fraction, a: Fraction) -> Interval:
    """(a - 1)(a rho - epsilon) + (a - 1) ln(a - 1) - a ln a."""
    first, second = (Interval(*ln_bounds(x, BITS), BITS) for x in (a - 1, a))
    return _sure((a - 1) * (a * rho - epsilon)) + _sure(a - 1) * first - _sure(a) * second


def _sure(x: Fraction) -> Interval:
    return Interval(x, x, BITS)
