"""Floats brought to a grid that is declared: each becomes the nearest whole number of steps, exactly, on its own."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from refdp.numerics.exact import exact
from refdp.sampling.tables import is_array


def on_grid(values: Iterable[Any], step: object = 1) -> Any:
    """The whole number of steps nearest to each value, the even one of two: value / step rounded, without an error.

    A float stands for the dyadic number that it is.  Each value is rounded on its own, so that tables that differ in a
    row still do, and queries of the result are in units of `step`: a clamp to 100 at a step of 1/100 is one to 10_000.
    An array of numpy (floats or integers of any type and shape) gives int64, anything else a list of ints.

    Raises: NotExact or ValueError for a step that is no exact number > 0, and for values that are not finite;
    OverflowError where an array's result is no int64.

    >>> on_grid([0.125, 2.5, -0.3], "1/10")
    [1, 25, -3]
    """
    size = exact(step)
    if size <= 0:
        raise ValueError(f"step must be > 0, got {size}")
    if is_array(values):
        from refdp.sampling.bulk.grids import array_on_grid

        return array_on_grid(values, size, nearest)
    return [nearest(value, size) for value in values]


def nearest(value: Any, step: Fraction) -> int:
    """value / step, rounded; ties to even."""
    try:
        return round(Fraction(value) / step)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"values must be finite numbers, got {value!r}") from None
