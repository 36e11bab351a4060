"""Samplers as functions of an answer and of a uniform number, coarse enough for all their outputs to be listed."""

import itertools
from math import copysign, log
from statistics import NormalDist

BITS = 12
turns = itertools.count()


def laplace(pair):
    x, u = pair
    return x - copysign(1.0, u) * log(1.0 - 2.0 * abs(u))


def falling(pair):
    x, u = pair
    return x + laplace([0.0, 0.5 - u])


def normal(pair):
    x, u = pair
    return x + 2.0 * NormalDist().inv_cdf(u)


def gridded(pair):
    """Noise of scale 64, rounded to whole numbers, so that near 0 every output comes of many u."""
    x, u = pair
    return float(round(x + 64.0 * laplace([0.0, u])))


def doubled(pair):
    """Not the noise that it should be."""
    return 2.0 * laplace(pair)


def restless(pair):
    """No function of its input: noise that moves from call to call."""
    return laplace(pair) * (1.0 + next(turns) * 2.0**-52)


def broken(pair):
    return float("nan")


def exhausted(pair):
    """The memory ends where the other input's outputs are sought."""
    if next(turns) % 4 == 1:
        raise MemoryError
    return laplace(pair)
