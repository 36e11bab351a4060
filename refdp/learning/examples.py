"""Rows as what a model learns from: features scaled by public bounds, and a label; each from its own row alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdp.releases.tables import Missing, read_table

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Mask = np.ndarray[Any, np.dtype[np.bool_]]

PENGUINS = Path(__file__).parents[1] / "releases" / "examples" / "penguins.csv"
"""The table that is taken unless another one is said: 344 penguins, of which 333 have a sex."""
NOT_THERE = frozenset({"NA", "NaN", "nan", "null"})
"""What marks a missing cell besides nothing."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """A column of numbers with public bounds: from `lower` to `upper` is scaled to -1 to 1, beyond them is cut off.

    A missing cell is the middle.
    """

    column: str
    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if not self.lower < self.upper:
            raise ValueError(f"bounds of {self.column} must be L,U with L < U, got {self.lower},{self.upper}")

    def scaled(self, cell: Fraction | None) -> float:
        """The feature, a number from -1 to 1."""
        if cell is None:
            return 0.0
        inside = min(max(cell, self.lower), self.upper)
        return float((2 * inside - self.lower - self.upper) / (self.upper - self.lower))


@dataclass(frozen=True, slots=True)
class Classes:
    """A column of text with two public values, of which the first is labelled 1 and the second 0."""

    column: str
    positive: str
    negative: str

    def __post_init__(self) -> None:
        if self.positive == self.negative or not self.positive or not self.negative:
            raise ValueError(f"label {self.column} must have two different values, got {self.positive},{self.negative}")


@dataclass(frozen=True, slots=True)
class Examples:
    """Of each row its features, the last of which is 1, its label, and whether it has one: rows without add nothing."""

    features: Floats
    labels: Floats
    known: Mask

    @property
    def size(self) -> int:
        """How many rows there are: that is private where rows may come and go."""
        return len(self.labels)


def examples_of(path: str | Path, features: Sequence[Bounded], label: Classes | Bounded) -> Examples:
    """The rows of a CSV table; ValueError where it has no such columns, or no cell of the kind that is said."""
    import numpy as np

    columns = [one.column for one in features]
    if not columns or len({*columns, label.column}) <= len(columns):
        raise ValueError(f"features must be columns, each once, without the label, got {', '.join(columns) or 'none'}")
    is_number = isinstance(label, Bounded)
    texts, numbers = ([], [*columns, label.column]) if is_number else ([label.column], columns)
    table = read_table(
        path, decimals=numbers, labels=texts, missing=Missing(NOT_THERE), optional=[*columns, label.column]
    )
    cells = [[one.scaled(cell) for cell in table.decimal_columns[one.column]] for one in features]
    said = table.decimal_columns[label.column] if is_number else table.label_columns[label.column]
    found = [labelled(label, one) for one in said]
    return Examples(
        np.array([*cells, [1.0] * table.size]).T.copy(),
        np.array([0.0 if one is None else one for one in found]),
        np.array([one is not None for one in found], dtype=np.bool_),
    )


def labelled(label: Classes | Bounded, cell: Any) -> float | None:
    """The label as a number; None where a row has none, or another one."""
    if cell is None:
        return None
    if isinstance(label, Bounded):
        return label.scaled(cell)
    return {label.positive: 1.0, label.negative: 0.0}.get(cell)
