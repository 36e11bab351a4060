"""Every neighbouring pair of a space that has few, so that no jump of a function is stepped over.

Under metrics that add up what the coordinates differ by, neighbours are made coordinate by coordinate, and given up as
soon as they are too far; under the others all pairs of a few inputs are measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

from refdp.auditing.neighbours.distances import Apart, apart, gap, key
from refdp.auditing.neighbours.families import Pair, Problem
from refdp.auditing.neighbours.spaces import Record, Row, RowSpace, Space, Table, Whole, measured

MOST = 10_000
"""Most neighbouring pairs, and most inputs, of a space that is tried whole."""
MOST_MEASURED = 200
"""Most inputs, or rows other than whole numbers, of which each is measured against each."""

Added = Callable[[Fraction, Fraction], Fraction]
Near = Callable[[int], Sequence[tuple[int, Fraction]]]
"""The rows near one, as places in the list of rows, and what each adds to the distance."""

ADDED: Mapping[str, Added] = {
    "absolute": max,
    "l1": lambda so_far, step: so_far + step,
    "l2": lambda so_far, step: so_far + step * step,
    "linf": max,
    "hamming": lambda so_far, step: so_far + step,
}
"""Metric -> the distance (of l2 the square) with one coordinate more."""


def every(p: Problem, most: int) -> list[Pair] | None:
    """Every neighbouring pair of the space once, nearest first; None where they, or the inputs, are too many."""
    most = min(most, MOST)
    size, values = size_of(p.space), counted(p.space.row)
    if size is None or values is None or too_many(values, size, MOST):
        return None
    rows, found = listed(p.space.row), []
    adds = p.metric in ADDED and (p.metric != "absolute" or size == 1)
    pairs = by_coordinates(p, rows, size) if adds else measured_all(rows, size)
    if pairs is None:
        return None
    for pair in pairs:
        distance = apart(p.metric, *(measured(p.metric, side) for side in pair))
        if distance.amount is not None and not distance.exceeds(p.d_in):
            found.append((distance.amount, pair))
        if len(found) > most:
            return None
    return [pair for _, pair in sorted(found, key=lambda one: one[0])]


def size_of(space: Space) -> int | None:
    """The number of rows or coordinates of every input; None where it is free."""
    return space.size if isinstance(space, Table) else space.sizes[0]


def counted(row: RowSpace) -> int | None:
    """How many rows there are; None where they cannot be listed."""
    if isinstance(row, Whole):
        return row.upper - row.lower + 1
    if isinstance(row, Record):
        fields = [counted(field) for field in row.fields]
        return None if None in fields else math.prod(n for n in fields if n is not None)
    return len(row.interesting()) if row.complete else None


def too_many(values: int, size: int, most: int) -> bool:
    """Whether more than `most` inputs have so many rows of so many values."""
    return values > 1 and (size >= most.bit_length() or values**size > most)


def listed(row: RowSpace) -> Sequence[Row]:
    """Every row, each once."""
    if isinstance(row, Whole):
        return range(row.lower, row.upper + 1)
    if isinstance(row, Record):
        return list(product(*map(listed, row.fields)))
    return list({repr(value): value for value in row.interesting()}.values())


def measured_all(rows: Sequence[Row], size: int) -> Iterator[Pair] | None:
    """All pairs of inputs; None where the inputs are too many."""
    return None if too_many(len(rows), size, MOST_MEASURED) else combinations(product(rows, repeat=size), 2)


def by_coordinates(p: Problem, rows: Sequence[Row], size: int) -> Iterator[Pair] | None:
    """All pairs whose coordinates add up to no more than d_in; None where the rows are too many to compare."""
    if len(rows) == 1 or size == 0:
        return iter(())
    near, added = nearness(p, rows), ADDED[p.metric]
    if near is None:
        return None
    limit = p.d_in * p.d_in if p.metric == "l2" else p.d_in
    places = product(range(len(rows)), repeat=size)
    return (
        (tuple(rows[i] for i in u), tuple(rows[i] for i in v))
        for u in places
        for v in around(u, (), Fraction(0), near, added, limit)
        if v > u
    )


def around(
    u: tuple[int, ...], begun: tuple[int, ...], so_far: Fraction, near: Near, added: Added, limit: Fraction
) -> Iterator[tuple[int, ...]]:
    """The inputs within the limit of u that begin so."""
    if len(begun) == len(u):
        yield begun
        return
    for place, step in near(u[len(begun)]):
        if (distance := added(so_far, step)) <= limit:
            yield from around(u, (*begun, place), distance, near, added, limit)


def nearness(p: Problem, rows: Sequence[Row]) -> Near | None:
    """What lists the rows within d_in of one; None where all would have to be compared with all, and are too many."""
    if isinstance(rows, range) and p.metric != "hamming":
        reach = int(p.d_in)
        return lambda i: [(j, Fraction(abs(i - j))) for j in range(max(0, i - reach), min(len(rows), i + reach + 1))]
    if len(rows) > MOST_MEASURED:
        return None
    known = [list(steps(p, rows, row)) for row in rows]
    return lambda i: known[i]


def steps(p: Problem, rows: Sequence[Row], row: Row) -> Iterator[tuple[int, Fraction]]:
    """The rows within d_in of this one, and how far they are."""
    for place, other in enumerate(rows):
        try:
            far = Fraction(key(row) != key(other)) if p.metric == "hamming" else gap(row, other)
        except Apart:
            continue
        if far <= p.d_in:
            yield place, far
