"""Exact rational laws of mechanisms whose masses are powers of e: e is replaced by a whole base.

Every such claim is stated for all real scales, and exp(x / scale) at the scale s / ln(base) is base^(x / s): rational
where x / s is whole.  Nothing else is known of e, so a law of these masses is the mechanism's law at that scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.terms.evaluation import RATIONALS, Rationals
from refdp.terms.term import Term, ln, number


@dataclass(frozen=True)
class Powers(Rationals):
    """Rational arithmetic in which exp(k) is base^(unit k) for whole unit k."""

    base: int | Fraction
    unit: int = 1

    def function(self, name: str, *arguments: Fraction) -> Fraction:
        """base^(unit k) for exp(k); otherwise as for rational numbers."""
        if name != "exp":
            return RATIONALS.function(name, *arguments)
        return self.power(arguments[0])

    def power(self, exponent: Fraction) -> Fraction:
        """What stands for e^exponent."""
        times = exponent * self.unit
        if times.denominator != 1:
            raise ValueError(f"exponent must be a whole multiple of 1/{self.unit}, got {exponent}")
        return Fraction(self.base) ** int(times)

    def scale(self, s: Fraction) -> Term:
        """The scale at which the mechanism has these masses."""
        return number(s) / ln(self.base)
