"""A table whose rows have some columns that others may know, and one that they may not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from refdp.accounting.numbers import decimal_below
from refdp.releases.tables import Missing, read_table

PENGUINS = Path(__file__).parents[1] / "releases" / "examples" / "penguins.csv"
"""The table that is taken unless another one is said."""
NOT_THERE = frozenset({"NA", "NaN", "nan", "null"})
"""What marks a missing cell besides nothing; rows with one in these columns are left out."""
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """Rows of the columns that others may know, as text, and of each its secret; at least one row, two secrets."""

    known: tuple[Key, ...]
    secrets: tuple[str, ...]

    @property
    def values(self) -> tuple[str, ...]:
        """What the secret may be: public, in order."""
        return tuple(sorted(set(self.secrets)))

    def groups(self, columns: int) -> Counter[Key]:
        """How many rows have the same first so many known columns."""
        return Counter(key[:columns] for key in self.known)

    def unique(self, columns: int) -> list[int]:
        """The rows that nobody else shares these columns with."""
        sizes = self.groups(columns)
        return [place for place, key in enumerate(self.known) if sizes[key[:columns]] == 1]

    def told(self, columns: int) -> int:
        """How many rows are in a group all of whose rows have the same secret."""
        secrets: dict[Key, set[str]] = {}
        for key, one in zip(self.known, self.secrets, strict=True):
            secrets.setdefault(key[:columns], set()).add(one)
        return sum(len(secrets[key[:columns]]) == 1 for key in self.known)


def linked_table(path: str | Path | None, auxiliary: Sequence[str], secret: str) -> LinkedTable:
    """The table; ValueError where it has no such columns, no row without a missing cell, or one secret for all."""
    if not isinstance(path, str | Path | None) or path == "":
        raise ValueError(f"table must be the path of a CSV file, got {path!r}")
    if not all(isinstance(one, str) for one in auxiliary):
        raise ValueError(f"auxiliary must be names of columns, got {list(auxiliary)}")
    if not isinstance(secret, str):
        raise ValueError(f"secret must be the name of a column, got {secret!r}")
    columns = [*auxiliary, secret]
    if not auxiliary or len(set(columns)) < len(columns):
        raise ValueError(f"auxiliary must be columns, each once, without the secret one, got {', '.join(columns)}")
    where = PENGUINS if path is None else path
    rows = read_table(where, labels=columns, missing=Missing(NOT_THERE, "drop")).labels(*columns)
    if len({row[-1] for row in rows}) < 2:
        raise ValueError(f"secret must be a column with at least 2 different values, got {secret} of {where}")
    return LinkedTable(tuple(row[:-1] for row in rows), tuple(row[-1] for row in rows))


def share(part: int, whole: int) -> str:
    """How many of how many, and that as a decimal, rounded down.

    >>> share(1, 3)
    '1 of 3 (0.333)'
    """
    return f"{part} of {whole} ({decimal_below(Fraction(part, whole), 3)})"
