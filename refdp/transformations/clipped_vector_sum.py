"""The sum of vectors, each clipped to a Euclidean norm first: the gradient step of DP-SGD, without its noise.

A vector of norm at most `norm` stays as it is; any other one is scaled down to it, and each coordinate is rounded
towards zero to a multiple of the granularity, which makes no vector longer.
Claims: one row added or removed moves the sum by at most norm in L2, one replaced by at most 2 norm, in any dimension.
Source: ACGMM16 Alg. 1.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.formulas import Real, formula, indicator
from refdp.spec.registry import register
from refdp.spec.rescaled import RescaledSum
from refdp.spec.signatures import rescaled_signature
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def factor(square: Real, root: Real, norm: Real) -> Real:
    """1 for a vector of norm at most `norm`, else norm over a root of its square."""
    return indicator(square <= norm**2) + indicator(norm**2 < square) * norm / max(norm, root)


@formula
def reach(norm: Real) -> Real:
    """How long a clipped vector is at most."""
    return norm


CLIPPED_VECTOR_SUM = register(
    RescaledSum(
        stem="clipped_vector_sum",
        parameters=("norm", "dimension", "granularity"),
        conditions=(
            read("0 < norm"),
            read("integer(dimension)"),
            read("1 <= dimension"),
            read("0 < granularity"),
        ),
        example={"norm": term(5), "dimension": term(2), "granularity": term(1)},
        factor=factor,
        reach=reach,
    )
)


def clipped_vector_sum(
    norm: Exactly, dimension: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove"
) -> Transformation:
    """table of vectors -> the sum of the vectors, each scaled down to `norm` where it is longer, exact.

    norm > 0 in the unit of the rows; the coordinates of a clipped vector are rounded towards zero to multiples of
    granularity > 0.  Raises ValueError for others.

    >>> clipped_vector_sum(5, 2)(((6, 8), (-1, 2)))
    (Fraction(2, 1), Fraction(6, 1))
    """
    return transformation(
        CLIPPED_VECTOR_SUM,
        rescaled_signature(CLIPPED_VECTOR_SUM, neighbours),
        norm=exact(norm, "norm"),
        dimension=exact(dimension, "dimension"),
        granularity=exact(granularity, "granularity"),
    )
