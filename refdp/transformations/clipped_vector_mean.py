"""Means of clipped vectors: by a public number, by the size of a table where that is public, and by its private size.

Claims: divided by a public number, one row added or removed moves them by norm over it in L2; by the public size of a
table, one row replaced by 2 norm over it.  Divided by the private number of rows they move by as much as norm, since
the first row among none moves them so far: it does not help that there usually are more.
Source: ACGMM16 Alg. 1 (the lot is public).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.rescaled import RescaledSum
from refdp.spec.signatures import rescaled_signature
from refdp.terms.reading import read
from refdp.terms.term import term
from refdp.transformations.clipped_vector_sum import CLIPPED_VECTOR_SUM


@formula
def public_lot(lot: Real) -> Real:
    """What the sum is divided by: a number that does not depend on the table, such as an expected number of rows."""
    return lot


@formula
def public_size(size: Real) -> Real:
    """What the sum is divided by: the number of rows of every table."""
    return size


CLIPPED_VECTOR_MEAN = register(
    replace(
        CLIPPED_VECTOR_SUM,
        stem="clipped_vector_mean",
        parameters=("norm", "lot", "dimension", "granularity"),
        conditions=(*CLIPPED_VECTOR_SUM.conditions, read("0 < lot")),
        example={"norm": term(5), "lot": term(10), "dimension": term(2), "granularity": term(1)},
        divisor=public_lot,
    )
)
MEAN_OF_SIZED = register(
    replace(
        CLIPPED_VECTOR_SUM,
        stem="clipped_mean_of_sized",
        parameters=("norm", "size", "dimension", "granularity"),
        conditions=(*CLIPPED_VECTOR_SUM.conditions, read("integer(size)"), read("1 <= size")),
        example={"norm": term(5), "size": term(10), "dimension": term(2), "granularity": term(1)},
        divisor=public_size,
        is_sized=True,
    )
)
MEAN_BY_COUNT = register(replace(CLIPPED_VECTOR_SUM, stem="clipped_mean_by_count", stage="average"))


def clipped_vector_mean(
    norm: Exactly, lot: Exactly, dimension: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove"
) -> Transformation:
    """table of vectors -> the sum of the vectors, each clipped to `norm`, over a public number `lot`, exact.

    norm > 0 and lot > 0; clipped vectors are rounded towards zero to multiples of granularity > 0, and the means are
    multiples of granularity / lot.  The lot must not be worked out from the table.  Raises ValueError for others.

    >>> clipped_vector_mean(5, 10, 2)(((6, 8), (-1, 2)))
    (Fraction(1, 5), Fraction(3, 5))
    """
    return _mean(CLIPPED_VECTOR_MEAN, neighbours, norm, dimension, granularity, lot=lot)


def clipped_mean_of_sized(
    norm: Exactly, size: Exactly, dimension: Exactly, granularity: Exactly = 1, neighbours: str = "change_one"
) -> Transformation:
    """table of `size` vectors -> the mean of the vectors, each clipped to `norm`, exact; the size is public.

    norm > 0, size >= 1 whole; clipped vectors are rounded towards zero to multiples of granularity > 0, and the means
    are multiples of granularity / size.  Raises ValueError for others, and for neighbours="add_remove".

    >>> clipped_mean_of_sized(5, 2, 2)(((6, 8), (-1, 2)))
    (Fraction(1, 1), Fraction(3, 1))
    """
    return _mean(MEAN_OF_SIZED, neighbours, norm, dimension, granularity, size=size)


def _mean(
    kind: RescaledSum, neighbours: str, norm: Exactly, dimension: Exactly, granularity: Exactly, **divisor: Exactly
) -> Transformation:
    """The mean of that kind at exact parameters."""
    given = {"norm": norm, "dimension": dimension, "granularity": granularity, **divisor}
    values = {key: exact(value, key) for key, value in given.items()}
    return transformation(kind, rescaled_signature(kind, neighbours), **values)
