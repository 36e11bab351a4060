"""Continuous Gaussian noise as a density: M(x) = x + Z, density of Z proportional to exp(-z^2 / (2 sigma^2)).

It exists to prove things about; there is no sampler, because no float draw has this law.
Source: BS16 Prop. 1.6 (zCDP).
"""

from __future__ import annotations

from refdp.spec.formulas import Real, formula
from refdp.spec.noise import AdditiveNoise
from refdp.spec.registry import register
from refdp.spec.tails import Tails
from refdp.terms.reading import read
from refdp.terms.term import pi, sqrt, term


@formula
def log_weight(z: Real, sigma: Real) -> Real:
    """ln of the density at z, up to a constant in z."""
    return -(z**2) / (2 * sigma**2)


@formula
def normaliser(sigma: Real) -> Real:
    """The integral over z of exp(-z^2 / (2 sigma^2))."""
    return sigma * sqrt(2 * pi())


@formula
def deviation(sigma: Real) -> Real:
    """The standard deviation of Z."""
    return sigma


@formula
def privacy_map(d_in: Real, sigma: Real) -> Real:
    """The least rho at distance d_in."""
    return d_in**2 / (2 * sigma**2)


@formula
def tail_rate(sigma: Real) -> Real:
    """The slope of a line above the log density: its tangent at |z| = sigma."""
    return 1 / sigma


@formula
def tail_offset(sigma: Real) -> Real:
    """The height of that line at 0."""
    return 1 / 2 + 0 * sigma


@formula
def far_output(bound: Real, d_in: Real, sigma: Real) -> Real:
    """At and below this output the loss between the inputs 0 and d_in > 0 exceeds the bound."""
    return -(sigma**2 * bound) / d_in


@formula
def log_tail(alpha: Real, sigma: Real) -> Real:
    """An upper bound of ln of how much rarer Z is from alpha >= 0 on than from 0 on."""
    return -(alpha**2) / (2 * sigma**2)


GAUSSIAN = register(
    AdditiveNoise(
        stem="gaussian",
        parameters=("sigma",),
        conditions=(read("0 < sigma"),),
        example={"sigma": term(1)},
        log_weight=log_weight,
        tail_rate=tail_rate,
        tail_offset=tail_offset,
        privacy_maps={"concentrated": privacy_map},
        far_output=far_output,
        normaliser=normaliser,
        deviation=deviation,
        tails=Tails(log_tail),
    )
)
