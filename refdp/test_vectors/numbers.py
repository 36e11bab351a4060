"""Numbers of test vectors: always text.  Rational p/q, decimal, or a float of 64 bits in C99's hexadecimal form.

An irrational number stands as {lo, hi}: decimals, rounded outward.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from refdp.accounting.numbers import float_above, float_below, scientific_above, scientific_below
from refdp.numerics.intervals import Interval

DIGITS = 30
"""Significant decimal digits of an enclosure."""
BITS = 160
"""Binary digits with which probabilities are worked out: more than DIGITS, so that enclosures are as narrow."""
LONGEST = 400
"""Most characters of a number."""
RATIONAL = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e-?[1-9][0-9]{0,3})?")
BINARY64 = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}")
PRINTED = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,4})?")
"""A decimal as languages print it: 1e-06, 5.0E-7, 3."""
PRINTED_BINARY64 = re.compile(r"[+-]?0x[01](\.[0-9a-f]{0,13})?p[+-]?[0-9]{1,4}")
"""A float as C prints it with %a: 0x1p-1, too."""
INFINITE = "inf"
Enclosed = dict[str, str]
"""{"lo": ..., "hi": ...}."""


class VectorError(ValueError):
    """A file, a case or an answer that is not of the form that it must have; the sentence says why."""


def rational(text: Any, name: str = "a number") -> Fraction:
    """The number p/q, in lowest terms; VectorError for any other text."""
    found = _read(text, name, RATIONAL)
    if str(found) != text:
        raise VectorError(f"{name} must be in lowest terms, got {shown(text)}")
    return found


def whole(text: Any, name: str, least: int, greatest: int) -> int:
    """The whole number that a text is; VectorError unless it is in least..greatest."""
    found = rational(text, name)
    if found.denominator != 1 or not least <= found <= greatest:
        raise VectorError(f"{name} must be a whole number from {least} to {greatest}, got {shown(text)}")
    return int(found)


def real(text: Any, name: str = "a number") -> Fraction:
    """The number that a rational, a decimal or a hexadecimal float is, exactly; VectorError for any other text."""
    if isinstance(text, str) and len(text) <= LONGEST and BINARY64.fullmatch(text):
        return binary64(text, name)
    return _read(text, name, RATIONAL if isinstance(text, str) and "/" in text else DECIMAL)


def printed(text: str, name: str) -> Fraction:
    """The number that an answer is: what `real` reads, and decimals and floats as languages print them."""
    if len(text) <= LONGEST and PRINTED.fullmatch(text):
        return Fraction(text)
    if len(text) <= LONGEST and PRINTED_BINARY64.fullmatch(text):
        return binary64(text.removeprefix("+"), name)
    return real(text, name)


def binary64(text: str, name: str = "a number") -> Fraction:
    """The number that a finite float in C99's hexadecimal form is."""
    mantissa, _, exponent = text.removeprefix("-").removeprefix("0x").partition("p")
    digits = len(mantissa.partition(".")[2])
    stated = Fraction(int(mantissa.replace(".", ""), 16), 16**digits) * Fraction(2) ** int(exponent)
    try:
        found = Fraction(float.fromhex(text))
    except OverflowError:
        found = -1 - stated
    if abs(found) != stated:
        raise VectorError(f"{name} must be a finite float of 64 bits in C99's form, got {shown(text)}")
    return found


def _read(text: Any, name: str, form: re.Pattern[str]) -> Fraction:
    """The number of a text of that form."""
    if not isinstance(text, str) or len(text) > LONGEST or not form.fullmatch(text):
        raise VectorError(f"{name} must be text such as 1/3, 2.5e-7 or 0x1.8p+1, got {shown(text)}")
    return Fraction(text)


def shown(value: Any) -> str:
    """A value for an error message."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        text = f"of {type(value).__name__}, with very many digits"
    return text if len(text) <= 60 else f"{text[:57]}..."


def enclosed(found: Interval, digits: int = DIGITS) -> Enclosed:
    """The interval as decimals of that many digits: lo rounded down, hi rounded up."""
    return {"lo": below(found.lower, digits), "hi": above(found.upper, digits)}


def below(x: Fraction, digits: int = DIGITS) -> str:
    """A decimal <= x."""
    return scientific_below(x, digits) if x >= 0 else f"-{scientific_above(-x, digits)}"


def above(x: Fraction, digits: int = DIGITS) -> str:
    """A decimal >= x."""
    return scientific_above(x, digits) if x >= 0 else f"-{scientific_below(-x, digits)}"


def ends(found: Any, name: str) -> tuple[Fraction, Fraction]:
    """The ends of an enclosure; VectorError unless lo <= hi."""
    if not isinstance(found, dict) or set(found) != {"lo", "hi"}:
        raise VectorError(f"{name} must have lo and hi, got {shown(found)}")
    lo, hi = real(found["lo"], f"lo of {name}"), real(found["hi"], f"hi of {name}")
    if lo > hi:
        raise VectorError(f"lo of {name} must be <= hi, got {shown(found)}")
    return lo, hi


def hexadecimal(x: float) -> str:
    """A float as C99 writes it."""
    return x.hex()


def float_under(x: Fraction) -> str:
    """The greatest float < x, in hexadecimal: what an answer is that was rounded the wrong way."""
    near = float_below(x)
    return hexadecimal(nextafter(near, -inf) if Fraction(near) == x else near)


def float_over(x: Fraction) -> str:
    """The least float >= x, in hexadecimal."""
    return hexadecimal(float_above(x))


def nearest(x: Fraction) -> str:
    """The float nearest to x, in hexadecimal."""
    return hexadecimal(x.numerator / x.denominator)
