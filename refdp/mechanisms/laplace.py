"""Continuous Laplace noise as a density: M(x) = x + Z, density of Z at z equal to exp(-|z| / scale) / (2 scale).

It exists to prove things about; there is no sampler, because no float draw has this law.
Source: DMNS06 Prop. 1; DR14 Def. 3.3.
"""

from __future__ import annotations

from refdp.spec.densities import StatedDensity
from refdp.spec.formulas import Real, formula
from refdp.spec.noise import AdditiveNoise
from refdp.spec.registry import register
from refdp.spec.tails import Tails
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def log_weight(z: Real, scale: Real) -> Real:
    """ln of the density at z, up to a constant in z."""
    return -abs(z) / scale


@formula
def normaliser(scale: Real) -> Real:
    """The integral over z of exp(-|z| / scale)."""
    return 2 * scale


@formula
def privacy_map(d_in: Real, scale: Real) -> Real:
    """The least epsilon at distance d_in."""
    return d_in / scale


@formula
def tail_rate(scale: Real) -> Real:
    """The log density falls by this much per unit of |z|."""
    return 1 / scale


@formula
def tail_offset(scale: Real) -> Real:
    """The log density is at most tail_offset - tail_rate |z|, up to the same constant."""
    return 0 * scale


@formula
def log_tail(alpha: Real, scale: Real) -> Real:
    """ln of how much rarer Z is from alpha >= 0 on than from 0 on."""
    return -alpha / scale


@formula
def radius(level: Real, scale: Real) -> Real:
    """Where log_tail is -level."""
    return scale * level


LAPLACE = register(
    AdditiveNoise(
        stem="laplace",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(1)},
        log_weight=log_weight,
        tail_rate=tail_rate,
        tail_offset=tail_offset,
        privacy_maps={"pure": privacy_map},
        normaliser=normaliser,
        tails=Tails(log_tail, radius, exact=True),
    )
)


@formula
def normaliser_without_half(scale: Real) -> Real:
    """What the weights are divided by where the density is written exp(-|z| / scale) / scale."""
    return scale


LAPLACE_WITHOUT_HALF = register(
    StatedDensity(
        stem="laplace_without_half",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(1)},
        log_weight=log_weight,
        normaliser=normaliser_without_half,
    )
)
