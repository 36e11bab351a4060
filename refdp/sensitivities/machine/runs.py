"""Tables written as runs of equal rows."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

LARGEST_TABLE = 1 << 20
"""Most rows that are ever written out one by one."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Rows in order: each value, so many times, at least once."""

    parts: tuple[tuple[Any, int], ...]

    def __len__(self) -> int:
        return sum(count for _, count in self.parts)

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(itertools.repeat(value, count) for value, count in self.parts)

    def mapped(self, act: Callable[[Any], Any]) -> Runs:
        """The table of act(value)."""
        return Runs(tuple((act(value), count) for value, count in self.parts))

    def rows(self) -> list[Any]:
        """Row by row.  ValueError for a table that is too long for that."""
        if len(self) > LARGEST_TABLE:
            raise ValueError(f"rows must be at most {LARGEST_TABLE}, got {len(self)}")
        return list(self)

    def ends(self) -> list[int]:
        """How many rows the first runs have together, for each number of runs."""
        return list(itertools.accumulate(count for _, count in self.parts))

    def slice(self, start: int, stop: int) -> list[Any]:
        """The rows from `start` to before `stop`."""
        ends, found = self.ends(), list[Any]()
        while start < stop:
            index = bisect.bisect_right(ends, start)
            count = min(ends[index], stop) - start
            found += [self.parts[index][0]] * count
            start += count
        return found


Numbers = Sequence[Any] | Runs


def runs(parts: Iterable[tuple[Any, int]]) -> Runs:
    """The table of these runs; empty ones are left out."""
    return Runs(tuple((value, count) for value, count in parts if count > 0))


def mapped(act: Callable[[Any], Any], numbers: Numbers) -> Numbers:
    """act(value) of every row; once for each run."""
    return numbers.mapped(act) if isinstance(numbers, Runs) else [act(x) for x in numbers]
