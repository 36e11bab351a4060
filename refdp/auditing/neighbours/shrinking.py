"""The smallest pair that still refutes: fewer rows, fewer differences, plainer rows, tried in a fixed order.

`hypothesis.find` makes its examples from a strategy and cannot be given one to start from: it would have to draw again,
by chance, a pair that the search found among thousands of rows.  So the pair is shrunk here; the tests hold the result
against what Hypothesis finds where it can.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from refdp import work
from refdp.auditing.neighbours.families import Pair
from refdp.auditing.neighbours.running import Runner, Scored
from refdp.auditing.neighbours.spaces import Row, Rows

SECONDS = 3.0
"""Most work, in seconds, that is spent on one pair."""
CHUNK = 16
"""Candidates that are tried together."""
PLACES = 12
"""In how many places single rows are tried."""
PLAINER = 12
"""How many plainer rows are tried in the place of one."""


def shrunk(runner: Runner, start: Scored) -> Scored:
    """A pair that refutes by half as much or more and that no candidate makes smaller, or the smallest found."""
    best, end, least = start, work.spent() + SECONDS, kept(runner, start)
    while work.spent() < end:
        smaller = _smaller(runner, best, end, least)
        if smaller is None:
            return best
        best = smaller
    return best


def kept(runner: Runner, start: Scored) -> tuple[bool, Fraction]:
    """The rank that smaller pairs must have: infinite if the distance is, else half way from the bound to it."""
    infinite, against = start.rank(runner.question.bound)
    return (infinite, Fraction(0) if infinite else (1 + against) / 2)


def _smaller(runner: Runner, best: Scored, end: float, least: tuple[bool, Fraction]) -> Scored | None:
    """The first candidate that is smaller and refutes, or None."""
    size, batch = measure(runner, best.pair), []
    for pair in candidates(runner, best.pair):
        if measure(runner, pair) < size:
            batch.append(pair)
        if len(batch) == CHUNK:
            if found := _refuting(runner, batch, least):
                return found
            batch = []
        if work.spent() > end:
            return None
    return _refuting(runner, batch, least)


def _refuting(runner: Runner, batch: list[Pair], least: tuple[bool, Fraction]) -> Scored | None:
    """The first of the pairs that refutes by enough, or None."""
    bound = runner.question.bound
    found = (s for s in runner.scored(batch, "shrinking") if runner.exceeds(s) and s.rank(bound) >= least)
    return next(found, None)


def measure(runner: Runner, pair: Pair) -> tuple[int, int, int]:
    """What shrinking makes less: rows, differences, sum of how far from plain the rows are."""
    u, v = pair
    work.step(2 * (len(u) + len(v)))
    ranks = {repr(row): rank for rank, row in enumerate(runner.question.problem.rows)}
    differences = sum(a is not b and repr(a) != repr(b) for a, b in zip(u, v, strict=False))
    return (len(u) + len(v), differences, sum(ranks.get(text, len(ranks)) for text in map(repr, u + v)))


def candidates(runner: Runner, pair: Pair) -> Iterator[Pair]:
    """Pairs that may be smaller; whether they are neighbours of the space is tested when they are run."""
    u, v = pair
    p = runner.question.problem
    if len(p.space.sizes) > 1:
        yield from _without_blocks(u, v)
        yield from _without_rows(u, v)
    differing = [i for i in range(min(len(u), len(v))) if repr(u[i]) != repr(v[i])]
    yield from ((u, v[:i] + u[i : i + 1] + v[i + 1 :]) for i in differing)
    plain = p.rows[:PLAINER]
    for old in {repr(row): row for rows in (u, v) for row in rows}.values():
        yield from ((_renamed(u, old, new), _renamed(v, old, new)) for new in plain)
    for i in dict.fromkeys([*differing[:PLACES], *range(min(max(len(u), len(v)), PLACES))]):
        yield from ((_at(u, i, new), _at(v, i, new)) for new in plain)
        yield from ((_at(u, i, new), v) for new in plain)
        yield from ((u, _at(v, i, new)) for new in plain)


def _without_blocks(u: Rows, v: Rows) -> Iterator[Pair]:
    """Both without the same block of rows, large blocks first."""
    size = max(len(u), len(v)) // 2
    while size:
        for i in range(0, max(len(u), len(v)), size):
            yield u[:i] + u[i + size :], v[:i] + v[i + size :]
        size //= 2


def _without_rows(u: Rows, v: Rows) -> Iterator[Pair]:
    """One of them without one row, or both without a row each."""
    first = [u[:i] + u[i + 1 :] for i in range(min(len(u), PLACES))]
    second = [v[:i] + v[i + 1 :] for i in range(min(len(v), PLACES))]
    yield from ((rows, v) for rows in first)
    yield from ((u, rows) for rows in second)
    yield from product(first, second)


def _renamed(rows: Rows, old: Row, new: Row) -> Rows:
    """The rows with one row replaced wherever it stands."""
    text = repr(old)
    return tuple(new if repr(row) == text else row for row in rows)


def _at(rows: Rows, i: int, new: Row) -> Rows:
    """The rows with the i-th replaced, if there is one."""
    return (*rows[:i], new, *rows[i + 1 :]) if i < len(rows) else rows
