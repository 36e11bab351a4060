"""Laplace noise scaled to a bound: M(value, bound) = value + scale bound Z, density of Z at z equal to exp(-|z|) / 2.

Claim: (epsilon, delta)-DP for values that move by at most either bound, and bounds of which none is more than growth
times the other, with delta = (1 - 1 / growth) exp(-(epsilon + ln growth) / (growth - 1)) cosh(1 / (scale (growth - 1)))
if neither 1 / scale nor ln growth + 1 / (growth scale) is more than epsilon; no less would do.
Where the bounds of neighbours differ no epsilon holds without delta: far out the wider noise is as much denser as one
likes.  It exists to prove things about; `rounded_scaled_laplace` draws.
Source: NRS07 (Laplace noise scaled to a smooth bound, with delta); the exact delta: docs/soundness.md,
laplace_bound_noise.
"""

from __future__ import annotations

from refdp.spec.bound_noise import BoundNoise
from refdp.spec.formulas import Real, exp, formula
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term


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
        family="laplace",
    )
)
