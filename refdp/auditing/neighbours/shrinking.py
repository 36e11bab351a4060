"""The smallest pair that still refutes: fewer rows, fewer differences, plainer rows, tried in a fixed order.

`hypothesis.find` makes its examples from a strategy and cannot be given one to start from: it would have to draw again,
by chance, a pair that the search found among thousands of rows.  So the pair is shrunk here; the tests hold the result
against what Hypothesis finds where it can.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from refdp.auditing.neighbours.families import Pair
from refdp.auditing.neighbours.running import Runner, Scored
from refdp.auditing.neighbours.spaces import Row, Rows

SECONDS = 5.0
"""Longest time that is spent on one pair."""
CHUNK = 16
"""Candidates that are tried together."""
PLAINER = 12
"""How many plainer rows are tried in the place of one."""


def shrunk(runner: Runner, start: Scored) -> Scored:
    """A pair that refutes and that no candidate below makes smaller, or the smallest that time allowed."""
    best, end = start, time.monotonic() + SECONDS
    while time.monotonic() < end:
        smaller = _smaller(runner, best, end)
        if smaller is None:
            return best
        best = smaller
    return best


def _smaller(runner: Runner, best: Scored, end: float) -> Scored | None:
    """The first candidate that is smaller and refutes, or None."""
    size, batch = measure(runner, best.pair), []
    for pair in candidates(runner, best.pair):
        if measure(runner, pair) < size:
            batch.append(pair)
        if len(batch) == CHUNK:
            if found := _refuting(runner, batch):
                return found
            batch = []
            if time.monotonic() > end:
                return None
    return _refuting(runner, batch)


def _refuting(runner: Runner, batch: list[Pair]) -> Scored | None:
    """The first of the pairs that refutes, or None."""
    return next((s for s in runner.scored(batch, "shrinking") if runner.exceeds(s)), None)


def measure(runner: Runner, pair: Pair) -> tuple[Any, ...]:
    """What shrinking makes less: rows, differences, sum of how far from plain the rows are."""
    u, v = pair
    ranks = _ranks(runner)
    differences = sum(repr(a) != repr(b) for a, b in zip(u, v, strict=False))
    return (len(u) + len(v), differences, sum(ranks.get(repr(row), len(ranks)) for rows in pair for row in rows))


def _ranks(runner: Runner) -> dict[str, int]:
    """How far from plain the interesting rows are."""
    return {repr(row): rank for rank, row in enumerate(runner.question.problem.rows)}


def candidates(runner: Runner, pair: Pair) -> Iterator[Pair]:
    """Pairs that may be smaller; whether they are neighbours of the space is tested when they are run."""
    u, v = pair
    yield from _without_blocks(u, v)
    yield from ((u, v[:i] + u[i : i + 1] + v[i + 1 :]) for i in range(min(len(u), len(v))) if u[i] is not v[i])
    plain = runner.question.problem.rows[:PLAINER]
    for old in {repr(row): row for rows in (u, v) for row in rows}.values():
        yield from ((_renamed(u, old, new), _renamed(v, old, new)) for new in plain)
    for i in range(min(max(len(u), len(v)), 64)):
        yield from ((_at(u, i, new), _at(v, i, new)) for new in plain)
        yield from ((_at(u, i, new), v) for new in plain)
        yield from ((u, _at(v, i, new)) for new in plain)


def _without_blocks(u: Rows, v: Rows) -> Iterator[Pair]:
    """Both without the same block of rows, large blocks first; then one of them without one row."""
    size = max(len(u), len(v)) // 2
    while size:
        for i in range(0, max(len(u), len(v)), size):
            yield u[:i] + u[i + size :], v[:i] + v[i + size :]
        size //= 2
    yield from ((u[:i] + u[i + 1 :], v) for i in range(min(len(u), 64)))
    yield from ((u, v[:i] + v[i + 1 :]) for i in range(min(len(v), 64)))
    if len(u) > 1 and len(v) > 1:
        yield from (
            (u[:i] + u[i + 1 :], v[:j] + v[j + 1 :]) for i in range(min(len(u), 16)) for j in range(min(len(v), 16))
        )


def _renamed(rows: Rows, old: Row, new: Row) -> Rows:
    """The rows with one row replaced wherever it stands."""
    text = repr(old)
    return tuple(new if repr(row) == text else row for row in rows)


def _at(rows: Rows, i: int, new: Row) -> Rows:
    """The rows with the i-th replaced, if there is one."""
    return (*rows[:i], new, *rows[i + 1 :]) if i < len(rows) else rows
