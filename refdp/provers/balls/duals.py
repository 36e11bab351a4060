"""Balls with slopes: enclosures of a function on a box together with those of its partial derivatives there."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.numerics.enclosures import Balls
from refdp.spec.terms import TermError

Ball = Any
"""An Arb ball."""


@dataclass(frozen=True, slots=True)
class Dual:
    """Every value of a function on a box lies in `value`, every value of its i-th derivative in `slopes[i]`."""

    value: Ball
    slopes: tuple[Ball, ...]

    def along(self, value: Ball, factor: Ball) -> Dual:
        """g(self) where g has that value and derivative: the chain rule."""
        return Dual(value, tuple(factor * s for s in self.slopes))

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.value + other.value, tuple(a + b for a, b in zip(self.slopes, other.slopes, strict=True)))

    def __neg__(self) -> Dual:
        return Dual(-self.value, tuple(-s for s in self.slopes))

    def __sub__(self, other: Dual) -> Dual:
        return self + -other

    def __mul__(self, other: Dual) -> Dual:
        pairs = zip(self.slopes, other.slopes, strict=True)
        return Dual(self.value * other.value, tuple(a * other.value + self.value * b for a, b in pairs))

    def __truediv__(self, other: Dual) -> Dual:
        inverse = 1 / other.value
        return self * other.along(inverse, -inverse * inverse)

    def __pow__(self, exponent: int) -> Dual:
        if exponent == 0:
            return self.along(self.value * 0 + 1, self.value * 0)
        return self.along(self.value**exponent, exponent * self.value ** (exponent - 1))

    def __abs__(self) -> Dual:
        raise TermError("abs has no derivative")


@dataclass(frozen=True, slots=True)
class Duals:
    """Balls with slopes in `dimensions` directions, as an arithmetic of `refdp.spec.evaluation`."""

    dimensions: int
    balls: Balls

    def number(self, value: Fraction) -> Dual:
        return self.constant(self.balls.number(value))

    def constant(self, value: Ball) -> Dual:
        """A constant function."""
        return Dual(value, (value * 0,) * self.dimensions)

    def coordinate(self, value: Ball, index: int) -> Dual:
        """The coordinate of that index, on a box where it ranges over `value`."""
        zero = value * 0
        return Dual(value, tuple(zero + int(i == index) for i in range(self.dimensions)))

    def function(self, name: str, *arguments: Dual) -> Dual:
        if name == "pi":
            return self.constant(self.balls.function("pi"))
        if name not in ("exp", "ln", "sqrt", "normal_tail"):
            raise TermError(f"{name} has no derivative")
        (x,) = arguments
        value = self.balls.function(name, x.value)
        match name:
            case "exp":
                return x.along(value, value)
            case "ln":
                return x.along(value, 1 / x.value)
            case "sqrt":
                return x.along(value, 1 / (2 * value))
        root = self.balls.function("sqrt", 2 * self.balls.function("pi"))
        return x.along(value, -self.balls.function("exp", -x.value * x.value / 2) / root)

    def holds(self, comparison: str, a: Dual, b: Dual) -> bool:
        return self.balls.holds(comparison, a.value, b.value)
