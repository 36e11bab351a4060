"""Arb as a second opinion on comparisons of numbers, which the kernel decides by intervals of its own.

No theorem rests on it.
"""

from __future__ import annotations

from refdp.numerics.elementary import Undecided
from refdp.numerics.enclosures import Balls, precision
from refdp.provers.answers import Answer
from refdp.spec.statements import Statement
from refdp.terms.evaluation import truth
from refdp.terms.term import TermError

PRECISIONS = (64, 256, 1024, 4096)
"""Binary digits of the arithmetic, one attempt each."""


def decide(statement: Statement) -> Answer:
    """Proved, or disproved, where Arb's balls decide a statement without names; irrational equations they do not."""
    if statement.variables:
        return Answer("unknown", reason="Arb compares numbers, not names")
    from importlib.metadata import version  # the reader of e-mail that it brings is slow to load

    who = f"Arb (python-flint {version('python-flint')})"
    for bits in PRECISIONS:
        try:
            with precision(bits):
                given = all(truth(g, {}, Balls(bits)) for g in statement.given)
                holds = not given or truth(statement.conclusion, {}, Balls(bits))
        except Undecided:
            continue
        except TermError as error:
            return Answer("unknown", reason=f"{who}: {error}")
        return Answer("proved", frozenset({who})) if holds else Answer("disproved", model={})
    return Answer("unknown", reason=f"{who}: {PRECISIONS[-1]} binary digits do not decide it")
