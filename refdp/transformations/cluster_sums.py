"""The number of rows nearest to each of the public centres, and the sums of their clamped coordinates: k-means.

Rows are vectors; each coordinate is clamped to [-cap, cap] first.  One cluster after another, first its number of rows,
then the sums of their coordinates.
Claims: one row added or removed moves it by at most 1 + dimension cap in L1 and sqrt(1 + dimension cap^2) in L2; one
replaced by at most twice as much in L1, and in L2 by the greater of sqrt(2 (1 + dimension cap^2)) and
2 sqrt(dimension) cap.
Source: BDMN05 Section 5.1; SCLBJ16 (DPLloyd).
"""

from __future__ import annotations

from collections.abc import Sequence

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.cells import CellEdit, CellSum
from refdp.spec.formulas import Real, formula
from refdp.spec.linear import written_matrix
from refdp.spec.registry import register
from refdp.spec.signatures import sum_signature
from refdp.terms.reading import read
from refdp.terms.term import number, term
from refdp.transformations.clamped_vector_sum import contribution, output_step
from refdp.transformations.linear import exact_matrix


@formula
def l1_added(dimension: Real, cap: Real) -> Real:
    """How far an added or removed row moves the counts and sums in L1."""
    return 1 + dimension * cap


@formula
def l1_alone(coordinate: Real, cap: Real) -> Real:
    """The part of the count and the first `coordinate` coordinates."""
    return 1 + coordinate * cap


@formula
def l1_replaced(dimension: Real, cap: Real) -> Real:
    """How far a replaced row moves them in L1."""
    return 2 * (1 + dimension * cap)


@formula
def l1_together(coordinate: Real, cap: Real) -> Real:
    """How far one moves them that stays in its cluster, by its first `coordinate` coordinates."""
    return coordinate * (2 * cap)


@formula
def l2_added(dimension: Real, cap: Real) -> Real:
    """The square of how far an added or removed row moves them in L2."""
    return 1 + dimension * cap**2


@formula
def l2_alone(coordinate: Real, cap: Real) -> Real:
    """The part of the count and the first `coordinate` coordinates."""
    return 1 + coordinate * cap**2


@formula
def l2_replaced(dimension: Real, cap: Real) -> Real:
    """The square of how far a replaced row moves them in L2: from one cluster to another, or to the opposite corner."""
    return max(2 * (1 + dimension * cap**2), dimension * (2 * cap) ** 2)


@formula
def l2_together(coordinate: Real, cap: Real) -> Real:
    """The part of the first `coordinate` coordinates of one that stays in its cluster."""
    return coordinate * (2 * cap) ** 2


CLUSTER_SUMS = register(
    CellSum(
        stem="cluster_sums",
        parameters=("centres", "clusters", "cap", "dimension", "granularity"),
        conditions=(
            read("0 < granularity"),
            read("has_length(centres, clusters)"),
            read("integer(clusters)"),
            read("1 <= clusters"),
            read("0 <= cap"),
            read("multiple(cap, granularity)"),
            read("integer(dimension)"),
            read("1 <= dimension"),
            read("multiple(1, granularity)"),
        ),
        example={
            "centres": read("tuple_of(tuple_of(-1, 0), tuple_of(1, 0))"),
            "clusters": term(2),
            "cap": term(1),
            "dimension": term(2),
            "granularity": term(1),
        },
        input_rows=read("vector(grid(granularity), dimension)"),
        placed="nearest",
        edits={
            ("add_remove", "l1"): CellEdit(l1_added, l1_alone),
            ("add_remove", "l2"): CellEdit(l2_added, l2_alone),
            ("change_one", "l1"): CellEdit(l1_replaced, l1_alone, l1_together),
            ("change_one", "l2"): CellEdit(l2_replaced, l2_alone, l2_together),
        },
        output_step=output_step,
        contribution=contribution,
        units=contribution,
    )
)


def cluster_sums(
    centres: Sequence[Sequence[Exactly]],
    cap: Exactly,
    granularity: Exactly = 1,
    neighbours: str = "add_remove",
    norm: str = "l1",
) -> Transformation:
    """table of vectors -> for each of the public centres the number of the rows nearest to it, and their sum, exact.

    Rows are vectors of as many coordinates as a centre has, multiples of granularity, which must go into 1; each is
    clamped to [-cap, cap], cap a multiple of it.  Of two centres equally near the first one counts.  Raises ValueError
    for others.

    >>> cluster_sums([(-1, 0), (1, 0)], 2)(((-3, 1), (2, 2), (1, 0)))
    (Fraction(1, 1), Fraction(-2, 1), Fraction(1, 1), Fraction(2, 1), Fraction(3, 1), Fraction(2, 1))
    """
    rows = exact_matrix(centres, "centres")
    return transformation(
        CLUSTER_SUMS,
        sum_signature(CLUSTER_SUMS, neighbours, norm),
        centres=written_matrix(rows),
        clusters=number(len(rows)),
        cap=exact(cap, "cap"),
        dimension=number(len(rows[0])),
        granularity=exact(granularity, "granularity"),
    )
