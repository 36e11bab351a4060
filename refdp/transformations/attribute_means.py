"""The mean of each of `dimension` binary attributes over exactly `size` rows; `size` is public.

Claims: one replaced row moves them by at most dimension / size in L1, sqrt(dimension) / size in L2, 1 / size in Linf.
Source: 001_e5b0b5b677e886f3.txt, Example II (attribute mean functions).
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.rows import Edit, RowSum
from refdp.spec.signatures import sum_signature
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def contribution(row: Real, size: Real) -> Real:
    """What one attribute of a row adds: 0 or 1 over the number of rows."""
    return max(0, min(1, row)) / size


@formula
def units(row: Real) -> Real:
    """What it adds, in steps of 1 / size."""
    return max(0, min(1, row))


@formula
def output_step(size: Real) -> Real:
    """Each mean is a multiple of this, and moves by at most this."""
    return 1 / size


@formula
def l1_bound(dimension: Real, size: Real) -> Real:
    """How far a replaced row moves the means in L1."""
    return dimension / size


@formula
def l1_prefix(coordinate: Real, size: Real) -> Real:
    """The part of the first `coordinate` attributes."""
    return coordinate / size


@formula
def l2_bound(dimension: Real, size: Real) -> Real:
    """The square of how far a replaced row moves the means in L2."""
    return dimension / size**2


@formula
def l2_prefix(coordinate: Real, size: Real) -> Real:
    """The part of the first `coordinate` attributes."""
    return coordinate / size**2


ATTRIBUTE_MEANS = register(
    RowSum(
        stem="attribute_means",
        parameters=("dimension", "size"),
        conditions=(read("integer(dimension)"), read("1 <= dimension"), read("integer(size)"), read("1 <= size")),
        example={"dimension": term(3), "size": term(10)},
        input_rows=read("vector(bounded(1, 0, 1), dimension)"),
        contribution=contribution,
        units=units,
        output_step=output_step,
        edits={
            ("change_one", "l1"): Edit(l1_bound, l1_prefix),
            ("change_one", "l2"): Edit(l2_bound, l2_prefix),
            ("change_one", "linf"): Edit(output_step),
        },
        is_vector=True,
        is_sized=True,
    )
)


def attribute_means(
    dimension: Exactly, size: Exactly, norm: str = "l1", neighbours: str = "change_one"
) -> Transformation:
    """table of `size` 0/1 vectors -> the mean of each of their `dimension` attributes.

    Raises ValueError for others, and for neighbours="add_remove".

    >>> attribute_means(2, size=4)(((1, 0), (1, 1), (0, 0), (1, 0)))
    (Fraction(3, 4), Fraction(1, 4))
    """
    return transformation(
        ATTRIBUTE_MEANS,
        sum_signature(ATTRIBUTE_MEANS, neighbours, norm),
        dimension=exact(dimension, "dimension"),
        size=exact(size, "size"),
    )
