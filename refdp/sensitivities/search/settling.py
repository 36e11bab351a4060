"""A program without what never happens: flags never raised, entries that are 0 until they are there (untrusted).

The facts that make it so are invariants of every single run, which the checker proves along with the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from refdp.logic.asking import valid
from refdp.sensitivities.checking.invariants import relevant
from refdp.sensitivities.program import ROW, Pass, Program
from refdp.sensitivities.search.single_runs import adding
from refdp.terms.leaves import FALSE, is_number, parts
from refdp.terms.operations import choice, conjunction, disjunction, equal, substitute
from refdp.terms.term import Term

SECONDS = 0.5
"""Longest question whether a step keeps a fact."""
MOST = 40
"""Most facts that are tried."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement about one run, and what a term is where it holds."""

    statement: Term
    term: Term
    value: Term


def settled(program: Program) -> tuple[Program, Term] | None:
    """A program of one pass that does the same where the statement holds after every row; None if there is none."""
    if len(program.passes) != 1:
        return None
    facts = _kept(program, list(dict.fromkeys(_candidates(program))))
    if not facts:
        return None
    return _without(program, {one.term: one.value for one in facts}), conjunction(*(one.statement for one in facts))


def _candidates(program: Program) -> Iterator[Fact]:
    """States that no row may ever move from their start, and entries that are as they start until a flag is up."""
    (only,) = program.passes
    sums = {one.state for one in adding(only)}
    used = {part for t in (*only.step, *program.output, program.exception) for part in parts(t)}
    for state, start in zip(only.state, only.start, strict=True):
        if is_number(start) and state not in sums:
            yield Fact(equal(state, start), state, start)
            for flag in (s for s, first in zip(only.state, only.start, strict=True) if first is FALSE):
                whole = choice(flag, state, start)
                if whole in used:
                    yield Fact(disjunction(flag, equal(state, start)), whole, state)


def _kept(program: Program, facts: list[Fact]) -> list[Fact]:
    """Those of the facts that every step keeps."""
    (only,) = program.passes
    steps = dict(zip(only.state, only.step, strict=True))
    known = (program.assumption, program.record.constraint(ROW))
    before = MOST + 1
    while 0 < len(facts) < before:
        before = len(facts)
        given = (*known, *(one.statement for one in facts))
        facts = [f for f in facts if valid("z3", given, substitute(f.statement, steps), SECONDS).verdict == "unsat"]
    return facts


def _without(program: Program, values: dict[Term, Term]) -> Program:
    """The program with these values for these terms, and only the states that still matter."""
    (only,) = program.passes
    steps = [
        substitute(step, values) if state not in values else state
        for state, step in zip(only.state, only.step, strict=True)
    ]
    output = tuple(substitute(t, values) for t in program.output)
    exception = substitute(program.exception, values)
    plain = replace(program, passes=(replace(only, step=tuple(steps)),), output=output, exception=exception)
    needed = relevant(plain)
    lines = [line for line in zip(only.state, only.start, steps, strict=True) if line[0] in needed]
    states, starts, moved = zip(*lines, strict=True) if lines else ((), (), ())
    return replace(plain, passes=(Pass(tuple(states), tuple(starts), tuple(moved)),))
