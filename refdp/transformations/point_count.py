"""The number of rows equal to a point.

Claims: one edit, a row added, removed or replaced, moves it by at most 1.
Source: 001_e5b0b5b677e886f3.txt, Example III (point functions).
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.domains import domain
from refdp.spec.formulas import Real, formula, indicator
from refdp.spec.registry import register
from refdp.spec.rows import Edit, RowSum
from refdp.spec.signatures import sum_signature
from refdp.terms.reading import read
from refdp.terms.term import name, term


@formula
def contribution(row: Real, point: Real) -> Real:
    """1 for a row equal to the point, else 0."""
    return indicator(row == point)


@formula
def units(row: Real, point: Real, granularity: Real) -> Real:
    """The same, where the row counts multiples of the granularity."""
    return indicator(granularity * row == point)


@formula
def one() -> Real:
    """The output's step, and how far one edit moves it at most."""
    return 1


POINT_COUNT = register(
    RowSum(
        stem="point_count",
        parameters=("point", "granularity"),
        conditions=(read("0 < granularity"),),
        example={"point": term(0), "granularity": term(1)},
        input_rows=domain("grid", name("granularity")),
        contribution=contribution,
        units=units,
        output_step=one,
        edits={("add_remove", "absolute"): Edit(one), ("change_one", "absolute"): Edit(one)},
    )
)


def point_count(point: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove") -> Transformation:
    """table -> the number of rows equal to `point`; rows are multiples of granularity > 0, exact.

    Raises ValueError for others.

    >>> point_count(3)((1, 3, 3))
    Fraction(2, 1)
    """
    return transformation(
        POINT_COUNT,
        sum_signature(POINT_COUNT, neighbours, "absolute"),
        point=exact(point, "point"),
        granularity=exact(granularity, "granularity"),
    )
