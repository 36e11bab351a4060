"""Sums of integers of so many bits: when they have the ideal sensitivity, for every number of rows or up to a limit.

Wrapping: a wrapped sum is the exact sum modulo 2^bits in every order, so that it is exact where the exact sum is in
range; partial sums do not matter.  Saturating, rows in order: adding x and clipping brings two sums no further apart,
so an edit moves the answer by no more than the row itself, however many rows follow.  Saturating, order free: only
where no partial sum leaves the range.  Proofs: docs/machine_arithmetic.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.machine.formats import IntegerFormat
from refdp.sensitivities.machine.lemmas import Lemma
from refdp.sensitivities.machine.summands import NoBound
from refdp.sensitivities.question import Neighbours, Tables

_CLIP = "min(max({}, low), high)"
SUM_RANGE = Lemma(
    "sum_range",
    ("0 <= k", "lower <= 0", "0 <= upper", "k * lower <= s", "s <= k * upper", "lower <= x", "x <= upper"),
    ("(k + 1) * lower <= s + x", "s + x <= (k + 1) * upper"),
)
"""A sum of k rows between lower <= 0 and upper >= 0 is between k lower and k upper: one more row."""
CLIPPED_STEP = Lemma(
    "clipped_step",
    ("low <= high", "abs(s - t) <= d"),
    (f"abs({_CLIP.format('s + x')} - {_CLIP.format('t + x')}) <= d",),
)
"""The same row added to two saturated sums."""
CLIPPED_INSERTION = Lemma(
    "clipped_insertion",
    ("low <= s", "s <= high", "abs(x) <= d"),
    (f"abs({_CLIP.format('s + x')} - s) <= d",),
)
"""A row added to one of two equal sums."""
CLIPPED_CHANGE = Lemma(
    "clipped_change",
    ("low <= high", "abs(x - y) <= d"),
    (f"abs({_CLIP.format('s + x')} - {_CLIP.format('s + y')}) <= d",),
)
"""Different rows added to equal sums."""
SPLIT = Lemma(
    "split",
    ("0 <= high", "0 <= p", "0 <= x"),
    (
        "min(min(p, high) + x, high) == min(p + x, high)",
        "abs(min(p + x, high) - min(p, high)) <= x",
    ),
)
"""A saturating sum of rows >= 0 is the exact sum, clipped once; so it is the same in every order."""
INTEGER_LEMMAS: Mapping[str, Lemma] = {
    lemma.name: lemma for lemma in (SUM_RANGE, CLIPPED_STEP, CLIPPED_INSERTION, CLIPPED_CHANGE, SPLIT)
}
"""Every lemma by its name."""


@dataclass(frozen=True, slots=True)
class IntegerQuery:
    """A sum of integers between the bounds in a format, of at most `maximum_rows` rows; None is any number.

    `split`: rows >= 0 and rows < 0 are summed apart, and the two sums added.
    """

    form: IntegerFormat
    lower: int
    upper: int
    neighbours: Neighbours
    maximum_rows: int | None
    tables: Tables = "multisets"
    edits: int = 1
    split: bool = False

    def __post_init__(self) -> None:
        if not self.form.lowest <= self.lower <= self.upper <= self.form.highest:
            ends = f"{self.form.lowest} and {self.form.highest}"
            raise ValueError(f"bounds must be lower <= upper between {ends}, got {self.lower} and {self.upper}")
        if self.edits < 1:
            raise ValueError(f"edits must be >= 1, got {self.edits}")
        if self.maximum_rows is not None and self.maximum_rows < 0:
            raise ValueError(f"maximum_rows must be >= 0, got {self.maximum_rows}")


@dataclass(frozen=True, slots=True)
class IntegerBound:
    """No two tables of the query move its sum further apart than `bound`."""

    query: IntegerQuery
    bound: Fraction
    because: str
    lemmas: tuple[Lemma, ...]


def integer_bound(query: IntegerQuery) -> IntegerBound:
    """The ideal sensitivity where it is proved.  NoBound where it is not, with the reason."""
    grows = query.neighbours == "add_remove"
    row = max(abs(query.lower), abs(query.upper)) if grows else query.upper - query.lower
    bound = Fraction(query.edits * row)
    limit = rows_without_overflow(query.form, query.lower, query.upper)
    if limit is None or query.maximum_rows is not None and query.maximum_rows <= limit:
        return IntegerBound(query, bound, "no partial sum leaves the range", (SUM_RANGE,))
    if query.form.overflow == "wrap":
        raise NoBound(f"{limit + 1} rows may sum beyond {query.form.name}, where the sum wraps around")
    if query.split or query.lower >= 0 or query.upper <= 0:
        return IntegerBound(query, bound, "rows of one sign, clipped once", (SPLIT, CLIPPED_CHANGE))
    if query.tables == "lists":
        lemmas = (CLIPPED_STEP, CLIPPED_CHANGE, *((CLIPPED_INSERTION,) if grows else ()))
        return IntegerBound(query, bound, "rows in order, clipped after each", lemmas)
    raise NoBound(f"{limit + 1} rows may saturate {query.form.name}, and then the sum depends on their order")


def rows_without_overflow(form: IntegerFormat, lower: int, upper: int) -> int | None:
    """The most rows between the bounds whose partial sums all stay in range; None where every number of rows does."""
    limits = [form.highest // upper] if upper > 0 else []
    limits += [form.lowest // lower] if lower < 0 else []
    return min(limits, default=None)
