"""How often a violation is planted and must be seen, and counts drawn for it, from a stream of their own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from random import Random

RUNS, ENOUGH = 20, 19
"""A violation is planted so often, and must be seen so often."""
FEW = 32
"""So few draws are made one by one."""


def stream(*asked: object) -> Random:
    """The randomness of what is planted: the same for the same question, and no one else's."""
    return Random(hashlib.sha256(repr(asked).encode()).digest())


def is_seen(run: Callable[[], bool]) -> bool:
    """Whether at least ENOUGH of RUNS runs are, one of which is made at a time, and none after the second miss."""
    missed = 0
    for _ in range(RUNS):
        missed += not run()
        if missed > RUNS - ENOUGH:
            return False
    return True


def multinomial(n: int, shares: Sequence[float], random: Random) -> list[int]:
    """How many of n draws fall to each share."""
    found, left, rest = list[int](), n, sum(shares)
    for share in shares[:-1]:
        k = binomial(left, min(1.0, share / rest) if rest > 0 else 0.0, random)
        found, left, rest = [*found, k], left - k, rest - share
    return [*found, left]


def binomial(n: int, p: float, random: Random) -> int:
    """How many of n draws, each with probability p: by the middle one of n sorted uniform numbers, again and again."""
    found = 0
    while n > FEW:
        middle = n // 2 + 1
        x = random.betavariate(middle, n + 1 - middle)
        if x <= p:
            found, n, p = found + middle, n - middle, (p - x) / (1 - x) if x < 1 else 0.0
        else:
            n, p = middle - 1, p / x
    return found + sum(random.random() < p for _ in range(n))
