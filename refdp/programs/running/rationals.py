"""Rational numbers that no float gets near: what a program is given, so that what it computes is exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isinf
from typing import Any

from refdp.numerics.exact import NotExact, exact


def refuse_float(value: object, parameter: str = "a number of a program") -> None:
    """NotExact, with what to write instead, where the value is a float."""
    if isinstance(value, float):
        exact(value, parameter)


def _exactly(name: str) -> Callable[..., Any]:
    """The operation of Fraction, a Rational where it yields one; NotExact where a float or a root comes in."""
    operation: Callable[..., Any] = getattr(Fraction, name)

    def method(self: Rational, *others: object) -> Any:
        for other in others:
            refuse_float(other)
        result = operation(self, *others)
        if isinstance(result, int | Fraction):
            return Rational(result)
        if isinstance(result, float | complex):
            raise NotExact(f"a power must be rational, got {self} ** {others[0]}")
        return result

    return method


def _compared(name: str) -> Callable[..., Any]:
    """The comparison of Fraction; NotExact with a float other than the infinities, which many programs start from."""
    comparison: Callable[..., Any] = getattr(Fraction, name)

    def method(self: Rational, other: object) -> Any:
        if not (isinstance(other, float) and isinf(other)):
            refuse_float(other)
        return comparison(self, other)

    return method


class Rational(Fraction):
    """A Fraction whose sums, products and quotients are exact, and which counts and indexes where it is whole.

    >>> one = Rational(1)
    >>> 2 / one, [4, 5][one], (one + 1) / 3
    (2, 5, 2/3)
    """

    __slots__ = ()

    def __index__(self) -> int:
        if self.denominator != 1:
            raise TypeError(f"a whole number is needed, got {self}")
        return self.numerator

    def __repr__(self) -> str:
        return str(self)

    __add__, __radd__ = _exactly("__add__"), _exactly("__radd__")
    __sub__, __rsub__ = _exactly("__sub__"), _exactly("__rsub__")
    __mul__, __rmul__ = _exactly("__mul__"), _exactly("__rmul__")
    __truediv__, __rtruediv__ = _exactly("__truediv__"), _exactly("__rtruediv__")
    __floordiv__, __rfloordiv__ = _exactly("__floordiv__"), _exactly("__rfloordiv__")
    __mod__, __rmod__ = _exactly("__mod__"), _exactly("__rmod__")
    __pow__, __rpow__ = _exactly("__pow__"), _exactly("__rpow__")
    __pos__, __neg__, __abs__ = _exactly("__pos__"), _exactly("__neg__"), _exactly("__abs__")
    __lt__, __le__, __gt__, __ge__ = map(_compared, ("__lt__", "__le__", "__gt__", "__ge__"))
    __eq__ = _compared("__eq__")
    __hash__ = Fraction.__hash__
