"""Rational intervals: what is known of a real number, with every rounding outward.

x in X and y in Y imply x op y in X op Y.  Endpoints are dyadic with about `bits` binary digits, hence small.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from refdp.numerics.elementary import Undecided, down, up


@dataclass(frozen=True, slots=True)
class Interval:
    """The real numbers x with lower <= x <= upper; results are rounded outward to about `bits` binary digits."""

    lower: Fraction
    upper: Fraction
    bits: int = field(default=64, compare=False)

    def __post_init__(self) -> None:
        if not (isinstance(self.lower, Fraction) and isinstance(self.upper, Fraction)):
            raise TypeError(f"endpoints must be Fraction, got {self.lower!r} and {self.upper!r}")
        if self.lower > self.upper:
            raise ValueError(f"lower must be <= upper, got {self.lower} > {self.upper}")

    def __contains__(self, x: Fraction | int) -> bool:
        return self.lower <= x <= self.upper

    def __neg__(self) -> Interval:
        return Interval(-self.upper, -self.lower, self.bits)

    def __abs__(self) -> Interval:
        if self.lower >= 0:
            return self
        return -self if self.upper <= 0 else Interval(Fraction(0), max(-self.lower, self.upper), self.bits)

    def __add__(self, other: Interval) -> Interval:
        a, b, c, d, bits = self.lower, other.lower, self.upper, other.upper, max(self.bits, other.bits)
        return Interval(
            down(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator, bits),
            up(c.numerator * d.denominator + d.numerator * c.denominator, c.denominator * d.denominator, bits),
            bits,
        )

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        bits, ends = max(self.bits, other.bits), [(self.lower, other.lower), (self.upper, other.upper)]
        if mixed := self.lower < 0 or other.lower < 0:  # the extreme products are among those of the endpoints
            ends += [(self.lower, other.upper), (self.upper, other.lower)]
        products = [(x.numerator * y.numerator, x.denominator * y.denominator, bits) for x, y in ends]
        if not mixed:  # the first product is the least one
            return Interval(down(*products[0]), up(*products[1]), bits)
        return Interval(min(down(*p) for p in products), max(up(*p) for p in products), bits)

    def __truediv__(self, other: Interval) -> Interval:
        if other.lower <= 0 <= other.upper:
            raise Undecided("a divisor may be 0")
        a, b, bits = 1 / other.upper, 1 / other.lower, max(self.bits, other.bits)
        return self * Interval(down(a.numerator, a.denominator, bits), up(b.numerator, b.denominator, bits), bits)

    def __pow__(self, exponent: int) -> Interval:
        if exponent < 0:
            raise ValueError(f"exponent must be >= 0, got {exponent}")
        if exponent == 0:
            return Interval(Fraction(1), Fraction(1), self.bits)
        base = self if exponent % 2 else abs(self)  # so that an even power is >= 0
        half = base ** (exponent // 2)
        return half * half * base if exponent % 2 else half * half
