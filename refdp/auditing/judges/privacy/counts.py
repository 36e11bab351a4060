"""Counts of pairs of runs: how chunks write them, and what they are at each look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import inf, log
from typing import Any

from refdp.auditing.evidence.pair_tests import PairVerdict, judge
from refdp.auditing.evidence.pairs import BETS, Claim, Counts, Event, PairTest, factors, four, mask, merged

MARGIN = 1.0
"""More than floats may be wrong by."""
SIMPLE = (bool, int, str, type(None))
"""Types whose values are looked up, once they were seen."""


def counted(events: Sequence[Event], first: Sequence[Any], second: Sequence[Any]) -> list[list[int]]:
    """[events of X as a bit mask, events of Y, how many such pairs], for each kind of pair that occurs."""
    found = Counter(zip(masks(events, first), masks(events, second), strict=True))
    return [[x, y, n] for (x, y), n in sorted(found.items())]


def masks(events: Sequence[Event], values: Sequence[Any]) -> list[int]:
    """The events of each output."""
    known: dict[Any, int] = {}

    def of(y: Any) -> int:
        if type(y) not in SIMPLE:
            return mask(events, y)
        key = (type(y), y)
        if key not in known:
            known[key] = mask(events, y)
        return known[key]

    return [of(y) for y in values]


@dataclass(frozen=True)
class History:
    """What one test has seen of its pair of inputs, part by part."""

    pair: int
    point: int
    test: PairTest
    parts: tuple[Counts, ...]

    @cached_property
    def looks(self) -> list[Counts]:
        """The counts at each look."""
        return list(accumulate(self.parts, merged))

    @cached_property
    def total(self) -> Counts:
        """The counts at the last look."""
        return self.looks[-1] if self.parts else {}

    @cached_property
    def crossed(self) -> int | None:
        """The place of the first look at which the claim is refuted."""
        return next((i for i, at in enumerate(self.looks) if refutes(self.test, at)), None)

    @cached_property
    def verdict(self) -> PairVerdict | None:
        """At the end if the claim is refuted there, else at the first look at which it was; None without draws."""
        if not self.parts:
            return None
        early = self.crossed is not None and not self.test.refutes(self.total)
        return judge(self.test, self.looks[self.crossed or 0] if early else self.total)

    @property
    def refuted(self) -> bool:
        """Whether the claim is."""
        return self.verdict is not None and self.verdict.refuted

    @property
    def certified(self) -> Fraction:
        """The epsilon that is certified, -1 where none is."""
        found = self.verdict.epsilon if self.verdict is not None and self.verdict.refuted else None
        return Fraction(-1) if found is None else found


def refutes(test: PairTest, counts: Counts) -> bool:
    """Whether the claim is refuted; where floats say that it is far from it, the e-value is not worked out."""
    return rough(test, counts) > -log(test.alpha) - MARGIN and test.refutes(counts)


def rough(test: PairTest, counts: Counts) -> float:
    """About the greatest that ln of the e-value can be: as if all bets and events were the best one."""
    found = []
    for i, event in enumerate(test.events):
        seen = four(counts, i, event.direction)
        numbers = (seen.both, seen.first, seen.second, seen.neither)
        logs = (sum(n * x for n, x in zip(numbers, bet, strict=True)) for bet in logarithms(test.claim))
        found.append(max(logs) + log(event.weight) if event.weight else -inf)
    return max(found) + log(len(found))


@lru_cache(maxsize=64)
def logarithms(claim: Claim) -> list[list[float]]:
    """About ln of the factors of each bet."""
    return [[log(x) for x in factors(claim.factor, claim.delta, bet)] for bet in BETS]


def histories(
    tests: Sequence[Sequence[PairTest]], opening: Mapping[str, Any], chunks: Sequence[Mapping[str, Any]]
) -> list[list[History]]:
    """For each pair of inputs and each point; what follows a chunk that was stopped does not count."""
    stop = next((i + 1 for i, chunk in enumerate(chunks) if chunk["stopped"]), len(chunks))
    found = []
    for i, row in enumerate(tests):
        parts = [part for chunk in chunks[:stop] for part in chunk["pairs"][i]]
        starts = list(accumulate((len(test.events) for test in row), initial=0))
        found.append([
            History(i, j, test, tuple(_own(part, starts[j], len(test.events)) for part in parts))
            for j, test in enumerate(row)
        ])  # fmt: skip
    return found


def _own(part: Sequence[Sequence[int]], start: int, size: int) -> Counts:
    """The counts of the events from `start` on."""
    low = (1 << size) - 1
    found: Counter[tuple[int, int]] = Counter()
    for x, y, n in part:
        found[x >> start & low, y >> start & low] += n
    return found
