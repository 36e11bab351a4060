"""Enclosures of a function on a box together with those of its partial derivatives there."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.intervals import Interval
from refdp.terms.term import TermError

DIFFERENTIABLE = ("exp", "ln", "sqrt", "normal_tail")
"""The functions of one argument whose derivative is known here."""


@dataclass(frozen=True, slots=True)
class Sloped:
    """On the box, every value of the function lies in `value`, every value of its i-th derivative in `slopes[i]`."""

    value: Interval
    slopes: tuple[Interval, ...]

    def then(self, value: Interval, slope: Interval) -> Sloped:
        """g after the function, where g has that value and derivative: the chain rule."""
        return Sloped(value, tuple(slope * s for s in self.slopes))

    def __add__(self, other: Sloped) -> Sloped:
        return Sloped(self.value + other.value, tuple(a + b for a, b in zip(self.slopes, other.slopes, strict=True)))

    def __neg__(self) -> Sloped:
        return Sloped(-self.value, tuple(-s for s in self.slopes))

    def __sub__(self, other: Sloped) -> Sloped:
        return self + -other

    def __mul__(self, other: Sloped) -> Sloped:
        pairs = zip(self.slopes, other.slopes, strict=True)
        return Sloped(self.value * other.value, tuple(a * other.value + self.value * b for a, b in pairs))

    def __truediv__(self, other: Sloped) -> Sloped:
        inverse = point(1, other.value.bits) / other.value
        return self * other.then(inverse, -(inverse * inverse))

    def __pow__(self, exponent: int) -> Sloped:
        if exponent == 0:
            return self.then(point(1, self.value.bits), point(0, self.value.bits))
        return self.then(self.value**exponent, point(exponent, self.value.bits) * self.value ** (exponent - 1))

    def __abs__(self) -> Sloped:
        raise TermError("abs has no derivative everywhere")


def point(value: int, bits: int) -> Interval:
    """The number itself."""
    return Interval(Fraction(value), Fraction(value), bits)


@dataclass(frozen=True, slots=True)
class Slopes:
    """Intervals with slopes in so many `directions`, as an arithmetic of `refdp.terms.evaluation`."""

    directions: int
    intervals: Intervals

    def number(self, value: Fraction) -> Sloped:
        return self._constant(self.intervals.number(value))

    def _constant(self, value: Interval) -> Sloped:
        """A function that is a number."""
        return Sloped(value, (point(0, self.intervals.bits),) * self.directions)

    def coordinate(self, range_: Interval, index: int) -> Sloped:
        """The coordinate of that index, which takes the values of `range_`."""
        return Sloped(range_, tuple(point(int(i == index), self.intervals.bits) for i in range(self.directions)))

    def function(self, name: str, *arguments: Sloped) -> Sloped:
        if name == "pi":
            return self._constant(self.intervals.function("pi"))
        if name not in DIFFERENTIABLE:
            raise TermError(f"{name} has no derivative everywhere")
        (x,) = arguments
        value = self.intervals.function(name, x.value)
        return x.then(value, self._derivative(name, x.value, value))

    def _derivative(self, name: str, x: Interval, value: Interval) -> Interval:
        """The derivative on x of the function that has that value there."""
        one, two, function = point(1, x.bits), point(2, x.bits), self.intervals.function
        match name:
            case "exp":
                return value
            case "ln":
                return one / x
            case "sqrt":
                return one / (two * value)
        return -(function("exp", -(x**2 / two)) / function("sqrt", two * function("pi")))  # minus the density

    def holds(self, comparison: str, a: Sloped, b: Sloped) -> bool:
        """True or False only if that holds on the whole box."""
        return self.intervals.holds(comparison, a.value, b.value)
