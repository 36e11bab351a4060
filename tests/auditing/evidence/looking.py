"""Tests that draw and look until something is decided, or a budget ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from refdp.auditing.evidence import pair_tests, sampler_tests
from refdp.auditing.evidence.pairs import Counts, PairTest, count, merged
from refdp.auditing.evidence.sampler_tests import SamplerTest
from refdp.auditing.evidence.tallies import Tally


def run_pairs(
    test: PairTest,
    draw: Callable[[int], Iterable[tuple[Any, Any]]],
    budget: int,
    start: Counts | None = None,
) -> tuple[pair_tests.PairVerdict, dict[tuple[int, int], int]]:
    """Draw pairs, look after 64 and after each eighth more, and stop when the claim is refuted or the budget is spent.

    Draws are independent: of each other, of the other side, and of what the events were learned from.  ValueError if
    `draw` gives another number of pairs than it is asked for.
    """
    counts = dict(start or {})
    while True:
        n = sum(counts.values())
        if n >= budget or test.refutes(counts):
            return pair_tests.judge(test, counts), counts
        goal = min(budget, max(64, n + n // 8 + 1))
        more = count(test.events, draw(goal - n))
        if sum(more.values()) != goal - n:
            raise ValueError(f"draw must give {goal - n} pairs, got {sum(more.values())}")
        counts = merged(counts, more)


def run_sampler(
    test: SamplerTest, draw: Callable[[int], Iterable[Any]], budget: int, start: Tally | None = None, on: bool = False
) -> tuple[sampler_tests.SamplerVerdict, Tally]:
    """Draw, look, and stop at FAIL, ERROR, PASS (unless `on`) or `budget` draws; the verdict and what it rests on.

    Looks are after 128 draws and each eighth more; `start` is the tally of earlier draws, of a night before, say.
    ValueError if `draw` gives another number of values than it is asked for.
    """
    counted, needed = start or test.empty, test.draws_needed
    while True:
        n = counted.draws
        enough = needed is not None and n >= needed and not on
        if n >= budget or enough or test.is_over(counted):
            return test.judge(counted), counted
        goal = min(budget, max(128, n + n // 8 + 1))
        goal = needed if needed is not None and n < needed < goal else goal
        more = test.tally(draw(goal - n))
        if more.draws != goal - n:
            raise ValueError(f"draw must give {goal - n} values, got {more.draws}")
        counted = counted + more
