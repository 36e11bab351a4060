"""Integers of so many bits with Python's operators: what leaves the range wraps or saturates.

`/` and every operation with a float first make a float64 of each side, as numpy and C do; division by zero raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from refdp.sensitivities.machine.formats import IntegerFormat, fitted


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """An integer of a format; whole numbers beside it are taken into its format first."""

    number: int
    format_: IntegerFormat

    def _with(self, other: Operand, act: Callable[[int, int], int], floats: Callable[[float, float], float]) -> Result:
        """`self act other`, in the format, or in float64 where the other side is a float."""
        if isinstance(other, float):
            return floats(float(self.number), other)
        return Whole(fitted(act(self.number, self._read(other)), self.format_), self.format_)

    def __add__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: a + b, lambda a, b: a + b)

    def __radd__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: b + a, lambda a, b: b + a)

    def __sub__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: a - b, lambda a, b: a - b)

    def __rsub__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: b - a, lambda a, b: b - a)

    def __mul__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: a * b, lambda a, b: a * b)

    def __rmul__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: b * a, lambda a, b: b * a)

    def __floordiv__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: a // b, lambda a, b: a // b)

    def __rfloordiv__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: b // a, lambda a, b: b // a)

    def __mod__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: a % b, lambda a, b: a % b)

    def __rmod__(self, other: Operand) -> Result:
        return self._with(other, lambda a, b: b % a, lambda a, b: b % a)

    def __truediv__(self, other: Operand) -> float:
        return float(self.number) / float(other)

    def __rtruediv__(self, other: Operand) -> float:
        return float(other) / float(self.number)

    def __pow__(self, exponent: Operand) -> Result:
        """The power modulo 2^bits, or its nearest end; a float for a negative exponent, as in Python."""
        if isinstance(exponent, float) or (power := self._read(exponent)) < 0:
            return float(float(self.number) ** float(exponent))
        if self.format_.overflow == "wrap":
            return Whole(fitted(pow(self.number, power, 1 << self.format_.bits), self.format_), self.format_)
        enough = min(power, 2 * self.format_.bits + power % 2)  # beyond, |number| >= 2 has long left the range
        return Whole(fitted(self.number**enough, self.format_), self.format_)

    def __rpow__(self, base: Operand) -> Result:
        if isinstance(base, float):
            return float(base ** float(self.number))
        return Whole(self._read(base), self.format_) ** self

    def __neg__(self) -> Whole:
        return Whole(fitted(-self.number, self.format_), self.format_)

    def __pos__(self) -> Whole:
        return self

    def __abs__(self) -> Whole:
        """|x|; the lowest integer wraps to itself."""
        return Whole(fitted(abs(self.number), self.format_), self.format_)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Whole | int | float) and self.number == _plain(other)

    def __lt__(self, other: Operand) -> bool:
        return self.number < _plain(other)

    def __le__(self, other: Operand) -> bool:
        return self.number <= _plain(other)

    def __gt__(self, other: Operand) -> bool:
        return self.number > _plain(other)

    def __ge__(self, other: Operand) -> bool:
        return self.number >= _plain(other)

    def __hash__(self) -> int:
        return hash(self.number)

    def __bool__(self) -> bool:
        return bool(self.number)

    def __float__(self) -> float:
        return float(self.number)

    def __int__(self) -> int:
        return self.number

    def __index__(self) -> int:
        return self.number

    def __floor__(self) -> int:
        return self.number

    def __ceil__(self) -> int:
        return self.number

    def __trunc__(self) -> int:
        return math.trunc(self.number)

    def __repr__(self) -> str:
        return f"{self.format_.name}({self.number})"

    def _read(self, other: Whole | int) -> int:
        """The other operand as an integer of the format."""
        return other.number if isinstance(other, Whole) else fitted(other, self.format_)


Operand = Whole | int | float
Result = Whole | float


def _plain(other: Operand) -> int | float:
    return other.number if isinstance(other, Whole) else other
