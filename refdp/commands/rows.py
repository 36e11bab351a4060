"""The rows of a CSV file as a function of a table sees them: exact, as declared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refdp.releases.tables import Missing as MissingCells
from refdp.releases.tables import Table, read_table
from refdp.sensitivity.records import Category, Concrete, Fields, Kind, Missing, Number

NOT_THERE = frozenset({"NA", "NaN", "nan", "null"})
"""What marks a missing cell besides nothing."""


def read_rows(target: str, kind: Kind) -> tuple[Concrete, ...]:
    """The rows of FILE.csv, or the cells of FILE.csv:COLUMN where the records are single values.

    Raises ValueError where a cell is not as declared.
    """
    path, colon, column = target.rpartition(":")
    if isinstance(kind, Fields):
        named = [(str(key), one) for key, one in kind.kinds]
        rows = _columns(target, named)
        if all(isinstance(key, int) for key, _ in kind.kinds):
            return rows
        return tuple(dict(zip((key for key, _ in named), row, strict=True)) for row in rows)
    if not colon or not path.endswith(".csv"):
        raise ValueError(f"the table must be FILE.csv:COLUMN where records are single values, got {target}")
    return tuple(row[0] for row in _columns(path, [(column, kind)]))


def _columns(path: str, wanted: Sequence[tuple[str, Kind]]) -> tuple[tuple[Concrete, ...], ...]:
    """The wanted columns, row by row."""
    decimals = [name for name, kind in wanted if _is_decimal(kind)]
    labels = [name for name, kind in wanted if not _is_decimal(kind)]
    missing = (
        MissingCells(NOT_THERE, "drop") if any(isinstance(kind, Missing) for _, kind in wanted) else MissingCells()
    )
    table = read_table(path, decimals=decimals, labels=labels, missing=missing)
    cells = [_cells(table, name, kind) for name, kind in wanted]
    return tuple(zip(*cells, strict=True))


def _is_decimal(kind: Kind) -> bool:
    """Whether the cells are numbers."""
    inner = kind.kind if isinstance(kind, Missing) else kind
    if isinstance(inner, Fields):
        raise ValueError("the columns of a CSV file must be single values, got fields within a field")
    if isinstance(inner, Number):
        return True
    return all(isinstance(label, int) and not isinstance(label, bool) for label in inner.labels)


def _cells(table: Table, name: str, kind: Kind) -> list[Concrete]:
    """The cells of one column, each as declared."""
    inner, may_miss = (kind.kind, True) if isinstance(kind, Missing) else (kind, False)
    found: Sequence[Fraction | str | None]
    found = table.decimal_columns[name] if _is_decimal(inner) else table.label_columns[name]
    labels = {str(label).lower(): label for label in inner.labels} if isinstance(inner, Category) else {}
    cells: list[Concrete] = []
    for cell in found:
        value: Concrete = cell
        if isinstance(cell, str) and labels and isinstance(next(iter(labels.values())), bool):
            value = labels.get(cell.lower())
        if value is None and not may_miss or not _as_declared(value, inner):
            raise ValueError(f"every cell of column {name!r} must be as declared, got one that is not")
        cells.append(value)
    return cells


def _as_declared(value: Concrete, kind: Kind) -> bool:
    """Whether a value is of a kind; bounds are judged later, with the values of symbols."""
    if value is None:
        return True
    if isinstance(kind, Category):
        return value in kind.labels
    return isinstance(value, Fraction) and (
        value.denominator == 1 or not isinstance(kind, Number) or not kind.is_integer
    )
