"""sympy as an oracle for equalities, integrals included."""

from __future__ import annotations

from fractions import Fraction

from refdp.provers.answers import Answer
from refdp.provers.counterexamples import violates
from refdp.provers.processes import WORKERS, WorkerLost
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, subterms

TRANSLATOR = "refdp sympy translator"
"""The name under which `provers/symbolic` is trusted."""


def prove(statement: Statement, timeout: float) -> Answer:
    """Proved if sympy simplifies the difference of both sides to 0 and quadrature in mpmath does not contradict."""
    worker = WORKERS["sympy"]
    who = worker.start()
    try:
        request = {
            "given": list(map(written, statement.given)),
            "show": written(statement.show),
            "integers": sorted(statement.integers),
        }
        reply = worker.ask(request, timeout)
    except (TermError, WorkerLost) as error:
        return Answer("unknown", reason=f"{who}: {error}")
    if reply["answer"] == "unsat":
        return Answer("proved", frozenset({who, TRANSLATOR}), "the difference of the two sides simplifies to 0")
    for candidate in reply.get("models", ()):
        values = {v: Fraction(x) for v, x in candidate.items()}
        if violates(statement, values):
            return Answer("disproved", model=values)
    return Answer("unknown", reason=f"{who}: {reply['reason']}")


def written(t: Term) -> str:
    """The text of a term; TermError if it would be read as another one."""
    text = str(t)
    named = all(str(s.value).isidentifier() for s in subterms(t) if s.operator == "name")
    if not named or str(read(text)) != text:
        raise TermError(f"the term {text} cannot be written down")
    return text
