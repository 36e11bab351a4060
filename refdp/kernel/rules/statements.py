"""Statements that the kernel settles by itself: closed ones, ones on a box, and false ones by a counterexample."""

from __future__ import annotations

from refdp.kernel.judgements import Holds, Refuted, require
from refdp.kernel.rules.logic import obligation as stated
from refdp.kernel.rules.settle import holds
from refdp.kernel.theorem import rule
from refdp.numerics.boxes import Range, is_at_most_zero
from refdp.numerics.exact import enclose, exact, exact_real
from refdp.spec.statements import Statement
from refdp.terms.term import Term, name, names, substitute


@rule
def decided(*, obligation: str, digest: str) -> Holds:
    """
    ----------------------- STEM.NAME has no names, and its comparison of numbers is decided to hold
      |- STEM.NAME holds
    """
    statement = pinned(obligation, digest)
    require(not statement.variables, f"{obligation} speaks of {', '.join(statement.variables)}")
    require(all(map(holds, (*statement.given, statement.conclusion))), f"{obligation} does not hold")
    return about(obligation, digest)


@rule
def false_statement(*, obligation: str, digest: str, values: dict[str, str]) -> Refuted:
    """
      the hypotheses hold at the values     the conclusion does not
    ----------------------------------------------------------------
      |- STEM.NAME is false
    """
    statement = pinned(obligation, digest)
    require(sorted(values) == list(statement.variables), f"values must be of {', '.join(statement.variables)}")
    chosen = {key: _number(value, key, key in statement.integers) for key, value in values.items()}
    for condition in statement.given:
        require(holds(substitute(condition, chosen)), f"the hypothesis {condition} does not hold at the values")
    require(not holds(substitute(statement.conclusion, chosen)), f"{obligation} holds at the values")
    return Refuted(about(obligation, digest))


@rule
def branch_and_bound(*, obligation: str, digest: str) -> Holds:
    """
    ----------------------- its hypotheses bound each name, and intervals show `show` on every part of that box
      |- STEM.NAME holds
    """
    statement = pinned(obligation, digest)
    require(statement.show.operator in ("<=", "<"), f"it must compare by <= or <, got {statement.show}")
    left, right = statement.show.arguments
    box = {v: _range(statement, v) for v in statement.variables}
    is_at_most_zero(left - right, box, strict=statement.show.operator == "<")
    return about(obligation, digest)


def _range(statement: Statement, variable: str) -> Range:
    """Numbers between which the hypotheses put the variable."""
    comparisons = [g.arguments for g in statement.given if g.operator in ("<=", "<")]
    above = [enclose(a).lower for a, b in comparisons if b == name(variable) and not names(a)]
    below = [enclose(b).upper for a, b in comparisons if a == name(variable) and not names(b)]
    require(bool(above and below), f"the hypotheses must bound {variable} from both sides by numbers")
    return max(above), min(below)


def pinned(obligation: str, digest: str) -> Statement:
    """The statement, rebuilt from this package, if it has the digest."""
    statement = stated(obligation)
    require(statement.digest == digest, f"the formulas behind {obligation} have changed since the certificate")
    return statement


def _number(value: str, key: str, whole: bool) -> Term:
    """The number that the text writes down, whole where it stands for an integer."""
    number = exact_real(value, key).term
    require(not whole or exact(value, key).denominator == 1, f"{key} must be an integer, got {value}")
    return number


def about(obligation: str, digest: str) -> Holds:
    """That the statement holds."""
    stem, _, key = obligation.partition(".")
    return Holds(stem, key, digest)
