"""Student's noise scaled to a bound, rounded: the multiple of granularity nearest to value + scale bound Z.

Claim: as of `scaled_student`, for rounding reads the outcome alone; the degrees of freedom are whole.
Source: BS19 (Student's t noise for smooth bounds).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.mechanisms.scaled_student import SCALED_STUDENT
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.registry import register
from refdp.spec.samplers import KeptPointOfDisc, draws
from refdp.spec.signatures import student_bound_signature
from refdp.terms.reading import read
from refdp.terms.term import term

ROUNDED_SCALED_STUDENT = register(
    replace(
        SCALED_STUDENT,
        stem="rounded_scaled_student",
        parameters=("scale", "degrees", "granularity"),
        conditions=(*SCALED_STUDENT.conditions, read("integer(degrees)"), read("0 < granularity")),
        example={"scale": term(1), "degrees": term(3), "granularity": term(1)},
    )
)
draws("rounded_scaled_student", KeptPointOfDisc())


def rounded_scaled_student(scale: Exactly, degrees: Exactly, granularity: Exactly = 1) -> Measurement:
    """(value, bound) -> value + scale bound Z, rounded to the nearest multiple of granularity, Z Student's t noise.

    bound >= 0, scale > 0 in bounds, degrees >= 1 whole, granularity > 0 in the value's unit, exact.  The map is of how
    many times greater one bound may be than the other, d_in >= 1, for values that either bound lets move so far.
    Raises ValueError for others.

    >>> float(rounded_scaled_student(scale="8/5", degrees=3).map("6/5"))
    0.93117...
    """
    return measurement(
        ROUNDED_SCALED_STUDENT,
        student_bound_signature(ROUNDED_SCALED_STUDENT),
        scale=exact(scale, "scale"),
        degrees=exact(degrees, "degrees"),
        granularity=exact(granularity, "granularity"),
    )
