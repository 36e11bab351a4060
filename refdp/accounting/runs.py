"""The mean of a truncated negative binomial number, and the number by its mean."""

from __future__ import annotations

from fractions import Fraction

from refdp.accounting.balls import ball
from refdp.accounting.losses import require
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval

BITS = 256
STEPS = 64
"""So often the interval that holds gamma is halved."""
LEAST = Fraction(1, 2**64)
"""The least gamma that is looked for."""


def mean_runs(shape: Fraction, gamma: Fraction) -> Interval:
    """shape (1 - gamma) / (gamma (1 - gamma^shape)), for shape 0 its limit, (1 - gamma) / (gamma ln(1 / gamma))."""
    if shape == 1 or gamma == 1:
        return Interval(1 / gamma, 1 / gamma)
    with precision(BITS):
        less = -ball(gamma).log() if shape == 0 else -(ball(shape) * ball(gamma).log()).expm1() / ball(shape)
        return interval(ball((1 - gamma) / gamma) / less, BITS)


def gamma_of(mean: Fraction, shape: Fraction) -> Fraction:
    """The gamma of this mean, or a little less: then the mean and every bound of Lemma 1.23 are a little greater."""
    require(mean >= 1, "mean", ">= 1", mean)
    if shape == 1 or mean == 1:
        return 1 / mean
    low, high = LEAST, Fraction(1)
    require(mean_runs(shape, low).lower >= mean, "mean", "less for this shape", mean)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_runs(shape, middle).lower >= mean else (low, middle)
    return low
