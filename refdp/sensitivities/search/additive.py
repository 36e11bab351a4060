"""Invariants of folds that add up: the second run is ahead by what the edited row adds (untrusted).

add_remove: t = s + g(row^), for every state whose step is s + g(row); a state of another kind is where it would be
had the edited row come last, t = step(s, row^), which holds if its steps commute.
change_one: t = s + g(row^') - g(row^).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from refdp.sensitivities.checking.invariants import EDITED, GHOST, OTHER, ROWS, Invariants, first, second
from refdp.sensitivities.program import ROW, Pass, Program
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.single_runs import Adding, adding, ranges
from refdp.terms.leaves import ZERO, integer
from refdp.terms.operations import add, choice, conjunction, equal, substitute, subtract
from refdp.terms.term import Term


def additive(question: Question, level: int = 0) -> Invariants | None:
    """The relation of a program of one pass, with as many facts as the level asks for; None where it does not apply.

    Level -1: how far ahead the second run is, and nothing else; then see `ranges`.
    """
    if len(question.program.passes) != 1:
        return None
    (only,) = question.program.passes
    sums = adding(only)
    if question.neighbours == "change_one" and len(sums) < len(only.state):
        return None
    ahead = _relations(question, only, {one.state: one.more for one in sums})
    facts = common(question, sums, level) if level >= 0 else []
    return Invariants((conjunction(*ahead, *facts),))


def _relations(question: Question, one: Pass, sums: Mapping[Term, Term]) -> Iterator[Term]:
    """How far ahead each state of the second run is."""
    ghost, other = records(question.program, GHOST), records(question.program, OTHER)
    own = {s: first(s) for s in one.state}
    for state, step in zip(one.state, one.step, strict=True):
        if state not in sums:
            moved = substitute(step, own | ghost)
        elif question.neighbours == "add_remove":
            moved = add(first(state), substitute(sums[state], ghost))
        else:
            difference = subtract(substitute(sums[state], other), substitute(sums[state], ghost))
            moved = add(first(state), difference)
        yield equal(second(state), choice(EDITED, moved, first(state)))


def common(question: Question, sums: tuple[Adding, ...], level: int) -> list[Term]:
    """What holds of the rows that both tables have: ranges of what the first run makes of them."""
    facts = ranges(question.program, sums, level)
    own = {s: first(s) for one in question.program.passes for s in one.state}
    if question.neighbours == "add_remove":
        return [substitute(fact, own) for fact in facts]
    ghost = records(question.program, GHOST)
    edited = {one.state: choice(EDITED, substitute(one.more, ghost), ZERO) for one in sums}
    apart = {state: subtract(first(state), more) for state, more in edited.items()}
    rows = subtract(ROWS, choice(EDITED, integer(1), ZERO))
    return [substitute(fact, {**apart, ROWS: rows}) for fact in facts]


def records(program: Program, name: str) -> dict[Term, Term]:
    """The variables of the row that a step reads, as those of another record."""
    return dict(zip(program.record.slots(ROW), program.record.slots(name), strict=True))
