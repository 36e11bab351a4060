"""Cauchy noise scaled to a bound, rounded: the multiple of granularity nearest to value + scale bound Z.

Claim: as of `scaled_cauchy`, for rounding reads the outcome alone.
Source: NRS07 (admissible noise for smooth bounds).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.mechanisms.scaled_cauchy import SCALED_CAUCHY
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.registry import register
from refdp.spec.samplers import PointOfDisc, draws
from refdp.spec.signatures import bound_signature
from refdp.terms.reading import read
from refdp.terms.term import term

ROUNDED_SCALED_CAUCHY = register(
    replace(
        SCALED_CAUCHY,
        stem="rounded_scaled_cauchy",
        parameters=("scale", "granularity"),
        conditions=(read("0 < scale"), read("0 < granularity")),
        example={"scale": term(1), "granularity": term(1)},
    )
)
draws("rounded_scaled_cauchy", PointOfDisc())


def rounded_scaled_cauchy(scale: Exactly, granularity: Exactly = 1) -> Measurement:
    """(value, bound) -> value + scale bound Z, rounded to the nearest multiple of granularity, Z standard Cauchy noise.

    bound >= 0, scale > 0 in bounds, granularity > 0 in the value's unit, exact.  The map is of how many times greater
    one bound may be than the other, d_in >= 1, for values that either bound lets move so far.  Raises ValueError for
    others.

    >>> float(rounded_scaled_cauchy(scale="24/25").map("417/200"))
    0.99953...
    """
    return measurement(
        ROUNDED_SCALED_CAUCHY,
        bound_signature(ROUNDED_SCALED_CAUCHY),
        scale=exact(scale, "scale"),
        granularity=exact(granularity, "granularity"),
    )
