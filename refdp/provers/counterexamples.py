"""Counterexamples are checked by exact evaluation; no solver need be believed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from refdp.spec.statements import Statement
from refdp.terms.evaluation import evaluate, truth
from refdp.terms.term import Term, TermError, denominators


def violates(statement: Statement, values: Mapping[str, Fraction]) -> bool:
    """Whether every hypothesis holds under `values` but `show` does not, or some denominator is zero."""
    if any(values[v].denominator != 1 for v in statement.integers if v in values):
        return False
    try:
        if not all(truth(g, values) for g in statement.given):
            return False
        return any(is_zero(d, values) for d in denominators(statement.show)) or not truth(statement.show, values)
    except TermError:  # a name without a value, or one that is not rational
        return False


def is_zero(t: Term, values: Mapping[str, Fraction]) -> bool:
    """Whether `t` is zero; not if it has no value because a denominator in it is zero, which is then found itself."""
    try:
        return bool(evaluate(t, values) == 0)
    except TermError:
        return False
