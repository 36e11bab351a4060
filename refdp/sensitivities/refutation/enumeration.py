"""Small tables over interesting records, all of them, and every two that are neighbours."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.sensitivities.language.concrete.answers import Answer
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.refutation.judge import Judge, Parameters
from refdp.sensitivities.tables import Table, key

NARROW = (1, 16, 7, 4, 3, 2, 2)
"""How many different records are tried in tables of 0, 1, 2, ... rows, at first."""
WIDE = (1, 80, 25, 10, 5, 3, 2, 2, 2)
"""The same where there is more time."""
MIDDLE = (1, 24, 8, 5, 3, 2, 2)
"""The same where several rows are edited or parameters are symbols."""
LONGEST = 120
"""Most rows of a long table."""
MOST_SAME = 4
"""How many different records are tried in long tables."""
MOST_CHANGES = 300
"""Most ways of changing the same rows."""
Group = tuple[Hashable, ...]
Run = tuple[Table, Answer]


@dataclass(slots=True)
class Universe:
    """Tables that have been run, grouped: under "multisets" orders of one table are one group."""

    judge: Judge
    parameters: Parameters
    groups: dict[int, dict[Group, list[Run]]] = field(default_factory=dict)
    letters: list[Hashable] = field(default_factory=list)
    """The records of the tables that were run last."""

    def add(self, records: Sequence[Concrete], size: int) -> None:
        """Run all tables of so many rows; of each group, the first table with each answer."""
        found = self.groups.setdefault(size, {})
        named = [(key(record), record) for record in records]
        self.letters = [name for name, _ in named]
        for rows in itertools.product(named, repeat=size):
            table = tuple(record for _, record in rows)
            answer = self.judge.answer(table, self.parameters)
            if answer is not None:
                members = found.setdefault(self.group([name for name, _ in rows]), [])
                if all(answer != other for _, other in members):
                    members.append((table, answer))

    def group(self, names: Sequence[Hashable]) -> Group:
        """The name of a table's group."""
        return tuple(names) if self.judge.tables == "lists" else tuple(sorted(names, key=repr))

    def neighbours(self, name: Group) -> Iterator[Group]:
        """Groups of at most as many rows, at most `edits` edits away; under "multisets" itself too, last."""
        edits = min(self.judge.edits, len(name))
        found = self._shorter(name, edits) if self.judge.neighbours == "add_remove" else self._changed(name, edits)
        yield from dict.fromkeys(found)
        if self.judge.tables == "multisets":
            yield name

    def _shorter(self, name: Group, edits: int) -> Iterator[Group]:
        """Groups with rows left out, or with one changed, which is two edits."""
        for number in range(1, edits + 1):
            for kept in itertools.combinations(name, len(name) - number):
                yield kept
                if number + 2 <= self.judge.edits:
                    yield from self._changed(kept, 1)
        if self.judge.edits > 1:
            yield from self._changed(name, 1)

    def _changed(self, name: Group, edits: int) -> Iterator[Group]:
        """Groups with rows changed."""
        for places in itertools.combinations(range(len(name)), edits):
            for new in itertools.islice(itertools.product(self.letters, repeat=edits), MOST_CHANGES):
                self.judge.hurry()
                changed = dict(zip(places, new, strict=True))
                yield self.group([changed.get(i, x) for i, x in enumerate(name)])


def neighbouring(
    judge: Judge, parameters: Parameters, records: Sequence[Concrete], widths: Sequence[int]
) -> Iterator[tuple[Run, Run]]:
    """Every two neighbouring tables and the answers, small tables first; OutOfTime where the seconds are used up."""
    universe = Universe(judge, parameters)
    for size in range(len(widths)):
        universe.add(records[: widths[size]], size)
        for name, members in universe.groups[size].items():
            judge.hurry()
            for other in universe.neighbours(name):
                for first in universe.groups.get(len(other), {}).get(other, ()):
                    yield from ((first, second) for second in members if first is not second)


def long_tables(
    judge: Judge, parameters: Parameters, records: Sequence[Concrete], known: Sequence[Fraction]
) -> Iterator[tuple[Table, Table]]:
    """Tables of equal rows with all edits at one end, about as long as a whole number in the source."""
    lengths = {int(c) + more for c in known if c.denominator == 1 and 3 <= c <= LONGEST for more in (-1, 0, 1)}
    if 1 < judge.edits <= LONGEST:
        lengths |= {0, judge.edits}
    for size in sorted(lengths):
        for same in records[:MOST_SAME]:
            judge.hurry()
            table = (same,) * size
            for other in records[:MOST_SAME]:
                edited = (other,) * min(judge.edits, LONGEST)
                if judge.neighbours == "add_remove":
                    yield from ((table, (*table, *edited)), (table, (*edited, *table)))
                else:
                    yield from ((table, (*table, *edited)[-size:]), (table, (*edited, *table)[:size]))
