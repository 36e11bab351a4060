"""The number of rows.

Claims: one row added or removed moves it by 1; rows replaced do not move it.
Source: 000_049da8266149c954.txt, the sensitivity table.
"""

from __future__ import annotations

from refdp.pipeline import Transformation, row_domain, transformation
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.rows import Edit, RowSum
from refdp.spec.signatures import sum_signature
from refdp.terms.reading import read
from refdp.terms.term import Term, name


@formula
def contribution() -> Real:
    """What a row adds."""
    return 1


@formula
def unmoved() -> Real:
    """How far one replaced row moves the count."""
    return 0


COUNT = register(
    RowSum(
        stem="count",
        parameters=("rows",),
        conditions=(),
        example={"rows": read("records()")},
        input_rows=name("rows"),
        contribution=contribution,
        units=contribution,
        output_step=contribution,
        edits={("add_remove", "absolute"): Edit(contribution), ("change_one", "absolute"): Edit(unmoved)},
    )
)


def count(rows: Term | str = "records()", neighbours: str = "add_remove") -> Transformation:
    """table -> its number of rows; `rows` is the domain of the rows, such as "grid(1)".

    Raises ValueError for others.

    >>> count("grid(1)")((5, 5, 7))
    Fraction(3, 1)
    """
    signature = sum_signature(COUNT, neighbours, "absolute")
    return transformation(COUNT, signature, rows=row_domain(rows, "rows"))
