"""Student's noise scaled to a bound: M(value, bound) = value + scale bound Z, Z of Student's t law.

The density of Z at z is in proportion to (1 + z^2 / degrees)^(-(degrees + 1) / 2), degrees >= 1, whole or not; Cauchy's
for one degree of freedom.  Claim: epsilon-DP for values that move by at most either bound, and bounds of which none is
more than growth times the other: with k = (degrees + 1) / 2 and h^2 = 1 / (degrees scale^2) epsilon is the greater of
k arcosh(1 + h^2 / 2) and k arcosh((1 + growth^2 + h^2) / (2 growth)) + (k - 1) ln growth; no less would do.
It exists to prove things about; `rounded_scaled_student` draws.
Source: BS19 (Student's t noise for smooth bounds); the exact map: docs/soundness.md, student_bound_noise.
"""

from __future__ import annotations

from refdp.spec.bound_noise import BoundNoise
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def rarity(z: Real, degrees: Real) -> Real:
    """1 over the density at z, up to a constant, is this to the power of the exponent."""
    return 1 + z**2 / degrees


@formula
def exponent(degrees: Real) -> Real:
    """Half of the degrees and one."""
    return (degrees + 1) / 2


SCALED_STUDENT = register(
    BoundNoise(
        stem="scaled_student",
        parameters=("scale", "degrees"),
        conditions=(read("0 < scale"), read("1 <= degrees")),
        example={"scale": term(1), "degrees": term(3)},
        rarity=rarity,
        exponent=exponent,
        family="student",
    )
)
