"""A CSV table as data: declared columns, exact numbers, and a declared policy for missing cells.

Dropping rows makes the number of rows private and acts row by row: neighbours by add / remove stay neighbours, but
replacing one record may change the size.  Replacing missing cells keeps the size.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, Literal, TypeVar

from refdp.releases.errors import InputError, RowError
from refdp.releases.records import Limits, Records, open_regular

Cell = TypeVar("Cell", bound=Fraction | str)
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,4}))?")
MAXIMUM_DIGITS = 400
"""Longest decimal text, and largest exponent in absolute value."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Missing cells are read as if `text` stood there."""

    text: str


Policy = Literal["drop"] | Replace


@dataclass(frozen=True, slots=True)
class Missing:
    """Which cells are missing (the empty ones and the `markers`, exactly as written), and what becomes of them.

    `policy` "drop": a query ignores the rows where one of its columns is missing.  None: a missing cell is an error.
    """

    markers: frozenset[str] = frozenset()
    policy: Policy | None = None

    def holds(self, text: str) -> bool:
        """Whether a cell with that text is missing."""
        return not text or text in self.markers


@dataclass(frozen=True, slots=True)
class Table:
    """The declared columns of a table, in the order of its rows; None is a missing cell under the policy "drop"."""

    size: int
    """Number of rows in the file."""
    digest: str
    """`sha256:` and the SHA-256 of the file.  A small table can be guessed from it: keep it as private as the table."""
    decimal_columns: Mapping[str, tuple[Fraction | None, ...]]
    label_columns: Mapping[str, tuple[str | None, ...]]

    def decimals(self, *columns: str) -> tuple[tuple[Fraction, ...], ...]:
        """The rows with no missing cell in the decimal `columns`, restricted to these."""
        return _complete(self.decimal_columns, columns)

    def labels(self, *columns: str) -> tuple[tuple[str, ...], ...]:
        """The rows with no missing cell in the label `columns`, restricted to these."""
        return _complete(self.label_columns, columns)


def read_table(
    path: str | os.PathLike[str],
    *,
    decimals: Collection[str] = (),
    labels: Collection[str] = (),
    missing: Missing = Missing(),
    optional: Collection[str] = (),
    limits: Limits = Limits(),  # noqa: B008 (it is frozen)
) -> Table:
    """The `decimals` and `labels` columns of the CSV file at `path`, read in one pass and exactly.

    In the `optional` columns a missing cell is None, whatever the policy.  Every row of the file is checked; cells of
    other columns are not kept.  Raises InputError, RowError.
    """
    name = f"the table {os.fspath(path)}"
    kept = replace(missing, policy="drop")
    policies = dict.fromkeys(optional, kept)
    numbers = [
        _Reader(column, decimal, "a decimal number", name, policies.get(column, missing))
        for column in dict.fromkeys(decimals)
    ]
    texts = [_Reader(column, str, "text", name, policies.get(column, missing)) for column in dict.fromkeys(labels)]
    readers: list[_Reader[Fraction] | _Reader[str]] = [*numbers, *texts]
    with open_regular(path) as file:
        records = Records(file, name, limits)
        plan = [(_place(reader.column, records), reader.read) for reader in readers]
        size = 0
        for line, fields in records:
            size += 1
            for place, read in plan:
                read(fields[place], line)
    cells = {reader.column: tuple(reader.cells) for reader in numbers}
    return Table(size, records.digest, cells, {reader.column: tuple(reader.cells) for reader in texts})


def decimal(text: str) -> Fraction | None:
    """The exact value of a decimal such as -12.50 or 1e-3; None for any other text (NaN, inf, 1e999, 1_000, 1/2).

    >>> decimal("0.1"), decimal("NaN"), decimal("1e999999")
    (Fraction(1, 10), None, None)
    """
    match = DECIMAL.fullmatch(text) if len(text) <= MAXIMUM_DIGITS else None
    return Fraction(text) if match and abs(int(match[1] or 0)) <= MAXIMUM_DIGITS else None


def read_policy(text: str) -> Policy:
    """The policy that `drop` or `replace=VALUE` declares."""
    if text == "drop":
        return "drop"
    if text.startswith("replace="):
        return Replace(text.removeprefix("replace="))
    raise InputError(f"the policy for missing cells must be drop or replace=VALUE, got {text!r}")


class _Reader(Generic[Cell]):
    """Reads the cells of one column; equal texts share one value."""

    __slots__ = ("_known", "_missing", "_table", "_value", "_what", "cells", "column")

    def __init__(
        self, column: str, value: Callable[[str], Cell | None], what: str, table: str, missing: Missing
    ) -> None:
        self.column, self._value, self._what, self._table, self._missing = column, value, what, table, missing
        self.cells: list[Cell | None] = []
        self._known: dict[str, Cell | None] = {}
        for text in ("", *missing.markers) if missing.policy else ():
            self._known[text] = self._stand_in(missing.policy)

    def _stand_in(self, policy: Policy | None) -> Cell | None:
        """What a missing cell is read as."""
        if not isinstance(policy, Replace):
            return None
        value = None if self._missing.holds(policy.text) else self._value(policy.text)
        if value is None:
            raise InputError(
                f"the replacement of missing cells in column {self.column!r} must be {self._what}, got {policy.text!r}"
            )
        return value

    def read(self, text: str, line: int) -> None:
        """Append the cell that `text` writes down; RowError, which never repeats the text, where it is none."""
        if text not in self._known:
            self._known[text] = self._checked(text, line)
        self.cells.append(self._known[text])

    def _checked(self, text: str, line: int) -> Cell:
        where = f"{self._table} must have {self._what} in every cell of column {self.column!r}"
        if self._missing.holds(text):
            raise RowError(f"{where}, got a missing one in line {line}; declare a policy: drop, or replace=VALUE")
        value = self._value(text)
        if value is None:
            raise RowError(f"{where}, got something else in line {line}; declare what marks a missing cell, if it does")
        return value


def _place(column: str, records: Records) -> int:
    """Where `column` stands in the header, whose other names stay unsaid: they may be a record."""
    if column not in records.header:
        raise InputError(f"{records.name} must have a column {column!r}, got a header without it")
    return records.header.index(column)


def _complete(columns: Mapping[str, tuple[Cell | None, ...]], names: tuple[str, ...]) -> tuple[tuple[Cell, ...], ...]:
    """The rows of the columns `names` without those where a cell is missing."""
    if not names or not set(names) <= set(columns):
        raise ValueError(f"columns must be some of {', '.join(columns) or 'none'}, got {', '.join(names) or 'none'}")
    rows = zip(*(columns[name] for name in names), strict=True)
    return tuple(tuple(cell for cell in row if cell is not None) for row in rows if None not in row)
