"""Whether a question and proposed invariants speak only of what they may, each under a name of its own."""

from __future__ import annotations

from collections.abc import Iterable

from refdp.sensitivities.checking.invariants import EDITED, GHOST, LENGTH, OTHER, ROWS, Invariants, first, second
from refdp.sensitivities.program import ROW, Program
from refdp.sensitivities.question import SIZE, Question
from refdp.terms.leaves import variables
from refdp.terms.scripts import symbol
from refdp.terms.term import Term


class Refused(ValueError):
    """A proof that is not even of the right form."""


def insist(question: Question, proposed: Invariants) -> None:
    """Refused unless the question and the invariants are well formed."""
    insist_on_question(question)
    insist_on_invariants(question.program, proposed)


def insist_on_question(question: Question) -> None:
    """Refused unless the names differ and each part of the program reads only what it can."""
    program = question.program
    states = [s for one in program.passes for s in one.state]
    records = [slot for name in (ROW, GHOST, OTHER) for slot in program.record.slots(name)]
    names = [*map(symbol, (EDITED, ROWS, SIZE, LENGTH, *program.parameters, *records, *states))]
    names += [symbol(run(s)) for s in states for run in (first, second)]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise Refused(f"variables must have different names, got {', '.join(twice)[:200]} twice")
    seen = set(program.parameters)
    _only(seen | set(program.record.slots(ROW)), (program.record.constraint(ROW),), "a record")
    for one in program.passes:
        _only(seen, one.start, "a start")
        seen.update(one.state)
        _only(seen | set(program.record.slots(ROW)), one.step, "a step")
        _alike(one.state, one.start)
        _alike(one.state, one.step)
    _only(seen, (*program.output, program.exception), "an outcome")
    _only({*program.parameters, SIZE}, (program.assumption, question.claim), "a claim or an assumption")
    _sorted(program, question.claim)


def insist_on_invariants(program: Program, proposed: Invariants) -> None:
    """Refused unless each relation is a statement about what it may speak of."""
    if len(proposed.relations) != len(program.passes) or len(proposed.singles) not in (0, len(program.passes)):
        raise Refused(f"there must be one relation for each pass, got {len(proposed.relations)}")
    ghosts = {slot for name in (GHOST, OTHER) for slot in program.record.slots(name)}
    pair, lone = {*program.parameters, *ghosts, EDITED, ROWS, SIZE}, {*program.parameters, ROWS, SIZE, LENGTH}
    for index, one in enumerate(program.passes):
        pair |= {run(s) for s in one.state for run in (first, second)}
        lone |= set(one.state)
        _only(pair, proposed.relations[index : index + 1], "a relation")
        _only(lone, proposed.singles[index : index + 1], "an invariant")
    spoken = pair | lone | set(program.record.slots(ROW))
    for hint in proposed.hints:
        _only(spoken, (hint.statement, *hint.given, *hint.whatever), "a hint")
    for variable, values in proposed.splits:
        _only(spoken, (variable,), "a split")
        if variable.operator != "name" or any(v.sort != variable.sort or v.arguments or variables(v) for v in values):
            raise Refused(f"a split must be of a variable into constants of its sort, got {variable}")
    statements = [*proposed.relations, *proposed.singles, *(h.statement for h in proposed.hints)]
    if any(s.sort != "Bool" for s in statements):
        raise Refused("relations, invariants and hints must be true or false")


def _only(allowed: set[Term], terms: Iterable[Term], what: str) -> None:
    """Refused where a term speaks of anything else."""
    for one in variables(*terms):
        if one not in allowed:
            raise Refused(f"{what} may not speak of {one}")


def _alike(state: tuple[Term, ...], values: tuple[Term, ...]) -> None:
    """Refused unless each state has a value of its sort; a whole number is a real one."""
    if len(state) != len(values):
        raise Refused(f"a pass must have a value for each of its {len(state)} states, got {len(values)}")
    for s, v in zip(state, values, strict=True):
        if s.sort != v.sort and (s.sort, v.sort) != ("Real", "Int"):
            raise Refused(f"the value of {s} must be {s.sort}, got {v.sort}")


def _sorted(program: Program, claim: Term) -> None:
    """Refused unless claim, exception and assumption are of the sorts that they must be."""
    if claim.sort == "Bool" or program.exception.sort != "Int" or program.assumption.sort != "Bool":
        raise Refused("a claim must be a number, an exception a whole number, an assumption true or false")
