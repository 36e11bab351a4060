"""Laplace noise scaled to a bound: M(value, bound) = value + scale bound Z, density of Z at z equal to exp(-|z|) / 2.

Where the bounds of neighbours differ it has no finite epsilon: far out the wider noise is as much denser as one likes.
It exists to prove false things about.
Source: NRS07 (Laplace noise scaled to a smooth bound, with delta).
"""

from __future__ import annotations

from refdp.spec.bound_noise import BoundNoise
from refdp.spec.formulas import Real, exp, formula
from refdp.spec.registry import register
from refdp.spec.terms import read, term


@formula
def rarity(z: Real) -> Real:
    """1 over the density at z, over 2."""
    return exp(abs(z))


SCALED_LAPLACE = register(
    BoundNoise(
        stem="scaled_laplace",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(1)},
        rarity=rarity,
    )
)
