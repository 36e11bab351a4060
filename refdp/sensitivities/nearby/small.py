"""Pairs of neighbouring small tables, the smaller ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.nearby.rows import NEW, moves
from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.records import Concrete, Kind
from refdp.sensitivities.refutation.interesting import constants, records
from refdp.sensitivities.tables import Table
from refdp.terms.leaves import variables


def some_records(source: Source, declaration: Declaration, most: int) -> list[Concrete]:
    """At most so many records that are likely to show something about the function; none where bounds are symbols."""
    if set(variables(declaration.record.constraint(NEW))) - set(declaration.record.slots(NEW)):
        return []
    known = constants(source, declaration.values)
    return records(declaration.record, source, {}, known)[:most]


def small_pairs(
    kind: Kind, wanted: Sequence[Concrete], size: int, neighbours: Neighbours
) -> Iterator[tuple[Table, Table]]:
    """Every two neighbours made of these records, the larger of which has `size` rows; that one comes first."""
    for first in product(wanted, repeat=size):
        for move in moves(kind, [()] * size, neighbours):
            if move.what != "inserted":
                for record in wanted if move.what == "changed" else wanted[:1]:
                    second = move.table(first, record)
                    if second != first:
                        yield first, second
