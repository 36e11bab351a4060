"""Cauchy noise scaled to a bound: M(value, bound) = value + scale bound Z, density of Z at z equal 1 / (pi (1 + z^2)).

Claim: (arcosh m)-DP for values that move by at most either bound, and bounds of which none is more than growth times
the other, where m = max(1 + 1 / (2 scale^2), (1 + growth^2 + 1 / scale^2) / (2 growth)); no less would do.
It exists to prove things about; `rounded_scaled_cauchy` draws.
Source: NRS07 (admissible noise for smooth bounds); the exact map: docs/soundness.md, bound_noise.
"""

from __future__ import annotations

from refdp.spec.bound_noise import BoundNoise
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def rarity(z: Real) -> Real:
    """1 over the density at z, over pi."""
    return 1 + z**2


@formula
def spread(c: Real, h: Real) -> Real:
    """2 c times the cosh of the loss between Z and h + c Z."""
    return 1 + c**2 + h**2


@formula
def cosh_of_loss(growth: Real, scale: Real) -> Real:
    """The cosh of the greatest loss: for equal bounds, or for the most different ones."""
    return max(1 + 1 / (2 * scale**2), (1 + growth**2 + 1 / scale**2) / (2 * growth))


SCALED_CAUCHY = register(
    BoundNoise(
        stem="scaled_cauchy",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(1)},
        rarity=rarity,
        spread=spread,
        cosh_of_loss=cosh_of_loss,
    )
)
