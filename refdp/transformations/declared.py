"""Records as they were declared, row by row: numbers moved into their bounds, labels among those that are listed.

What a query of a user reads: whatever a file holds, it is given rows of the domain that its theorem is about.
Claims: d_out = d_in under both neighbouring relations, because each row is treated alone and none is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from refdp.pipeline import Exactly, PipelineError, Transformation, row_domain, transformation
from refdp.spec.domains import domain, fields, key_of
from refdp.spec.domains import number as bound
from refdp.spec.registry import register
from refdp.spec.rounding import nearest
from refdp.spec.rows import RowFunction
from refdp.spec.signatures import function_signature
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, name, text
from refdp.transformations._parameters import label, public_size
from refdp.transformations.columns import require_no_size_under_add_remove

RECORDS = domain("records")
ONE = Fraction(1)


def fitted(d: Term, cell: Any) -> Any:
    """The member of a domain of cells that stands for a cell: a number, a text, or None where it is missing.

    A number is moved to the nearer bound, and a whole one is wanted, rounded; what is no number counts as 0.  A label
    that is not listed counts as None where that is allowed, else as the first one.
    """
    match d.operator, d.arguments:
        case "optional", (inner,):
            missing = cell is None or (inner.operator == "labels" and not _is_listed(inner, cell))
            return None if missing else fitted(inner, cell)
        case "labels", listed:
            return _value(key_of(listed[0])) if not _is_listed(d, cell) else cell
    x = cell if isinstance(cell, Fraction) else Fraction(0)
    match d.operator:
        case "reals":
            return x
        case "grid" if bound(d, 0) == 1:
            return nearest(x, ONE)
        case "interval":
            return max(bound(d, 0), min(x, bound(d, 1)))
        case "above" | "below":
            inner, is_whole = d.arguments[0], d.arguments[0].operator == "grid"
            if d.operator == "above":
                return max(fitted(inner, cell), Fraction(ceil(bound(d, 1))) if is_whole else bound(d, 1))
            return min(fitted(inner, cell), Fraction(floor(bound(d, 1))) if is_whole else bound(d, 1))
        case "bounded" if bound(d, 0) == 1:
            return max(Fraction(ceil(bound(d, 1))), min(nearest(x, ONE), Fraction(floor(bound(d, 2)))))
    raise TermError(f"{d} is not a domain of cells")


def _is_listed(labels: Term, cell: Any) -> bool:
    """Whether the cell is one of the labels: a text is no number."""
    return isinstance(cell, str | Fraction) and cell in [_value(key_of(one)) for one in labels.arguments]


def _value(key: str | int) -> Any:
    """A label as a cell has it."""
    return key if isinstance(key, str) else Fraction(key)


def _declared(record: Any, arguments: Mapping[str, Term]) -> dict[str, Any]:
    """The declared columns of a record, each in its domain."""
    return {str(key): fitted(inner, record.get(key)) for key, inner in fields(arguments["rows"])}


def _one(record: Any, arguments: Mapping[str, Term]) -> Any:
    """One column of a record, in its domain."""
    return fitted(arguments["rows"], record.get(arguments["column"].value))


DECLARED_COLUMNS = register(
    RowFunction(
        stem="declared_columns",
        parameters=("rows",),
        conditions=(),
        example={"rows": read("record(field('age', bounded(1, 0, 120)))")},
        input_rows=RECORDS,
        output_rows=name("rows"),
        run=_declared,
    )
)
DECLARED_COLUMN = register(
    RowFunction(
        stem="declared_column",
        parameters=("column", "rows"),
        conditions=(),
        example={"column": text("age"), "rows": read("bounded(1, 0, 120)")},
        input_rows=RECORDS,
        output_rows=name("rows"),
        run=_one,
    )
)


def _fitting(written: Term | str) -> Term:
    """The domain of rows, if cells can be moved into it; PipelineError otherwise."""
    rows = row_domain(written, "rows")
    try:
        for one in [inner for _, inner in fields(rows)] if rows.operator == "record" else [rows]:
            fitted(one, None)
    except (TermError, TypeError, ValueError) as error:
        raise PipelineError(f"rows must be numbers, labels, or what may be missing of these, got {rows}") from error
    return rows


def declared_columns(rows: Term | str, neighbours: str = "add_remove", size: Exactly | None = None) -> Transformation:
    """records -> the records of a domain record(field(COLUMN, D), ...), each cell moved into its own domain D.

    Raises ValueError for other parameters, and for a size under add_remove.
    """
    require_no_size_under_add_remove(neighbours, size)
    if row_domain(rows, "rows").operator != "record":
        raise PipelineError(f"rows must be record(field(COLUMN, D), ...), got {rows}")
    signature = function_signature(DECLARED_COLUMNS, neighbours, sized=size is not None)
    return transformation(DECLARED_COLUMNS, signature, rows=_fitting(rows), **public_size(size))


def declared_column(
    column: str, rows: Term | str, neighbours: str = "add_remove", size: Exactly | None = None
) -> Transformation:
    """records -> the cells of one column, each moved into the domain `rows`.

    Raises ValueError for other parameters, and for a size under add_remove.
    """
    require_no_size_under_add_remove(neighbours, size)
    signature = function_signature(DECLARED_COLUMN, neighbours, sized=size is not None)
    given = {"column": label(column, "column"), "rows": _fitting(rows)}
    return transformation(DECLARED_COLUMN, signature, **given, **public_size(size))
