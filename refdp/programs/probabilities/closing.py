"""Results of the calculus in closed form: on the lattice quotients of polynomials in e^u, common factors cancelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from refdp.programs.probabilities.calculus import BASE, Calculus
from refdp.programs.probabilities.numbers import ZERO, Number, exponential, number, quotient
from refdp.programs.probabilities.pieces import Piece
from refdp.programs.probabilities.sums import ONE, Sum, plus
from refdp.programs.probabilities.units import Measure

Polynomial = Mapping[int, Fraction]
"""{a: c} is the sum of c y^a, y = e^u."""
MOST_STEPS = 10_000
"""A division of more steps is not tried."""


class Binomial(NamedTuple):
    """1 + sign y^m."""

    m: int
    sign: int


def closed(found: Piece, calculus: Calculus, measure: Measure, rates: Sequence[int]) -> Number:
    """A constant of the calculus as a number, times (y^r - 1) / (y^r + 1) for each of the rates r on the lattice."""
    by_tag: dict[int, dict[int, Fraction]] = {}
    for (_, _, a, tag), c in found.items():
        by_tag.setdefault(tag, {})[a] = Fraction(c)
    unit = Fraction(calculus.unit)
    if not calculus.lattice:
        parts = (Number(_sum(part, unit, measure), ONE) * measure.whole**tag for tag, part in by_tag.items())
        return sum(parts, ZERO)
    top, below = _joined({tuple(_binomials(tag, calculus.steps)): part for tag, part in by_tag.items()})
    sign = Fraction((-1) ** len(rates))
    scaled = _times({a: sign * c for a, c in top.items()}, (Binomial(r, -1) for r in rates))
    reduced, bottom = _cancelled(scaled, [*below, *(Binomial(r, 1) for r in rates)])
    return quotient(_sum(reduced, unit, measure), _sum(bottom, unit, measure))


def _joined(parts: Mapping[tuple[Binomial, ...], Polynomial]) -> tuple[Polynomial, list[Binomial]]:
    """The sum of the polynomials over their factors: above, and the factors below."""
    below = Counter[Binomial]()
    for factors in parts:
        below |= Counter(factors)  # the greatest power of each
    top: dict[int, Fraction] = {}
    for factors, part in parts.items():
        for a, c in _times(part, (below - Counter(factors)).elements()).items():
            top[a] = top.get(a, Fraction(0)) + c
    return {a: c for a, c in top.items() if c}, [*below.elements()]


def _cancelled(top: Polynomial, factors: list[Binomial]) -> tuple[Polynomial, Polynomial]:
    """The top over the product of the factors, without those that divide it."""
    bottom: Polynomial = {0: Fraction(1)}
    for factor in factors:
        divided = _over(top, factor)
        if divided is None:
            bottom = _times(bottom, [factor])
        else:
            top = divided
    return top, bottom


def _binomials(tag: int, steps: list[int]) -> Iterable[Binomial]:
    """The factors below that a tag stands for."""
    for m in steps:
        tag, power = divmod(tag, BASE)
        yield from [Binomial(m, -1)] * power


def _sum(polynomial: Polynomial, unit: Fraction, measure: Measure) -> Sum:
    """The polynomial as a sum."""
    if not measure.logarithmic:
        return {(a * unit, (), ()): c for a, c in polynomial.items() if c}
    total: Sum = {}
    for a, c in polynomial.items():
        total = plus(total, (exponential(measure.whole * number(a * unit)) * number(c)).top)
    return total


def _times(polynomial: Polynomial, factors: Iterable[Binomial]) -> Polynomial:
    """The product of the polynomial and the factors."""
    for m, sign in factors:
        found = dict(polynomial)
        for a, c in polynomial.items():
            found[a + m] = found.get(a + m, Fraction(0)) + sign * c
        polynomial = {a: c for a, c in found.items() if c}
    return polynomial


def _over(polynomial: Polynomial, factor: Binomial) -> Polynomial | None:
    """The polynomial divided by the factor, None where it is not divisible or that takes too long to find out."""
    left, found = dict(polynomial), {}
    most = max(polynomial, default=0) - factor.m
    if polynomial and most - min(polynomial) > MOST_STEPS:
        return None
    for a in range(min(polynomial, default=0), most + 1):
        c = left.pop(a, Fraction(0))
        if c:
            found[a] = c
            left[a + factor.m] = left.get(a + factor.m, Fraction(0)) - factor.sign * c
    return None if any(left.values()) else found
