"""The number of rows at most a threshold.

Claims: one edit, a row added, removed or replaced, moves it by at most 1.
Source: 001_e5b0b5b677e886f3.txt, Example 1 (threshold functions).
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
def contribution(row: Real, threshold: Real) -> Real:
    """1 for a row at most the threshold, else 0."""
    return indicator(row <= threshold)


@formula
def units(row: Real, threshold: Real, granularity: Real) -> Real:
    """The same, where the row counts multiples of the granularity."""
    return indicator(granularity * row <= threshold)


@formula
def one() -> Real:
    """The output's step, and how far one edit moves it at most."""
    return 1


THRESHOLD_COUNT = register(
    RowSum(
        stem="threshold_count",
        parameters=("threshold", "granularity"),
        conditions=(read("0 < granularity"),),
        example={"threshold": term(0), "granularity": term(1)},
        input_rows=domain("grid", name("granularity")),
        contribution=contribution,
        units=units,
        output_step=one,
        edits={("add_remove", "absolute"): Edit(one), ("change_one", "absolute"): Edit(one)},
    )
)


def threshold_count(threshold: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove") -> Transformation:
    """table -> the number of rows <= threshold; rows are multiples of granularity > 0, exact.

    Raises ValueError for others.

    >>> threshold_count(3)((1, 3, 5))
    Fraction(2, 1)
    """
    return transformation(
        THRESHOLD_COUNT,
        sum_signature(THRESHOLD_COUNT, neighbours, "absolute"),
        threshold=exact(threshold, "threshold"),
        granularity=exact(granularity, "granularity"),
    )
