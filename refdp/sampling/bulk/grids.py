"""Arrays on a grid: divided in floats where that is sure to be right, one by one elsewhere.

Let t = x q / p for a step p / q with p, q < 2^53.  As a float x, of whatever type, is off by at most 2^-53 of itself,
and so are its product with q and the quotient, or by 2^-1074 where they are tiny: the float b that is found has
|b - t| <= |b| 2^-51 + 2^-1000, say.  So if b is farther than that from every number halfway between two integers, both
round to the same one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from refdp.sampling.bulk.addition import GREATEST, LEAST
from refdp.sampling.bulk.tables import Integers

ERROR, TINY = 2.0**-51, 2.0**-1000
EXACT = 1 << 53
"""Integers below this are floats."""
SURE = 2.0**50
"""Greater quotients are worked out one by one."""


def array_on_grid(values: Any, step: Fraction, nearest: Callable[[Any, Fraction], int]) -> Integers:
    """The whole numbers of steps nearest to the elements; `nearest` is that of one.  Raises as `on_grid` does."""
    if values.dtype.kind not in "iuf":
        raise ValueError(f"values must be an array of floats or integers, got one of {values.dtype}")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError(f"values must be finite numbers, got {values[~np.isfinite(values)].ravel()[0]}")
    if not max(step.numerator, step.denominator) < EXACT:
        return _one_by_one(values.ravel(), step, nearest).reshape(values.shape)
    with np.errstate(over="ignore", under="ignore"):
        x = values.astype(np.float64)
        quotient = x * float(step.denominator) / float(step.numerator)
    whole = np.rint(quotient)
    with np.errstate(invalid="ignore"):
        sure = np.abs(np.abs(quotient - whole) - 0.5) > np.abs(quotient) * ERROR + TINY
    sure &= np.abs(quotient) < SURE
    found = np.where(sure, whole, 0.0).astype(np.int64)
    if not sure.all():
        found[~sure] = _one_by_one(values[~sure], step, nearest)
    return found


def _one_by_one(values: Any, step: Fraction, nearest: Callable[[Any, Fraction], int]) -> Integers:
    """In exact numbers."""
    found = [nearest(value.item() if value.dtype.itemsize <= 8 else _long(value), step) for value in values]
    if found and not LEAST <= min(found) <= max(found) <= GREATEST:
        raise OverflowError(f"every number of steps of {step} must be an int64, got one of {max(found, key=abs)}")
    return np.array(found, np.int64)


def _long(value: Any) -> Fraction:
    """A float of more than 8 octets."""
    return Fraction(*value.as_integer_ratio())
