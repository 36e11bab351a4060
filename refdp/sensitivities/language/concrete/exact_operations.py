"""Python's operators on rational numbers: `/` divides exactly, `//`, `%` and `**` as Python defines them.

Numbers are bool, int, Fraction (whatever is a float in Python), and float for infinities and nan alone.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.terms.evaluation import rational_root
from refdp.terms.exact_values import NotRational

BITWISE = ("<<", ">>", "&", "|", "^", "invert")
LARGEST = 10_000
"""Most bits of a numerator or denominator."""
Exact = int | Fraction | float
Number = TypeVar("Number", int, Fraction, int | Fraction)


def measured(value: Number) -> Number:
    """The number itself; NoOutcome where it is too large to go on with."""
    if value.numerator.bit_length() > LARGEST or value.denominator.bit_length() > LARGEST:
        raise NoOutcome(f"a number has more than {LARGEST} bits")
    return value


def exact_operation(symbol: str, *values: Any) -> Exact:
    """The operation on numbers, exactly."""
    if any(isinstance(v, float) for v in values):
        return _beyond(symbol, *values)
    if symbol in BITWISE and any(isinstance(v, Fraction) and v.denominator == 1 for v in values):
        raise NoOutcome(f"{symbol} of a number that may be a float")
    found = OPERATIONS[symbol](*values)
    return found if isinstance(found, float) else measured(found)


def square_root(value: Exact) -> Exact:
    """The rational square root as Python's math.sqrt: ValueError below 0, NotRational where it is irrational."""
    if isinstance(value, float):
        return math.sqrt(value)
    if value < 0:
        raise ValueError("math domain error")
    exact = rational_root(Fraction(value))
    if exact is None:
        raise NotRational(f"the square root of {value} is not rational")
    return exact


def _both_whole(a: Exact, b: Exact) -> bool:
    """Whether Python computes with ints."""
    return isinstance(a, int) and isinstance(b, int)


def _divide(a: int | Fraction, b: int | Fraction) -> Fraction:
    if b == 0:
        raise ZeroDivisionError("division by zero")
    return Fraction(a) / b


def _floor(a: int | Fraction, b: int | Fraction) -> int | Fraction:
    """A whole number; it counts as a float unless both are ints."""
    return a // b if _both_whole(a, b) else Fraction(_divide(a, b).__floor__())


def _rest(a: int | Fraction, b: int | Fraction) -> int | Fraction:
    return a % b if _both_whole(a, b) else Fraction(a) - Fraction(b) * _floor(a, b)


def _power(a: int | Fraction, b: int | Fraction) -> Exact:
    """a ** b where it is rational."""
    exponent = Fraction(b)
    if a == 0 and exponent < 0:
        raise ZeroDivisionError("0 cannot be raised to a negative power")
    if exponent.denominator == 2 and a >= 0:
        return _power(square_root(a), exponent.numerator)  # type: ignore[arg-type]
    if exponent.denominator != 1:
        if a in (0, 1):
            return Fraction(a)
        raise NotRational(f"{a} ** {b} is not known to be rational")
    if abs(exponent) * max(a.numerator.bit_length(), a.denominator.bit_length()) > LARGEST:
        raise NoOutcome(f"a power has more than {LARGEST} bits")
    return int(a) ** int(b) if _both_whole(a, b) and b >= 0 else Fraction(a) ** int(exponent)


def _shift(a: int, b: int) -> int:
    """a << b."""
    if isinstance(a, int) and isinstance(b, int) and b > LARGEST:
        raise NoOutcome(f"a number has more than {LARGEST} bits")
    return a << b


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divide, "//": _floor, "%": _rest, "**": _power,
    "<<": _shift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "neg": operator.neg, "pos": operator.pos, "invert": operator.invert,
}  # fmt: skip
BEYOND: Mapping[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "neg": operator.neg, "pos": operator.pos,
}  # fmt: skip


def _beyond(symbol: str, *values: Exact) -> Exact:
    """An operation with an infinity or nan: of a finite number only its sign counts."""
    if symbol not in BEYOND:
        raise NoOutcome(f"{symbol} of an infinite number")
    found: float = BEYOND[symbol](*(v if isinstance(v, float) else float((v > 0) - (v < 0)) for v in values))
    return Fraction(found) if math.isfinite(found) else found
