"""Whether a table has any row: what a training step tells that is skipped where its lot is empty.

Claim: one row added or removed moves it by at most 1.
"""

from __future__ import annotations

from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.rows import Edit, RowSum
from refdp.terms.reading import read
from refdp.terms.term import name


@formula
def one() -> Real:
    """What a row adds; also the output's step, and how far a row moves the answer at most."""
    return 1


@formula
def is_positive(total: Real) -> Real:
    """1 where there are rows, else 0."""
    return max(0, min(1, total))


ANY_ROW = register(
    RowSum(
        stem="any_row",
        parameters=("rows",),
        conditions=(),
        example={"rows": read("grid(1)")},
        input_rows=name("rows"),
        contribution=one,
        units=one,
        output_step=one,
        edits={("add_remove", "absolute"): Edit(one)},
        finish=is_positive,
    )
)
