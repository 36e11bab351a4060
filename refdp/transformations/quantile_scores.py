"""For each candidate number 0, ..., dimension - 1: minus |above (rows above it) - below (rows below it)|.

The score is 0, the greatest, where the rows below are to those above as `above` is to `below`: at the quantile of order
above / (above + below) of rows that differ.  With the exponential mechanism that answers a quantile of unclamped rows.
Claims: a row added or removed moves each score by at most the greater weight, one replaced by at most their sum.
Source: Smi11 Alg. 2 (quantiles by the exponential mechanism).
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
from refdp.transformations.rank_scores import minus_imbalance, one


@formula
def contribution(row: Real, coordinate: Real, above: Real, below: Real) -> Real:
    """The weight of a row above the candidate, minus that of one below it."""
    return above * indicator(coordinate < row) - below * indicator(row < coordinate)


@formula
def units(row: Real, coordinate: Real, above: Real, below: Real, granularity: Real) -> Real:
    """The same, where the row counts multiples of the granularity."""
    return above * indicator(coordinate < granularity * row) - below * indicator(granularity * row < coordinate)


@formula
def greater_weight(above: Real, below: Real) -> Real:
    """How far an added or removed row moves a score at most."""
    return max(above, below)


@formula
def both_weights(above: Real, below: Real) -> Real:
    """How far a replaced row moves a score at most."""
    return above + below


QUANTILE_SCORES = register(
    RowSum(
        stem="quantile_scores",
        parameters=("above", "below", "dimension", "granularity"),
        conditions=(
            read("integer(above)"),
            read("1 <= above"),
            read("integer(below)"),
            read("1 <= below"),
            read("integer(dimension)"),
            read("1 <= dimension"),
            read("0 < granularity"),
        ),
        example={"above": term(3), "below": term(1), "dimension": term(3), "granularity": term(1)},
        input_rows=domain("grid", name("granularity")),
        contribution=contribution,
        units=units,
        output_step=one,
        edits={("add_remove", "linf"): Edit(greater_weight), ("change_one", "linf"): Edit(both_weights)},
        is_vector=True,
        finish=minus_imbalance,
    )
)


def quantile_scores(
    order: Exactly, dimension: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove"
) -> Transformation:
    """table -> the score of each candidate 0, ..., dimension - 1 for the quantile of that order, 0 < order < 1, exact.

    Rows are multiples of granularity > 0, exact.  For the order a / (a + b), in lowest terms, scores are -|a (rows
    above) - b (rows below)|.  Raises ValueError for others.

    >>> quantile_scores("3/4", 4)((0, 1, 2, 3))
    (Fraction(-9, 1), Fraction(-5, 1), Fraction(-1, 1), Fraction(-3, 1))
    """
    part = exact(order, "order")
    if not 0 < part < 1:
        raise ValueError(f"order must be > 0 and < 1, got {part}")
    return transformation(
        QUANTILE_SCORES,
        sum_signature(QUANTILE_SCORES, neighbours, "linf"),
        above=exact(part.numerator, "above"),
        below=exact(part.denominator - part.numerator, "below"),
        dimension=exact(dimension, "dimension"),
        granularity=exact(granularity, "granularity"),
    )
