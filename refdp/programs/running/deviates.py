"""Standard continuous deviates whose binary digits are drawn when they are asked for: +-(whole + fraction), exactly.

A deviate is proposed as a whole part, which is drawn, and a fraction, which is uniform; it is accepted by comparing
another uniform real with a known function of it, digit by digit.  Digits that no decision has looked at stay uniform.
Source: Karney 2016, "Sampling exactly from the normal distribution", Sec. 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.intervals import Interval
from refdp.sampling.coins import Coins

FIRST_DIGITS = 2
"""The binary digits that a comparison begins with; it doubles them until it is decided."""
HALF = Fraction(1, 2)
Bounds = Callable[[int], Interval]
"""An interval that holds a number, the narrower the more digits are asked for."""


@dataclass(slots=True, eq=False)
class Uniform:
    """A uniform real in [0, 1), of which `known` binary digits have been drawn."""

    coins: Coins
    digits: int = 0
    known: int = 0

    def bounds(self, digits: int) -> Interval:
        """What is known once there are at least so many digits."""
        while self.known < digits:
            self.digits, self.known = 2 * self.digits + self.coins.flip(), self.known + 1
        return Interval(Fraction(self.digits, 1 << self.known), Fraction(self.digits + 1, 1 << self.known))

    def below(self, threshold: Bounds) -> bool:
        """Whether it is below the threshold, which is decided by as many digits as that takes."""
        digits = FIRST_DIGITS
        while True:
            here, there = self.bounds(digits), threshold(digits)
            if here.upper <= there.lower:
                return True
            if here.lower >= there.upper:
                return False
            digits *= 2


@dataclass(slots=True, eq=False)
class Deviate:
    """+-(whole + fraction)."""

    minus: bool
    whole: int
    fraction: Uniform = field(repr=False)

    def bounds(self, digits: int) -> Interval:
        """An interval of width at most 2^-digits."""
        size = self.fraction.bounds(digits)
        low, high = self.whole + size.lower, self.whole + size.upper
        return Interval(-high, -low) if self.minus else Interval(low, high)


def exponential(coins: Coins) -> Deviate:
    """Density e^-x on x >= 0: the whole part is geometric, the fraction has density proportional to e^-x."""
    while True:
        fraction = Uniform(coins)
        if _accepted(coins, fraction.bounds):
            return Deviate(False, coins.geometric_exp(1), fraction)


def laplace(coins: Coins) -> Deviate:
    """Density e^-|x| / 2."""
    size = exponential(coins)
    return Deviate(coins.bernoulli(HALF), size.whole, size.fraction)


def normal(coins: Coins) -> Deviate:
    """Density proportional to e^(-x^2 / 2): +-(k + x) with e^(-(k + x)^2 / 2) = e^(-k^2 / 2) e^(-x (2 k + x) / 2)."""
    while True:
        whole = coins.geometric_exp(HALF)  # e^(-k / 2), which e^(-k (k - 1) / 2) makes e^(-k^2 / 2)
        if not coins.bernoulli_exp(HALF * whole * (whole - 1)):
            continue
        fraction, twice = Uniform(coins), Fraction(2 * whole)

        def exponent(digits: int, fraction: Uniform = fraction, twice: Fraction = twice) -> Interval:
            x = fraction.bounds(digits)
            return Interval(x.lower * (twice + x.lower) / 2, x.upper * (twice + x.upper) / 2)

        if _accepted(coins, exponent):
            return Deviate(coins.bernoulli(HALF), whole, fraction)


def _accepted(coins: Coins, exponent: Bounds) -> bool:
    """True with probability e^-exponent."""

    def probability(digits: int) -> Interval:
        e = exponent(digits)
        return Interval(exp_bounds(-e.upper, digits + 8)[0], exp_bounds(-e.lower, digits + 8)[1])

    return Uniform(coins).below(probability)


def enclosed(value: Fraction) -> Bounds:
    """The bounds of a rational number."""
    return lambda digits: Intervals(digits + 8).number(value)
