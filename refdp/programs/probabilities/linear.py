"""Sums of rational multiples of variables, and inequalities of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of coefficient * variable + constant, no coefficient 0."""

    coefficients: Mapping[Term, Fraction]
    constant: Fraction

    def plus(self, other: Linear, factor: Fraction | int = 1) -> Linear:
        """self + factor other."""
        found = dict(self.coefficients)
        for one, c in other.coefficients.items():
            found[one] = found.get(one, Fraction(0)) + factor * c
        return Linear({v: c for v, c in found.items() if c}, self.constant + factor * other.constant)

    def times(self, factor: Fraction) -> Linear:
        """factor self."""
        return constant(0).plus(self, factor)


@dataclass(frozen=True, slots=True)
class Inequality:
    """form <= 0, or form < 0 where strict; the form is not constant."""

    form: Linear
    strict: bool


def constant(value: Fraction | int) -> Linear:
    """A number."""
    return Linear({}, Fraction(value))
