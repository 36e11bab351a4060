"""Queries of a release as people write them, and the pipelines they stand for.

    count                       the number of rows
    histogram COLUMN            rows per declared category
    sum COLUMN                  the sum, each value clamped to the declared bounds
    mean COLUMN                 the mean of a table whose number of rows is public (change_one)
    threshold COLUMN VALUE      the number of rows with COLUMN <= VALUE
    FILE.py:FUNCTION [COLUMN]   the answer of a function of one's own, to the declared columns or to one of them
    select FILE.py:FUNCTION [COLUMN]
                                the candidate with about the greatest of the scores that the function gives

COLUMN may be binary:D1,D2,... for the number that several 0/1 columns write in binary.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from refdp.mechanisms import discrete_gaussian, discrete_laplace, exponential
from refdp.numerics.exact import NotExact, exact, lower_bound, upper_bound
from refdp.pipeline import Measurement, Transformation
from refdp.releases.errors import InputError
from refdp.sensitivities.declaring import read_kind
from refdp.sensitivities.records import Category, Missing
from refdp.spec.domains import rows_of
from refdp.terms.term import Term, number, sqrt
from refdp.transformations import (
    binary_code,
    category_of,
    clamped_sum,
    column,
    count,
    declared_column,
    declared_columns,
    drop_missing,
    fill_missing,
    histogram,
    mean,
    threshold_count,
)

WORDS: Mapping[str, int] = {"count": 1, "histogram": 2, "sum": 2, "mean": 2, "threshold": 3}
"""The kinds of query, and of how many words each consists."""
SELECT = "select"
OWN = re.compile(r"(?P<file>.+\.py):(?P<function>[^:]+)")
"""A function of one's own."""
BINARY = "binary:"
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Query:
    """One query: its kind, its column (empty for count) and its threshold."""

    text: str
    kind: str
    column: str = ""
    threshold: Fraction = Fraction(0)
    target: str = ""
    """FILE.py:FUNCTION where the query is a function of one's own."""

    @property
    def function(self) -> str:
        """The name of that function."""
        return self.target.rpartition(":")[2]

    @property
    def is_selection(self) -> bool:
        """Whether a candidate is released, and no number."""
        return self.kind == SELECT

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
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What the cells of a column are, for functions of one's own: integers 0..120, A | B, and these or missing."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """Values of parameters of these functions."""
    claims: Mapping[str, str] = field(default_factory=dict)
    """By function: the bound of one edit that is claimed; else the least that is proved."""
    missing: str | None = None
    """"drop", "replace=VALUE", or None: then no cell that a query reads may be missing."""

    def read_by(self, query: Query) -> tuple[str, ...]:
        """The columns that a query reads: a function of one's own the declared ones, unless it names one."""
        return tuple(self.kinds) if query.target and not query.column else query.columns

    def is_optional(self, column: str) -> bool:
        """Whether a function of one's own is given None where the cell is missing."""
        return isinstance(read_kind(_declared(self.kinds, column, "column"), {}), Missing)

    def holds_labels(self, column: str) -> bool:
        """Whether a function of one's own reads texts there."""
        kind = read_kind(_declared(self.kinds, column, "column"), {})
        kind = kind.kind if isinstance(kind, Missing) else kind
        return isinstance(kind, Category) and isinstance(kind.labels[0], str)

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
    chosen = words[:1] == [SELECT]
    if len(words) - chosen in (1, 2) and OWN.fullmatch(words[chosen]):
        return Query(text, SELECT if chosen else "function", "".join(words[1 + chosen :]), target=words[chosen])
    if not words or WORDS.get(words[0]) != len(words):
        forms = "count, histogram COLUMN, sum COLUMN, mean COLUMN, threshold COLUMN VALUE or FILE.py:FUNCTION [COLUMN]"
        raise InputError(f"query must be {forms}, got {text!r}")
    kind, *rest = words
    if rest and rest[0].startswith(BINARY) and kind == "histogram":
        raise InputError(f"a histogram must read one column of categories, got {text!r}")
    try:
        threshold = exact(rest[1], "the threshold") if len(rest) == 2 else Fraction(0)
    except NotExact as error:
        raise InputError(str(error)) from None
    return Query(text, kind, rest[0] if rest else "", threshold)


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A function of one's own, proved: how far it moves, and what its coordinates are called."""

    transformation: Transformation
    labels: tuple[str, ...]


Prove = Callable[[Query, str, int | None, str], OwnFunction]
"""Query, neighbours, public number of rows or None, norm -> the function, proved."""


def transformation(
    query: Query, said: Declarations, rows: int, norm: str = "l1", prove: Prove | None = None
) -> tuple[Transformation, tuple[str, ...]]:
    """Records -> the exact answer of the query, and what the coordinates of a vector are called.

    `rows` is the size of the table, public under change_one only; vectors are near in `norm`; `prove` is for functions
    of one's own.  Raises InputError where a declaration is missing or the query has no stability map.
    """
    size = rows if said.neighbours == "change_one" else None
    steps, neighbours = _missing(query, said, size), said.neighbours
    if said.missing == "drop" and said.read_by(query):
        neighbours, size = "add_remove", None  # a dropped row makes the size private
    if query.target:
        if prove is None:
            raise InputError(f"{query.text} must be proved before it is released")
        own = prove(query, neighbours, size, norm)
        steps += [_rows(query, own.transformation, neighbours, size), own.transformation]
        labels = own.labels
    else:
        steps += _answer(query, said, neighbours, size, norm)
        labels = said.categories.get(query.column, ())
    chained = steps[0]
    for step in steps[1:]:
        chained = chained >> step
    return chained, labels


def _rows(query: Query, own: Transformation, neighbours: str, size: int | None) -> Transformation:
    """Records -> the rows that a function of one's own reads: the declared columns, or the cells of one."""
    rows = rows_of(own.input_domain)
    if query.column:
        return declared_column(query.column, rows, neighbours, size)
    return declared_columns(rows, neighbours, size)


def _answer(query: Query, said: Declarations, neighbours: str, size: int | None, norm: str) -> list[Transformation]:
    """The steps from complete records to the exact answer."""
    if query.kind == "count":
        return [count(neighbours=neighbours)]
    if query.kind == "histogram":
        labels = _declared(said.categories, query.column, "categories")
        return [category_of(query.column, labels, neighbours, size), histogram(len(labels), neighbours, norm)]
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


def measurement(
    query: Query, said: Declarations, rows: int, measure: str, part: Fraction, prove: Prove | None = None
) -> tuple[Measurement, tuple[str, ...]]:
    """The query with noise on its grid for one edit of the table, and the labels of its coordinates.

    Under pure, discrete Laplace noise that is part-DP; else discrete Gaussian noise of part-zCDP.  A selection is the
    exponential mechanism.
    """
    is_pure = measure == "pure"
    norm = "linf" if query.is_selection else "l1" if is_pure else "l2"
    answer, labels = transformation(query, said, rows, norm, prove)
    sensitivity = answer.map(1)
    if not isinstance(sensitivity, Fraction) or sensitivity <= 0:
        raise InputError(f"{query.text} must depend on the rows, but under {said.neighbours} its answer is public")
    if query.is_selection:
        if answer.output_domain.operator != "vector":
            raise InputError(f"{query.text} must give the scores of several candidates, got one number")
        loss = part if is_pure else lower_bound(sqrt(number(2 * part)))  # e-DP is e^2 / 2-zCDP
        return answer >> exponential(2 * sensitivity / loss), labels
    step, dimension = grid(answer.output_domain)
    if is_pure:
        return answer >> discrete_laplace(sensitivity / part, step, dimension), labels
    return answer >> discrete_gaussian(upper_bound(sqrt(number(sensitivity**2 / (2 * part)))), step, dimension), labels


def grid(domain: Term) -> tuple[Fraction, int | None]:
    """The step of the grid that numbers or vectors lie on, and the dimension of vectors."""
    if domain.operator == "vector":
        return grid(domain.arguments[0])[0], int(exact(str(domain.arguments[1])))
    return exact(str(domain.arguments[0]), "granularity"), None


def _missing(query: Query, said: Declarations, size: int | None) -> list[Transformation]:
    """The declared policy for missing values, applied to each column that the query reads."""
    if said.missing is None:
        return []
    columns = [name for name in said.read_by(query) if not (query.target and said.is_optional(name))]
    if said.missing != "drop":
        return [fill_missing(name, _replacement(query, said, name), said.neighbours, size) for name in columns]
    relations = [said.neighbours, *("add_remove" for _ in columns)]
    sizes = [size, *(None for _ in columns)]
    return [drop_missing(*row) for row in zip(columns, relations, sizes, strict=False)]


def _replacement(query: Query, said: Declarations, column: str) -> Fraction | str:
    """The value that missing ones are read as: a label, or a number inside the bounds."""
    text = str(said.missing).removeprefix("replace=")
    if query.reads_labels or (query.target and said.holds_labels(column)):
        return text
    value = exact(text, "the replacement of missing values")
    if query.target:  # it is moved into the declared bounds, as every cell is
        return value
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
    return _declared(said.bounds, query.column, "bounds")


def _declared(found: Mapping[str, V], column: str, what: str) -> V:
    """What is declared of a column; InputError if nothing is."""
    if column not in found:
        raise InputError(f"{what} of {column} must be declared: --{what} {column}={FORMS[what]}")
    return found[column]


FORMS: Mapping[str, str] = {"bounds": "L,U", "categories": "A,B,...", "column": "KIND"}
"""How each thing is declared."""
