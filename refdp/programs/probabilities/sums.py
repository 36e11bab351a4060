"""Finite sums of c e^a with rational c and a, and with roots and logarithms of primes where e^epsilon is rational.

A summand is c e^a p^r ... (ln q)^j ... with primes p, q, 0 < r < 1 and j >= 1.  Sums of c e^a p^r ... are 0 only where
nothing is left of them: roots of different products of primes are independent over the rationals (Besicovitch), and
different e^a over the algebraic numbers (Lindemann and Weierstrass).  Beside logarithms there may be integrals, of
which nothing is known but enclosures.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from refdp.work import step

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball


class Constant(Protocol):
    """A real number that is known by enclosures; equal ones compare equal."""

    def ball(self, bits: int) -> Ball:
        """A ball that holds it, worked out with so many binary digits."""


Roots = tuple[tuple[int, Fraction], ...]
"""Primes in order, each with an exponent in (0, 1)."""
Constants = tuple[tuple[int | Constant, int], ...]
"""Primes, which stand for their logarithms, and other constants, in order, each with a power >= 1."""
Key = tuple[Fraction, Roots, Constants]
Sum = Mapping[Key, Fraction]
"""What stands beside each c != 0."""
MOST_PRODUCTS = 400_000
"""Largest product of two sums, in pairs of summands, that is worked out."""
FEW_PRODUCTS = 64
"""So many take no longer than the steps that lead to them, which are counted."""
LARGEST_PRIME = 1_000_000
"""Numbers are taken apart into primes up to this."""


class NotComputed(ValueError):
    """The method does not reach this probability or number."""


def monomial(c: Fraction | int, a: Fraction | int = 0) -> Sum:
    """c e^a."""
    return {(Fraction(a), (), ()): Fraction(c)} if c else {}


ONE = monomial(1)


def plus(p: Sum, q: Sum) -> Sum:
    """p + q."""
    total = dict(p)
    for key, c in q.items():
        total[key] = total.get(key, Fraction(0)) + c
    return {key: c for key, c in total.items() if c}


def negative(p: Sum) -> Sum:
    """-p."""
    return {key: -c for key, c in p.items()}


def times(p: Sum, q: Sum) -> Sum:
    """p q; NotComputed if it is too large."""
    if len(p) * len(q) > MOST_PRODUCTS:
        raise NotComputed("a closed form grows too large")
    if len(p) * len(q) > FEW_PRODUCTS:
        step(len(p) * len(q))
    total: dict[Key, Fraction] = {}
    for (a, roots, constants), c in p.items():
        for (b, others, more), d in q.items():
            if roots or others or constants or more:
                key, factor = joined((a, roots, constants), (b, others, more))
                c_d = c * d * factor
            else:
                key, c_d = (a + b, (), ()), c * d
            total[key] = total.get(key, Fraction(0)) + c_d
    return {key: c for key, c in total.items() if c}


def joined(first: Key, second: Key) -> tuple[Key, Fraction]:
    """The product of two summands without their coefficients, and the rational number that splits off."""
    exponents = dict(first[1])
    for prime, exponent in second[1]:
        exponents[prime] = exponents.get(prime, Fraction(0)) + exponent
    powers = dict(first[2])
    for constant, power in second[2]:
        powers[constant] = powers.get(constant, 0) + power
    roots, factor = power_of_primes(exponents)
    return (first[0] + second[0], roots, tuple(sorted(powers.items(), key=_place))), factor


def _place(one: tuple[int | Constant, int]) -> tuple[int, str]:
    """Where a constant stands among others."""
    return (one[0], "") if isinstance(one[0], int) else (0, repr(one[0]))


def power_of_primes(exponents: Mapping[int, Fraction]) -> tuple[Roots, Fraction]:
    """The product of p^exponent as roots and a rational factor."""
    factor, roots = Fraction(1), []
    for prime, exponent in sorted(exponents.items()):
        whole = exponent.__floor__()
        if abs(whole) > LARGEST_PRIME:
            raise NotComputed("a power is too large")
        factor *= Fraction(prime) ** whole
        if exponent != whole:
            roots.append((prime, exponent - whole))
    return tuple(roots), factor


@lru_cache(maxsize=256)
def primes_of(value: Fraction) -> Mapping[int, int]:
    """The exponent of each prime in value > 0; NotComputed where a large prime may be in it."""
    found: dict[int, int] = {}
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        rest, prime = part, 2
        while prime * prime <= rest:
            if prime > LARGEST_PRIME:
                raise NotComputed(f"{value} is not taken apart into primes")
            while rest % prime == 0:
                rest //= prime
                found[prime] = found.get(prime, 0) + sign
            prime += 1
        if rest > 1:
            found[rest] = found.get(rest, 0) + sign
    return {prime: exponent for prime, exponent in found.items() if exponent}
