"""The probability that noisy answers lie above, or below, one noisy threshold: exactly.

The threshold is 0 + R, an answer q + N, with R and the N independent.  On the reals R and N have the density
e^-|z/s| / (2 s) of a scale s; on the whole numbers the masses e^-|k/s| (1 - r) / (1 + r) with r = e^(-1/s).
Between neighbouring cuts, 0 and the answers, what is integrated or added up over the threshold t is a sum of c e^(m t).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from refdp.terms.evaluation import Arithmetic

NONE, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
Terms = Mapping[Fraction, Any]
"""m -> c of a sum of c e^(m t)."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """P[q + N >= R for each q of `above`, q + N < R for each q of `below`]; a scale of None stands for no noise."""

    above: tuple[Fraction, ...]
    below: tuple[Fraction, ...]
    threshold_scale: Fraction | None
    answer_scale: Fraction | None
    on_grid: bool
    arithmetic: Arithmetic

    def probability(self) -> Any:
        """The integral, or the sum, over the threshold; without noise on it, the value at 0."""
        if self.threshold_scale is None:
            return self.total(self.answers(NONE).values())
        cuts: list[Fraction | None] = [None, *sorted({NONE, *self.above, *self.below}), None]
        return self.total(self.piece(low, high) for low, high in pairwise(cuts))

    def piece(self, low: Fraction | None, high: Fraction | None) -> Any:
        """The part of it from a cut, exclusive, to the next one, inclusive; None stands for no bound."""
        terms = product(self.answers(high), self.threshold(high))
        return self.total(self.integral(m, c, low, high) for m, c in terms.items())

    def answers(self, high: Fraction | None) -> Terms:
        """The probability that all answers lie as they should, at a threshold in the piece that ends at `high`."""
        found: Terms = {NONE: self.number(ONE)}
        for q in self.below:
            found = product(found, self.lies_below(q, is_rising(q, high)))
        for q in self.above:
            found = product(found, self.lies_above(q, is_rising(q, high)))
        return found

    def lies_below(self, q: Fraction, rising: bool) -> Terms:
        """P[q + N < t], at t <= q where it is rising, else at t > q."""
        if self.answer_scale is None:
            return {} if rising else {NONE: self.number(ONE)}
        tail = self.tail(q, rising)
        return tail if rising else {NONE: self.number(ONE), **{m: -c for m, c in tail.items()}}

    def lies_above(self, q: Fraction, rising: bool) -> Terms:
        """P[q + N >= t], likewise."""
        if self.answer_scale is None:
            return {NONE: self.number(ONE)} if rising else {}
        tail = self.tail(q, rising)
        return {NONE: self.number(ONE), **{m: -c for m, c in tail.items()}} if rising else tail

    def tail(self, q: Fraction, rising: bool) -> Terms:
        """The smaller of the two: P[q + N < t] where it is rising, else P[q + N >= t]."""
        rate = 1 / self.scale_of_answers
        if not self.on_grid:
            weight = self.number(HALF)
        else:  # the masses from one step off on, or from the place itself on
            ratio = self.exponential(-rate)
            weight = (ratio if rising else self.number(ONE)) / (self.number(ONE) + ratio)
        return {rate: weight * self.exponential(-rate * q)} if rising else {-rate: weight * self.exponential(rate * q)}

    def threshold(self, high: Fraction | None) -> Terms:
        """The density, or the mass, of R in the piece that ends at `high`."""
        rate = 1 / self.scale_of_threshold
        if not self.on_grid:
            weight = self.number(rate / 2)
        else:
            ratio = self.exponential(-rate)
            weight = (self.number(ONE) - ratio) / (self.number(ONE) + ratio)
        return {rate if is_rising(NONE, high) else -rate: weight}

    def integral(self, m: Fraction, c: Any, low: Fraction | None, high: Fraction | None) -> Any:
        """Of c e^(m t) from low to high, or its sum over low + 1, ..., high; m > 0 where low is absent, m < 0 where
        high is."""
        if m == 0 and low is not None and high is not None:
            return c * self.number(high - low)
        nothing, step = self.number(NONE), 1 if self.on_grid else 0
        upper = nothing if high is None else self.exponential(m * (high + step))
        lower = nothing if low is None else self.exponential(m * (low + step))
        per = self.exponential(m) - self.number(ONE) if self.on_grid else self.number(m)
        return c * (upper - lower) / per

    @property
    def scale_of_threshold(self) -> Fraction:
        """The scale, where there is noise."""
        return ONE if self.threshold_scale is None else self.threshold_scale

    @property
    def scale_of_answers(self) -> Fraction:
        """The scale, where there is noise."""
        return ONE if self.answer_scale is None else self.answer_scale

    def total(self, parts: Any) -> Any:
        """The sum of numbers in the arithmetic at hand."""
        return sum(parts, self.number(NONE))

    def exponential(self, x: Fraction) -> Any:
        """e^x."""
        return self.arithmetic.function("exp", self.number(x))

    def number(self, x: Fraction) -> Any:
        """The rational number in the arithmetic at hand."""
        return self.arithmetic.number(x)


def is_rising(cut: Fraction, high: Fraction | None) -> bool:
    """Whether the piece that ends at `high` lies at or below the cut."""
    return high is not None and high <= cut


def product(a: Terms, b: Terms) -> Terms:
    """The product of two such sums."""
    found: dict[Fraction, Any] = {}
    for m, c in a.items():
        for n, d in b.items():
            found[m + n] = found[m + n] + c * d if m + n in found else c * d
    return found


def crossed(
    above: Sequence[Fraction],
    below: Sequence[Fraction],
    scales: tuple[Fraction | None, Fraction | None],
    on_grid: bool,
    arithmetic: Arithmetic,
) -> Any:
    """P[the answers `above` are at least the threshold 0 + R, those `below` are not]; scales of R and of N."""
    return Crossing(tuple(above), tuple(below), *scales, on_grid, arithmetic).probability()
