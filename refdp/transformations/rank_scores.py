"""For each candidate number 0, ..., dimension - 1: minus the imbalance |rows above it - rows below it|.

The score is 0, the greatest, where as many rows lie above as below: at the median of rows that differ.  So the
exponential mechanism on these scores answers a query whose own sensitivity is unbounded; rows need no clamping.
Claims: a row added or removed moves each score by at most 1, one replaced by at most 2.
Source: 000_049da8266149c954.txt (sensitivity).
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
def contribution(row: Real, coordinate: Real) -> Real:
    """1 for a row above the candidate, -1 for one below it."""
    return indicator(coordinate < row) - indicator(row < coordinate)


@formula
def units(row: Real, coordinate: Real, granularity: Real) -> Real:
    """The same, where the row counts multiples of the granularity."""
    return indicator(coordinate < granularity * row) - indicator(granularity * row < coordinate)


@formula
def minus_imbalance(total: Real) -> Real:
    """The score of a candidate, from its rows above less its rows below."""
    return -abs(total)


@formula
def one() -> Real:
    """The output's step, and how far an added or removed row moves a score at most."""
    return 1


@formula
def two() -> Real:
    """How far a replaced row moves a score at most."""
    return 2


RANK_SCORES = register(
    RowSum(
        stem="rank_scores",
        parameters=("dimension", "granularity"),
        conditions=(read("integer(dimension)"), read("1 <= dimension"), read("0 < granularity")),
        example={"dimension": term(3), "granularity": term(1)},
        input_rows=domain("grid", name("granularity")),
        contribution=contribution,
        units=units,
        output_step=one,
        edits={("add_remove", "linf"): Edit(one), ("change_one", "linf"): Edit(two)},
        is_vector=True,
        finish=minus_imbalance,
    )
)


def rank_scores(dimension: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove") -> Transformation:
    """table -> the score of each candidate 0, ..., dimension - 1; rows are multiples of granularity > 0, exact.

    Raises ValueError for others.

    >>> rank_scores(3)((0, 1, 1000000))
    (Fraction(-2, 1), Fraction(0, 1), Fraction(-1, 1))
    """
    return transformation(
        RANK_SCORES,
        sum_signature(RANK_SCORES, neighbours, "linf"),
        dimension=exact(dimension, "dimension"),
        granularity=exact(granularity, "granularity"),
    )
