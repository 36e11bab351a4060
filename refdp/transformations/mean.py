"""The mean of exactly `size` rows, each clamped to [lower, upper]; `size` is public.

Claim: one replaced row moves it by at most (upper - lower) / size.  Under add / remove tables of one size have no
neighbours, so there is no claim: it is refused.
Source: 001_e5b0b5b677e886f3.txt (averages over n rows, change-one).
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.domains import domain
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.rows import Edit, RowSum
from refdp.spec.signatures import sum_signature
from refdp.terms.reading import read
from refdp.terms.term import name, term


@formula
def contribution(row: Real, lower: Real, upper: Real, size: Real) -> Real:
    """What a row adds: its clamped value over the number of rows."""
    return max(lower, min(row, upper)) / size


@formula
def units(row: Real, lower: Real, upper: Real) -> Real:
    """What a row adds, in steps of granularity / size, where row and bounds are in steps of granularity."""
    return max(lower, min(row, upper))


@formula
def output_step(granularity: Real, size: Real) -> Real:
    """The mean is a multiple of this."""
    return granularity / size


@formula
def replaced(lower: Real, upper: Real, size: Real) -> Real:
    """How far one replaced row moves the mean at most."""
    return (upper - lower) / size


MEAN = register(
    RowSum(
        stem="mean",
        parameters=("lower", "upper", "size", "granularity"),
        conditions=(
            read("lower <= upper"),
            read("0 < granularity"),
            read("integer(size)"),
            read("1 <= size"),
            read("multiple(lower, granularity)"),
            read("multiple(upper, granularity)"),
        ),
        example={"lower": term(0), "upper": term(1), "size": term(10), "granularity": term(1)},
        input_rows=domain("grid", name("granularity")),
        contribution=contribution,
        units=units,
        output_step=output_step,
        edits={("change_one", "absolute"): Edit(replaced)},
        is_sized=True,
    )
)


def mean(
    lower: Exactly, upper: Exactly, size: Exactly, granularity: Exactly = 1, neighbours: str = "change_one"
) -> Transformation:
    """table of `size` rows -> the mean of its clamped rows; bounds are multiples of granularity > 0, exact.

    Raises ValueError for others, and for neighbours="add_remove".

    >>> mean(0, 1, size=4)((1, 0, 1, 1))
    Fraction(3, 4)
    """
    return transformation(
        MEAN,
        sum_signature(MEAN, neighbours, "absolute"),
        lower=exact(lower, "lower"),
        upper=exact(upper, "upper"),
        size=exact(size, "size"),
        granularity=exact(granularity, "granularity"),
    )
