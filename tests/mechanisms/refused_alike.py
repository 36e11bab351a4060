"""What mechanisms of one kind refuse alike: each case is a call of the function that makes one, and what is said."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

from refdp.transformations import clamped_sum, count, histogram
from tests.exactness.refusals import refusal

Made = Callable[..., Any]

SELECTIONS = [
    (lambda made: made(0), "scale must be > 0, got 0"),
    (lambda made: made("-1/2"), "scale must be > 0, got -1/2"),
    (lambda made: made(1).map(-1), "d_in must be >= 0, got -1"),
    (lambda made: made(1)(()), "candidates must be >= 1, got 0"),
    (lambda made: made(1)(3), "the input must be a member of vector(reals(), candidates)"),
    (lambda made: made(1)((1, "a")), "the input must be a member of vector(reals(), 2)"),
    (lambda made: made(1)((1, None)), "the input must be a member of vector(reals(), 2)"),
    (lambda made: made(1)((1, 0.5)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
    (lambda made: made(1).check(1, (1, 2)), "d_out must be 1 number(s) under pure, got 2"),
]
"""Of mechanisms that choose by scores."""

DENSITIES = [
    (lambda made: made(F(0)), "{parameter} must be > 0, got 0"),
    (lambda made: made(F(-1)), "{parameter} must be > 0, got -1"),
    (lambda made: made(F(1), 0), "dimension must be a whole number >= 1, got 0"),
    (lambda made: made(F(1), "1/2"), "dimension must be a whole number >= 1, got 1/2"),
    (lambda made: made(F(1)).map(-1), "d_in must be >= 0, got -1"),
    (lambda made: made(F(1)).map(float("nan")), "d_in must be exact, got the float nan"),
    (lambda made: made(F(1)).pmf(0, 0.5), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
    (lambda made: made(F(1)).pmf(0, "a"), "the input must be a member of reals()"),
    (lambda made: made(F(1), 2).pmf((0, 0), (1,)), "the input must be a member of vector(reals(), 2)"),
]
"""Of noise on the reals, whose one parameter is named."""

OTHER_NORMS = [f"the output metric {norm} is not the input metric linf" for norm in ("l1", "l2")]
"""How a selection refuses the histograms of `after_other_norms`."""


def after_other_norms(made: Made) -> list[str]:
    """How a selection refuses histograms whose distance is not the greatest move of a score."""
    histograms = (histogram(3), histogram(3, "change_one", "l2"))
    return [refusal(lambda one=one: one >> made(2)) for one in histograms]


def after_numbers(made: Made) -> list[str]:
    """How a mechanism on finitely many values refuses a sum and a count."""
    return [refusal(lambda one=one: one >> made()) for one in (clamped_sum(0, 1), count())]


def after_a_flag(made: Made) -> str:
    """How it refuses a flag of a table, whose distance counts rows and is not of the local model."""
    flag = replace(clamped_sum(0, 1), output_domain=made().input_domain)
    return refusal(lambda: flag >> made())
