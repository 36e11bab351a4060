"""The sum of the rows, each clamped to [lower, upper].

Claims: a row added or removed moves it by at most max(|lower|, |upper|), one replaced by at most upper - lower.
Source: 002_f75f59c300dafc13.txt (add / remove); 000_049da8266149c954.txt ("upper - lower").
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
def contribution(row: Real, lower: Real, upper: Real) -> Real:
    """What a row adds: itself inside the bounds, else the nearer bound."""
    return max(lower, min(row, upper))


@formula
def output_step(granularity: Real) -> Real:
    """The sum is a multiple of this."""
    return granularity


@formula
def added_or_removed(lower: Real, upper: Real) -> Real:
    """How far one row added or removed moves the sum at most."""
    return max(abs(lower), abs(upper))


@formula
def replaced(lower: Real, upper: Real) -> Real:
    """How far one replaced row moves the sum at most."""
    return upper - lower


CLAMPED_SUM = register(
    RowSum(
        stem="clamped_sum",
        parameters=("lower", "upper", "granularity"),
        conditions=(
            read("lower <= upper"),
            read("0 < granularity"),
            read("multiple(lower, granularity)"),
            read("multiple(upper, granularity)"),
        ),
        example={"lower": term(0), "upper": term(12), "granularity": term(1)},
        input_rows=domain("grid", name("granularity")),
        contribution=contribution,
        units=contribution,
        output_step=output_step,
        edits={("add_remove", "absolute"): Edit(added_or_removed), ("change_one", "absolute"): Edit(replaced)},
    )
)


def clamped_sum(
    lower: Exactly, upper: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove"
) -> Transformation:
    """table -> the sum of its clamped rows; lower <= upper are multiples of granularity > 0, exact.

    Raises ValueError for others.

    >>> clamped_sum(0, 12)((15, -3, 7))
    Fraction(19, 1)
    """
    return transformation(
        CLAMPED_SUM,
        sum_signature(CLAMPED_SUM, neighbours, "absolute"),
        lower=exact(lower, "lower"),
        upper=exact(upper, "upper"),
        granularity=exact(granularity, "granularity"),
    )
