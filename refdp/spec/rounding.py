"""Numbers rounded to a grid: T(x) = granularity floor(x / granularity + 1/2), in each coordinate of a vector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.formulas import Formula
from refdp.terms.term import Term, TermError


@dataclass(frozen=True, slots=True)
class Rounding:
    """T(x) = the multiple of granularity nearest to the number x, the greater of two equally near.

    A shift by a multiple of the granularity shifts T(x) as far, and T is monotone: so numbers at most such a multiple
    apart stay so.  (Halves to even would not do: 1/2 and 3/2 go to 0 and 2.)
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    reserved: ClassVar[str] = "d_in"
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def apply(self, subject: Term, x: Any) -> Any:
        """The rounded number, or vector."""
        step = registry.values(self, subject)["granularity"]
        return tuple(nearest(c, step) for c in x) if isinstance(x, tuple) else nearest(x, step)


def nearest(x: Any, step: Fraction) -> Fraction:
    """The multiple of step > 0 nearest to x, the greater of two equally near.

    >>> nearest(Fraction(1, 2), Fraction(1)), nearest(Fraction(-1, 2), Fraction(1))
    (Fraction(1, 1), Fraction(0, 1))
    """
    if not isinstance(x, Fraction):
        raise TermError(f"what is rounded must be an exact number, got {x!r}")
    return floor(x / step + Fraction(1, 2)) * step
