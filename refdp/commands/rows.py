"""The rows of a CSV file as a function of a table sees them: exact, as declared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refdp.releases.tables import Missing as MissingCells
from refdp.releases.tables import Table, read_table
from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Missing, Number

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
    may_miss = any(isinstance(kind, Missing) for _, kind in wanted)
    missing = MissingCells(NOT_THERE, "drop") if may_miss else MissingCells()
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
    found: Sequence[Fraction | str | None]
    found = table.decimal_columns[name] if _is_decimal(kind) else table.label_columns[name]
    cells = [_value(cell, kind) for cell in found]
    if not all(_as_declared(cell, kind) for cell in cells):
        raise ValueError(f"every cell of column {name!r} must be as declared, got one that is not")
    return cells


def _value(cell: Fraction | str | None, kind: Kind) -> Concrete:
    """The cell, which stands for a truth value where the labels are truth values."""
    inner = kind.kind if isinstance(kind, Missing) else kind
    if isinstance(cell, str) and isinstance(inner, Category) and isinstance(inner.labels[0], bool):
        return {"true": True, "false": False}.get(cell.lower())
    return cell


def _as_declared(value: Concrete, kind: Kind) -> bool:
    """Whether a value is of a kind; bounds are judged later, with the values of symbols."""
    if isinstance(kind, Missing):
        return value is None or _as_declared(value, kind.kind)
    if isinstance(kind, Category):
        return value in kind.labels
    whole = isinstance(kind, Number) and kind.is_integer
    return isinstance(value, Fraction) and (value.denominator == 1 or not whole)
