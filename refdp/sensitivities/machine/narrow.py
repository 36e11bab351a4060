"""Floats narrower than float64, carried by Python floats: what float32, float16 and bfloat16 hardware computes.

Every number of a narrow format is a float64.  Of two narrow numbers, sum, difference, product, quotient and root are
first rounded to float64 and then to the format; as 53 >= 2 precision + 2, that is the exact result rounded once.
Source: Fig95.  Where the result is subnormal: sums are exact, products
have at most 2 precision bits, and a quotient is further from every tie than float64 rounds it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from refdp import work
from refdp.sensitivities.machine.formats import FLOAT64, FloatFormat, rounded


def nearest(number: float, format_: FloatFormat) -> float:
    """The float of the format that is nearest to a Python float, ties to even; a zero keeps the sign."""
    if format_.precision == FLOAT64.precision or number == 0 or not math.isfinite(number):
        return number
    if math.frexp(number)[1] > format_.emax + 1:
        return math.copysign(math.inf, number)
    exponent = max(math.frexp(number)[1] - 1, format_.emin)
    # Beside 1.5 x 2^52 steps a float64 has no room for less than a step: adding that rounds to whole steps.
    anchor = math.ldexp(1.5, 52 + exponent - format_.precision + 1)
    result = (number + anchor) - anchor
    if abs(result) >= math.ldexp(1.0, format_.emax + 1):
        return math.copysign(math.inf, number)
    return math.copysign(result, number)


@lru_cache(maxsize=4096)
def machine_float(value: Fraction, format_: FloatFormat) -> float:
    """The float nearest to an exact number, as a Python float; 0 is +0.0.

    Kept, as the tables of a search hold the same few numbers thousands of times.
    """
    return float(rounded(value, format_))


def fused(a: float, b: float, c: float, format_: FloatFormat) -> float:
    """a b + c rounded once."""
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    value = Fraction(a) * Fraction(b) + Fraction(c)
    if value == 0:
        return a * b + c if c == 0 else 0.0  # the sum of opposite numbers is +0, of zeros goes by their signs
    result = machine_float(value, format_)
    return math.copysign(result, value)  # what underflows keeps its sign


@dataclass(frozen=True, slots=True, eq=False)
class Narrow:
    """A number of a narrow format, with Python's operators; division by zero raises as Python's does.

    The other operand may be a whole number or a Python float, which is rounded to the format first, as numpy does.
    """

    number: float
    format_: FloatFormat

    def _made(self, number: float) -> Narrow:
        work.step()
        return Narrow(nearest(number, self.format_), self.format_)

    def __add__(self, other: Operand) -> Narrow:
        return self._made(self.number + self._read(other))

    def __sub__(self, other: Operand) -> Narrow:
        return self._made(self.number - self._read(other))

    def __mul__(self, other: Operand) -> Narrow:
        return self._made(self.number * self._read(other))

    def __truediv__(self, other: Operand) -> Narrow:
        return self._made(self.number / self._read(other))

    def __radd__(self, other: Operand) -> Narrow:
        return self._made(self._read(other) + self.number)

    def __rsub__(self, other: Operand) -> Narrow:
        return self._made(self._read(other) - self.number)

    def __rmul__(self, other: Operand) -> Narrow:
        return self._made(self._read(other) * self.number)

    def __rtruediv__(self, other: Operand) -> Narrow:
        return self._made(self._read(other) / self.number)

    def __mod__(self, other: Operand) -> Narrow:
        return self._divided(self._read(other))[1]

    def __floordiv__(self, other: Operand) -> Narrow:
        return self._divided(self._read(other))[0]

    def __rmod__(self, other: Operand) -> Narrow:
        return self._made(self._read(other)) % self

    def __rfloordiv__(self, other: Operand) -> Narrow:
        return self._made(self._read(other)) // self

    def _divided(self, divisor: float) -> tuple[Narrow, Narrow]:
        """Quotient and remainder, with the steps of Python's float division rounded to the format."""
        if divisor == 0:
            raise ZeroDivisionError("float division by zero")
        remainder = self._made(math.fmod(self.number, divisor))
        quotient = (self - remainder) / divisor
        if remainder.number and (divisor < 0) != (remainder.number < 0):
            remainder, quotient = remainder + divisor, quotient - 1
        floor = float(math.floor(quotient.number)) if math.isfinite(quotient.number) else quotient.number
        whole = (floor + 1 if quotient.number - floor > 0.5 else floor) or math.copysign(0.0, self.number / divisor)
        return self._made(whole), remainder if remainder.number else self._made(math.copysign(0.0, divisor))

    def __pow__(self, exponent: Operand) -> Narrow:
        """The power as float64 computes it, rounded to the format; exactly rounded for whole exponents."""
        power = self._read(exponent)
        if math.isfinite(self.number) and power == int(power) and abs(power) <= 64 and self.number:
            return Narrow(machine_float(Fraction(self.number) ** int(power), self.format_), self.format_)
        found = self.number**power
        return self._made(math.nan if isinstance(found, complex) else found)

    def __rpow__(self, base: Operand) -> Narrow:
        return self._made(self._read(base)) ** self

    def __neg__(self) -> Narrow:
        return Narrow(-self.number, self.format_)

    def __pos__(self) -> Narrow:
        return self

    def __abs__(self) -> Narrow:
        return Narrow(abs(self.number), self.format_)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Narrow | int | float) and self.number == self._read(other)

    def __lt__(self, other: Operand) -> bool:
        return self.number < self._read(other)

    def __le__(self, other: Operand) -> bool:
        return self.number <= self._read(other)

    def __gt__(self, other: Operand) -> bool:
        return self.number > self._read(other)

    def __ge__(self, other: Operand) -> bool:
        return self.number >= self._read(other)

    def __hash__(self) -> int:
        return hash(self.number)

    def __bool__(self) -> bool:
        return bool(self.number)

    def __float__(self) -> float:
        return self.number

    def __int__(self) -> int:
        return int(self.number)

    def __floor__(self) -> int:
        return math.floor(self.number)

    def __ceil__(self) -> int:
        return math.ceil(self.number)

    def __trunc__(self) -> int:
        return math.trunc(self.number)

    def __repr__(self) -> str:
        return f"{self.format_.name}({self.number!r})"

    def _read(self, other: Operand) -> float:
        """The other operand as a number of the format."""
        if isinstance(other, Narrow):
            return other.number
        if isinstance(other, int):
            return machine_float(Fraction(other), self.format_)
        return nearest(other, self.format_)


Operand = Narrow | int | float
