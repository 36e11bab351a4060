"""How far an edit of rows goes under each metric, so that pairs use up their whole distance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.auditing.neighbours.spaces import Row, Rows, Space, Table, Vector


@dataclass(frozen=True, slots=True)
class Costs:
    """What replacing a row and adding or removing one cost; None where it is not possible."""

    change: int
    add: int | None
    reorder: bool
    """Whether another order is at distance 0."""


COSTS: Mapping[str, Costs] = {
    "symmetric": Costs(2, 1, True),
    "change_one": Costs(1, None, True),
    "hamming": Costs(1, None, False),
    "insert_delete": Costs(2, 1, False),
    "opendp:InsertDeleteDistance": Costs(2, 1, False),
}
"""The metrics that count rows."""


def changes(space: Space, metric: str, d_in: Fraction) -> int:
    """How many rows may be replaced at once."""
    if metric in COSTS:
        return int(d_in // COSTS[metric].change)
    return space.sizes[-1] if d_in > 0 else 0


def additions(space: Space, metric: str, d_in: Fraction) -> int:
    """How many rows may be added at once."""
    cost = COSTS[metric].add if metric in COSTS else None
    if cost is None or isinstance(space, Vector) or space.size is not None:
        return 0
    return int(d_in // cost)


def reordered(metric: str) -> bool:
    """Whether another order of the rows is at distance 0."""
    return metric in COSTS and COSTS[metric].reorder


def counts(most: int, size: int) -> list[int]:
    """Numbers of rows to edit: one, all that may be, and half of them."""
    most = min(most, size)
    return sorted({k for k in (1, most // 2, most) if 0 < k <= most})


def replaced(rows: Rows, k: int, row: Row) -> Iterator[Rows]:
    """The table with its first, its last, or every other of k rows replaced."""
    yield (row,) * k + rows[k:]
    if k < len(rows):
        yield rows[: len(rows) - k] + (row,) * k
        step = len(rows) // k
        spread = {i * step for i in range(k)}
        yield tuple(row if i in spread else r for i, r in enumerate(rows))


def moved(rows: Rows, space: Space, metric: str, d_in: Fraction) -> Iterator[Rows]:
    """Vectors at distance d_in: one coordinate moved, or all of them alike, up or down."""
    if isinstance(space, Table):
        return
    n = len(rows)
    whole = all(type(row) is int for row in rows)
    steps = {d_in} if metric in ("absolute", "linf") else {d_in, d_in / n, _root(d_in * d_in / n)}
    for step in (s for size in steps for s in (size, -size)):
        if whole and step.denominator != 1:
            step = Fraction(int(step))
        by = int(step) if whole else float(step)
        yield (rows[0] + by, *rows[1:])
        yield tuple(row + by for row in rows)
        yield tuple(row + (by if i % 2 else -by) for i, row in enumerate(rows))


def _root(square: Fraction) -> Fraction:
    """A float that is at most the square root."""
    found = Fraction(float(square) ** 0.5)
    return found if found * found <= square else found * (1 - Fraction(1, 2**50))
