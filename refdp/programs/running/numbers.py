"""Exact public numbers: quotients of sums of c e^r ln b ... with rational c, r, b; comparisons are decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import isinf
from typing import Union

from refdp.numerics.cancellation import ONE as UNIT
from refdp.numerics.cancellation import (
    Quotient,
    Sum,
    linear,
    monomial,
    over,
    plus,
    positive_monomial,
    root,
    times,
)
from refdp.numerics.exact import Exactly, ExactReal, NotExact, Undecided, decide, enclose, exact_real
from refdp.numerics.intervals import Interval
from refdp.programs.running.rationals import Rational, refuse_float
from refdp.spec import terms
from refdp.spec.terms import Term

Factor = frozenset[tuple[tuple[Fraction, tuple[Fraction, ...]], Fraction]]
"""A sum that is divided by; its first summand is 1 where that has no logarithm."""
Exact = Union[Fraction, "Number"]
"""A public number: rational where it can be."""


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """top / (the product of the factors), not found to be rational."""

    top: Sum
    bottom: tuple[Factor, ...] = ()

    @property
    def quotient(self) -> Quotient:
        """The number with one sum below."""
        return Quotient(self.top, reduce(times, map(dict, self.bottom), UNIT))

    @property
    def term(self) -> Term:
        """The number as a closed term."""
        return reduce(lambda t, factor: t / sum_term(dict(factor)), self.bottom, sum_term(self.top))

    def enclosure(self, bits: int = 64) -> Interval:
        """An interval about 2^-bits times as wide as the number is large, which it holds."""
        return enclose(self.term, bits)

    def __float__(self) -> float:
        found = self.enclosure()
        return float((found.lower + found.upper) / 2)

    def __repr__(self) -> str:
        return str(self.term)

    def __hash__(self) -> int:
        # Sums of c e^r are equal only if their summands are (Lindemann); of others equality is decided case by case.
        plain = not self.bottom and not any(logs for _, logs in self.top)
        return hash(frozenset(self.top.items())) if plain else hash(Number)

    def __neg__(self) -> Number:
        return Number(times(monomial(-1), self.top), self.bottom)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return -self if sign(self) < 0 else self

    def __add__(self, other: object) -> Exact:
        b = number_of(other)
        if b is None:
            return NotImplemented
        common = Counter(self.bottom) | Counter(b.bottom)
        parts = (reduce(times, map(dict, (common - Counter(x.bottom)).elements()), x.top) for x in (self, b))
        return simplest(reduce(plus, parts), tuple(common.elements()))

    def __sub__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else self + -b

    def __rsub__(self, other: object) -> Exact:
        return -self + other

    def __mul__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else simplest(times(self.top, b.top), self.bottom + b.bottom)

    def __truediv__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else self * reciprocal(b)

    def __rtruediv__(self, other: object) -> Exact:
        b = number_of(other)
        return NotImplemented if b is None else b * reciprocal(self)

    def __pow__(self, exponent: int) -> Exact:
        power: Exact = Rational(1)
        for _ in range(abs(exponent)):
            power = self * power
        return power if exponent >= 0 else 1 / power

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float | Fraction | Number) and _difference(self, other) == 0

    def __lt__(self, other: object) -> bool:
        return _difference(self, other) < 0

    def __le__(self, other: object) -> bool:
        return _difference(self, other) <= 0

    def __gt__(self, other: object) -> bool:
        return _difference(self, other) > 0

    def __ge__(self, other: object) -> bool:
        return _difference(self, other) >= 0


def number_of(value: object) -> Number | None:
    """A number that is asked for as a Number; None for what is no number, NotExact for a float."""
    if isinstance(value, Number):
        return value
    refuse_float(value)
    return Number(monomial(Fraction(value))) if isinstance(value, int | Fraction) else None


def exact_of(value: object, parameter: str) -> Exact:
    """A number, or a text such as "1/3", "0.1" or "1/2 + ln(3)"; NotExact for others, a float among them."""
    if isinstance(value, Number):
        return value
    refuse_float(value, parameter)
    real: ExactReal = exact_real(int(value) if isinstance(value, bool) else value, parameter)
    logarithm: Sum = {} if real.argument == 1 else {(Fraction(0), (real.argument,)): Fraction(1)}
    return simplest(plus(monomial(real.rational), logarithm), ())


def simplest(top: Sum, bottom: tuple[Factor, ...]) -> Exact:
    """top / bottom, rational where it is plainly so."""
    if bottom and top:
        factor, scale = factored(top)
        if factor in bottom:
            left = list(bottom)
            left.remove(factor)
            return simplest(scale, tuple(left))
    if not top:
        return Rational(0)
    if not bottom and set(top) == {(Fraction(0), ())}:
        return Rational(next(iter(top.values())))
    return Number(top, bottom)


def factored(p: Sum) -> tuple[Factor, Sum]:
    """A factor, and the c e^r by which it is to be multiplied to yield p; p must not be empty."""
    (r, logs), c = min(p.items())
    scale = UNIT if logs else monomial(c, r)
    return frozenset(over(p, scale).top.items()), scale


def reciprocal(x: Number) -> Exact:
    """1 / x; ZeroDivisionError where x is 0."""
    if sign(x) == 0:
        raise ZeroDivisionError("division by zero")
    factor, scale = factored(x.top)
    top = reduce(times, map(dict, x.bottom), over(UNIT, scale).top)
    return simplest(top, () if len(factor) == 1 and dict(factor) == UNIT else (factor,))


def sum_term(p: Sum) -> Term:
    """The sum as a term."""
    return reduce(Term.__add__, [_summand(c, r, logs) for (r, logs), c in sorted(p.items())])


def _summand(c: Fraction, r: Fraction, logs: tuple[Fraction, ...]) -> Term:
    """c e^r ln b ... as a term."""
    factors = [*([terms.exp(r)] if r else []), *map(terms.ln, logs)]
    return reduce(Term.__mul__, factors if c == 1 and factors else [terms.number(c), *factors])


def sign(x: Exact) -> int:
    """-1, 0 or 1; Undecided where that is not found out."""
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    return reduce(lambda s, factor: s * _sum_sign(dict(factor)), x.bottom, _sum_sign(x.top))


def _sum_sign(p: Sum) -> int:
    """The sign of a sum."""
    if all(c > 0 and not logs for (_, logs), c in p.items()):
        return int(bool(p))
    t = sum_term(p)
    return int(decide(0 < t)) or -int(decide(t < 0))


def _difference(a: Number, b: object) -> int:
    """The sign of a - b."""
    if isinstance(b, float) and isinf(b):
        return -1 if b > 0 else 1
    other = number_of(b)
    if other is None:
        raise TypeError(f"a number is compared with a number, got {b!r}")
    return sign(a - other)


def exp(x: Exactly | Exact | float) -> Exact:
    """e^x for public x: exact.

    >>> exp(0), exp(log(3)) + 1, exp("1/2") * exp("1/2") == exp(1)
    (1, 4, True)
    """
    value = exact_of(x, "exponent")
    a, b, n = linear(Number(monomial(value)).quotient if isinstance(value, Fraction) else value.quotient)
    return simplest(monomial(root(b, n), a), ())


def log(x: Exactly | Exact | float) -> Exact:
    """The natural logarithm of public x > 0 of the form c e^r: exact."""
    value = exact_of(x, "argument of log")
    if sign(value) <= 0:
        raise ValueError(f"argument of log must be > 0, got {value}")
    c, r = positive_monomial(Quotient(monomial(value), UNIT) if isinstance(value, Fraction) else value.quotient)
    return exact_of(ExactReal(r, c), "logarithm")


__all__ = ["Exact", "NotExact", "Number", "Undecided", "exact_of", "exp", "log", "number_of", "sign", "simplest"]
