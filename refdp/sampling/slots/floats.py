"""The floats' path: w(k) / height as + and * of IEEE 754 give it, of one number or of an array alike.

How far it may be off is `error_bound` in `check`: each operation below is rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Any

UNIT = 2.0**-53
"""A float holds the first 53 digits of V."""


def weight(level: Any, rates: Sequence[float], taylor: Sequence[float], top: Any, end: Any, distance: Any) -> Any:
    """About w(end) / height, where `level` is that of top >= 0, and end = top + distance; floats or arrays of them."""
    x = risen(rates, top, end, distance)
    power = taylor[0] * x + taylor[1]
    for coefficient in taylor[2:]:
        power *= x  # in place: arrays stay in the cache
        power += coefficient
    power *= level
    return power


def risen(rates: Sequence[float], n: Any, end: Any, d: Any) -> Any:
    """q(end) - q(n) = d (c_1 + c_2 h_2 + ...) where end = n + d, h_1 = 1 and h_j = end h_(j-1) + n^(j-1)."""
    total, h, n_to_j = rates[0], 1.0, 1.0
    for rate in rates[1:]:
        n_to_j = n_to_j * n
        h = h * end + n_to_j
        total = total + rate * h
    return total * d


def taylor(degree: int) -> tuple[float, ...]:
    """The coefficients (-1)^i / i! of the Taylor polynomial of e^-x, from the highest on; degree >= 1."""
    return tuple((-1.0) ** i / factorial(i) for i in range(degree, -1, -1))
