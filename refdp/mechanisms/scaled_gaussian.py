"""Normal noise scaled to a bound: M(value, bound) = value + scale bound Z, Z standard normal.

No map of it is proved: it exists to refute things about.
Source: NRS07 (Gaussian noise scaled to a smooth bound, with delta).
"""

from __future__ import annotations

from refdp.spec.bound_noise import BoundNoise
from refdp.spec.formulas import Real, exp, formula
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def rarity(z: Real) -> Real:
    """1 over the density at z, up to a constant."""
    return exp(z**2 / 2)


SCALED_GAUSSIAN = register(
    BoundNoise(
        stem="scaled_gaussian",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(1)},
        rarity=rarity,
        family="normal",
    )
)
