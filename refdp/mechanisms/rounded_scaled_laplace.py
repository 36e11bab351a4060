"""Laplace noise scaled to a bound, rounded: the multiple of granularity nearest to value + scale bound Z.

Claim: as of `scaled_laplace`, for rounding reads the outcome alone.
Source: NRS07 (Laplace noise scaled to a smooth bound, with delta).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.mechanisms.scaled_laplace import SCALED_LAPLACE
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, PipelineError, Recipe, measurement
from refdp.spec.registry import register
from refdp.spec.samplers import DigitsOfExponential, draws
from refdp.spec.signatures import laplace_bound_signature
from refdp.terms.reading import read
from refdp.terms.term import number, term

ROUNDED_SCALED_LAPLACE = register(
    replace(
        SCALED_LAPLACE,
        stem="rounded_scaled_laplace",
        parameters=("scale", "granularity"),
        conditions=(read("0 < scale"), read("0 < granularity")),
        example={"scale": term(1), "granularity": term(1)},
    )
)
draws("rounded_scaled_laplace", DigitsOfExponential())


def rounded_scaled_laplace(scale: Exactly, granularity: Exactly = 1, epsilon: Exactly = 1) -> Measurement:
    """(value, bound) -> value + scale bound Z, rounded to the nearest multiple of granularity, Z of density e^-|z| / 2.

    bound >= 0, scale > 0 in bounds, granularity > 0 in the value's unit, exact.  The map is (epsilon, delta), at the
    epsilon given, of how many times greater one bound may be than the other, d_in > 1, for values that either bound
    lets move so far; neither 1 / scale nor ln(d_in) + 1 / (d_in scale) may be more than epsilon.  Raises ValueError for
    others.

    >>> epsilon, delta = rounded_scaled_laplace(scale=2).map("207/200")
    >>> epsilon, delta < 1
    (Fraction(1, 1), True)
    """
    width, loss = exact(scale, "scale"), number(exact(epsilon, "epsilon"))
    found = measurement(
        ROUNDED_SCALED_LAPLACE,
        laplace_bound_signature(ROUNDED_SCALED_LAPLACE, loss),
        scale=width,
        granularity=exact(granularity, "granularity"),
    )
    if loss.rational < 1 / width:
        raise PipelineError(f"epsilon must be >= 1 / scale = {1 / width}, got {epsilon}")
    return replace(found, recipe=Recipe("at_epsilon", (), {"epsilon": loss}))
