"""Clamp every row to [lower, upper]: a row below becomes lower, one above upper.

Claim: stable with d_out = d_in under both neighbouring relations.
Source: 002 (the document 002_f75f59c300dafc13.txt), "Distance Between Aggregates".
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.domains import domain
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.rows import RowFunction
from refdp.spec.signatures import function_signature
from refdp.terms.reading import read
from refdp.terms.term import name, term


@formula
def clamped(row: Real, lower: Real, upper: Real) -> Real:
    """The row itself inside the bounds, else the nearer bound."""
    return max(lower, min(row, upper))


CLAMP = register(
    RowFunction(
        stem="clamp",
        parameters=("lower", "upper", "granularity"),
        conditions=(
            read("lower <= upper"),
            read("0 < granularity"),
            read("multiple(lower, granularity)"),
            read("multiple(upper, granularity)"),
        ),
        example={"lower": term(0), "upper": term(1), "granularity": term(1)},
        input_rows=domain("grid", name("granularity")),
        output_rows=domain("bounded", name("granularity"), name("lower"), name("upper")),
        formula=clamped,
    )
)


def clamp(lower: Exactly, upper: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove") -> Transformation:
    """table -> the table with every row clamped; lower <= upper are multiples of granularity > 0, exact.

    Raises ValueError for others.

    >>> clamp(0, 12)((15, -3, 7))
    (Fraction(12, 1), Fraction(0, 1), Fraction(7, 1))
    """
    return transformation(
        CLAMP,
        function_signature(CLAMP, neighbours),
        lower=exact(lower, "lower"),
        upper=exact(upper, "upper"),
        granularity=exact(granularity, "granularity"),
    )
