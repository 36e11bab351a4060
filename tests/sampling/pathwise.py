"""Pathwise refinement, counted: `python -m tests.sampling.pathwise [--draws N] [NAME]` prints what decided the draws.

From the same digits, arrays hold the numbers of exact arithmetic, whatever the margin, and use the same digits.
"""

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

from refdp.sampling.bulk import exponential as bulk_exponential
from refdp.sampling.bulk.exponential import PerElement
from refdp.sampling.bulk.lookup import BulkLookup
from refdp.sampling.bulk.slots import BulkSlots, bulk_slots
from refdp.sampling.exponential import prefix
from refdp.sampling.lookup import Categorical, LookupDraws, bounds
from refdp.sampling.slots.certificate import MARGIN
from refdp.sampling.slots.draws import SlotDraws
from tests.sampling import exact_elements
from tests.sampling.families import ELEMENTS, LAWS, SLOTS, WIDENED, Remembered, fractions, scales
from tests.sampling.streams import Stream

BATCH = 100_000
"""Draws at a time: more than the arrays' chunks, and few enough that exact arithmetic's lists stay small."""
MARGINS = {"proved": MARGIN, "2^-8": 2.0**-8, "infinite": math.inf}
SLACKS = {"proved": (1.0, MARGIN), "2^20 fold": (2.0**20, 2.0**-8), "2^60 fold": (2.0**60, math.inf)}
"""Of the questions, and of the table that answers them; the last leave every one to exact arithmetic."""
HEAD = ("family", "margin", "draws", "digits", "by table", "by floats", "by exact", "identical", "seconds")


@dataclass(frozen=True)
class Row:
    """What decided the rounds of some draws; a round may return nothing, so there are more of them than draws.

    `floats` counts what 64-digit integers decided where the law is finite: no float takes part there.
    """

    family: str
    margin: str
    draws: int
    digits: int
    table: int
    floats: int
    exact: int
    identical: bool
    seconds: float

    def __str__(self) -> str:
        counts = (self.draws, self.digits, self.table, self.floats, self.exact)
        shown = (self.family, self.margin, *map(str, counts), str(self.identical), f"{self.seconds:.1f}")
        return " | ".join(shown)


Sample = Callable[[int, Stream], np.ndarray]
Exact = Callable[[int, Stream], list[int]]


class CountedDraws(SlotDraws):
    """Counts the places that are not full and asked about one by one, and the answers that exact arithmetic gives."""

    def __init__(self, draws: SlotDraws, counted: Counter[str]) -> None:
        super().__init__(draws.certificate)
        self.counted = counted

    def decided(self, place, v, margin=math.inf):
        self.counted["open"] += 1
        return super().decided(place, v, margin)

    def bound(self, place):
        self.counted["exact"] += 1
        return super().bound(place)

    def _rounds(self, n, source):
        self.counted["rounds"] += n
        return super()._rounds(n, source)


class CountedSlots(BulkSlots):
    """Counts rounds, and those at places that are not full: each once."""

    def __init__(self, draws: SlotDraws, margin: float, counted: Counter[str]) -> None:
        super().__init__(CountedDraws(draws, counted), margin)
        self.counted = counted

    def _look_up(self, drawn, source):
        self.counted["rounds"] += drawn.size
        return super()._look_up(drawn, source)

    def _decide(self, row, offset, source):
        before = self.counted["open"]
        found = super()._decide(row, offset, source)
        self.counted["open"] = before + row.size
        return found


class CountedLookupDraws(LookupDraws):
    """Counts the draws that are left to enclosures."""

    def __init__(self, law: Categorical, bounds, counted: Counter[str]) -> None:
        super().__init__(law, bounds)
        self.counted = counted

    def decided(self, u):
        self.counted["exact"] += 1
        return super().decided(u)


class CountedLookup(BulkLookup):
    """Counts draws, and those that 16 digits do not decide."""

    def __init__(self, law: Categorical, bounds, counted: Counter[str]) -> None:
        super().__init__(CountedLookupDraws(law, bounds, counted))
        self.counted = counted

    def sample(self, n, source):
        self.counted["rounds"] += n
        return super().sample(n, source)

    def _decided(self, first, source):
        self.counted["open"] += first.size
        return super()._decided(first, source)


@contextmanager
def counted_questions(margin: float, counted: Counter[str]) -> Iterator[None]:
    """Counts what per-element arrays ask: of the one table, which has this margin, of floats, of exact arithmetic."""

    def asked(function):
        def run(*words):
            counted["exact"] += 1
            return function(*words)

        return run

    def posed(method):
        def run(self, elements, *words):
            counted.update(rounds=elements.size, open=elements.size)
            return method(self, elements, *words)

        return run

    one_table = CountedSlots(bulk_slots(prefix()).draws, margin, counted)
    inner = {name: asked(getattr(bulk_exponential, name)) for name in ("floor_of", "at_least")}
    outer = {name: posed(getattr(PerElement, name)) for name in ("_cell", "_accepted")}
    with patch.multiple(bulk_exponential, table=lambda: one_table, **inner), patch.multiple(PerElement, **outer):
        yield


Sides = dict[str, tuple[Sample, Counter[str]]]
"""What draws with each margin, and what it counts."""


def rows(family: str, draws: int, sides: Sides, exact: Exact) -> Iterator[Row]:
    """A row for each margin: batch by batch, all are compared with the same numbers of exact arithmetic."""
    there, streams = Stream(7), {name: Stream(7) for name in sides}
    same, seconds = dict.fromkeys(sides, True), dict.fromkeys(sides, 0.0)
    for done in range(0, draws, BATCH):
        n = min(BATCH, draws - done)
        expected = np.array(exact(n, there), np.int64)
        for name, (sample, _) in sides.items():
            before = time.process_time()
            same[name] &= np.array_equal(sample(n, streams[name]), expected) and streams[name].used == there.used
            seconds[name] += time.process_time() - before
    for name, (_, counted) in sides.items():
        by_table, by_exact = counted["rounds"] - counted["open"], counted["exact"]
        by_floats = counted["open"] - by_exact
        yield Row(family, name, draws, 8 * there.used, by_table, by_floats, by_exact, bool(same[name]), seconds[name])


def slots(family: str, draws: int) -> Iterator[Row]:
    """Exact slots, with each margin, against exact arithmetic."""
    sides, exact = {}, bulk_slots(SLOTS[family]).draws
    for name, margin in MARGINS.items():
        counted = Counter[str]()
        sides[name] = CountedSlots(exact, margin, counted).sample, counted
    yield from rows(f"slots: {family}", draws, sides, exact.many)


def lookup(family: str, draws: int) -> Iterator[Row]:
    """A finite law: with the bounds found and with wider ones, against `LookupDraws.many`, which reads as they say."""
    law = Remembered(LAWS[family])
    for name, widened in WIDENED.items():
        exact, counted = LookupDraws(law, widened(bounds(law))), Counter[str]()
        side = CountedLookup(law, exact.bounds, counted).sample, counted
        yield from rows(f"finite: {family}", draws, {name: side}, exact.many)


def elements(family: str, draws: int) -> Iterator[Row]:
    """A scale for each element, with each margin, against exact arithmetic on fractions."""
    kind, _, name = family.partition(" ")
    sides = {}
    for title, (slack, margin) in SLACKS.items():
        counted = Counter[str]()

        def sample(n: int, source: Stream, slack=slack, margin=margin, counted=counted) -> np.ndarray:
            with counted_questions(margin, counted):
                return getattr(PerElement(slack), kind)(scales(name, n), source)

        sides[title] = sample, counted

    def exact(n: int, source: Stream) -> list[int]:
        return getattr(exact_elements, kind)(fractions(name, n), source)

    yield from rows(f"each: {family}", draws, sides, exact)


TABLE = (
    {f"slots: {family}": (slots, family) for family in SLOTS}
    | {f"finite: {family}": (lookup, family) for family in LAWS}
    | {f"each: {family}": (elements, family) for family in ELEMENTS}
)
"""Every family, by what its rows are called."""


def main() -> int:
    """Print the table; 1 if a row is not identical."""
    parser = argparse.ArgumentParser(prog="python -m tests.sampling.pathwise", description=__doc__)
    parser.add_argument("name", nargs="?", default="", help="families whose name has this in it")
    parser.add_argument("--draws", type=int, default=1_000_000)
    words, right = parser.parse_args(), True
    print(" | ".join(HEAD))
    for name, (compared, family) in TABLE.items():
        for found in compared(family, words.draws) if words.name in name else ():
            print(found, flush=True)
            right &= found.identical
    return 1 - right


if __name__ == "__main__":
    sys.exit(main())
