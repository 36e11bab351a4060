"""Rates of draws as multiples of one unit, in which their exponentials are written, and results in closed form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

from refdp.programs.execution import Drawn
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.numbers import UNIT, ZERO, Number, exponential, logarithms, number
from refdp.programs.probabilities.pieces import BASE, Calculus, Piece
from refdp.programs.probabilities.signs import sign
from refdp.programs.probabilities.sums import ONE, NotComputed, Sum, monomial, plus, times


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


def closed(found: Piece, calculus: Calculus, measure: Measure) -> Number:
    """A constant of the calculus as a number."""
    by_tag: dict[int, Sum] = {}
    for (_, _, a, tag), c in found.items():
        summand = exponential(measure.whole * number(a * Fraction(calculus.unit))).top
        by_tag[tag] = plus(by_tag.get(tag, {}), times(summand, monomial(Fraction(c))))
    if not calculus.lattice:
        return sum((Number(part, ONE) * measure.whole**tag for tag, part in by_tag.items()), ZERO)
    return _over_steps({digits(tag, len(calculus.steps)): part for tag, part in by_tag.items()}, calculus, measure)


def _over_steps(parts: Mapping[tuple[int, ...], Sum], calculus: Calculus, measure: Measure) -> Number:
    """The sum of parts over the products of 1 - e^(m u) that their powers stand for."""
    factors = [UNIT - exponential(measure.whole * number(m * Fraction(calculus.unit))) for m in calculus.steps]
    most = [max(powers, default=0) for powers in zip(*parts, strict=True)]
    total = ZERO
    for powers, part in parts.items():
        missing = (f ** (m - p) for f, m, p in zip(factors, most, powers, strict=True))
        total = total + prod(missing, start=Number(part, ONE))
    return total / prod((f**m for f, m in zip(factors, most, strict=True)), start=UNIT) if parts else ZERO


def digits(tag: int, count: int) -> tuple[int, ...]:
    """The powers in a tag."""
    found = []
    for _ in range(count):
        tag, power = divmod(tag, BASE)
        found.append(power)
    return tuple(found)
