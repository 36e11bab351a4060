"""The number of rows in each of `dimension` declared categories; rows in none (-1) are not counted.

Claims, per edit: a row added or removed moves it by 1 in L1, L2 and Linf; one replaced by 2 in L1, sqrt(2) in L2 and
1 in Linf.
Source: 001_e5b0b5b677e886f3.txt, Example III (all point functions at once).
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
    """1 in the row's own category, else 0."""
    return indicator(row == coordinate)


@formula
def one() -> Real:
    """The output's step, and how far an added or removed row moves the counts."""
    return 1


@formula
def two() -> Real:
    """How far a replaced row moves the counts in L1, and the square of how far in L2."""
    return 2


@formula
def prefix_of_row(row: Real, coordinate: Real) -> Real:
    """What the row moves in the categories below `coordinate`."""
    return indicator(row <= coordinate - 1)


@formula
def prefix_of_rows(row: Real, other: Real, coordinate: Real) -> Real:
    """What two rows, one taken out and one put in, move in the categories below `coordinate` at most."""
    return indicator(row <= coordinate - 1) + indicator(other <= coordinate - 1)


HISTOGRAM = register(
    RowSum(
        stem="histogram",
        parameters=("dimension",),
        conditions=(read("integer(dimension)"), read("1 <= dimension")),
        example={"dimension": term(3)},
        input_rows=domain("category", name("dimension")),
        contribution=contribution,
        units=contribution,
        output_step=one,
        edits={
            ("add_remove", "l1"): Edit(one, prefix_of_row),
            ("add_remove", "l2"): Edit(one, prefix_of_row),
            ("add_remove", "linf"): Edit(one),
            ("change_one", "l1"): Edit(two, prefix_of_rows),
            ("change_one", "l2"): Edit(two, prefix_of_rows),
            ("change_one", "linf"): Edit(one),
        },
        is_vector=True,
    )
)


def histogram(dimension: Exactly, neighbours: str = "add_remove", norm: str = "l1") -> Transformation:
    """table of category indices -> the vector of counts; dimension >= 1 is the number of categories.

    Raises ValueError for others.

    >>> histogram(3)((0, 2, 2, -1))
    (Fraction(1, 1), Fraction(0, 1), Fraction(2, 1))
    """
    signature = sum_signature(HISTOGRAM, neighbours, norm)
    return transformation(HISTOGRAM, signature, dimension=exact(dimension, "dimension"))
