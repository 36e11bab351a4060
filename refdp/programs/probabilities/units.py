"""Rates of draws as multiples of one unit, in which their exponentials are written, and results in closed form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from refdp.programs.execution import Drawn
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.numbers import UNIT, ZERO, Number, logarithms
from refdp.programs.probabilities.signs import sign
from refdp.programs.probabilities.sums import NotComputed


@dataclass(frozen=True, slots=True)
class Measure:
    """What rates are multiples of: 1, or a logarithm."""

    whole: Number
    logarithmic: bool

    def multiple(self, rate: Number) -> Fraction:
        """Which multiple of it the rate is."""
        if not rate.top:
            return Fraction(0)
        found = (rate / self.whole).rational if not self.logarithmic else _ratio(rate, self.whole)
        if found is None:
            raise NotComputed("the scale of a draw is neither rational nor 1 over a logarithm like the others")
        return found


def measure_of(rates: Iterable[Number]) -> Measure:
    """What those rates are multiples of."""
    first = next(iter(rates), UNIT)
    return Measure(UNIT, False) if first.rational is not None else Measure(first, True)


def _ratio(rate: Number, whole: Number) -> Fraction | None:
    """rate / whole, where both are multiples of one logarithm."""
    (a, mine), (b, others) = logarithms(rate), logarithms(whole)
    if a or b or mine.keys() != others.keys():
        return None
    ratios = {mine[p] / others[p] for p in mine}
    return ratios.pop() if len(ratios) == 1 else None


def rate_of(one: Drawn, evaluation: Evaluation) -> Number:
    """1 over the scale, 0 of draws that have none."""
    if one.family == "uniform":
        return ZERO
    scale = evaluation.number(one.parameters[0])
    if sign(scale) <= 0:
        raise NotComputed("a scale must be > 0")
    return UNIT / scale


def common(values: Iterable[Fraction]) -> int:
    """The least common denominator."""
    return lcm(*(v.denominator for v in values))
