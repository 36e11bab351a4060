"""Lemmas: obligations as kernel theorems, each discharged twice where two means are at hand.

The kernel's own means come first, an identity that the rule `algebra` checks or a decided comparison of numbers; then
nobody is trusted.  A solver is asked as well, and its contradiction stops everything.  Without such a means z3 and cvc5
are both asked, and the theorem trusts whoever answered.  Untrusted: replay checks or asks again.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from contextvars import ContextVar

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules import algebra, decided, oracle
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.provers.algebra.finder import identities
from refdp.provers.algebra.known import known
from refdp.provers.answers import SolverDisagreement
from refdp.provers.opinions import Opinions, agreed, ask
from refdp.spec.statements import Statement
from refdp.terms.term import TermError, subterms

TIMEOUT: ContextVar[float] = ContextVar("TIMEOUT", default=20.0)
"""Seconds that an oracle, or the search for an identity, may take for one lemma."""
SYMBOLIC = frozenset({"integral", "exp", "ln", "sqrt", "normal_tail", "pi"})

_PROVED: dict[tuple[str, str], Theorem] = {}
"""What was proved in this process, by obligation and digest."""
OPINIONS: dict[str, Opinions] = {}
"""What oracles said in this process, by the digest of the statement."""


class NotProved(Exception):
    """The oracle did not prove the obligation: it is false; the message says which, and where."""


class Unanswered(NotProved):
    """The oracle gave no answer, such as in time: that says nothing about the obligation."""


def lemma(identifier: str) -> Theorem:
    """|- the obligation `STEM.NAME`; NotProved if it is false, SolverDisagreement if two means contradict."""
    statement = obligation(identifier)
    known = _PROVED.get((identifier, statement.digest))
    if known is not None:
        return known
    first = ask(oracle_for(statement), statement, TIMEOUT.get())
    opinions = OPINIONS[statement.digest] = {oracle_for(statement): first}
    if first.verdict == "disproved":
        raise NotProved(f"{identifier} is false at {', '.join(f'{k} = {v}' for k, v in (first.model or {}).items())}")
    proved = by_the_kernel(identifier, statement)
    if proved is None:
        proved = by_oracles(identifier, statement, opinions)
    elif first.contradicts:
        raise SolverDisagreement(f"the kernel proves {identifier}, and a solver has a counterexample: {statement}")
    _PROVED[identifier, statement.digest] = proved
    return proved


def lemmas(stem: str, needed: Iterable[str]) -> list[Theorem]:
    """The lemmas of `stem` with these names, in order."""
    return [lemma(f"{stem}.{key}") for key in needed]


def by_the_kernel(identifier: str, statement: Statement) -> Theorem | None:
    """|- the obligation, by what the kernel checks itself; None if no such means is found."""
    if not statement.variables:
        with suppress(KernelError):
            return decided(obligation=identifier, digest=statement.digest)
    by_hand = known(identifier, statement)
    if by_hand is not None:
        with suppress(KernelError, TermError):
            return algebra(obligation=identifier, digest=statement.digest, cases=by_hand)
    found = identities(statement, TIMEOUT.get())
    if found is None:
        return None
    return algebra(obligation=identifier, digest=statement.digest, cases=found)


def by_oracles(identifier: str, statement: Statement, opinions: Opinions) -> Theorem:
    """|- the obligation, vouched for by each oracle that proves it; Unanswered if none does."""
    if oracle_for(statement) == "z3":
        opinions["cvc5"] = ask("cvc5", statement, TIMEOUT.get())
    trusts = agreed(statement, opinions)
    if not trusts:
        raise Unanswered(f"{identifier} is unknown: {'; '.join(a.reason for a in opinions.values())}")
    return oracle(obligation=identifier, digest=statement.digest, by=sorted(trusts))


def oracle_for(statement: Statement) -> str:
    """sympy for integrals and functions that no SMT solver decides, z3 for the rest."""
    return "sympy" if any(t.operator in SYMBOLIC for t in subterms(statement.conclusion)) else "z3"
