"""Discrete Gaussian mechanism: M(x) = x + Z, P[Z = z] proportional to exp(-z^2 / (2 sigma^2)).

x and Z are multiples of `granularity`.  Claim: (d_in^2 / (2 sigma^2))-zCDP for numbers at most d_in apart.
Source: CKS20 Thm 4 (privacy), Alg. 3 (the sampler).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, noise_measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.noise import AdditiveNoise
from refdp.spec.registry import register
from refdp.spec.samplers import Rejection, draws
from refdp.spec.tails import Tails
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def log_weight(z: Real, sigma: Real) -> Real:
    """ln P[Z = z], up to a constant in z."""
    return -(z**2) / (2 * sigma**2)


@formula
def privacy_map(d_in: Real, sigma: Real) -> Real:
    """The least rho at distance d_in (a multiple of the granularity)."""
    return d_in**2 / (2 * sigma**2)


@formula
def tail_rate(sigma: Real) -> Real:
    """The slope of a line above ln P[Z = z]: its tangent at |z| = sigma."""
    return 1 / sigma


@formula
def tail_offset(sigma: Real) -> Real:
    """The height of that line at 0."""
    return 1 / 2 + 0 * sigma


@formula
def log_acceptance(z: Real, sigma: Real, proposal_scale: Real) -> Real:
    """ln of the probability with which a discrete Laplace draw z is accepted."""
    return -((abs(z) - sigma**2 / proposal_scale) ** 2) / (2 * sigma**2)


@formula
def log_constant(sigma: Real, proposal_scale: Real) -> Real:
    """ln of the accepted proposal's weight over the weight: it does not depend on z."""
    return -(sigma**2) / (2 * proposal_scale**2)


def proposal_scale(values: Mapping[str, Fraction]) -> Fraction:
    """A scale near sigma on the grid, for few rejections; any positive one would do."""
    step = values["granularity"]
    return step * (values["sigma"] // step + 1)


@formula
def far_output(bound: Real, d_in: Real, sigma: Real) -> Real:
    """At and below this output the loss between the inputs 0 and d_in > 0 exceeds the bound."""
    return -(sigma**2 * bound) / d_in


@formula
def log_tail(alpha: Real, sigma: Real) -> Real:
    """An upper bound of ln of how much rarer Z is from alpha >= 0 on than from 0 on."""
    return -(alpha**2) / (2 * sigma**2)


DISCRETE_GAUSSIAN = register(
    AdditiveNoise(
        stem="discrete_gaussian",
        parameters=("sigma", "granularity"),
        conditions=(read("0 < sigma"), read("0 < granularity")),
        example={"sigma": term(2), "granularity": term(1)},
        log_weight=log_weight,
        tail_rate=tail_rate,
        tail_offset=tail_offset,
        privacy_maps={"concentrated": privacy_map},
        far_output=far_output,
        tails=Tails(log_tail),
    )
)
draws("discrete_gaussian", Rejection("discrete_laplace", log_acceptance, log_constant, proposal_scale))


def discrete_gaussian(sigma: Exactly, granularity: Exactly = 1, dimension: Exactly | None = None) -> Measurement:
    """x -> x + Z on multiples of `granularity`, P[Z = z] proportional to exp(-z^2 / (2 sigma^2)).

    sigma > 0 and granularity > 0, exact, in the unit of x; with a `dimension`, independent noise
    on each coordinate of a vector.  Raises ValueError for others.

    >>> discrete_gaussian(sigma=2).map(1)
    Fraction(1, 8)
    """
    return noise_measurement(
        DISCRETE_GAUSSIAN,
        "concentrated",
        dimension,
        sigma=exact(sigma, "sigma"),
        granularity=exact(granularity, "granularity"),
    )
