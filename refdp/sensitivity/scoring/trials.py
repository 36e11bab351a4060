"""Scores of candidates run on small neighbouring tables: what refutes a claim, and what the least claim may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from time import monotonic

from refdp.sensitivity.declaration import Declaration
from refdp.sensitivity.language.concrete.answers import Answer
from refdp.sensitivity.language.interpreter import answer_of
from refdp.sensitivity.language.source import Source
from refdp.sensitivity.nearby.small import Table, looked_up, small_pairs, some_records
from refdp.sensitivity.pair import Pair
from refdp.sensitivity.question import Neighbours
from refdp.sensitivity.records import Concrete

LARGEST = 3
"""Most rows of a table that is tried."""
MOST_RECORDS = 4


@dataclass(slots=True)
class Seen:
    """What small tables show of scores; each pair is the first of those that go as far."""

    rising: Pair | None = None
    """A row added raises a score."""
    falling: Pair | None = None
    furthest: Pair | None = None
    """A score moves furthest."""
    beyond: Pair | None = None
    """A score moves by more than was claimed."""
    spread: Fraction = Fraction(0)
    """The greatest difference of the moves of two candidates."""
    rows: int = -1
    """Up to how many rows all tables of the records tried were tried."""


@dataclass(slots=True)
class Trials:
    """A score function, values of its parameters for each candidate, and the tables on which it is run."""

    source: Source
    declaration: Declaration
    candidates: Sequence[Mapping[str, Concrete]]
    neighbours: Neighbours
    deadline: float
    claim: Fraction | None = None
    known: dict[tuple[int, Table], Answer] = field(default_factory=dict)

    def seen(self) -> Seen:
        """What tables of up to LARGEST rows show; ArithmeticError where a run has no exact outcome."""
        found = Seen()
        records = some_records(self.declaration.record, MOST_RECORDS)
        for size in range(LARGEST + 1):
            for second, first in small_pairs(self.declaration.record, records, size, self.neighbours):
                if monotonic() > self.deadline:
                    return found
                self.learn(found, first, second)
            found.rows = size
        return found

    def learn(self, found: Seen, first: Table, second: Table) -> None:
        """Take account of a pair; under add_remove the second table has one row more."""
        moved = []
        for place, values in enumerate(self.candidates):
            pair = self.pair(place, values, first, second)
            if (
                found.beyond is None
                and self.claim is not None
                and (pair.distance is None or pair.distance > self.claim)
            ):
                found.beyond = pair
            if pair.distance is None or found.furthest is None or _beyond(pair.distance, found.furthest.distance):
                found.furthest = found.furthest if _is_infinite(found.furthest) else pair
            if pair.distance is not None and not pair.outcomes[0].exception:
                rise = Fraction(pair.outcomes[1].numbers[0]) - Fraction(pair.outcomes[0].numbers[0])
                found.rising = pair if rise > 0 and found.rising is None else found.rising
                found.falling = pair if rise < 0 and found.falling is None else found.falling
                moved.append(rise)
        if moved:
            found.spread = max(found.spread, max(moved) - min(moved))

    def pair(self, place: int, values: Mapping[str, Concrete], first: Table, second: Table) -> Pair:
        """Two tables with one candidate's scores.  ValueError where the function returns no single number."""
        one, two = self.answer(place, values, first), self.answer(place, values, second)
        for answer in (one, two):
            if not answer.exception and [type(v) for _, v in answer.values] not in ([Fraction], [bool]):
                raise ValueError(f"a score must be one number, got {answer}")
        apart: Fraction | None = Fraction(0) if one.exception == two.exception else None
        if not one.exception and not two.exception:
            apart = abs(Fraction(one.outcome.numbers[0]) - Fraction(two.outcome.numbers[0]))
        symbols = {name: x for name, x in values.items() if isinstance(x, Fraction)}
        return Pair(first, second, symbols, (one.outcome, two.outcome), apart)

    def answer(self, place: int, values: Mapping[str, Concrete], table: Table) -> Answer:
        """The score of a candidate."""
        key = (place, looked_up(table))
        if key not in self.known:
            given = {**self.declaration.values, **values}
            self.known[key] = answer_of(self.source, table, given, record=self.declaration.record)
        return self.known[key]


def _is_infinite(pair: Pair | None) -> bool:
    """Whether the answers are infinitely far apart."""
    return pair is not None and pair.distance is None


def _beyond(one: Fraction, other: Fraction | None) -> bool:
    """Whether a distance is greater than another, None being infinite."""
    return other is not None and one > other


def likely_candidates(records: Sequence[Concrete]) -> Iterator[Fraction]:
    """Numbers worth trying as a candidate where the rows are such records: theirs, and numbers between and beyond."""
    numbers = sorted({x for x in records if isinstance(x, Fraction)} or {Fraction(0), Fraction(1)})
    yield from numbers
    yield from ((a + b) / 2 for a, b in pairwise(numbers))
    yield numbers[0] - 1
    yield numbers[-1] + 1
