"""Numbers as users have them, read exactly; and bounds written as decimal text or floats, rounded outward."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, inf, isfinite, nextafter
from sys import float_info

from refdp.accounting.losses import LossError
from refdp.numerics.cancellation import NotExact, size
from refdp.numerics.elementary import down, up
from refdp.numerics.exact import ExactReal, exact, exact_real

LARGEST_EXPONENT = 300
"""Numbers are 0 or between 10^-300 and 10^300 in size, and have at most MOST_BITS binary digits."""
MOST_BITS = 8000
SHORT_BITS = 256
"""Values of users' functions are rounded, to the safe side, to about so many binary digits."""
LARGEST_COUNT = 10**9
"""Most times that one event is counted."""


def number(value: object, parameter: str) -> Fraction:
    """The rational number: int, Fraction, Decimal, text such as "0.1" or "1/10", or a float as the dyadic that it is.

    Raises LossError for anything else, NaN and infinities included.

    >>> number("0.1", "rate"), number(0.5, "rate"), number(0.1, "rate") == Fraction(1, 10)
    (Fraction(1, 10), Fraction(1, 2), False)
    """
    read = _read(value)
    if read is None:
        raise LossError(f'{parameter} must be a number such as 3, 0.1 or "1/10", got {shown(value)}')
    least, most = Fraction(1, 10**LARGEST_EXPONENT), 10**LARGEST_EXPONENT
    if read != 0 and not least <= abs(read) <= most or size(read) > MOST_BITS:
        raise LossError(f"{parameter} must be 0 or between 1e-{LARGEST_EXPONENT} and 1e{LARGEST_EXPONENT} in size and"
                        f" have at most {MOST_BITS} binary digits, got {shown(value)}")  # fmt: skip
    return read


def probability(value: object, parameter: str, upward: bool) -> Fraction:
    """A number from 0 to 1 near the value: no less where `upward`, else no more; short, and 0 or at least 10^-300.

    Raises LossError for what is no number, and for numbers < 0.

    >>> probability(5e-324, "delta", False), probability(2, "delta", True)
    (Fraction(0, 1), Fraction(1, 1))
    """
    read, least = _read(value), Fraction(1, 10**LARGEST_EXPONENT)
    if read is None or read < 0:
        raise LossError(f"{parameter} must be a number >= 0, got {shown(value)}")
    if 0 < read < least:
        return least if upward else Fraction(0)
    rounded = up if upward else down
    return min(Fraction(1), rounded(read.numerator, read.denominator, SHORT_BITS) if size(read) > SHORT_BITS else read)


def _read(value: object) -> Fraction | None:
    """The number, None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal):
        short = value.is_finite() and abs(value.adjusted()) <= 2 * LARGEST_EXPONENT
        return Fraction(value) if short else None
    if isinstance(value, float):
        return Fraction(value) if isfinite(value) else None
    if not isinstance(value, int | str | Fraction):
        value = _plain(value)
    with suppress(NotExact):
        return exact(value)
    return None


def _plain(value: object) -> object:
    """The Python number in a scalar of an array library."""
    item = getattr(value, "item", None)
    found = item() if callable(item) and getattr(value, "shape", None) == () else None
    return Fraction(found) if isinstance(found, float) and isfinite(found) else found


def real(value: object, parameter: str) -> ExactReal:
    """What `number` reads, or text such as "ln(3)"; LossError for anything else."""
    if isinstance(value, ExactReal):
        return value
    if isinstance(value, str) and _read(value) is None:
        try:
            return exact_real(value, parameter)
        except ValueError as error:
            raise LossError(str(error)) from None
    return ExactReal(number(value, parameter))


def whole(value: object, parameter: str, most: int) -> int:
    """A whole number from 1 to `most`; LossError for anything else.

    >>> whole("1000", "count", 10**9)
    1000
    """
    read = _read(value)
    if read is None or read.denominator != 1 or not 1 <= read <= most:
        raise LossError(f"{parameter} must be a whole number from 1 to {most}, got {shown(value)}")
    return int(read)


def shown(value: object) -> str:
    """A value for an error message, at most 60 characters."""
    try:
        text = str(value) if isinstance(value, Fraction | Decimal | ExactReal) else repr(value)
    except ValueError:  # Python prints no integer of more than 4300 digits
        return "a number too long to print"
    return text if len(text) <= 60 else f"{text[:57]}..."


def decimal_below(x: Fraction | None, digits: int) -> str:
    """The decimal number of `digits` places behind the point that is the greatest <= x; "inf" for None.

    >>> decimal_below(Fraction(2, 3), 4), decimal_above(Fraction(2, 3), 4)
    ('0.6666', '0.6667')
    """
    return "inf" if x is None else _placed(floor(x * 10**digits), digits)


def decimal_above(x: Fraction | None, digits: int) -> str:
    """The decimal number of `digits` places behind the point that is the least >= x; "inf" for None."""
    return "inf" if x is None else _placed(ceil(x * 10**digits), digits)


def _placed(units: int, digits: int) -> str:
    """units / 10^digits, written out; without zeros at the end."""
    sign, text = "-" if units < 0 else "", str(abs(units)).rjust(digits + 1, "0")
    head, tail = text[: len(text) - digits], text[len(text) - digits :].rstrip("0")
    return f"{sign}{head}.{tail}" if tail else f"{sign}{head}"


def scientific_below(x: Fraction, digits: int) -> str:
    """A decimal number of `digits` significant digits <= x, for x >= 0.

    >>> scientific_below(Fraction(2, 3000), 3), scientific_above(Fraction(2, 3000), 3)
    ('6.66e-4', '6.67e-4')
    """
    return _scientific(x, digits, up=False)


def scientific_above(x: Fraction, digits: int) -> str:
    """A decimal number of `digits` significant digits >= x, for x >= 0."""
    return _scientific(x, digits, up=True)


def _scientific(x: Fraction, digits: int, up: bool) -> str:
    """x >= 0 rounded to a multiple of the power of ten that leaves about `digits` digits."""
    if x == 0:
        return "0"
    e = exponent_of_ten(x)
    places = digits - 1 - e  # no Fraction is made of it, as that looks for a common factor
    above, below = x.numerator * 10 ** max(places, 0), x.denominator * 10 ** max(-places, 0)
    units = -(-above // below) if up else above // below
    text = str(units)
    tail, e = text[1:].rstrip("0"), e + len(text) - digits
    head = f"{text[0]}.{tail}" if tail else text[0]
    return head if e == 0 else f"{head}e{e}"


def exponent_of_ten(x: Fraction) -> int:
    """floor(log10 x), for x > 0."""
    e = (x.numerator.bit_length() - x.denominator.bit_length()) * 30103 // 100000  # near log10 x
    while x < Fraction(10) ** e:
        e -= 1
    while x >= Fraction(10) ** (e + 1):
        e += 1
    return e


def float_above(x: Fraction | None) -> float:
    """The least float >= x; infinity for None."""
    if x is None:
        return inf
    try:
        near = x.numerator / x.denominator
    except OverflowError:
        return inf
    return near if Fraction(near) >= x else nextafter(near, inf)


def float_below(x: Fraction) -> float:
    """The greatest float <= x, for x >= 0."""
    try:
        near = x.numerator / x.denominator
    except OverflowError:
        return float_info.max
    return near if Fraction(near) <= x else nextafter(near, -inf)
