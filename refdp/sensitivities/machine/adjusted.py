"""The sensitivity that is proved for what a machine computes: the ideal one and the rounding of both tables.

    |f(x) - f(y)| <= |F(x) - F(y)| + |f(x) - F(x)| + |f(y) - F(y)|

with f what is computed and F the exact function.  F does not see the order of rows, so neither does the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from refdp.sensitivities.machine.error_bounds import sum_error
from refdp.sensitivities.machine.formats import FLOAT16, FLOAT32, FLOAT64, FloatFormat, spacing
from refdp.sensitivities.machine.lemmas import Lemma
from refdp.sensitivities.machine.summands import NoBound, SumError, rounding_error, summands
from refdp.sensitivities.question import Neighbours, Tables

Kind = Literal["sum", "mean", "deviations"]
DIGITS = 64
"""Significant bits of a bound; it is rounded up."""


@dataclass(frozen=True, slots=True)
class MachineQuery:
    """A function of tables of at most `maximum_rows` floats between the bounds, summed in some order.

    "sum"; "mean": sum / n; "deviations": the sum of (x - mean)(x - mean) in two passes.  Each operation is rounded.
    """

    kind: Kind
    order: str
    form: FloatFormat
    lower: Fraction
    upper: Fraction
    neighbours: Neighbours
    maximum_rows: int
    minimum_rows: int = 1
    """Of either table; for a mean and deviations at least 1."""
    edits: int = 1
    quantum: Fraction | None = None
    """Where all rows are its whole multiples."""
    tables: Tables = "multisets"
    """Whether rows may stand in another order, too; the bound does not depend on it."""

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise ValueError(f"bounds must be lower <= upper, got {self.lower} and {self.upper}")
        if self.edits < 1:
            raise ValueError(f"edits must be >= 1, got {self.edits}")
        if self.quantum is not None and self.quantum <= 0:
            raise ValueError(f"quantum must be > 0, got {self.quantum}")
        least = 0 if self.kind == "sum" else 1
        if not least <= self.minimum_rows <= self.maximum_rows:
            counts = f"{self.minimum_rows} to {self.maximum_rows}"
            raise ValueError(f"rows must be at least {least} and at most maximum_rows, got {counts}")

    @property
    def largest(self) -> Fraction:
        """The largest size of a row."""
        return max(abs(self.lower), abs(self.upper))

    @property
    def width(self) -> Fraction:
        """The distance of the bounds."""
        return self.upper - self.lower


@dataclass(frozen=True, slots=True)
class AdjustedBound:
    """No two tables of the query move its answer further apart than `bound`."""

    query: MachineQuery
    bound: Fraction
    """The ideal sensitivity and the error of either table, rounded up."""
    ideal: Fraction
    """Over exact arithmetic."""
    error: Fraction
    """Of one table."""
    lemmas: tuple[Lemma, ...]
    """What z3 and cvc5 have to prove for it."""


def adjusted_bound(query: MachineQuery) -> AdjustedBound:
    """The bound that is proved.  NoBound where there is none, with the reason."""
    found = ERRORS[query.kind](query)
    ideal = ideal_sensitivity(query)
    bound = ideal if found.error == 0 else rounded_up(ideal + 2 * found.error)
    return AdjustedBound(query, bound, ideal, found.error, found.lemmas)


def ideal_sensitivity(query: MachineQuery) -> Fraction:
    """How far the exact function moves; for a mean, with the fewest rows.  Proofs: docs/machine_arithmetic.md."""
    if query.kind == "deviations":
        return query.edits * query.width**2 * (1 - Fraction(1, query.maximum_rows))
    grows = query.neighbours == "add_remove"
    if query.kind == "sum":
        return query.edits * (query.largest if grows else query.width)
    return query.edits * query.width / (query.minimum_rows + grows)


def rounded_up(value: Fraction) -> Fraction:
    """The least number of DIGITS bits that is no smaller than `value` >= 0."""
    if value == 0:
        return value
    shift = DIGITS - value.numerator.bit_length() + value.denominator.bit_length()
    scale = Fraction(2) ** shift
    return -((-value * scale).__floor__()) / scale


def common_quantum(query: MachineQuery) -> Fraction:
    """All rows are whole multiples of it: floats between bounds of one sign are of the spacing at the smaller one."""
    if query.lower > 0 or query.upper < 0:
        natural = spacing(min(abs(query.lower), abs(query.upper)), query.form)
    else:
        natural = query.form.smallest
    return natural if query.quantum is None or natural % query.quantum == 0 else query.quantum


def _sum(query: MachineQuery) -> SumError:
    """The error of the sum."""
    return sum_error(query.order, summands(query.form, query.maximum_rows, query.largest), common_quantum(query))


def _mean(query: MachineQuery) -> SumError:
    """The error of the sum over n, and one rounding.  n itself must be a float.

    numpy sums float16 as float32 in blocks of 8192, and divides in float64 first.
    """
    form, rounds = query.form, [query.form]
    if query.maximum_rows > min(1 / form.unit, form.largest):
        raise NoBound(f"{query.maximum_rows} rows: their number must be a whole {form.name} number for a mean")
    total = _sum(query)
    each, lemmas = total.per_row, total.lemmas
    if query.order == "numpy":
        rounds.append(FLOAT64)
        if form == FLOAT16:
            wide = sum_error("any", summands(FLOAT32, query.maximum_rows, query.largest))
            each = max(each, wide.per_row + form.unit * (query.largest + wide.per_row))
            lemmas = tuple(dict.fromkeys((*lemmas, *wide.lemmas)))
    for one in rounds:
        each += rounding_error(one, query.largest + each)
    if query.largest + each > form.largest:
        raise NoBound(f"a mean of rows of size {query.largest} may round beyond the largest {form.name}")
    return SumError(each, each, total.reach, lemmas)


def _deviations(query: MachineQuery) -> SumError:
    """Rounded mean, differences, squares and their sum; a sum of squares is at most n (upper - lower)^2 / 4."""
    form, n, width = query.form, query.maximum_rows, query.width
    if query.order == "numpy" and form == FLOAT16:
        raise NoBound("numpy's squared deviations of float16 have no proved bound; use float32")
    w, least = form.unit / (1 + form.unit), form.smallest / 2
    mean = _mean(query)
    off, spread = mean.error, n * width**2 / 4
    drift = n * off**2 * (1 + w) ** 2 + off * (1 + w) * w * n * width + w**2 * spread
    squares = spread + 2 * w * (spread + off * n * width / 2) + drift
    rounded = squares * (1 + w) + n * least
    largest = (width + off) ** 2 * (1 + w) ** 3 + least
    if query.largest + mean.error + width > form.largest:
        raise NoBound(f"differences may exceed the largest {form.name}")
    total = sum_error(query.order, summands(form, n, largest, rounded))
    lemmas = tuple(dict.fromkeys((*mean.lemmas, *total.lemmas)))
    return SumError(rounded - spread + total.error, total.per_row, total.reach, lemmas)


ERRORS: Mapping[Kind, Callable[[MachineQuery], SumError]] = {"sum": _sum, "mean": _mean, "deviations": _deviations}
"""The error of each kind of query on one table."""
