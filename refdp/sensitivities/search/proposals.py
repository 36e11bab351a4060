"""What sums suggest for a question, from the plain to the elaborate, sifted by quick questions to the solvers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refdp import work
from refdp.logic.asking import valid
from refdp.sensitivities.checking.clauses import Edit
from refdp.sensitivities.checking.invariants import Invariants
from refdp.sensitivities.checking.verifying import SOLVERS, demanded
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.additive import additive
from refdp.sensitivities.search.chunks import in_chunks
from refdp.sensitivities.search.coordinate_hints import with_coordinate_hints
from refdp.sensitivities.search.quotient_hints import with_quotient_hints
from refdp.sensitivities.search.scalar_hints import with_scalar_hints
from refdp.sensitivities.search.settling import settled
from refdp.sensitivities.search.shapes import gains
from refdp.sensitivities.search.spacer import Search
from refdp.sensitivities.search.vector_hints import with_vector_hints

ALONE = 0.6
"""Longest time for one obligation in one solver, in seconds."""


def sum_invariants(question: Question, edit: Edit, seconds: float) -> Search:
    """Invariants of a fold that adds up under which the claim seems to hold; or why there are none."""
    end, reason = work.spent() + seconds, "not all states are sums over the rows"
    for proposal in proposals(question):
        reason = unproved(question, proposal, end)
        if not reason:
            return Search(proposal)
    return Search(reason=f"of sums: {reason}")


def proposals(question: Question) -> Iterator[Invariants]:
    """The relations of sums with ever more help, first without what never happens."""
    plain = settled(question.program)
    if plain is not None:
        program, fact = plain
        yield from (replace(p, singles=(fact,)) for p in of_program(replace(question, program=program)))
    yield from of_program(question)


def of_program(question: Question) -> Iterator[Invariants]:
    """The relations of sums with ever more help, of the program as it is."""
    is_linear = gains(question.program) is not None
    for level in (-1, 0) if is_linear else (0, 2):
        found = additive(question, level)
        if found is not None:
            yield with_help(question, found, is_linear)


def with_help(question: Question, found: Invariants, is_linear: bool) -> Invariants:
    """The invariants with the hints that the shape of the answer suggests."""
    hinted = with_vector_hints(question, found) if is_linear else of_quotients(question, found)
    return in_chunks(question, question.neighbours, hinted)


def of_quotients(question: Question, found: Invariants) -> Invariants:
    """The invariants with hints for an answer that is not linear: of coordinates, of one quotient, or of any number."""
    helped = with_coordinate_hints(question, found) or with_quotient_hints(question, found)
    return helped or with_scalar_hints(question, found)


def unproved(question: Question, proposal: Invariants, end: float) -> str:
    """An obligation that no solver proves soon, or nothing."""
    try:
        for one in demanded(question, proposal):
            limit = min(ALONE, end - work.spent())
            if limit <= 0:
                return "the time is over"
            verdicts = (valid(solver, one.hypotheses, one.conclusion, limit).verdict for solver in SOLVERS)
            if next((v for v in verdicts if v != "unknown"), "unknown") != "unsat":
                return f"{one.name} is not proved"
    except ValueError as refused:
        return str(refused)
    return ""
