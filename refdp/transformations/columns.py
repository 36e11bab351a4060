"""From records to numbers and categories, row by row: read one column, name a category, code several bits.

A record is a mapping from column to exact number, text, or None where the value is missing.
Claims: d_out = d_in under both neighbouring relations, because each row is treated alone and none is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, PipelineError, Transformation, transformation
from refdp.spec.domains import domain
from refdp.spec.registry import register
from refdp.spec.rows import RowFunction
from refdp.spec.signatures import function_signature
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, name, term, text
from refdp.transformations._parameters import label, list_of, public_size

RECORDS = domain("records")


def nearest_multiple(x: Fraction, step: Fraction) -> Fraction:
    """The multiple of `step` nearest to x, the even one of two equally near."""
    return round(x / step) * step


def _number(record: Any, arguments: Mapping[str, Term]) -> Fraction:
    """The column's number, rounded to the grid; a missing one or a text counts as 0."""
    found, granularity = record.get(arguments["column"].value), arguments["granularity"]
    if not isinstance(found, Fraction):
        return Fraction(0)
    step = granularity.rational if granularity.operator == "number" else Fraction(evaluate(granularity, {}))
    return found if step == 1 == found.denominator else nearest_multiple(found, step)


def _category(record: Any, arguments: Mapping[str, Term]) -> Fraction:
    """The position of the column's text among the labels; -1 if it is none of them."""
    labels = [label.value for label in arguments["labels"].arguments]
    found = record.get(arguments["column"].value)
    return Fraction(labels.index(found) if found in labels else -1)


def _bits(record: Any, arguments: Mapping[str, Term]) -> tuple[Fraction, ...]:
    """1 for each of the columns that is 1, else 0."""
    return tuple(Fraction(int(record.get(c.value) == 1)) for c in arguments["columns"].arguments)


def _code(record: Any, arguments: Mapping[str, Term]) -> Fraction:
    """The columns' bits as a binary number, the first the most significant."""
    return Fraction(int("".join(str(bit) for bit in _bits(record, arguments)), 2))


COLUMN = register(
    RowFunction(
        stem="column",
        parameters=("column", "granularity"),
        conditions=(read("0 < granularity"),),
        example={"column": text("age"), "granularity": term(1)},
        input_rows=RECORDS,
        output_rows=domain("grid", name("granularity")),
        run=_number,
    )
)
CATEGORY_OF = register(
    RowFunction(
        stem="category_of",
        parameters=("column", "labels", "dimension"),
        conditions=(read("has_length(labels, dimension)"), read("1 <= dimension")),
        example={"column": text("island"), "labels": read("list_of('A', 'B')"), "dimension": term(2)},
        input_rows=RECORDS,
        output_rows=domain("category", name("dimension")),
        run=_category,
    )
)
ATTRIBUTES = register(
    RowFunction(
        stem="attributes",
        parameters=("columns", "dimension"),
        conditions=(read("has_length(columns, dimension)"), read("1 <= dimension")),
        example={"columns": read("list_of('D1', 'D2')"), "dimension": term(2)},
        input_rows=RECORDS,
        output_rows=read("vector(bounded(1, 0, 1), dimension)"),
        run=_bits,
    )
)
BINARY_CODE = register(
    RowFunction(
        stem="binary_code",
        parameters=("columns", "dimension"),
        conditions=(read("has_length(columns, dimension)"), read("1 <= dimension")),
        example={"columns": read("list_of('D1', 'D2')"), "dimension": term(2)},
        input_rows=RECORDS,
        output_rows=domain("grid", term(1)),
        run=_code,
    )
)


def column(
    name: str, granularity: Exactly = 1, neighbours: str = "add_remove", size: Exactly | None = None
) -> Transformation:
    """records -> the numbers of one column, each rounded to the nearest multiple of granularity > 0, exact.

    Raises ValueError for other parameters, and for a size under add_remove.
    """
    step = exact(granularity, "granularity")
    return _row_by_row(COLUMN, neighbours, size, column=label(name, "name"), granularity=term(step))


def category_of(
    name: str, labels: tuple[str, ...], neighbours: str = "add_remove", size: Exactly | None = None
) -> Transformation:
    """records -> the position of one column's text among the declared labels, -1 if it is none of them.

    Raises ValueError for other parameters, and for a size under add_remove.
    """
    column, listed = label(name, "name"), list_of(labels, "labels")
    return _row_by_row(CATEGORY_OF, neighbours, size, column=column, labels=listed, dimension=term(len(labels)))


def attributes(columns: tuple[str, ...], neighbours: str = "change_one", size: Exactly | None = None) -> Transformation:
    """records -> the 0/1 vector of several columns.

    Raises ValueError for other parameters, and for a size under add_remove.
    """
    listed = list_of(columns, "columns")
    return _row_by_row(ATTRIBUTES, neighbours, size, columns=listed, dimension=term(len(columns)))


def binary_code(
    columns: tuple[str, ...], neighbours: str = "add_remove", size: Exactly | None = None
) -> Transformation:
    """records -> the number that several 0/1 columns write in binary, the first the most significant.

    Raises ValueError for other parameters, and for a size under add_remove.
    """
    listed = list_of(columns, "columns")
    return _row_by_row(BINARY_CODE, neighbours, size, columns=listed, dimension=term(len(columns)))


def require_no_size_under_add_remove(neighbours: str, size: object) -> None:
    """A public number of rows goes with replaced rows only: otherwise no two tables are neighbours."""
    if size is not None and neighbours == "add_remove":
        raise PipelineError(f"neighbours must be change_one where size is given, got {neighbours}")


def _row_by_row(kind: RowFunction, neighbours: str, size: Exactly | None, **parameters: Term) -> Transformation:
    """The transformation, on tables of a public size where one is given."""
    require_no_size_under_add_remove(neighbours, size)
    signature = function_signature(kind, neighbours, sized=size is not None)
    return transformation(kind, signature, **parameters, **public_size(size))
