"""Lemmas: obligations that an oracle has proved, as kernel theorems.  Untrusted: replay asks the oracle again."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar

from refdp.kernel.rules import oracle
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.provers.oracles import run
from refdp.spec.statements import Statement
from refdp.spec.terms import subterms

TIMEOUT: ContextVar[float] = ContextVar("TIMEOUT", default=20.0)
"""Seconds that an oracle may take for one lemma."""
SYMBOLIC = frozenset({"integral", "exp", "ln", "sqrt", "normal_tail", "pi"})

_PROVED: dict[tuple[str, str], Theorem] = {}
"""What was proved in this process, by obligation and digest."""


class NotProved(Exception):
    """The oracle did not prove the obligation: it is false; the message says which, and where."""


class Unanswered(NotProved):
    """The oracle gave no answer, such as in time: that says nothing about the obligation."""


def lemma(identifier: str) -> Theorem:
    """|- the obligation `STEM.NAME`, vouched for by the oracle that suits it; NotProved if it does not."""
    statement = obligation(identifier)
    known = _PROVED.get((identifier, statement.digest))
    if known is not None:
        return known
    answer = run(oracle_for(statement), statement, TIMEOUT.get())
    if answer.verdict == "disproved":
        raise NotProved(f"{identifier} is false at {', '.join(f'{k} = {v}' for k, v in (answer.model or {}).items())}")
    if answer.verdict != "proved":
        raise Unanswered(f"{identifier} is unknown: {answer.reason}")
    proved = oracle(obligation=identifier, digest=statement.digest, by=sorted(answer.trusts))
    _PROVED[identifier, statement.digest] = proved
    return proved


def lemmas(stem: str, needed: Iterable[str]) -> list[Theorem]:
    """The lemmas of `stem` with these names, in order."""
    return [lemma(f"{stem}.{key}") for key in needed]


def oracle_for(statement: Statement) -> str:
    """sympy for integrals and functions that no SMT solver decides, z3 for the rest."""
    return "sympy" if any(t.operator in SYMBOLIC for t in subterms(statement.conclusion)) else "z3"
