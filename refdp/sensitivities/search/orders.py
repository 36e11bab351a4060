"""Relations between two runs on the same rows in another order: what makes a bound on lists one on multisets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refdp import work
from refdp.logic.asking import valid
from refdp.sensitivities.checking.clauses import conditions
from refdp.sensitivities.checking.invariants import Invariants, equality, first, relevant, second
from refdp.sensitivities.checking.verifying import obligations
from refdp.sensitivities.program import Program
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.chunks import in_chunks
from refdp.sensitivities.search.spacer import Search, spacer_invariants
from refdp.terms.leaves import ZERO, integer, variables
from refdp.terms.operations import conjunction, equal, implication, substitute
from refdp.terms.term import Term

LONGEST = 2.0
"""Longest time for one condition, in seconds."""


def order_relation(question: Question, seconds: float, singles: tuple[Term, ...] = ()) -> Search:
    """A relation that shows the answer to be the same in whatever order the rows come; or why none was found."""
    end = work.spent() + seconds
    unmoved = replace(question, claim=integer(0), norm="Linf", edits=1)
    for candidate in candidates(question.program):
        helped = in_chunks(unmoved, "swap", candidate)
        for one in dict.fromkeys((helped, replace(helped, singles=singles))):
            if _holds(unmoved, one, end):
                return Search(one)
    found = spacer_invariants(unmoved, "swap", (end - work.spent()) / 2)
    if found.moves:
        return replace(found, reason="the order of the rows matters")
    return replace(found, reason=f"not shown to be independent of the order of the rows: {found.reason}")


def candidates(program: Program) -> Iterator[Invariants]:
    """The same state; then the same exception, and the same state unless there is one."""
    yield equality(program)
    flags = set(variables(program.exception))
    if flags:
        yield Invariants(tuple(_unless_raised(program, index) for index in range(len(program.passes))))


def _unless_raised(program: Program, index: int) -> Term:
    """The same flags of exceptions, and where none of them is up the same state."""
    states = [s for s in program.passes[index].state if s in relevant(program)]
    flags = [s for s in states if s in variables(program.exception)]
    up = {s: first(s) for one in program.passes[: index + 1] for s in one.state}
    later = {s for one in program.passes[index + 1 :] for s in one.state}
    same = conjunction(*(equal(first(s), second(s)) for s in states))
    if later & set(variables(program.exception)):
        return same
    quiet = equal(substitute(program.exception, up), ZERO)
    return conjunction(*(equal(first(s), second(s)) for s in flags), implication(quiet, same))


def _holds(question: Question, proposed: Invariants, end: float) -> bool:
    """Whether z3 proves all conditions for a swap."""
    for one in obligations(conditions(question, "swap", proposed), proposed, ""):
        left = min(LONGEST, end - work.spent())
        if left <= 0 or valid("z3", one.hypotheses, one.conclusion, left).verdict != "unsat":
            return False
    return True
