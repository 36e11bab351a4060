"""Exact numbers: quotients of finite sums of c e^a, of which probabilities of events are made."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.programs.probabilities.sums import (
    ONE,
    NotComputed,
    Sum,
    monomial,
    negative,
    plus,
    power_of_primes,
    primes_of,
    times,
)

LARGEST_POWER = 10_000
"""Largest exponent with which a number is multiplied by itself."""


@dataclass(frozen=True, slots=True)
class Number:
    """top / bottom; the bottom is 1 wherever it could be divided by."""

    top: Sum
    bottom: Sum

    def __add__(self, other: Number) -> Number:
        if self.bottom == other.bottom:
            return quotient(plus(self.top, other.top), self.bottom)
        top = plus(times(self.top, other.bottom), times(other.top, self.bottom))
        return quotient(top, times(self.bottom, other.bottom))

    def __neg__(self) -> Number:
        return Number(negative(self.top), self.bottom)

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __mul__(self, other: Number) -> Number:
        if self.top == other.bottom:
            return quotient(other.top, self.bottom)
        if other.top == self.bottom:
            return quotient(self.top, other.bottom)
        return quotient(times(self.top, other.top), times(self.bottom, other.bottom))

    def __truediv__(self, other: Number) -> Number:
        if not other.top:
            raise ZeroDivisionError("division by zero")
        return self * Number(other.bottom, other.top)

    def __pow__(self, exponent: int) -> Number:
        if abs(exponent) > LARGEST_POWER:
            raise NotComputed(f"the exponent {exponent} is too large")
        if exponent < 0:
            return number(1) / self**-exponent
        half = self ** (exponent // 2) if exponent > 1 else number(1)
        return half * half * self if exponent % 2 else half * half

    @property
    def rational(self) -> Fraction | None:
        """The number, where it is found to be rational."""
        if self.bottom != ONE or self.top.keys() - ONE.keys():
            return None
        return sum(self.top.values(), Fraction(0))


def quotient(top: Sum, bottom: Sum) -> Number:
    """top / bottom, divided out where the bottom is one summand or the same as the top."""
    if not top:
        return Number({}, ONE)
    if top == bottom:
        return Number(ONE, ONE)
    if len(bottom) == 1 and bottom is not ONE:
        ((a, roots, logs), c), *_ = bottom.items()
        if not logs:
            inverse, factor = power_of_primes({prime: -exponent for prime, exponent in roots})
            return Number(times(top, {(-a, inverse, ()): factor / c}), ONE)
    return Number(top, bottom)


def number(value: Fraction | int) -> Number:
    """A rational number."""
    return Number(monomial(value), ONE)


ZERO, UNIT = number(0), number(1)


def exponential(exponent: Number) -> Number:
    """e^exponent, for a rational number plus rational multiples of logarithms of rational numbers."""
    rational, primes = logarithms(exponent)
    roots, factor = power_of_primes(primes)
    return Number({(rational, roots, ()): factor}, ONE)


def logarithms(value: Number) -> tuple[Fraction, dict[int, Fraction]]:
    """(a, {p: c}) where the number is a plus the sum of c ln p; NotComputed where it is not."""
    rational, primes = Fraction(0), {}
    if value.bottom != ONE:
        raise NotComputed("a number is not a rational number plus multiples of logarithms")
    for (a, roots, logs), c in value.top.items():
        match logs:
            case () if not a and not roots:
                rational += c
            case ((int(prime), 1),) if not a and not roots:
                primes[prime] = c
            case _:
                raise NotComputed("a number is not a rational number plus multiples of logarithms")
    return rational, primes


def logarithm(value: Number) -> Number:
    """ln(value), for c e^a p^r ... with c > 0; NotComputed for others."""
    match [*value.top.items()] if value.bottom == ONE else []:
        case [((a, roots, ()), c)] if c > 0:
            exponents: dict[int, Fraction] = {prime: Fraction(e) for prime, e in primes_of(c).items()}
            for prime, exponent in roots:
                exponents[prime] = exponents.get(prime, Fraction(0)) + exponent
            logs: Sum = {(Fraction(0), (), ((prime, 1),)): e for prime, e in exponents.items() if e}
            return Number(plus(monomial(a), logs), ONE)
    raise NotComputed("the logarithm of a number is not a closed form")


def power(base: Number, exponent: Number) -> Number:
    """base^exponent, for a whole exponent or a base of one summand."""
    rational = exponent.rational
    if rational is not None and rational.denominator == 1:
        if rational < 0 and not base.top:
            raise NotComputed("0 to a negative power")
        return base ** int(rational)
    return exponential(exponent * logarithm(base))
