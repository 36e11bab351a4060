"""What published deployments print about numbers, and no mechanism is about.

Rounding at an alpha point: alpha is one of 0, ..., step - 1, each as likely, and a whole number x from lower to lower +
step becomes lower where x + alpha < lower + step, so for step - (x - lower) of them, else lower + step.
Source: JNS18; DKY17 (rounding).
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement
from refdp.terms.term import Term, equal, exp, ln, name, number

ROWS = 100_000


def _delta(epsilon: Term) -> Term:
    """n^(-epsilon ln n), with n = ROWS."""
    return exp(-(ln(number(ROWS)) ** 2) * epsilon)


LOWER, STEP, X, FIRST, SLOPE = map(name, ("lower", "step", "x", "first", "slope"))


def _rate(share: Term) -> Term:
    """How likely the answer 1 is, first + slope y at the end y, where that share of the alphas rounds up."""
    return (1 - share) * (FIRST + SLOPE * LOWER) + share * (FIRST + SLOPE * (LOWER + STEP))


DOCKET = register(
    NamedStatements(
        "docket",
        {
            "flex_delta": Statement((), number(1) / 4 < _delta(number(1) / 100)),
            "flex_delta_is_negligible": Statement((), _delta(number(1) / 100) <= number(1) / ROWS),
            "alpha_point": Statement((0 < STEP,), equal(_rate((X - LOWER) / STEP), FIRST + SLOPE * X)),
            "alpha_point_with_one_more": Statement(
                (0 < STEP,), equal(_rate((X - LOWER + 1) / (STEP + 1)), FIRST + SLOPE * X)
            ),
        },
    )
)
