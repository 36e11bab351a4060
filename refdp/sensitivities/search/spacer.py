"""Invariants from Spacer: the conditions as Horn clauses, the relation of each pass being an unknown predicate."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refdp.provers.processes import WORKERS, SolverMissing, WorkerLost
from refdp.sensitivities.checking.clauses import Condition, Edit, conditions
from refdp.sensitivities.checking.invariants import EDITED, GHOST, OTHER, ROWS, Invariants, first, second
from refdp.sensitivities.checking.smtlib import read
from refdp.sensitivities.graphs import parts, variables
from refdp.sensitivities.printing import SMT, leaf, symbol
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.terms import Term, is_number, make

GLOBAL = {"fp.spacer.global": True}
UNCUT = {"fp.xform.slice": False, "fp.xform.inline_linear": False, "fp.xform.inline_eager": False}
SLICES: tuple[tuple[bool, Mapping[str, bool], float], ...] = (
    (False, {}, 0.15),
    (True, {}, 0.35),
    (False, GLOBAL, 0.5),
    (True, UNCUT, 1.0),
)
"""Whether invariants may speak of the edited record, settings of Spacer, and the share of the time left."""


@dataclass(frozen=True, slots=True)
class Search:
    """What was found, or why nothing was; `moves` where Spacer says that the claim is exceeded."""

    invariants: Invariants | None = None
    reason: str = ""
    moves: bool = False


def spacer_invariants(question: Question, edit: Edit, seconds: float) -> Search:
    """Invariants under which the answers of tables that differ by one `edit` are within the claim.

    They may be wrong, as may be `moves`: whoever uses them checks them.
    """
    end = time.monotonic() + seconds
    reasons: list[str] = []
    for ghosts, options, share in SLICES:
        predicates = unknown_predicates(question, edit, ghosts)
        clauses = list(conditions(question, edit, Invariants(predicates)))
        if why := beyond(clauses):
            return Search(reason=why)
        request = {"text": horn_text(clauses, predicates), "engine": "spacer", "options": options}
        found = _asked(request, predicates, share * (end - time.monotonic()))
        if found.invariants or found.moves:
            return found
        reasons.append(found.reason)
    return Search(reason=f"Spacer found no invariant ({'; '.join(dict.fromkeys(reasons))})")


def unknown_predicates(question: Question, edit: Edit, ghosts: bool) -> tuple[Term, ...]:
    """The relation of each pass as an unknown predicate of all that it may speak of."""
    program = question.program
    records = [] if not ghosts else [GHOST] if edit == "add_remove" else [GHOST, OTHER]
    slots = [slot for name in records for slot in program.record.slots(name)]
    counters = [ROWS, SIZE] if SIZE in variables(question.claim, program.assumption) else []
    rigid = [EDITED, *slots, *program.parameters, *counters]
    found = []
    for index, one in enumerate(program.passes):
        rigid += [run(s) for s in one.state for run in (first, second)]
        found.append(make("apply", "Bool", *rigid, value=f"relation{index}"))
    return tuple(found)


def beyond(clauses: Iterable[Condition]) -> str:
    """Why Spacer cannot take the clauses, or nothing."""
    for one in (part for c in clauses for t in (*c.hypotheses, c.conclusion) for part in parts(t)):
        product = one.operator == "*" and not any(map(is_number, one.arguments))
        if product or one.operator in ("/", "root"):
            return f"Spacer takes no {'product' if product else one.operator} of what is not constant"
    return ""


def horn_text(clauses: Iterable[Condition], predicates: Iterable[Term]) -> str:
    """The clauses as SMT-LIB text in the logic HORN."""
    lines = ["(set-logic HORN)"]
    for one in predicates:
        lines.append(f"(declare-fun {one.value} ({' '.join(a.sort for a in one.arguments)}) Bool)")
    for clause in clauses:
        bound = " ".join(f"({symbol(v)} {v.sort})" for v in variables(*clause.hypotheses, clause.conclusion))
        body = nested((*clause.hypotheses, clause.conclusion))
        lines.append(f"(assert (forall ({bound}) {body}))" if bound else f"(assert {body})")
    return "\n".join([*lines, "(check-sat)", ""])


def nested(chain: tuple[Term, ...]) -> str:
    """All of the terms but the last imply the last, as one expression."""
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


def _asked(request: Mapping[str, object], predicates: tuple[Term, ...], seconds: float) -> Search:
    """What Spacer says to one text."""
    if seconds <= 0:
        return Search(reason="the time is over")
    try:
        reply = WORKERS["z3"].ask(request, seconds)
    except (WorkerLost, SolverMissing) as lost:
        return Search(reason=str(lost))
    if reply["answer"] == "unsat":
        return Search(moves=True, reason="Spacer says that the claim is exceeded")
    if reply["answer"] != "sat":
        return Search(reason=str(reply.get("reason", "unknown")) or "unknown")
    try:
        return Search(Invariants(tuple(_interpretation(p, reply["interpretations"]) for p in predicates)))
    except ValueError as error:
        return Search(reason=f"its invariant cannot be read: {error}")


def _interpretation(predicate: Term, found: Mapping[str, str]) -> Term:
    """The term that a predicate stands for; true where Spacer says nothing."""
    known = {f"@{index}": argument for index, argument in enumerate(predicate.arguments)}
    return read(found.get(str(predicate.value), "true"), known)
