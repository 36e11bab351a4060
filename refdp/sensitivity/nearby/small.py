"""Pairs of neighbouring small tables, the smaller ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from refdp.sensitivity.nearby.records import likely_records
from refdp.sensitivity.nearby.rows import NEW, moves
from refdp.sensitivity.question import Neighbours
from refdp.sensitivity.records import Concrete, Kind

Table = tuple[Concrete, ...]


def some_records(kind: Kind, most: int) -> list[Concrete]:
    """At most so many likely records of a kind."""
    slots = kind.slots(NEW)
    return [kind.value(NEW, dict(zip(slots, values, strict=True))) for values in likely_records(kind, [])[:most]]


def small_pairs(
    kind: Kind, records: Sequence[Concrete], size: int, neighbours: Neighbours
) -> Iterator[tuple[Table, Table]]:
    """Every two neighbours made of these records, the larger of which has `size` rows; that one comes first."""
    for first in product(records, repeat=size):
        for move in moves(kind, [()] * size, neighbours):
            if move.what != "inserted":
                for record in records if move.what == "changed" else records[:1]:
                    second = move.table(first, record)
                    if second != first:
                        yield first, second


def looked_up(table: Table) -> Table:
    """The table as a key: dicts cannot be one."""
    return tuple(tuple(row.items()) if isinstance(row, dict) else row for row in table)
