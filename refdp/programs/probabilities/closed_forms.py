"""Exact numbers as text: `(56 - 9*e^(-27/50) + 26*e^(-81/200) - 63*e^(-27/200))/112`, and as decimal digits."""

from __future__ import annotations

from fractions import Fraction
from math import floor, lcm

from refdp.programs.probabilities.numbers import Number
from refdp.programs.probabilities.signs import enclosure
from refdp.programs.probabilities.sums import ONE, Key, Sum


def text(number: Number) -> str:
    """The number in closed form."""
    if not number.top:
        return "0"
    top, below = _whole(number.top)
    if number.bottom == ONE:
        return top if below == 1 else f"{_bracketed(top)}/{below}"
    bottom, above = _whole(number.bottom)
    ratio = Fraction(above, below)
    factor = "" if ratio.numerator == 1 else f"{ratio.numerator}*"
    divisor = f"({bottom})" if ratio.denominator == 1 else f"({ratio.denominator}*({bottom}))"
    return f"{factor}{_bracketed(top)}/{divisor}"


def _bracketed(found: str) -> str:
    """In brackets where it is a sum."""
    return f"({found})" if " " in found else found


def _whole(value: Sum) -> tuple[str, int]:
    """The sum times its least common denominator, and that."""
    below = lcm(*(c.denominator for c in value.values()))
    written = ""
    for key, c in sorted(value.items(), key=lambda item: _place(item[0])):
        summand = _summand(abs(int(c * below)), key)
        sign = "-" if c < 0 else "+"
        written += f" {sign} {summand}" if written else f"-{summand}" if c < 0 else summand
    return written, below


def _place(key: Key) -> tuple[object, ...]:
    """Where a summand stands: by roots, then by what else it is multiplied with, then from great to small."""
    a, roots, constants = key
    return roots, [(len(str(one)), str(one), power) for one, power in constants], -a


def _summand(c: int, key: Key) -> str:
    """c e^a p^r ... (ln q)^j ..., c > 0."""
    a, roots, constants = key
    factors = [str(c)] if c != 1 else []
    if a:
        factors.append("e" if a == 1 else f"e^{a}" if a.denominator == 1 and a > 0 else f"e^({a})")
    factors += [f"{prime}^({exponent})" for prime, exponent in roots]
    for one, power in constants:
        shown = f"ln({one})" if isinstance(one, int) else str(one)
        factors.append(shown if power == 1 else f"{shown}^{power}")
    return "*".join(factors) or "1"


def approximately(number: Number) -> float:
    """The number as the nearest float, or one beside it."""
    found = enclosure(number, 17)
    return float((found.lower + found.upper) / 2)


def decimal(number: Number, digits: int = 10) -> str:
    """So many significant digits, the last one rounded towards 0, `...` after them where there are more."""
    if not number.top:
        return "0"
    for more in (2, 10, 50):
        found = enclosure(number, digits + more)
        low, high = _shortened(found.lower, digits), _shortened(found.upper, digits)
        if low == high:
            return low
    return low  # so close to a number of that many digits that it may as well be that number


def _shortened(value: Fraction, digits: int) -> str:
    """The first digits of a number."""
    per_bit = Fraction(30103, 100000)  # decimal digits that a binary one is, nearly; the rest is counted
    exponent = floor((value.numerator.bit_length() - value.denominator.bit_length()) * per_bit)
    while (found := _shifted(abs(value), digits - 1 - exponent))[0] >= 10**digits:
        exponent += 1
    while (found := _shifted(abs(value), digits - 1 - exponent))[0] < 10 ** (digits - 1):
        exponent -= 1
    kept, left = found
    written = str(kept)
    sign, rest = "-" if value < 0 else "", "..." if left else ""
    if exponent < -6 or exponent >= digits:
        shown = written.rstrip("0") if not rest else written
        return f"{sign}{shown[0]}{'.' + shown[1:] if shown[1:] else ''}{rest}e{exponent}"
    plain = (
        f"{'0.' + '0' * (-exponent - 1)}{written}"
        if exponent < 0
        else f"{written[: exponent + 1]}.{written[exponent + 1 :]}"
    )
    return sign + (plain.rstrip("0").rstrip(".") if not rest else plain + rest)


def _shifted(value: Fraction, places: int) -> tuple[int, int]:
    """The whole part of 10^places times a number, and 0 where that is all: long numbers are made no fractions of."""
    top: int = value.numerator * 10 ** max(places, 0)
    bottom: int = value.denominator * 10 ** max(-places, 0)
    return divmod(top, bottom)
