"""Invariants from Spacer: the conditions as Horn clauses, the relation of each pass being an unknown predicate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from refdp import work
from refdp.logic.horn import beyond, predicate, solved
from refdp.sensitivities.checking.clauses import Edit, conditions
from refdp.sensitivities.checking.invariants import EDITED, GHOST, OTHER, ROWS, Invariants, first, second
from refdp.sensitivities.question import SIZE, Question
from refdp.terms.leaves import variables
from refdp.terms.term import Term

GLOBAL = {"fp.spacer.global": True}
UNCUT = {"fp.xform.slice": False, "fp.xform.inline_linear": False, "fp.xform.inline_eager": False}
SLICES: tuple[tuple[bool, Mapping[str, bool], float], ...] = (
    (False, {}, 0.15),
    (True, {}, 0.35),
    (False, GLOBAL, 0.5),
    (True, UNCUT, 1.0),
)
"""Whether invariants may speak of the edited record, settings of Spacer, and the share of the time left."""
EXCEEDED = "Spacer says that the claim is exceeded"


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
    end = work.spent() + seconds
    reasons: list[str] = []
    for ghosts, options, share in SLICES:
        predicates = unknown_predicates(question, edit, ghosts)
        clauses = [(*c.hypotheses, c.conclusion) for c in conditions(question, edit, Invariants(predicates))]
        if why := beyond(clauses):
            return Search(reason=why)
        found = solved(clauses, predicates, options, share * (end - work.spent()))
        if found.found is not None:
            return Search(Invariants(found.found))
        if found.impossible:
            return Search(moves=True, reason=EXCEEDED)
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
        found.append(predicate(f"relation{index}", rigid))
    return tuple(found)
