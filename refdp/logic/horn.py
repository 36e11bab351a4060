"""Horn clauses: predicates that satisfy them, from Spacer.  What is found is a proposal; whoever uses it checks it.

An unknown predicate is a term `apply` whose value is its name and whose arguments are different variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refdp.provers.processes import WORKERS, SolverMissing, WorkerLost
from refdp.terms.leaves import is_number, make, parts, variables
from refdp.terms.scripts import SMT, leaf, symbol
from refdp.terms.smtlib import read
from refdp.terms.term import Sort, Term

Clause = tuple[Term, ...]
"""All of the terms but the last imply the last, for all values of the variables."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What each predicate stands for, or why nothing was found; `impossible` where Spacer says that nothing does."""

    found: tuple[Term, ...] | None = None
    reason: str = ""
    impossible: bool = False


def predicate(name: str, arguments: Iterable[Term]) -> Term:
    """The unknown predicate of that name of these variables."""
    return make("apply", "Bool", *arguments, value=name)


def solved(
    clauses: Iterable[Clause], predicates: tuple[Term, ...], options: Mapping[str, bool], seconds: float
) -> Solution:
    """What the predicates may stand for so that all clauses hold, as far as Spacer finds out within `seconds`."""
    wanted = list(clauses)
    if why := beyond(wanted):
        return Solution(reason=why)
    if seconds <= 0:
        return Solution(reason="the time is over")
    request = {"text": horn_text(wanted, predicates), "engine": "spacer", "options": options}
    try:
        reply = WORKERS["z3"].ask(request, seconds)
    except (WorkerLost, SolverMissing) as lost:
        return Solution(reason=str(lost))
    if reply["answer"] == "unsat":
        return Solution(impossible=True, reason="Spacer says that no invariant holds the claim")
    if reply["answer"] != "sat":
        return Solution(reason=str(reply.get("reason", "unknown")) or "unknown")
    try:
        return Solution(tuple(_interpretation(p, reply["interpretations"]) for p in predicates))
    except ValueError as error:
        return Solution(reason=f"its invariant cannot be read: {error}")


def beyond(clauses: Iterable[Clause]) -> str:
    """Why Spacer cannot take the clauses, or nothing."""
    for one in (part for clause in clauses for t in clause for part in parts(t)):
        product = one.operator == "*" and not any(map(is_number, one.arguments))
        if product or one.operator in ("/", "sqrt"):
            return f"Spacer takes no {'product' if product else one.operator} of what is not constant"
    return ""


def horn_text(clauses: Iterable[Clause], predicates: Iterable[Term]) -> str:
    """The clauses as SMT-LIB text in the logic HORN."""
    lines = ["(set-logic HORN)"]
    for one in predicates:
        sorts: list[Sort] = [a.sort for a in one.arguments]
        lines.append(f"(declare-fun {one.value} ({' '.join(sorts)}) Bool)")
    for clause in clauses:
        bound = " ".join(f"({symbol(v)} {v.sort})" for v in variables(*clause))
        lines.append(f"(assert (forall ({bound}) {nested(clause)}))" if bound else f"(assert {nested(clause)})")
    return "\n".join([*lines, "(check-sat)", ""])


def nested(chain: Clause) -> str:
    """The clause as one expression."""
    # Not by `smtlib.written`, which says the same: the invariants that Spacer finds hang on the very text.
    names: dict[Term, str] = {}
    bindings: list[str] = []
    for part in (p for t in chain for p in parts(t)):
        if part in names:
            continue
        names[part] = f"let!{len(bindings)}" if part.arguments else leaf(part)
        if part.arguments:
            operator = str(part.value) if part.operator == "apply" else SMT.get(part.operator, part.operator)
            bindings.append(f"(let ((let!{len(bindings)} ({operator} {' '.join(names[a] for a in part.arguments)}))) ")
    known = " ".join(names[t] for t in chain[:-1])
    return f"{''.join(bindings)}(=> (and true {known}) {names[chain[-1]]}){')' * len(bindings)}"


def _interpretation(one: Term, found: Mapping[str, str]) -> Term:
    """The term that a predicate stands for; true where Spacer says nothing."""
    known = {f"@{index}": argument for index, argument in enumerate(one.arguments)}
    return read(found.get(str(one.value), "true"), known)
