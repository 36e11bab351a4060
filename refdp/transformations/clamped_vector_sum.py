"""The sum of vectors, each coordinate clamped to [-cap, cap]: what is taken for clipping, and bounds Linf alone.

Claims: one row added or removed moves it by at most dimension cap in L1, sqrt(dimension) cap in L2, cap in Linf,
and one replaced by twice as much.
"""

from __future__ import annotations

from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.rows import Edit, RowSum
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def contribution(row: Real, cap: Real) -> Real:
    """What one coordinate of a row adds: the nearest number to it in [-cap, cap]."""
    return max(-cap, min(cap, row))


@formula
def output_step(granularity: Real) -> Real:
    """Each coordinate of the sum is a multiple of this."""
    return granularity


@formula
def l1_added(dimension: Real, cap: Real) -> Real:
    """How far an added or removed row moves the sum in L1."""
    return dimension * cap


@formula
def l1_added_prefix(coordinate: Real, cap: Real) -> Real:
    """The part of the first `coordinate` coordinates."""
    return coordinate * cap


@formula
def l1_replaced(dimension: Real, cap: Real) -> Real:
    """How far a replaced row moves the sum in L1."""
    return dimension * (2 * cap)


@formula
def l1_replaced_prefix(coordinate: Real, cap: Real) -> Real:
    """The part of the first `coordinate` coordinates."""
    return coordinate * (2 * cap)


@formula
def l2_added(dimension: Real, cap: Real) -> Real:
    """The square of how far an added or removed row moves the sum in L2."""
    return dimension * cap**2


@formula
def l2_added_prefix(coordinate: Real, cap: Real) -> Real:
    """The part of the first `coordinate` coordinates."""
    return coordinate * cap**2


@formula
def l2_replaced(dimension: Real, cap: Real) -> Real:
    """The square of how far a replaced row moves the sum in L2."""
    return dimension * (2 * cap) ** 2


@formula
def l2_replaced_prefix(coordinate: Real, cap: Real) -> Real:
    """The part of the first `coordinate` coordinates."""
    return coordinate * (2 * cap) ** 2


@formula
def linf_added(cap: Real) -> Real:
    """How far an added or removed row moves a coordinate."""
    return cap


@formula
def linf_replaced(cap: Real) -> Real:
    """How far a replaced row moves a coordinate."""
    return 2 * cap


CLAMPED_VECTOR_SUM = register(
    RowSum(
        stem="clamped_vector_sum",
        parameters=("cap", "dimension", "granularity"),
        conditions=(
            read("0 <= cap"),
            read("multiple(cap, granularity)"),
            read("integer(dimension)"),
            read("1 <= dimension"),
            read("0 < granularity"),
        ),
        example={"cap": term(1), "dimension": term(2), "granularity": term(1)},
        input_rows=read("vector(grid(granularity), dimension)"),
        contribution=contribution,
        units=contribution,
        output_step=output_step,
        edits={
            ("add_remove", "l1"): Edit(l1_added, l1_added_prefix),
            ("add_remove", "l2"): Edit(l2_added, l2_added_prefix),
            ("add_remove", "linf"): Edit(linf_added),
            ("change_one", "l1"): Edit(l1_replaced, l1_replaced_prefix),
            ("change_one", "l2"): Edit(l2_replaced, l2_replaced_prefix),
            ("change_one", "linf"): Edit(linf_replaced),
        },
        is_vector=True,
    )
)
