"""Equations between the forms in which an accuracy is written down; t stands for e^epsilon > 1 in the first."""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement
from refdp.terms.reading import read

ACCURACY = register(
    NamedStatements(
        "accuracy",
        {
            "width_in_epsilon": Statement((read("1 < t"),), read("1 / (2 * (t / (1 + t)) - 1) == (1 + t) / (t - 1)")),
            "radius_of_a_selection": Statement(
                (read("0 < scale"), read("1 <= candidates"), read("0 <= t")),
                read("scale * ln(candidates / exp(-t)) == scale * (ln(candidates) + t)"),
            ),
        },
    )
)
