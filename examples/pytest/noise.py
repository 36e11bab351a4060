"""A small library with noise: what the tests beside it are about."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import SystemRandom

SYSTEM = SystemRandom()


def geometric(rate: float, rng: SystemRandom) -> int:
    """How often a coin that shows heads with probability e^(-rate) does so before the first tails."""
    k = 0
    while rng.random() < exp(-rate):
        k += 1
    return k


def discrete_laplace(scale: float, rng: SystemRandom = SYSTEM) -> int:
    """Noise with weights e^(-|z| / scale) on the integers: the difference of two geometric draws."""
    return geometric(1 / scale, rng) - geometric(1 / scale, rng)


def clamped_sum(rows: Sequence[int], upper: int) -> int:
    """The sum of the rows, each clamped to 0..upper."""
    return sum(min(upper, max(0, row)) for row in rows)


def release(rows: Sequence[int], epsilon: float, rng: SystemRandom = SYSTEM) -> int:
    """The sum of rows in 0..10 with noise for one row added or removed."""
    return clamped_sum(rows, 10) + discrete_laplace(10 / epsilon, rng)
