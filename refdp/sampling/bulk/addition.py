"""Sums of data and noise in int64: an overflow is an error, never a wrap."""

from __future__ import annotations

import numpy as np

from refdp.sampling.bulk.tables import Integers


def added(data: Integers, noise: Integers) -> Integers:
    """data + noise; OverflowError if a sum is no int64: it wraps just where its sign differs from both signs."""
    for part in (data, noise):
        if part.dtype != np.int64:
            raise TypeError(f"data and noise must be int64, got {part.dtype}")
    total = data + noise
    if ((data ^ total) & (noise ^ total) < 0).any():
        raise OverflowError("data plus noise exceeds the range of int64")
    return total
