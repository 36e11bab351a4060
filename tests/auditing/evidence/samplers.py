"""Samplers of the discrete Laplace and Gaussian law, right and wrong, from fixed streams."""

from collections.abc import Callable
from fractions import Fraction as F
from functools import cache
from random import Random

from refdp.sampling.bulk.slots import bulk_slots
from tests.sampling.noises import gaussian, laplace
from tests.sampling.streams import Stream

Draw = Callable[[int], list[int]]


@cache
def known(family, scale):
    """Its certificate is searched for once."""
    return bulk_slots(family(scale))


def right(scale, seed: int, family=laplace) -> Draw:
    """Exact draws."""
    sampler, stream = known(family, scale), Stream(seed)
    return lambda n: sampler.sample(n, stream).tolist()


def normal(sigma, seed: int) -> Draw:
    return right(sigma, seed, gaussian)


def changed(scale, seed: int, change: Callable[[int, float], int | None]) -> Draw:
    """Draws changed by change(k, uniform); those changed into None are drawn again."""
    inner, random = right(scale, seed), Random(seed)

    def draw(n: int) -> list[int]:
        found: list[int] = []
        while len(found) < n:
            made = (change(k, random.random()) for k in inner(n))
            found += [k for k in made if k is not None]
        return found[:n]

    return draw


def doubled_zero(scale, seed: int) -> Draw:
    """P[0] about doubled: an atom for every zero."""
    from math import tanh

    p = tanh(float(1 / F(scale)) / 2)
    return changed(scale, seed, lambda k, u: 0 if u < p / (1 - p) else k)


def biased(scale, seed: int, ratio: float = 1.05) -> Draw:
    """Positive `ratio` times as often as negative."""
    return changed(scale, seed, lambda k, u: abs(k) if u < ratio / (1 + ratio) else -abs(k))


def cut(scale, seed: int, at: int = 5) -> Draw:
    """Nothing beyond `at` scales."""
    return changed(scale, seed, lambda k, u: k if abs(k) <= at * scale else None)
