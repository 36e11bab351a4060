"""Families of pairs: all small ones, then those at which code has erred before.

A family proposes; that a pair belongs to the space and is neighbouring is tested for each, exactly, by the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice, product
from random import Random

from refdp.auditing.neighbours import edits, solved
from refdp.auditing.neighbours.spaces import Row, Rows, Space, Table

Pair = tuple[Rows, Rows]
SMALL_TABLES = 90
"""Most tables of a grid, whose pairs are all tried."""
LARGEST_SMALL = 7
"""Most rows of a small table."""
FEW = 12
"""How many of the interesting rows families of pairs of rows start from."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Where pairs are sought."""

    space: Space
    metric: str
    d_in: Fraction
    rows: tuple[Row, ...]
    """The interesting rows."""


def problem(space: Space, metric: str, d_in: Fraction) -> Problem:
    """The problem, with the interesting rows of the space."""
    return Problem(space, metric, d_in, tuple(space.row.interesting()))


@dataclass(frozen=True, slots=True)
class Grid:
    """All tables of some sizes over the first few rows."""

    values: int
    sizes: tuple[int, ...]

    def tables(self, p: Problem) -> list[Rows]:
        """The tables of the grid."""
        return [table for n in self.sizes for table in product(p.rows[: self.values], repeat=n)]


def grids(p: Problem) -> list[Grid]:
    """Grids of at most SMALL_TABLES tables each: few rows of many values, and many rows of few values."""
    found: dict[tuple[int, ...], Grid] = {}
    for values in range(1, len(p.rows) + 1):
        choices = (sizes_to(p, size) for size in range(LARGEST_SMALL + 1))
        if sizes := max((some for some in choices if fits(values, some)), key=len, default=()):
            found[sizes] = Grid(values, sizes)  # for the same sizes, more values are better
    return list(found.values())


def fits(values: int, sizes: tuple[int, ...]) -> bool:
    """Whether the tables of these sizes are few enough to try all their pairs."""
    tables: int = sum(values**n for n in sizes)
    return tables <= SMALL_TABLES


def sizes_to(p: Problem, most: int) -> tuple[int, ...]:
    """The sizes up to `most` that the space has."""
    return tuple(n for n in _sizes(p) if n <= most)


def _sizes(p: Problem) -> tuple[int, ...]:
    if isinstance(p.space, Table) and p.space.size is None:
        return tuple(range(p.space.least, LARGEST_SMALL + 1))
    return p.space.sizes


def exhaustive(p: Problem) -> Iterator[Pair]:
    """All pairs of tables of one grid."""
    return chain.from_iterable(combinations(grid.tables(p), 2) for grid in grids(p))


def uniform(p: Problem) -> Iterator[Pair]:
    """Tables of one repeated row, of which some or all rows are replaced by another."""
    for n, (a, b) in product(reversed(p.space.sizes), product(p.rows[: 2 * FEW], repeat=2)):
        for k in edits.counts(edits.changes(p.space, p.metric, p.d_in), n):
            yield from (((a,) * n, v) for v in edits.replaced((a,) * n, k, b))


def mixed(p: Problem) -> Iterator[Pair]:
    """Tables of two rows, in halves or in turn, of which some rows are replaced."""
    for n, (a, b) in product(p.space.sizes, product(p.rows[:FEW], repeat=2)):
        half = n // 2
        for u in ((a,) * half + (b,) * (n - half), tuple(a if i % 2 else b for i in range(n)), (a,) * (n - 1) + (b,)):
            for k in edits.counts(edits.changes(p.space, p.metric, p.d_in), len(u)):
                yield from ((u, v) for row in (a, b, *p.rows[:4]) for v in edits.replaced(u, k, row))


def added(p: Problem) -> Iterator[Pair]:
    """Tables to which rows are added: to empty ones, in front, at the end, and rows that no other row is like."""
    most = edits.additions(p.space, p.metric, p.d_in)
    for n, (a, b) in product(p.space.sizes, product(p.rows[: 2 * FEW], repeat=2)):
        for k in edits.counts(most, most):
            u = (a,) * n
            yield u, u + (b,) * k
            yield u, (b,) * k + u


def orders(p: Problem) -> Iterator[Pair]:
    """One multiset of rows in two orders, also with a row replaced."""
    if not edits.reordered(p.metric):
        return
    for n, (a, b, c) in product(p.space.sizes, product(p.rows[:FEW], repeat=3)):
        u = ((a, b, c) * (n // 3 + 1))[:n]
        yield u, u[::-1]
        yield u, tuple(sorted(u, key=p.rows.index))
        if n:
            yield u, (*u[:0:-1], a)


def shifted(p: Problem) -> Iterator[Pair]:
    """Tables that lose their first row and get a new last one."""
    for n, start in product(p.space.sizes, range(min(len(p.rows), FEW))):
        if n:
            rows = tuple(p.rows[(start + i) % len(p.rows)] for i in range(n + 1))
            yield rows[:n], rows[1:]


def moved(p: Problem) -> Iterator[Pair]:
    """Vectors of interesting coordinates, moved as far as d_in allows."""
    for a, b in product(p.rows[: 2 * FEW], repeat=2):
        for u in ((a,) * p.space.sizes[0], tuple(a if i % 2 else b for i in range(p.space.sizes[0]))):
            try:
                yield from ((u, v) for v in edits.moved(u, p.space, p.metric, p.d_in))
            except (OverflowError, TypeError):
                continue


def crossing(p: Problem) -> Iterator[Pair]:
    """Tables between which a sum, or a sum of squares, crosses an edge of machine numbers: models of z3."""
    return solved.solved(p.space, p.metric, p.d_in)


def random_pairs(p: Problem, seed: int = 0) -> Iterator[Pair]:
    """Tables of random interesting rows, with random edits, for ever."""
    random = Random(seed)
    changed, most = edits.changes(p.space, p.metric, p.d_in), edits.additions(p.space, p.metric, p.d_in)
    while True:
        u = tuple(random.choice(p.rows) for _ in range(random.choice(p.space.sizes)))
        v = list(u)
        for _ in range(random.randint(0, min(changed, len(v)))):
            v[random.randrange(len(v))] = random.choice(p.rows)
        added_rows = random.randint(0, most) if changed == 0 or random.random() < 1 / 2 else 0
        for _ in range(added_rows):
            v.insert(random.randint(0, len(v)), random.choice(p.rows))
        if edits.reordered(p.metric) and random.random() < 1 / 4:
            random.shuffle(v)
        yield u, tuple(v)


FAMILIES: Mapping[str, Callable[[Problem], Iterator[Pair]]] = {
    "exhaustive": exhaustive,
    "moved": moved,
    "crossing": crossing,
    "uniform": uniform,
    "added": added,
    "shifted": shifted,
    "orders": orders,
    "mixed": mixed,
}
"""The families, in the order in which they are tried."""


def chunks(pairs: Iterator[Pair], size: int) -> Iterator[list[Pair]]:
    """The pairs, so many at a time."""
    while found := list(islice(pairs, size)):
        yield found
