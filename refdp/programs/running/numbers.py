"""Public numbers that a program computes with: rational, or quotients of sums of c e^a, compared exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import Union

from refdp.numerics.exact import Exactly, exact_real
from refdp.numerics.intervals import Interval
from refdp.programs.probabilities import closed_forms, numbers, signs
from refdp.programs.probabilities.numbers import Number
from refdp.programs.probabilities.sums import ONE
from refdp.programs.running.rationals import Rational, refuse_float

Exact = Union[Fraction, "Irrational"]
"""A public number: a Fraction where it is found to be rational."""


@dataclass(frozen=True, slots=True, eq=False)
class Irrational:
    """A number that is not found to be rational, with the operators of Python."""

    value: Number

    def enclosure(self, bits: int = 64) -> Interval:
        """An interval that holds the number and is narrower than 2^-bits of it."""
        return signs.enclosure(self.value, bits * 302 // 1000 + 1)

    def __float__(self) -> float:
        return float(self.enclosure().lower)

    def __repr__(self) -> str:
        return closed_forms.text(self.value)

    def __hash__(self) -> int:
        # Sums are equal only if their summands are; of quotients equality is decided case by case.
        return hash(frozenset(self.value.top.items())) if self.value.bottom == ONE else hash(Irrational)

    def __neg__(self) -> Irrational:
        return Irrational(-self.value)

    def __pos__(self) -> Irrational:
        return self

    def __abs__(self) -> Irrational:
        return -self if sign(self) < 0 else self

    def __add__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else simplest(self.value + b)

    def __sub__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else simplest(self.value - b)

    def __rsub__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else simplest(b - self.value)

    def __mul__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else simplest(self.value * b)

    def __truediv__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else simplest(self.value / _divisor(b))

    def __rtruediv__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else simplest(b / _divisor(self.value))

    def __pow__(self, exponent: object) -> Exact:
        b = number_of(exponent)
        return NotImplemented if b is None else simplest(numbers.power(self.value, b))

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float | Fraction | Irrational) and _compared(self, other) == 0

    def __lt__(self, other: object) -> bool:
        return _compared(self, other) < 0

    def __le__(self, other: object) -> bool:
        return _compared(self, other) <= 0

    def __gt__(self, other: object) -> bool:
        return _compared(self, other) > 0

    def __ge__(self, other: object) -> bool:
        return _compared(self, other) >= 0


def simplest(value: Number) -> Exact:
    """The number, as a Fraction where it is found to be one."""
    rational = value.rational
    return Irrational(value) if rational is None else Rational(rational)


def number_of(value: object) -> Number | None:
    """A number that a program computed; None for what is no number, NotExact for a float."""
    if isinstance(value, Irrational):
        return value.value
    refuse_float(value)
    return numbers.number(Fraction(value)) if isinstance(value, int | Fraction) else None


def number_from(value: object, parameter: str) -> Number:
    """A number, or a text such as "1/3", "0.1" or "1/2 + ln(3)"; NotExact for others, a float among them."""
    refuse_float(value, parameter)
    known = number_of(value)
    if known is not None:
        return known
    real = exact_real(value, parameter)
    rational = numbers.number(real.rational)
    return rational if real.argument == 1 else rational + numbers.logarithm(numbers.number(real.argument))


def exact_of(value: object, parameter: str) -> Exact:
    """What `number_from` reads, as a Fraction where it is found to be one."""
    return simplest(number_from(value, parameter))


def sign(x: Exact) -> int:
    """-1, 0 or 1; Undecided where that is not found out."""
    return (x > 0) - (x < 0) if isinstance(x, Fraction) else signs.sign(x.value)


def _divisor(value: Number) -> Number:
    """The number, which must not be 0."""
    if signs.sign(value) == 0:
        raise ZeroDivisionError("division by zero")
    return value


def _compared(a: Irrational, b: object) -> int:
    """The sign of a - b."""
    if isinstance(b, float) and isinf(b):
        return -1 if b > 0 else 1
    other = number_of(b)
    if other is None:
        raise TypeError(f"a number is compared with a number, got {b!r}")
    return 0 if a.value == other else signs.sign(a.value - other)


def exp(x: Exactly | Exact | float) -> Exact:
    """e^x for public x that is rational, or a multiple of a logarithm, or a sum of such: exact.

    >>> exp(0), exp(log(3)) + 1, exp("1/2") * exp("1/2") == exp(1)
    (1, 4, True)
    """
    return simplest(numbers.exponential(number_from(x, "exponent")))


def log(x: Exactly | Exact | float) -> Exact:
    """The natural logarithm of public x > 0 that is rational or some c e^a: exact."""
    value = number_from(x, "argument of log")
    if signs.sign(value) <= 0:
        raise ValueError(f"argument of log must be > 0, got {closed_forms.text(value)}")
    return simplest(numbers.logarithm(value))
