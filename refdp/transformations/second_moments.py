"""The sum of z z^T over the rows z, each clipped to a Euclidean norm first: PCA, and regression with z = (x, y).

The matrix has dimension^2 entries, row by row.  Of z = (x, y) it holds X^T X, X^T y and y^T y.
Claims: one row added or removed moves it by at most norm^2 in L2 (the Frobenius norm), one replaced by at most
sqrt(2) norm^2, in any dimension.
Source: DTTZ14 (the matrix), CKS20 (noise on its grid).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.registry import register
from refdp.spec.signatures import rescaled_signature
from refdp.transformations.clipped_vector_sum import CLIPPED_VECTOR_SUM

SECOND_MOMENTS = register(replace(CLIPPED_VECTOR_SUM, stem="second_moments", stage="moments"))


def second_moments(
    norm: Exactly, dimension: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove"
) -> Transformation:
    """table of vectors -> the sum of z z^T, z being a vector scaled down to `norm` where it is longer, exact.

    norm > 0 in the unit of the rows; the coordinates of a clipped vector are rounded towards zero to multiples of
    granularity > 0, so that the sum lies on the grid of granularity^2.  The matrix is given row by row.
    Raises ValueError for others.

    >>> second_moments(5, 2)(((6, 8), (-1, 2)))
    (Fraction(10, 1), Fraction(10, 1), Fraction(10, 1), Fraction(20, 1))
    """
    return transformation(
        SECOND_MOMENTS,
        rescaled_signature(SECOND_MOMENTS, neighbours),
        norm=exact(norm, "norm"),
        dimension=exact(dimension, "dimension"),
        granularity=exact(granularity, "granularity"),
    )
