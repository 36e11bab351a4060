"""Every sequence of outcomes of a small law, with its probability: expectations without sampling."""

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from math import prod


def expectation(masses: Sequence[F], n: int, value: Callable[[tuple[int, ...]], F], stop=lambda past: False) -> F:
    """E of value(counts) at the first time that `stop` says so, or after n outcomes; exact.

    `stop` sees the outcomes so far; value sees how often each came.
    """
    total, waiting = F(0), [((), F(1))]
    while waiting:
        past, chance = waiting.pop()
        if len(past) == n or past and stop(past):
            total += chance * value(tuple(past.count(c) for c in range(len(masses))))
        else:
            waiting += [((*past, c), chance * p) for c, p in enumerate(masses) if p]
    return total


def multiplied(ratios: Sequence[F], counts: Sequence[int]) -> F:
    """The product of ratio^count."""
    return prod((r**c for r, c in zip(ratios, counts, strict=True)), start=F(1))
