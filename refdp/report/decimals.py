"""Numbers as people read them: exact where that is short, and decimals every digit of which is certain."""

from __future__ import annotations

from fractions import Fraction

from refdp.numerics import enclosures
from refdp.numerics.exact import enclose as enclose_exactly
from refdp.numerics.exact import exact_number
from refdp.numerics.intervals import Interval
from refdp.terms.term import Term

DIGITS = 12
"""Most significant digits that are shown."""
BITS = 160
"""Binary digits with which irrational numbers are enclosed for a page."""
LONGEST = 60
"""Longest exact number that is shown beside its decimals, in characters."""
MOST_ZEROS = 5
"""Most zeros between the point and the first digit; smaller numbers are shown with a power of ten."""
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def enclosed(t: Term) -> Interval | None:
    """An enclosure of a closed term, a point where its value is rational and known; None if nothing here has one."""
    try:
        return enclose_exactly(t, BITS)
    except (ValueError, ArithmeticError):
        pass
    try:
        return enclosures.enclose(t, {}, BITS)
    except (ValueError, ArithmeticError):
        return None


def decimals(x: Interval | Fraction) -> str:
    """The digits that all numbers of an enclosure share, cut off after DIGITS; an ellipsis where more follow.

    Where they share few, because a short number lies inside, the number with its error.

    >>> decimals(Fraction(1, 8)), decimals(Fraction(-2, 3)), decimals(Fraction(1, 3 * 10**9))
    ('0.125', '-0.666666666666…', '3.333333333333… * 10^-10')
    >>> decimals(Interval(Fraction(1, 3), Fraction(2, 5)))
    'in [1/3, 2/5]'
    >>> decimals(Interval(Fraction(1, 2) - Fraction(1, 10**20), Fraction(1, 2)))
    '0.500000000000 +- 10^-12'
    """
    lower, upper = (x, x) if isinstance(x, Fraction) else (x.lower, x.upper)
    if upper < 0 or lower < 0 == upper:
        found = decimals(Interval(-upper, -lower))
        return found if found.startswith("in") else f"-{found}"
    zeros = _leading_zeros(lower)
    if zeros > MOST_ZEROS:
        return _small(lower, upper, zeros + 1)
    places = DIGITS + zeros
    if 0 < upper - lower < Fraction(1, 10 ** (DIGITS + 1)) and lower * 10**DIGITS // 1 != upper * 10**DIGITS // 1:
        return f"{_written(round(upper * 10**DIGITS), DIGITS, is_exact=False)[:-1]} +- 10^-{DIGITS}"
    for n in range(places, 0, -1):
        low = lower * 10**n // 1
        if low == upper * 10**n // 1 and (low > 0 or upper == 0):
            return _written(low, n, is_exact=lower == upper == Fraction(low, 10**n))
    return _written(lower.numerator, 0, is_exact=True) if _is_whole(lower, upper) else f"in [{lower}, {upper}]"


def _small(lower: Fraction, upper: Fraction, power: int) -> str:
    """The digits of small numbers, times 10^-power."""
    scaled = decimals(Interval(lower * 10**power, upper * 10**power))
    if scaled.startswith("in"):
        return f"in [{lower}, {upper}]"
    return f"{f'({scaled})' if ' ' in scaled else scaled} * 10^-{power}"


def _is_whole(lower: Fraction, upper: Fraction) -> bool:
    """Whether an enclosure is one whole number."""
    return lower == upper and lower.denominator == 1


def _leading_zeros(x: Fraction) -> int:
    """How many zeros follow the point before the first digit of x >= 0."""
    if x == 0 or x >= 1:
        return 0
    return _digits(-(-x.denominator // x.numerator) - 1) - 1


def _digits(n: int) -> int:
    """How many decimal digits n >= 0 has; Python prints no integer of more than 4300."""
    found = max(1, n.bit_length() * 30102 // 100_000)
    while n >= 10**found:
        found += 1
    return found


def _written(digits: int, places: int, is_exact: bool) -> str:
    """A number of units of 10^-places, an ellipsis after it unless it is exact."""
    whole, part = divmod(digits, 10**places)
    if is_exact:
        return f"{whole}.{part:0{places}d}".rstrip("0").rstrip(".") if places else str(whole)
    return f"{whole}.{part:0{places}d}{ELLIPSIS}"


def shown(x: Interval | Fraction | Term) -> tuple[str, str]:
    """A number twice: exactly, as far as that is known and short, and in decimals."""
    if isinstance(x, Term):
        exact, found = _exactly(x), enclosed(x)
        if isinstance(exact, Fraction):
            return shown(exact)
        return exact, decimals(found) if found is not None else ""
    if isinstance(x, Fraction) or x.lower == x.upper:
        value = x if isinstance(x, Fraction) else x.lower
        return (str(value) if len(str(value)) <= LONGEST else ""), decimals(value)
    return "", decimals(x)


def _exactly(t: Term) -> Fraction | str:
    """The closed term as a rational, else in its normal form, else as it is; empty where its text is long."""
    try:
        found = exact_number(t)
    except (ValueError, ArithmeticError):
        return str(t) if len(str(t)) <= LONGEST else ""
    if isinstance(found, Fraction):
        return found
    return str(found) if len(str(found)) <= LONGEST else ""
