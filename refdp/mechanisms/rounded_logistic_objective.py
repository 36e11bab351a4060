"""Logistic regression by objective perturbation, rounded: the coefficients of `logistic_objective` on a grid, drawn.

M(table) is the multiple of `step` nearest, in each coordinate, to where the sum of ln(1 + e^(-w . z)) + b . w +
(regularisation / 2) |w|^2 is least, b with a density in proportion to exp(-rate |b|).  Nothing is claimed of a point
that a solver came near to: so many digits of b are drawn, and so near a point is found, that the multiple is certain.
Claim: as of `logistic_objective`, for rounding reads the minimum alone.
Source: CMS11 Alg. 2, Thm 9.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from refdp.mechanisms.logistic_objective import LOGISTIC_OBJECTIVE
from refdp.pipeline import Exactly, Measurement, measurement, reachable
from refdp.spec.registry import register
from refdp.spec.samplers import MinimumOfDigits, draws
from refdp.spec.signatures import objective_signature
from refdp.terms.reading import read
from refdp.terms.term import term

ROUNDED_LOGISTIC_OBJECTIVE = register(
    replace(
        LOGISTIC_OBJECTIVE,
        stem="rounded_logistic_objective",
        parameters=(*LOGISTIC_OBJECTIVE.parameters, "step"),
        conditions=(*LOGISTIC_OBJECTIVE.conditions, read("0 < step")),
        example={**LOGISTIC_OBJECTIVE.example, "step": term(Fraction(1, 16))},
    )
)
draws("rounded_logistic_objective", MinimumOfDigits())


def rounded_logistic_objective(
    norm: Exactly,
    regularisation: Exactly,
    rate: Exactly,
    dimension: Exactly,
    step: Exactly,
    granularity: Exactly = 1,
    neighbours: str = "add_remove",
) -> Measurement:
    """table of vectors label x features -> coefficients of logistic regression with a random linear term, rounded.

    norm > 0 in the unit of the rows: longer ones are scaled down to it, and rounded towards zero to multiples of
    granularity > 0.  regularisation > 0, of the sum of the losses, and public; rate > 0; coefficients are multiples of
    step > 0.  The map is of d_in rows.  dimension is at most 100, regularisation at least norm^2 / 2^32, and no
    parameter has more than 256 binary digits above or below its /.  Raises ValueError for others.

    >>> m = rounded_logistic_objective(1, 10, "1/2", 2, "1/8")
    >>> str(m.map(1)), [8 * w % 1 for w in m(((1, 0), (1, 0), (0, -1)))]
    ('1/2 + ln(41/40)', [Fraction(0, 1), Fraction(0, 1)])
    """
    given = {
        "norm": norm, "regularisation": regularisation, "rate": rate, "dimension": dimension,
        "granularity": granularity, "step": step,
    }  # fmt: skip
    kind = ROUNDED_LOGISTIC_OBJECTIVE
    return measurement(kind, objective_signature(kind, neighbours), **reachable(kind, given))
