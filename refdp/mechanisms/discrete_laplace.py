"""Discrete Laplace (geometric mechanism): M(x) = x + Z, P[Z = z] proportional to exp(-|z| / scale).

x and Z are multiples of `granularity`.  Claim: (d_in / scale)-DP for numbers at most d_in apart.
Source: GRS12 (the geometric mechanism); CKS20 Sec. 5.2 (the sampler).
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, noise_measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.noise import AdditiveNoise
from refdp.spec.registry import register
from refdp.spec.samplers import SignedGeometric, draws
from refdp.spec.tails import Tails
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def log_weight(z: Real, scale: Real) -> Real:
    """ln P[Z = z], up to a constant in z."""
    return -abs(z) / scale


@formula
def normaliser(ratio: Real) -> Real:
    """The sum over k in Z of ratio^|k|, with ratio = exp(-granularity / scale) in (0, 1)."""
    return (1 + ratio) / (1 - ratio)


@formula
def privacy_map(d_in: Real, scale: Real) -> Real:
    """The least epsilon at distance d_in (a multiple of the granularity)."""
    return d_in / scale


@formula
def tail_rate(scale: Real) -> Real:
    """ln P[Z = z] falls by this much per unit of |z|."""
    return 1 / scale


@formula
def tail_offset(scale: Real) -> Real:
    """ln P[Z = z] <= tail_offset - tail_rate |z|, up to the same constant."""
    return 0 * scale


@formula
def geometric_rate(scale: Real, granularity: Real) -> Real:
    """ln of the factor by which one grid step is rarer than the one before."""
    return granularity / scale


@formula
def log_tail(alpha: Real, scale: Real) -> Real:
    """ln of how much rarer Z is from alpha >= 0 on than from 0 on."""
    return -alpha / scale


@formula
def radius(level: Real, scale: Real) -> Real:
    """Where log_tail is -level."""
    return scale * level


DISCRETE_LAPLACE = register(
    AdditiveNoise(
        stem="discrete_laplace",
        parameters=("scale", "granularity"),
        conditions=(read("0 < scale"), read("0 < granularity")),
        example={"scale": term(6), "granularity": term(1)},
        log_weight=log_weight,
        tail_rate=tail_rate,
        tail_offset=tail_offset,
        privacy_maps={"pure": privacy_map},
        normaliser=normaliser,
        tails=Tails(log_tail, radius, exact=True),
    )
)
draws("discrete_laplace", SignedGeometric(geometric_rate))


def discrete_laplace(scale: Exactly, granularity: Exactly = 1, dimension: Exactly | None = None) -> Measurement:
    """x -> x + Z on multiples of `granularity`, P[Z = z] proportional to exp(-|z| / scale).

    scale > 0 and granularity > 0, exact, in the unit of x; with a `dimension`, independent noise
    on each coordinate of a vector.  Raises ValueError for others.

    >>> discrete_laplace(scale=6).map(3)
    Fraction(1, 2)
    """
    return noise_measurement(
        DISCRETE_LAPLACE,
        "pure",
        dimension,
        scale=exact(scale, "scale"),
        granularity=exact(granularity, "granularity"),
    )
