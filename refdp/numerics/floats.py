"""Sums of floats that are the same with every version of Python, for searches that shall find the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def added(values: Iterable[float]) -> float:
    """The sum from left to right, each addition rounded: what `sum` was before Python 3.12, which compensates.

    >>> added([1e16, 1.0, -1e16])
    0.0
    """
    return reduce(add, values, 0.0)
