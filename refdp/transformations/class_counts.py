"""The number of rows of each class, and of each class with each value of each feature: what naive Bayes is made of.

A row is a vector of whole numbers, its class first, then the values of dimension - 1 features; classes and values count
from 0.  First the counts of the classes, then feature by feature those of its values, class by class.
Claims: one row added or removed moves them by at most dimension in L1, one for the class and one for each feature, and
by sqrt(dimension) in L2; one replaced by at most 2 dimension and sqrt(2 dimension).
Source: VSBH13 (naive Bayes by counts).
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.cells import CellEdit, CellSum
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.signatures import sum_signature
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def one() -> Real:
    """What a row adds to a cell, and the step of the counts."""
    return 1


@formula
def nothing() -> Real:
    """By how much two rows in one cell differ there."""
    return 0


@formula
def added(dimension: Real) -> Real:
    """How far an added or removed row moves the counts in L1, and the square of how far in L2."""
    return dimension


@formula
def replaced(dimension: Real) -> Real:
    """How far a replaced row moves the counts in L1, and the square of how far in L2."""
    return 2 * dimension


CLASS_COUNTS = register(
    CellSum(
        stem="class_counts",
        parameters=("classes", "values", "dimension"),
        conditions=(
            read("integer(classes)"),
            read("1 <= classes"),
            read("integer(values)"),
            read("1 <= values"),
            read("integer(dimension)"),
            read("1 <= dimension"),
        ),
        example={"classes": term(2), "values": term(2), "dimension": term(3)},
        input_rows=read("vector(grid(1), dimension)"),
        placed="classes_and_values",
        edits={
            ("add_remove", "l1"): CellEdit(added, one),
            ("add_remove", "l2"): CellEdit(added, one),
            ("change_one", "l1"): CellEdit(replaced, one, nothing),
            ("change_one", "l2"): CellEdit(replaced, one, nothing),
        },
        output_step=one,
    )
)


def class_counts(
    classes: Exactly, values: Exactly, dimension: Exactly, neighbours: str = "add_remove", norm: str = "l1"
) -> Transformation:
    """table of vectors (class, value, value, ...) -> how many rows have each class, and each class with each value.

    Classes are 0 to classes - 1, values of every feature 0 to values - 1; there are dimension - 1 features.  A value
    that is none of them is not counted, and neither is a row of no class.  Raises ValueError for others.

    >>> class_counts(2, 2, 2)(((0, 1), (1, 1), (1, 0), (1, 7)))
    (Fraction(1, 1), Fraction(3, 1), Fraction(0, 1), Fraction(1, 1), Fraction(1, 1), Fraction(1, 1))
    """
    return transformation(
        CLASS_COUNTS,
        sum_signature(CLASS_COUNTS, neighbours, norm),
        classes=exact(classes, "classes"),
        values=exact(values, "values"),
        dimension=exact(dimension, "dimension"),
    )
