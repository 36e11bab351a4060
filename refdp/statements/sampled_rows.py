"""Sampling a fixed number of rows: the excess of one outcome, and what fails if a fresh row is not compared with.

p is its mass if the replaced row is in the sample, q if the row that replaces it is, r if neither can be; s is t' / t
for t' = 1 + rate (t - 1).  Source: BBG18 Thm 9.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import equal
from refdp.statements.excess import given, p, part, q, r, t
from refdp.terms.term import name

rate, s = name("rate"), name("s")
RATE = (0 <= rate, rate <= 1)
amplified = 1 + rate * (t - 1)
excess = part((1 - rate) * r + rate * p - amplified * ((1 - rate) * r + rate * q))

SAMPLED_ROWS = register(
    NamedStatements(
        "sampled_rows",
        {
            "one_row_replaced": given(
                excess <= rate * ((1 - s) * part(p - t * r) + s * part(p - t * q)), *RATE, equal(s * t, amplified)
            ),
            "from_one_pair": given(excess <= rate * part(p - t * q), *RATE),
        },
    )
)
