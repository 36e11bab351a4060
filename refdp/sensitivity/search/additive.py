"""Invariants of folds that add up: the second run is ahead by what the edited row adds (untrusted).

add_remove: t = s + g(row^), for every state whose step is s + g(row); a state of another kind is where it would be
had the edited row come last, t = step(s, row^), which holds if its steps commute.  change_one: t = s + g(row^') - g(row^).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from refdp.sensitivity.checking.invariants import EDITED, GHOST, OTHER, ROWS, Invariants, first, second
from refdp.sensitivity.fusion import increment
from refdp.sensitivity.graphs import substitute, variables
from refdp.sensitivity.program import ROW, Pass, Program
from refdp.sensitivity.question import Question
from refdp.sensitivity.search.ranges import Ranges
from refdp.sensitivity.terms import (
    TRUE,
    ZERO,
    Term,
    add,
    at_most,
    choice,
    conjunction,
    equal,
    is_number,
    multiply,
    number,
    subtract,
)


@dataclass(frozen=True, slots=True)
class Adding:
    """A state to which each row adds a term of its own."""

    state: Term
    start: Term
    more: Term


def additive(question: Question) -> Invariants | None:
    """Relations and ranges for a program of one pass; None where a change of a row is not followed."""
    if len(question.program.passes) != 1:
        return None
    (only,) = question.program.passes
    sums = adding(only)
    if question.neighbours == "change_one" and len(sums) < len(only.state):
        return None
    relation = conjunction(*_relations(question, only, {one.state: one.more for one in sums}))
    return Invariants((relation,), (ranges(question.program, sums),))


def adding(one: Pass) -> tuple[Adding, ...]:
    """The states of a pass that are sums over the rows alone."""
    found = []
    for state, start, step in zip(one.state, one.start, one.step, strict=True):
        more = increment(state, step)
        if more is not None and not set(variables(more)) & set(one.state):
            found.append(Adding(state, start, more))
    return tuple(found)


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


def records(program: Program, name: str) -> dict[Term, Term]:
    """The variables of the row that a step reads, as those of another record."""
    return dict(zip(program.record.slots(ROW), program.record.slots(name), strict=True))


def ranges(program: Program, sums: tuple[Adding, ...]) -> Term:
    """What holds of one run: each sum is between as many times its least and its largest summand."""
    bounds = Ranges(program)
    facts = [at_most(ZERO, ROWS)]
    counts = {_guard(one.more): subtract(one.state, one.start) for one in sums if _is_count(one.more)}
    counts.setdefault(TRUE, ROWS)
    for one in sums:
        moved = subtract(one.state, one.start)
        facts += between(moved, ROWS, bounds, one.more)
        guard, inner = _guarded(one.more)
        if guard is not TRUE and guard in counts and not _is_count(one.more):
            facts += between(moved, counts[guard], bounds, inner)
    return conjunction(*facts)


def between(moved: Term, times: Term, bounds: Ranges, more: Term) -> list[Term]:
    """times * least <= moved <= times * largest."""
    low, high = bounds.of(more)
    if low is high and low is not None:
        return [equal(moved, multiply(times, low))]
    facts = [] if low is None else [at_most(multiply(times, low), moved)]
    return facts if high is None else [*facts, at_most(moved, multiply(times, high))]


def _guarded(more: Term) -> tuple[Term, Term]:
    """The condition under which something is added, and what."""
    if more.operator == "ite":
        condition, yes, no = more.arguments
        if is_number(no) and number(no) == 0:
            return condition, yes
    return TRUE, more


def _guard(more: Term) -> Term:
    """The condition under which something is added."""
    return _guarded(more)[0]


def _is_count(more: Term) -> bool:
    """Whether 1 is added, or nothing."""
    inner = _guarded(more)[1]
    return is_number(inner) and number(inner) == 1
