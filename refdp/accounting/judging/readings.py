"""Numbers that foreign accountants give, read exactly: a float is the dyadic number it is, infinity is infinity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

INFINITE = float("inf")
Extended = Fraction | float
"""An exact number, or INFINITE: the one float in it, which every Fraction is below."""


class Unreadable(ValueError):
    """What was given is no number; the sentence says what it is."""


def extended(value: object) -> Extended:
    """The number that `value` is, without rounding: int, Fraction, Decimal, any float, or an array of one number.

    Raises: Unreadable for NaN, minus infinity, True and False, text, and everything else.
    """
    item = getattr(value, "item", None)
    if item is not None and getattr(value, "ndim", None) is not None and not hasattr(value, "as_integer_ratio"):
        value = _single(item, value)
    ratio = getattr(value, "as_integer_ratio", None)
    if ratio is None or isinstance(value, bool):
        raise Unreadable(f"the answer is no number: {_short(value)}")
    try:
        return Fraction(*map(int, ratio()))
    except ValueError:
        raise Unreadable("the answer is NaN") from None
    except OverflowError:
        if value > 0:  # type: ignore[operator]  # it has as_integer_ratio
            return INFINITE
        raise Unreadable("the answer is minus infinity") from None


def _single(item: Callable[[], object], value: object) -> object:
    """The one number in an array."""
    try:
        return item()
    except Exception:  # it is foreign code: whatever it raises, it gave no number
        raise Unreadable(f"the answer is no number: {_short(value)}") from None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


@dataclass(frozen=True, slots=True)
class Answer:
    """What an accountant says of one question: its bound from above and, where it gives them, the other two."""

    upper: Extended
    lower: Extended | None = None
    estimate: Extended | None = None

    def __str__(self) -> str:
        if self.lower is None:
            return decimal(self.upper)
        return f"[{decimal(self.lower)}, {decimal(self.upper)}]"


def answer(value: object) -> Answer:
    """A number as its bound from above; three numbers as (lower, estimate, upper), two as (lower, upper).

    Raises: Unreadable.
    """
    if not isinstance(value, tuple | list):
        return Answer(extended(value))
    numbers = [extended(each) for each in value]
    if len(numbers) not in (2, 3):
        raise Unreadable(f"the answer has {len(numbers)} numbers; 1, 2 (lower, upper) or 3 (with an estimate) are read")
    return Answer(numbers[-1], numbers[0], numbers[1] if len(numbers) == 3 else None)


def apart(x: Extended, y: Extended, share: Fraction) -> bool:
    """Whether x and y differ by more than a share of the nearer to 0; a number and infinity do."""
    if INFINITE in (x, y):
        return x != y
    a, b = Fraction(x), Fraction(y)
    return abs(a - b) > share * min(abs(a), abs(b))


def minus(x: Extended, y: Extended) -> Extended:
    """x - y; infinity less infinity is 0."""
    return Fraction(0) if x == y else x - y


def decimal(x: Extended, digits: int = 17, rounding: str = ROUND_HALF_EVEN) -> str:
    """x in about `digits` digits, rounded as the standard library's `rounding` says; a float as Python prints it."""
    if x == INFINITE:
        return "infinite"
    exact, context = Fraction(x), Context(digits, rounding, -(10**9), 10**9)
    if rounding == ROUND_HALF_EVEN and abs(exact) < 2**1000 and float(exact) == exact:
        return repr(float(exact))
    found = context.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize(context)
    return f"{found:f}" if -5 < found.adjusted() < digits else f"{found}".lower()


def at_least(x: Extended, digits: int = 17) -> str:
    """A decimal number that x reaches."""
    return decimal(x, digits, ROUND_FLOOR)


def at_most(x: Extended, digits: int = 17) -> str:
    """A decimal number that x does not exceed."""
    return decimal(x, digits, ROUND_CEILING)
