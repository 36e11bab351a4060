"""A certificate that a smooth bound at one table is at most B: replayed in one pass, without search or solver.

It lists, for stretches of distances k, the reach A_k of the last of them and the window that attains it.  As A_k does
not fall in k, exp(-beta k) A_k is at most exp(-beta first) A_last on a stretch; after the last stretch A_k is at most
what the whole width of the bounds makes it.  That the greatest of these is a smooth bound at every table is what the
lemmas prove, once for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.logic.digests import digest
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.exact import exact
from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.smoothing.parts import Part, parts
from refdp.sensitivities.smoothing.windows import SortedTable

FORMAT = "refdp-smooth-sensitivity/1"
BITS = 128
"""Binary digits to which exponentials are enclosed."""
MOST_WINDOWS = 20_000_000
"""Most windows that a check looks at."""
KEYS = {"format", "statistic", "neighbours", "beta", "bounds", "rows", "empty", "bound", "parts"}


class BadCertificate(ValueError):
    """The certificate does not establish its bound."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The distances first <= k <= last, A_last and the place of its window; None is every distance from `first` on."""

    first: int
    last: int | None
    value: Fraction
    place: int = 0

    def bound(self, beta: Fraction) -> Fraction:
        """At least exp(-beta k) A_k for each of these k."""
        return exp_bounds(-beta * self.first, BITS)[1] * self.value


@dataclass(frozen=True, slots=True)
class Certificate:
    """The smooth bound of a statistic at a table is at most `bound`."""

    statistic: str
    neighbours: Neighbours
    beta: Fraction
    table: SortedTable
    empty: Fraction | None
    bound: Fraction
    parts: tuple[tuple[Stretch, ...], ...]
    """For each part of the statistic, stretches of all distances in order."""

    def check(self) -> str:
        """The statement that holds, as a sentence.  BadCertificate where it is not established."""
        if self.beta <= 0:
            raise BadCertificate(f"beta must be > 0, got {self.beta}")
        wanted = parts(self.statistic, self.neighbours, self.table, self.empty)
        last = [one.last for part in self.parts for one in part if one.last is not None]
        if any(k > len(self.table.rows) for k in last) or sum(last) > MOST_WINDOWS:
            raise BadCertificate("the ends of stretches must be at most the number of rows, and few enough to check")
        if len(wanted) != len(self.parts):
            raise BadCertificate(f"{self.statistic} has {len(wanted)} part(s), got {len(self.parts)}")
        bounds = [self._part(part, found) for part, found in zip(wanted, self.parts, strict=True)]
        needed = sum(bounds, Fraction(0)) / len(bounds)
        if needed > self.bound:
            raise BadCertificate(f"the bound must be at least {needed}, got {self.bound}")
        rows = " ".join(map(str, self.table.rows))
        empty = "" if self.empty is None else f", {self.empty} for the empty table"
        return (
            f"a {self.beta}-smooth bound of the sensitivity of {self.statistic} under {self.neighbours}"
            f" is at most {self.bound} at this table of {len(self.table.rows)} rows"
            f" in [{self.table.lower}, {self.table.upper}]{empty} ({digest(rows)} of the sorted rows)"
        )

    def _part(self, part: Part, stretches: Sequence[Stretch]) -> Fraction:
        """The greatest bound of the stretches, which are those of all distances."""
        expected: int | None = 0
        for one in stretches:
            if expected is None or one.first != expected or one.last is not None and one.last < one.first:
                raise BadCertificate(f"stretches must follow each other from 0 on, got {one.first} for {expected}")
            self._stretch(part, one)
            expected = None if one.last is None else one.last + 1
        if expected is not None:
            raise BadCertificate("the last stretch must have no end")
        return max(one.bound(self.beta) for one in stretches)

    def _stretch(self, part: Part, one: Stretch) -> None:
        """BadCertificate unless `value` is the reach at the last distance, and that of the window at `place`."""
        if one.last is None:
            if one.value < part.limit(self.table):
                raise BadCertificate("the last stretch must reach from bound to bound")
        elif (one.value, one.place) != ((needed := part.reach(self.table, one.last)).value, needed.place):
            raise BadCertificate(f"A_{one.last} must be {needed.value}, got {one.value} of window {one.place}")

    def plain(self) -> dict[str, Any]:
        """As JSON data; numbers are text."""
        return {
            "format": FORMAT, "statistic": self.statistic, "neighbours": self.neighbours, "beta": str(self.beta),
            "bounds": [str(self.table.lower), str(self.table.upper)], "rows": [str(x) for x in self.table.rows],
            "empty": None if self.empty is None else str(self.empty), "bound": str(self.bound),
            "parts": [[[s.first, s.last, str(s.value), s.place] for s in part] for part in self.parts],
        }  # fmt: skip


def read_certificate(data: Any) -> Certificate:
    """The certificate in JSON data.  BadCertificate where it is not one."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT or set(data) != KEYS:
        raise BadCertificate(f"a certificate must have the format {FORMAT} and its keys")
    try:
        if data["neighbours"] not in ("add_remove", "change_one") or not isinstance(data["statistic"], str):
            raise BadCertificate("a certificate must name a statistic and its neighbours")
        lower, upper = (exact(x, "bounds") for x in data["bounds"])
        rows = tuple(exact(x, "rows") for x in data["rows"])
        found = tuple(tuple(_stretch(*one) for one in part) for part in data["parts"])
        empty = None if data["empty"] is None else exact(data["empty"], "empty")
        return Certificate(data["statistic"], data["neighbours"], exact(data["beta"], "beta"),
                           SortedTable(rows, lower, upper), empty, exact(data["bound"], "bound"), found)  # fmt: skip
    except (TypeError, ArithmeticError, ValueError) as error:
        raise BadCertificate(f"a certificate must be well formed: {error}") from None


def _stretch(first: object, last: object, value: object, place: object) -> Stretch:
    """A stretch from its four entries."""
    if type(first) is not int or type(place) is not int or not (last is None or type(last) is int):
        raise BadCertificate("distances and places must be whole numbers")
    return Stretch(first, last, exact(value, "reach"), place)
