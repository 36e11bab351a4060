"""A smooth bound that a user wrote as a function of tables: two tables on which it is none, if some are found.

S is beta-smooth if S(x) >= |f(x) - f(y)| and S(x) <= e^beta S(y) for all neighbours x, y.  Small tables over likely
records are tried, and a pair is a refutation; no pair among them proves nothing about larger tables.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from refdp import work
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.exact import Exactly, positive
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.answers import Answer, distance
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.nearby.small import small_pairs, some_records
from refdp.sensitivities.question import Neighbours, Norm
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.tables import Table, keys
from refdp.verdicts import Verdict

LARGEST = 5
"""Most rows of a table that is tried."""
MOST_RECORDS = 6
"""Most records of which tables are made."""
BITS = 128


@dataclass(frozen=True, slots=True)
class Violation:
    """Neighbouring tables on which the bound is none."""

    what: Literal["below the local sensitivity", "not smooth", "not a number >= 0"]
    first: Table
    second: Table
    bounds: tuple[Fraction | None, Fraction | None]
    """What the user's bound is at each; None where it raises or is no single number."""
    distance: Fraction | None
    """How far apart the answers are, squared under L2; None is infinitely far."""


@dataclass(frozen=True, slots=True)
class OwnBound(Verdict):
    """REFUTED with a violation, or UNKNOWN with how far was looked."""

    violation: Violation | None = None


def own_bound(
    bound: Source,
    query: Source,
    declaration: Declaration,
    beta: Exactly,
    neighbours: Neighbours,
    norm: Norm = "L1",
    seconds: float = 20,
) -> OwnBound:
    """Whether a pair refutes that `bound` is a beta-smooth bound of the sensitivity of `query`; beta > 0."""
    rate = positive(beta, "beta")
    if declaration.symbolic:
        raise ValueError(f"the parameters must have values, got none for {', '.join(declaration.symbolic)}")
    return Trial(bound, query, declaration, rate, neighbours, norm, work.spent() + seconds).result()


@dataclass(slots=True)
class Trial:
    """Small tables, what the query answers and what the bound is at each."""

    bound: Source
    query: Source
    declaration: Declaration
    beta: Fraction
    neighbours: Neighbours
    norm: Norm
    deadline: float
    known: dict[tuple[str, Hashable], Answer] = field(default_factory=dict)

    def result(self) -> OwnBound:
        """The first violation, on the smallest tables."""
        size = -1
        try:
            for size in range(LARGEST + 1):
                for first, second in self.pairs(size):
                    if work.spent() > self.deadline:
                        return self.unknown(size - 1, "; the time is over")
                    if (found := self.violation(first, second)) is not None:
                        return OwnBound("REFUTED", found)
        except ArithmeticError as unclear:
            return self.unknown(size - 1, f"; {unclear}")
        return self.unknown(LARGEST, "")

    def unknown(self, size: int, why: str) -> OwnBound:
        """No violation so far."""
        tried = f"n <= {size}" if size >= 0 else "no n"
        looked = f"no violation on tables of {len(self.records)} records and {tried}{why}"
        return OwnBound("UNKNOWN", reason=looked)

    @property
    def records(self) -> list[Concrete]:
        """The records of which tables are made."""
        return some_records(self.query, self.declaration, MOST_RECORDS)

    def pairs(self, size: int) -> Iterator[tuple[Table, Table]]:
        """Tables of at most that size and their neighbours, in both orders."""
        for first, second in small_pairs(self.declaration.record, self.records, size, self.neighbours):
            yield first, second
            yield second, first

    def answer(self, source: Source, table: Table) -> Answer:
        """What a function does on a table."""
        key = (source.name, keys(table))
        if key not in self.known:
            self.known[key] = answer_of(source, table, self.declaration.values, record=self.declaration.record)
        return self.known[key]

    def value(self, table: Table) -> Fraction | None:
        """The user's bound; None where it raises or is no single number >= 0."""
        found = self.answer(self.bound, table)
        if found.exception or [path for path, _ in found.values] != [()]:
            return None
        leaf = found.values[0][1]
        return Fraction(leaf) if isinstance(leaf, Fraction | bool) and leaf >= 0 else None

    def violation(self, first: Table, second: Table) -> Violation | None:
        """What is wrong with the bound at the first table, seen from the second."""
        here, there = self.value(first), self.value(second)
        apart = distance(self.answer(self.query, first), self.answer(self.query, second), self.norm)
        bounds = (here, there)
        if here is None:
            return Violation("not a number >= 0", first, second, bounds, apart)
        if apart is None or apart > (here * here if self.norm == "L2" else here):
            return Violation("below the local sensitivity", first, second, bounds, apart)
        if there is not None and here > exp_bounds(self.beta, BITS)[1] * there:
            return Violation("not smooth", first, second, bounds, apart)
        return None
