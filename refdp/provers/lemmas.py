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
SYMBOLIC = frozenset({"integral", "exp", "ln", "sqrt", "pi"})

_PROVED: dict[tuple[str, str], Theorem] = {}
"""What was proved in this process, by obligation and digest."""


class NotProved(Exception):
    """No oracle proved the obligation; the message says which, and why."""


def lemma(identifier: str) -> Theorem:
    """|- the obligation `STEM.NAME`, vouched for by the oracle that suits it; NotProved if it does not."""
    statement = obligation(identifier)
    known = _PROVED.get((identifier, statement.digest))
    if known is not None:
        return known
    answer = run(oracle_for(statement), statement, TIMEOUT.get())
    if answer.verdict != "proved":
        reason = answer.reason or f"false at {answer.model}"
        raise NotProved(f"{identifier} is {answer.verdict}: {reason}")
    proved = oracle(obligation=identifier, digest=statement.digest, by=sorted(answer.trusts))
    _PROVED[identifier, statement.digest] = proved
    return proved


def lemmas(stem: str, needed: Iterable[str]) -> list[Theorem]:
    """The lemmas of `stem` with these names, in order."""
    return [lemma(f"{stem}.{key}") for key in needed]


def oracle_for(statement: Statement) -> str:
    """sympy for integrals and functions that no SMT solver decides, z3 for the rest."""
    return "sympy" if any(t.operator in SYMBOLIC for t in subterms(statement.conclusion)) else "z3"
