"""A certificate that a smooth bound at one table is at most B: replayed in one pass, without search or solver.

It lists, for stretches of distances k, the reach A_k of the last of them and the window that attains it.  As A_k does
not fall in k, exp(-beta k) A_k is at most exp(-beta first) A_last on a stretch; after the last stretch A_k is at most
what the whole width of the bounds makes it.  That the greatest of these is a smooth bound at every table is what the
lemmas prove, once for all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import get_args

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.questions import EngineQuestion
from refdp.logic.digests import digest
from refdp.logic.strict_json import Json, entries, exact, insist, items, loaded, whole
from refdp.numerics.elementary import exp_bounds
from refdp.sensitivities.checking.verifying import Judged
from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.smoothing.believing import SOLVERS, WRITTEN, trusted, why_unproved
from refdp.sensitivities.smoothing.parts import Part, parts
from refdp.sensitivities.smoothing.windows import SortedTable

KIND = "smooth_sensitivity"
QUESTION = ("neighbours", "beta", "bounds", "empty", "bound")
BITS = 128
"""Binary digits to which exponentials are enclosed."""
MOST_WINDOWS = 20_000_000
"""Most windows that a check looks at."""


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

    def check(self) -> None:
        """BadCertificate unless it is a bound at the table."""
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

    @property
    def sentence(self) -> str:
        """What it says."""
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

    def question(self) -> EngineQuestion:
        """Whether it is such a bound, as a question of this engine's: about the table, with all the rest."""
        rows = " ".join(map(str, self.table.rows))
        parts = (
            self.neighbours, str(self.beta), [str(self.table.lower), str(self.table.upper)],
            None if self.empty is None else str(self.empty), str(self.bound),
        )  # fmt: skip
        found = [
            [[str(s.first), None if s.last is None else str(s.last), str(s.value), str(s.place)] for s in part]
            for part in self.parts
        ]
        written = json.dumps(dict(zip(QUESTION, parts, strict=True)))
        return EngineQuestion(KIND, rows, self.statistic, written, json.dumps({"parts": found}))


def certificate_in(asked: EngineQuestion) -> Certificate:
    """The certificate that a question and what is brought make.  ValueError where they make none."""
    neighbours, beta, bounds, empty, bound = entries(loaded(asked.question), *QUESTION)
    (found,) = entries(loaded(asked.evidence), "parts")
    insist(neighbours in get_args(Neighbours), f"one of {', '.join(get_args(Neighbours))} is needed")
    insist(len(items(bounds)) == 2, "bounds must be two numbers")
    table = SortedTable(tuple(map(exact, asked.text.split())), *map(exact, bounds))
    stretches = tuple(tuple(map(_stretch, items(part))) for part in items(found))
    least = None if empty is None else exact(empty)
    return Certificate(asked.function, neighbours, exact(beta), table, least, exact(bound), stretches)


@lru_cache(maxsize=1)
def established(asked: EngineQuestion) -> Certificate:
    """The same, once its windows were looked at.  ValueError where they do not establish the bound."""
    found = certificate_in(asked)
    found.check()
    return found


def restated(asked: EngineQuestion) -> str:
    """The question as it is written.  ValueError where the rows are not."""
    found = certificate_in(asked).question()
    insist(found.text == asked.text, "the rows of the table must be written in order, with a space between two")
    return found.question


def sentence(asked: EngineQuestion) -> str:
    """What is asked, and of which table."""
    return certificate_in(asked).sentence


def believed(asked: EngineQuestion) -> tuple[frozenset[str], bool]:
    """Whom a proof names, and that solvers are asked about the lemmas.  ValueError where the bound is not established.

    That the table's windows make a smooth bound of every table is what the lemmas say.
    """
    established(asked)
    return frozenset({WRITTEN}), True


def asked(found: EngineQuestion, solver: str | None, seconds: float) -> Judged:
    """What the solvers say of the lemmas."""
    solvers, shown = SOLVERS if solver in (None, "both") else (str(solver),), established(found)
    if reason := why_unproved(shown.statistic, shown.neighbours, seconds, solvers):
        return Judged("UNKNOWN", reason=reason)
    return Judged("PROVED", trusts=frozenset(trusted(solvers)))


def refuted(asked: EngineQuestion) -> frozenset[str]:
    """KernelError: nothing refutes such a bound."""
    raise KernelError(f"no {asked.kind} is refuted")


def _stretch(found: Json) -> Stretch:
    """A stretch from its four entries."""
    insist(len(items(found)) == 4, "a stretch must be two distances, a reach and a place")
    first, last, value, place = found
    return Stretch(whole(first), None if last is None else whole(last), exact(value), whole(place))
