"""Sums of data and noise in int64: an overflow is an error, never a wrap."""

from __future__ import annotations

from typing import Any

import numpy as np

from refdp.sampling.bulk.tables import Integers

LEAST, GREATEST = -(2**63), 2**63 - 1
EXTREMES = {np.dtype(kind): (int(np.iinfo(kind).min), int(np.iinfo(kind).max)) for kind in (np.int16, np.int32)}
"""The least and the greatest integer of the types that are narrower, of which noise comes in tables."""


def added(data: Integers, noise: Integers) -> Integers:
    """data + noise; OverflowError if a sum is no int64: it wraps just where its sign differs from both signs."""
    for part in (data, noise):
        if part.dtype != np.int64:
            raise TypeError(f"data and noise must be int64, got {part.dtype}")
    total = data + noise
    if ((data ^ total) & (noise ^ total) < 0).any():
        raise OverflowError("data plus noise exceeds the range of int64")
    return total


def add(data: Integers, noise: Any, out: Integers) -> None:
    """out = data + noise, of any signed integers; OverflowError if a sum is no int64.

    Where the extremes add up within the range, so does every element; else each is looked at.  The extremes of
    narrower integers are those of their type.
    """
    if not data.size:
        return
    least, greatest = EXTREMES.get(noise.dtype) or (int(noise.min()), int(noise.max()))
    wide = noise.astype(np.int64, copy=False)  # numpy adds two types at a third of the speed
    if int(np.minimum.reduce(data)) + least >= LEAST and int(np.maximum.reduce(data)) + greatest <= GREATEST:
        np.add(data, wide, out=out)
    else:
        out[:] = added(data, wide)
