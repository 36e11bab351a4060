"""The sum of the rows as they are: no stability map.

It stands here for the false claim that it has a finite sensitivity, which the ledger refutes.
Source: 002_f75f59c300dafc13.txt ("it can perturb the sum an arbitrarily large amount").
"""

from __future__ import annotations

from refdp.spec.domains import domain
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.rows import RowSum
from refdp.terms.reading import read
from refdp.terms.term import name, term


@formula
def contribution(row: Real) -> Real:
    """What a row adds."""
    return row


@formula
def output_step(granularity: Real) -> Real:
    """The sum is a multiple of this."""
    return granularity


@formula
def row_beyond(bound: Real, granularity: Real) -> Real:
    """A row on the grid that contributes more than `bound` grid steps."""
    return granularity * (bound + 1)


@formula
def steps_beyond(bound: Real) -> Real:
    """That row in grid steps."""
    return bound + 1


UNCLAMPED_SUM = register(
    RowSum(
        stem="unclamped_sum",
        parameters=("granularity",),
        conditions=(read("0 < granularity"),),
        example={"granularity": term(1)},
        input_rows=domain("grid", name("granularity")),
        contribution=contribution,
        units=contribution,
        output_step=output_step,
        edits={},
        unbounded_row=row_beyond,
        unbounded_units=steps_beyond,
    )
)
