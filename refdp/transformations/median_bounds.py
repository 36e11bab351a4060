"""The median of numbers in a range, with a smooth bound of how far it moves, or the distance to where it moves far.

Claims: one row added, removed or replaced moves the median by at most the bound of either table, and the smooth bound
by a factor of at most growth; it moves the distance by at most 1, and the median by at most the bound proposed unless
the distance is 0 for both.
Source: NRS07 (smooth sensitivity of the median); DL09 (propose-test-release).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Transformation, transformation
from refdp.spec.median_bounds import MedianBounds
from refdp.spec.registry import register
from refdp.spec.signatures import median_signature
from refdp.terms.reading import read
from refdp.terms.term import term

RANGE = (read("lower < upper"),)
ENDS = {"lower": term(0), "upper": term(1)}
MEDIAN_WITH_SMOOTH_BOUND = register(
    MedianBounds(
        stem="median_with_smooth_bound",
        parameters=("lower", "upper", "growth"),
        conditions=(*RANGE, read("1 <= growth")),
        example={**ENDS, "growth": term(2)},
        form="smooth",
    )
)
MEDIAN_WITH_LOCAL_BOUND = register(
    MedianBounds(
        stem="median_with_local_bound",
        parameters=("lower", "upper"),
        conditions=RANGE,
        example=ENDS,
        form="local",
    )
)
MEDIAN_WITH_DISTANCE = register(
    MedianBounds(
        stem="median_with_distance",
        parameters=("lower", "upper", "bound", "granularity"),
        conditions=(*RANGE, read("0 <= bound"), read("0 < granularity"), read("multiple(lower, granularity)")),
        example={**ENDS, "bound": term(1), "granularity": term(1)},
        form="distance",
    )
)
MEDIAN_WITH_DOUBLED_DISTANCE = register(
    replace(MEDIAN_WITH_DISTANCE, stem="median_with_doubled_distance", form="doubled")
)


def median_with_smooth_bound(
    lower: Exactly, upper: Exactly, growth: Exactly, neighbours: str = "add_remove"
) -> Transformation:
    """table of rows from lower to upper -> (median, bound), the bound growing at most `growth` times by one row.

    lower < upper, growth >= 1, exact.  Of an even number of rows the lower one in the middle; lower where there is no
    row.  The map is of one row.  Raises ValueError for others.

    >>> median_with_smooth_bound(0, 100, growth=2)((40, 41, 42, 43, 44))
    (Fraction(42, 1), Fraction(29, 2))
    """
    return _stated(MEDIAN_WITH_SMOOTH_BOUND, neighbours, lower, upper, growth=exact(growth, "growth"))


def median_with_distance(
    lower: Exactly, upper: Exactly, bound: Exactly, granularity: Exactly = 1, neighbours: str = "add_remove"
) -> Transformation:
    """table of rows from lower to upper -> (how many rows away it may move by more than bound, median).

    Rows are multiples of granularity > 0; lower < upper, bound >= 0, exact.  The median is that of
    `median_with_smooth_bound`, and the map is of one row.  Raises ValueError for others.

    >>> median_with_distance(0, 100, bound=5)((40, 41, 42, 43, 44))
    (Fraction(2, 1), Fraction(42, 1))
    """
    own = {"bound": exact(bound, "bound"), "granularity": exact(granularity, "granularity")}
    return _stated(MEDIAN_WITH_DISTANCE, neighbours, lower, upper, **own)


def _stated(m: MedianBounds, neighbours: str, lower: Exactly, upper: Exactly, **own: Fraction) -> Transformation:
    """The transformation at these parameters, stated for one row."""
    ends = {"lower": exact(lower, "lower"), "upper": exact(upper, "upper")}
    return transformation(m, median_signature(m, neighbours), **ends, **own)
