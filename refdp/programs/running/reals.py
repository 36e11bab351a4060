"""Exact reals refined on demand: sums of multiples of independent continuous deviates, and public numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import Union

from refdp.numerics.exact import NotExact
from refdp.numerics.intervals import Interval
from refdp.programs.running.deviates import FIRST_DIGITS, Deviate
from refdp.programs.running.numbers import Exact, Irrational, number_of, sign, simplest
from refdp.programs.running.rationals import Rational, refuse_float
from refdp.programs.running.sources import bounds

Operand = Union[float, Fraction, Irrational, "Real"]
"""What a Real is added to and compared with; a float, as which a type checker takes an int, is refused when run."""


@dataclass(frozen=True, slots=True, eq=False)
class Real:
    """constant + the sum of coefficient times deviate: known to as many digits as are asked for.

    A comparison draws digits until it is decided, which it is with probability 1; what cancels, cancels exactly.
    """

    multiples: Mapping[Deviate, Exact]
    constant: Exact

    def enclosure(self, bits: int = 64) -> Interval:
        """An interval of width at most 2^-bits that holds the number."""
        digits = bits + FIRST_DIGITS
        while (found := self._bounds(digits)).upper - found.lower > Fraction(1, 1 << bits):
            digits += FIRST_DIGITS
        return found

    def _bounds(self, digits: int) -> Interval:
        """What so many digits of each part make known."""
        low, high = _ends(bounds_of(self.constant, digits))
        for deviate, coefficient in self.multiples.items():
            c, d = _ends(bounds_of(coefficient, digits)), _ends(deviate.bounds(digits))
            products = [x * y for x in c for y in d]
            low, high = low + min(products), high + max(products)
        return Interval(low, high)

    def __float__(self) -> float:
        """An approximation, for display."""
        found = self.enclosure()
        return float((found.lower + found.upper) / 2)

    def __repr__(self) -> str:
        return f"Real({float(self)}...)"

    def __hash__(self) -> int:
        return hash((frozenset(self.multiples.items()), self.constant)) if self.multiples else hash(self.constant)

    def __neg__(self) -> Real:
        return Real({d: -c for d, c in self.multiples.items()}, -self.constant)

    def __pos__(self) -> Real:
        return self

    def __abs__(self) -> Real:
        return -self if self < 0 else self

    def __add__(self, other: Operand) -> Real:
        b = real_of(other)
        if b is None:
            return NotImplemented
        both = {d: self.multiples.get(d, ZERO) + b.multiples.get(d, ZERO) for d in {**self.multiples, **b.multiples}}
        return Real({d: c for d, c in both.items() if c != 0}, self.constant + b.constant)

    def __sub__(self, other: Operand) -> Real:
        b = real_of(other)
        return NotImplemented if b is None else self + -b

    def __rsub__(self, other: float | Fraction | Irrational) -> Real:  # type: ignore[misc]
        return -self + other

    def __mul__(self, other: Operand) -> Real:
        """The multiple by a public number; a product of two draws is refused."""
        if isinstance(other, Real):
            raise NotExact("a product of two draws is not a number that is worked with here")
        value = number_of(other)
        if value is None:
            return NotImplemented
        factor = simplest(value)
        return Real({d: factor * c for d, c in self.multiples.items() if factor != 0}, factor * self.constant)

    def __truediv__(self, other: Operand) -> Real:
        """The number divided by a public number."""
        if isinstance(other, Real):
            raise NotExact("a quotient of two draws is not a number that is worked with here")
        refuse_float(other)
        return self * (1 / (Rational(other) if isinstance(other, int | Fraction) else other))

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float | Fraction | Irrational | Real) and _compared(self, other) == 0

    def __lt__(self, other: Operand) -> bool:
        return _compared(self, other) < 0

    def __le__(self, other: Operand) -> bool:
        return _compared(self, other) <= 0

    def __gt__(self, other: Operand) -> bool:
        return _compared(self, other) > 0

    def __ge__(self, other: Operand) -> bool:
        return _compared(self, other) >= 0


ZERO: Exact = Rational(0)


def _ends(x: Interval) -> tuple[Fraction, Fraction]:
    """Where it begins and ends."""
    return x.lower, x.upper


def bounds_of(x: Exact, digits: int) -> Interval:
    """An interval that holds a public number, a point where that is rational."""
    return bounds(x, digits) if isinstance(x, Irrational) else Interval(Fraction(x), Fraction(x))


def real_of(value: object) -> Real | None:
    """A number as a Real; None for what is no number, NotExact for a float."""
    if isinstance(value, Real):
        return value
    constant = number_of(value)
    return None if constant is None else Real({}, simplest(constant))


def _compared(a: Real, b: object) -> int:
    """The sign of a - b."""
    if isinstance(b, float) and isinf(b):
        return -1 if b > 0 else 1
    other = real_of(b)
    if other is None:
        raise TypeError(f"a number is compared with a number, got {b!r}")
    difference = a - other
    if not difference.multiples:
        return sign(difference.constant)
    digits = FIRST_DIGITS
    while (found := difference._bounds(digits)).lower <= 0 <= found.upper:
        digits *= 2
    return 1 if found.lower > 0 else -1


def multiple(scale: Exact, deviate: Deviate) -> Real:
    """scale times the deviate."""
    return Real({deviate: scale}, ZERO)
