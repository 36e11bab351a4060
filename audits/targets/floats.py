"""Samplers of Laplace noise of scale 1 in floats, as they are often written, beside two that are right.

Each takes the answer `x` and gives the answer with noise.  What ends in `_at` is the same code as a function of the
answer and of the uniform number that it draws, so that what can come out is seen from the code.
"""

from __future__ import annotations

from fractions import Fraction
from math import copysign, log
from random import SystemRandom

random = SystemRandom().random
GRID = 1 / 1024


def inverse_at(pair: list[float]) -> float:
    """The inverse of the distribution function, at a multiple of 2^-53 in [-1/2, 1/2)."""
    x, u = pair
    return x - copysign(1.0, u) * log(1.0 - 2.0 * abs(u))


def inverse(x: float) -> float:
    """Noise by the inverse of the distribution function, as in most textbooks."""
    return inverse_at([x, nonzero()])


def nonzero() -> float:
    """A multiple of 2^-53 in (-1/2, 1/2): at -1/2 the logarithm would be that of 0."""
    while True:
        u = random() - 0.5
        if u != -0.5:
            return u


def difference(x: float) -> float:
    """Noise as the difference of two exponential numbers."""
    return x + log((1.0 - random()) / (1.0 - random()))


def noise_rounded(x: float) -> float:
    """The noise is rounded to a grid, the answer is not: the grid of the output tells the answer."""
    return x + round(inverse(0.0) / GRID) * GRID


def output_rounded(x: float) -> float:
    """Answer and noise are added and then rounded to a grid that is far coarser than their floats."""
    return round(inverse(x) / GRID) * GRID


def exact(x: float) -> float:
    """The answer on a grid, with refdp's exact noise on that grid."""
    from refdp import discrete_laplace

    return float(discrete_laplace(scale=1, granularity=Fraction(GRID))(Fraction(round(x / GRID) * GRID)))
