"""Number formats of machines as data: IEEE 754 binary floats, and integers that wrap or saturate.

Rounding is to nearest, ties to even, done exactly on rationals: the result of any operation of IEEE 754 is the exact
result, rounded once.  Source: IEEE 754-2019, clauses 3.3 and 4.3.1; bfloat16 as in the bfloat16 hardware definition.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

Special = Literal["inf", "-inf", "nan"]
"""What a float may be besides a number."""
Exact = Fraction | Special
"""The exact value of a machine number; the sign of zero is no part of it."""


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """The numbers m 2^(e - precision + 1), |m| < 2^precision, emin <= e <= emax; also -0.0, infinities and NaN."""

    name: str
    precision: int
    """Bits of the significand, the hidden one included."""
    emin: int
    emax: int

    @property
    def largest(self) -> Fraction:
        """The largest finite number."""
        return (2 - Fraction(2) ** (1 - self.precision)) * Fraction(2) ** self.emax

    @property
    def smallest(self) -> Fraction:
        """The smallest positive number, which is subnormal."""
        return Fraction(2) ** (self.emin - self.precision + 1)

    @property
    def smallest_normal(self) -> Fraction:
        """The smallest positive number of full precision."""
        return Fraction(2) ** self.emin

    @property
    def unit(self) -> Fraction:
        """The unit roundoff u: rounded(x) = x (1 + d), |d| <= u / (1 + u), wherever it neither over- nor underflows."""
        return Fraction(2) ** -self.precision


@dataclass(frozen=True, slots=True)
class IntegerFormat:
    """The integers of so many bits, in two's complement where signed."""

    name: str
    bits: int
    signed: bool = True
    overflow: Literal["wrap", "saturate"] = "wrap"

    @property
    def lowest(self) -> int:
        """The least integer."""
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def highest(self) -> int:
        """The greatest integer."""
        return (1 << self.bits - self.signed) - 1


Format = FloatFormat | IntegerFormat

FLOAT64 = FloatFormat("float64", 53, -1022, 1023)
FLOAT32 = FloatFormat("float32", 24, -126, 127)
FLOAT16 = FloatFormat("float16", 11, -14, 15)
BFLOAT16 = FloatFormat("bfloat16", 8, -126, 127)
FLOATS = (FLOAT64, FLOAT32, FLOAT16, BFLOAT16)
INTEGERS = tuple(IntegerFormat(f"{'' if s else 'u'}int{b}", b, s) for s in (True, False) for b in (8, 16, 32, 64))
INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 = INTEGERS


def saturating(format_: IntegerFormat) -> IntegerFormat:
    """The same integers, where what leaves the range becomes its nearest end: `int32` becomes `int32_saturating`."""
    return replace(format_, name=f"{format_.name}_saturating", overflow="saturate")


_ALL: tuple[Format, ...] = (*FLOATS, *INTEGERS, *map(saturating, INTEGERS))
FORMATS: Mapping[str, Format] = {f.name: f for f in _ALL}
"""Every format by its name."""


def format_named(name: str) -> Format:
    """The format of that name.  ValueError where there is none."""
    if name not in FORMATS:
        raise ValueError(f"arithmetic must be one of {', '.join(FORMATS)}, got {name}")
    return FORMATS[name]


def rounded(value: Fraction, format_: FloatFormat) -> Exact:
    """The float nearest to `value`, the even one of two; infinite from the middle beyond the largest number on."""
    step = spacing(value, format_)
    nearest = round(value / step) * step  # Python rounds a Fraction to nearest, ties to even: the significand's parity
    if abs(nearest) > format_.largest:
        return "inf" if nearest > 0 else "-inf"
    return nearest


def spacing(value: Fraction, format_: FloatFormat) -> Fraction:
    """The distance of neighbouring floats about `value` (unit in the last place), as if there were no largest one."""
    return Fraction(2) ** (max(_exponent(value), format_.emin) - format_.precision + 1)


def _exponent(value: Fraction) -> int:
    """The e of 2^e <= |value| < 2^(e + 1); far below every emin for 0."""
    if value == 0:
        return -(1 << 20)
    top, bottom = abs(value.numerator), value.denominator
    guess = top.bit_length() - bottom.bit_length()
    below = top < bottom << guess if guess >= 0 else top << -guess < bottom
    return guess - below


def representable(value: Fraction, format_: Format) -> bool:
    """Whether the format has this number."""
    if isinstance(format_, IntegerFormat):
        return value.denominator == 1 and format_.lowest <= value <= format_.highest
    return rounded(value, format_) == value


def fitted(value: int, format_: IntegerFormat) -> int:
    """What an integer becomes in the format: itself, modulo 2^bits, or the nearest end of the range."""
    if format_.overflow == "saturate":
        return min(max(value, format_.lowest), format_.highest)
    return (value - format_.lowest) % (1 << format_.bits) + format_.lowest


def exact(number: float) -> Exact:
    """The exact value of a Python float."""
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return Fraction(number)
