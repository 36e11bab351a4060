"""Queries of a release as people write them, and the pipelines they stand for.

    count                       the number of rows
    histogram COLUMN            rows per declared category
    sum COLUMN                  the sum, each value clamped to the declared bounds
    mean COLUMN                 the mean of a table whose number of rows is public (change_one)
    threshold COLUMN VALUE      the number of rows with COLUMN <= VALUE

COLUMN may be binary:D1,D2,... for the number that several 0/1 columns write in binary.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from refdp.mechanisms import discrete_laplace
from refdp.numerics.exact import NotExact, exact
from refdp.pipeline import Measurement, Transformation
from refdp.releases.errors import InputError
from refdp.spec.terms import Term
from refdp.transformations import (
    binary_code,
    category_of,
    clamped_sum,
    column,
    count,
    drop_missing,
    fill_missing,
    histogram,
    mean,
    threshold_count,
)

WORDS: Mapping[str, int] = {"count": 1, "histogram": 2, "sum": 2, "mean": 2, "threshold": 3}
"""The kinds of query, and of how many words each consists."""
BINARY = "binary:"
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Query:
    """One query: its kind, its column (empty for count) and its threshold."""

    text: str
    kind: str
    column: str = ""
    threshold: Fraction = Fraction(0)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table that it reads."""
        if self.column.startswith(BINARY):
            return tuple(self.column.removeprefix(BINARY).split(","))
        return (self.column,) if self.column else ()

    @property
    def reads_labels(self) -> bool:
        """Whether its column holds categories, not numbers."""
        return self.kind == "histogram"


@dataclass(frozen=True, slots=True)
class Declarations:
    """What the curator declares of the table, by column; nothing of it is taken from the data."""

    neighbours: str
    bounds: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    granularity: Mapping[str, Fraction] = field(default_factory=dict)
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: str | None = None
    """"drop", "replace=VALUE", or None: then no cell that a query reads may be missing."""

    def step(self, query: Query) -> Fraction:
        """The grid of the query's column, 1 unless declared."""
        if query.column.startswith(BINARY):
            return Fraction(1)
        return self.granularity.get(query.column, self.granularity.get("", Fraction(1)))


def read_query(text: str) -> Query:
    """The query that a text writes down; InputError if it is none."""
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if not words or WORDS.get(words[0]) != len(words):
        forms = "count, histogram COLUMN, sum COLUMN, mean COLUMN or threshold COLUMN VALUE"
        raise InputError(f"query must be {forms}, got {text!r}")
    kind, *rest = words
    if rest and rest[0].startswith(BINARY) and kind == "histogram":
        raise InputError(f"a histogram must read one column of categories, got {text!r}")
    try:
        threshold = exact(rest[1], "the threshold") if len(rest) == 2 else Fraction(0)
    except NotExact as error:
        raise InputError(str(error)) from None
    return Query(text, kind, rest[0] if rest else "", threshold)


def transformation(query: Query, said: Declarations, rows: int) -> Transformation:
    """Records -> the exact answer of the query; `rows` is the size of the table, public under change_one only.

    Raises InputError where a declaration is missing or the query has no stability map.
    """
    size = rows if said.neighbours == "change_one" else None
    steps, neighbours = _missing(query, said, size), said.neighbours
    if said.missing == "drop" and query.columns:
        neighbours, size = "add_remove", None  # a dropped row makes the size private
    steps += _answer(query, said, neighbours, size)
    chained = steps[0]
    for step in steps[1:]:
        chained = chained >> step
    return chained


def _answer(query: Query, said: Declarations, neighbours: str, size: int | None) -> list[Transformation]:
    """The steps from complete records to the exact answer."""
    if query.kind == "count":
        return [count(neighbours=neighbours)]
    if query.kind == "histogram":
        labels = _declared(said.categories, query, "categories", f"{query.column}=A,B,...")
        return [category_of(query.column, labels, neighbours, size), histogram(len(labels), neighbours, "l1")]
    numbers, step = _numbers(query, said, neighbours, size), said.step(query)
    if query.kind == "threshold":
        return [numbers, threshold_count(query.threshold, step, neighbours)]
    lower, upper = _bounds(query, said)
    if query.kind == "sum":
        return [numbers, clamped_sum(lower, upper, step, neighbours)]
    if size is None:
        why = "rows with missing values are dropped" if said.missing == "drop" else "neighbours is add_remove"
        raise InputError(f"mean must have a public number of rows, but {why}; release sum and count instead")
    return [numbers, mean(lower, upper, size, step, neighbours)]


def measurement(query: Query, said: Declarations, rows: int, epsilon: Fraction) -> Measurement:
    """The query with discrete Laplace noise on its grid, scaled to be epsilon-DP for one edit of the table."""
    answer = transformation(query, said, rows)
    sensitivity = answer.map(1)
    if not isinstance(sensitivity, Fraction) or sensitivity <= 0:
        raise InputError(f"{query.text} must depend on the rows, but under {said.neighbours} its answer is public")
    step, dimension = grid(answer.output_domain)
    return answer >> discrete_laplace(sensitivity / epsilon, step, dimension)


def grid(domain: Term) -> tuple[Fraction, int | None]:
    """The step of the grid that numbers or vectors lie on, and the dimension of vectors."""
    if domain.operator == "vector":
        return grid(domain.arguments[0])[0], int(exact(str(domain.arguments[1])))
    return exact(str(domain.arguments[0]), "granularity"), None


def _missing(query: Query, said: Declarations, size: int | None) -> list[Transformation]:
    """The declared policy for missing values, applied to each column that the query reads."""
    if said.missing is None:
        return []
    if said.missing != "drop":
        value = _replacement(query, said) if query.columns else ""
        return [fill_missing(name, value, said.neighbours, size) for name in query.columns]
    relations = [said.neighbours, *("add_remove" for _ in query.columns)]
    sizes = [size, *(None for _ in query.columns)]
    return [drop_missing(*row) for row in zip(query.columns, relations, sizes, strict=False)]


def _replacement(query: Query, said: Declarations) -> Fraction | str:
    """The value that missing ones are read as: a label, or a number inside the bounds."""
    text = str(said.missing).removeprefix("replace=")
    if query.reads_labels:
        return text
    value = exact(text, "the replacement of missing values")
    lower, upper = said.bounds.get(query.column, said.bounds.get("", (value, value)))
    if not lower <= value <= upper:
        raise InputError(f"the replacement of missing values must be in [{lower}, {upper}], got {value}")
    return value


def _numbers(query: Query, said: Declarations, neighbours: str, size: int | None) -> Transformation:
    """Records -> the numbers of the query's column, on its grid."""
    if query.column.startswith(BINARY):
        return binary_code(query.columns, neighbours, size)
    return column(query.column, said.step(query), neighbours, size)


def _bounds(query: Query, said: Declarations) -> tuple[Fraction, Fraction]:
    """The declared bounds of the query's column."""
    if query.column not in said.bounds and "" in said.bounds:
        return said.bounds[""]
    return _declared(said.bounds, query, "bounds", f"{query.column}=L,U")


def _declared(found: Mapping[str, V], query: Query, what: str, form: str) -> V:
    """What is declared of the query's column; InputError if nothing is."""
    if query.column not in found:
        raise InputError(f"{what} of {query.column} must be declared for {query.text!r}: --{what} {form}")
    return found[query.column]
