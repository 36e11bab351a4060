"""Inputs: what a row may be, and how rows make a table or a vector."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from refdp.auditing.neighbours import values
from refdp.auditing.neighbours.distances import apart, insert_delete, key

Row = Any
Rows = tuple[Row, ...]
"""An input as the search sees it: a table's rows, or a vector's coordinates."""
SHAPES = ("rows", "columns", "number")
"""How rows become an input: a list, a list per field, or the one number itself."""
SIZES = (0, 1, 2, 3, 4, 5, 8, 16, 17, 100, 1000)
"""Numbers of rows that are tried where the size is free."""


class RowSpace(Protocol):
    """What a row may be."""

    def has(self, row: Row) -> bool:
        """Whether the row belongs to the space."""

    def interesting(self) -> list[Row]:
        """Rows at which code is likely to err, the plainest first, each once."""

    @property
    def complete(self) -> bool:
        """Whether `interesting` lists every row of the space."""


@dataclass(frozen=True, slots=True)
class Whole:
    """Integers from lower to upper."""

    lower: int = -(2**31)
    upper: int = 2**31 - 1

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"lower must be <= upper, got {self.lower} and {self.upper}")

    def has(self, row: Row) -> bool:
        return type(row) is int and self.lower <= row <= self.upper

    def interesting(self) -> list[Row]:
        return values.wholes(self.lower, self.upper)

    @property
    def complete(self) -> bool:
        return self.upper - self.lower < len(self.interesting())


@dataclass(frozen=True, slots=True)
class Real:
    """Floats of 64 bits from lower to upper; NaN only where `nan` says so."""

    lower: float = -math.inf
    upper: float = math.inf
    nan: bool = False

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise ValueError(f"lower must be <= upper, got {self.lower} and {self.upper}")

    def has(self, row: Row) -> bool:
        return type(row) is float and (self.lower <= row <= self.upper or self.nan and math.isnan(row))

    def interesting(self) -> list[Row]:
        return values.reals(self.lower, self.upper, self.nan)

    @property
    def complete(self) -> bool:
        return self.lower == self.upper and self.lower != 0 and not self.nan


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the listed values: labels, keys, None for a missing value."""

    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("values must not be empty")

    def has(self, row: Row) -> bool:
        return key(row) in set(map(key, self.values))

    def interesting(self) -> list[Row]:
        return list(self.values)

    @property
    def complete(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Record:
    """Rows with several fields, as tuples; a field that is a list of numbers is a record itself."""

    fields: tuple[RowSpace, ...]

    def has(self, row: Row) -> bool:
        return isinstance(row, (tuple, list)) and len(row) == len(self.fields) and all(
            field.has(part) for field, part in zip(self.fields, row, strict=True)
        )  # fmt: skip

    def interesting(self) -> list[Row]:
        return values.combined([field.interesting() for field in self.fields])

    @property
    def complete(self) -> bool:
        listed = [field.interesting() for field in self.fields]
        return all(f.complete for f in self.fields) and len(self.interesting()) == math.prod(map(len, listed))


@dataclass(frozen=True, slots=True)
class Table:
    """Tables of such rows; `size` None leaves the number of rows free; `columns` hands over one list per field."""

    row: RowSpace
    size: int | None = None
    columns: bool = False
    least: int = 0

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 0 or self.least < 0:
            raise ValueError(f"size must be >= 0, got {self.size if self.size is not None else self.least}")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of rows that are tried."""
        return (self.size,) if self.size is not None else tuple(n for n in SIZES if n >= self.least)

    def has(self, rows: Rows) -> bool:
        """Whether the rows make an input of this space."""
        count = len(rows) == self.size if self.size is not None else len(rows) >= self.least
        return count and all(self.row.has(row) for row in set_of(rows))

    def as_input(self, rows: Rows) -> Any:
        """What the target is given for the rows."""
        width = len(self.row.fields) if isinstance(self.row, Record) else 0
        return as_input("columns" if self.columns else "rows", rows, width)


@dataclass(frozen=True, slots=True)
class Vector:
    """Vectors of that dimension; dimension None stands for a single number."""

    row: RowSpace
    dimension: int | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of coordinates."""
        return (1 if self.dimension is None else self.dimension,)

    def has(self, rows: Rows) -> bool:
        """Whether the coordinates make an input of this space."""
        return len(rows) in self.sizes and all(self.row.has(row) for row in set_of(rows))

    def as_input(self, rows: Rows) -> Any:
        """What the target is given."""
        return as_input("number" if self.dimension is None else "rows", rows)


Space = Table | Vector


def set_of(rows: Rows) -> list[Row]:
    """The rows, each once: large tables mostly repeat a few."""
    single = {id(row): row for row in rows}.values()
    return list({key(row): row for row in single}.values())


def as_input(shape: str, rows: Rows, width: int = 0) -> Any:
    """The input that the rows stand for; `width` is the number of fields of a row, for a list per field."""
    if shape == "columns":
        return tuple([list(row[i]) if isinstance(row[i], tuple) else row[i] for row in rows] for i in range(width))
    return rows[0] if shape == "number" else list(rows)


def neighbours(space: Space, metric: str, d_in: Fraction, u: Rows, v: Rows) -> bool:
    """Whether both belong to the space and are within d_in of each other."""
    if not (space.has(u) and space.has(v)):
        return False
    if metric in ("insert_delete", "opendp:InsertDeleteDistance"):  # long tables that are far apart would take long
        return insert_delete(tuple(map(key, u)), tuple(map(key, v)), int(d_in)) <= d_in
    return not apart(metric, measured(metric, u), measured(metric, v)).exceeds(d_in)


def measured(metric: str, rows: Rows) -> Any:
    """The rows as the metric takes them: a single number for `absolute`."""
    return rows[0] if metric == "absolute" and len(rows) == 1 else list(rows)
