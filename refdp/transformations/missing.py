"""Missing values, row by row: drop the rows, which makes their number private, or fill in a declared value.

Claims: filling is stable with d_out = d_in; dropping too under add / remove, while a replaced row may become a removed
and an added one: 2 d_in under the symmetric distance.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.domains import domain
from refdp.spec.registry import register
from refdp.spec.rows import RowFunction
from refdp.spec.signatures import function_signature
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, term, text
from refdp.transformations._parameters import label, public_size
from refdp.transformations.columns import require_no_size_under_add_remove

RECORDS = domain("records")


def _complete(record: Any, arguments: Mapping[str, Term]) -> Any:
    """The record, or None if the column's value is missing."""
    return record if record.get(arguments["column"].value) is not None else None


def _filled(record: Any, arguments: Mapping[str, Term]) -> Any:
    """The record with the declared value where the column's is missing."""
    key, replacement = str(arguments["column"].value), arguments["replacement"]
    value = replacement.value if replacement.operator == "text" else Fraction(evaluate(replacement, {}))
    return {**record, key: value} if record.get(key) is None else record


DROP_MISSING = register(
    RowFunction(
        stem="drop_missing",
        parameters=("column",),
        conditions=(),
        example={"column": text("age")},
        input_rows=RECORDS,
        output_rows=RECORDS,
        run=_complete,
        keeps_rows=False,
    )
)
FILL_MISSING = register(
    RowFunction(
        stem="fill_missing",
        parameters=("column", "replacement"),
        conditions=(),
        example={"column": text("age"), "replacement": term(0)},
        input_rows=RECORDS,
        output_rows=RECORDS,
        run=_filled,
    )
)


def drop_missing(column: str, neighbours: str = "add_remove", size: Exactly | None = None) -> Transformation:
    """records -> the records whose column is not missing; how many there are is private.

    Raises ValueError for other parameters, and for a size under add_remove.
    """
    require_no_size_under_add_remove(neighbours, size)
    signature = function_signature(DROP_MISSING, neighbours, sized=size is not None)
    return transformation(DROP_MISSING, signature, column=label(column, "column"), **public_size(size))


def fill_missing(
    column: str, replacement: Fraction | int | str, neighbours: str = "add_remove", size: Exactly | None = None
) -> Transformation:
    """records -> the records with `replacement`, an exact number or a text, where the column is missing.

    Raises ValueError for other parameters, and for a size under add_remove.
    """
    require_no_size_under_add_remove(neighbours, size)
    signature = function_signature(FILL_MISSING, neighbours, sized=size is not None)
    value = text(replacement) if isinstance(replacement, str) else term(exact(replacement, "replacement"))
    given = {"column": label(column, "column"), "replacement": value}
    return transformation(FILL_MISSING, signature, **given, **public_size(size))
