"""Statements that the kernel settles by itself: closed ones, and false ones by a counterexample."""

from __future__ import annotations

from refdp.kernel.judgements import Holds, Refuted, require
from refdp.kernel.rules.logic import obligation as stated
from refdp.kernel.rules.settle import holds
from refdp.kernel.theorem import rule
from refdp.numerics.exact import exact, exact_real
from refdp.spec.statements import Statement
from refdp.spec.terms import Term, substitute


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
