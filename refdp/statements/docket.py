"""What published deployments print about numbers, and no mechanism is about.

Source: JNS18.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement
from refdp.spec.terms import Term, exp, ln, number

ROWS = 100_000


def _delta(epsilon: Term) -> Term:
    """n^(-epsilon ln n), with n = ROWS."""
    return exp(-(ln(number(ROWS)) ** 2) * epsilon)


DOCKET = register(
    NamedStatements(
        "docket",
        {
            "flex_delta": Statement((), number(1) / 4 < _delta(number(1) / 100)),
            "flex_delta_is_negligible": Statement((), _delta(number(1) / 100) <= number(1) / ROWS),
        },
    )
)
