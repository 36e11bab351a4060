"""A certificate judged again, from its text alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from refdp.logic.evaluation import evaluate
from refdp.logic.strict_json import Forged, Json, entries, insist
from refdp.logic.terms import Term, Value
from refdp.sensitivities.checking.certificate import Claim, Tried, parsed, tables_of
from refdp.sensitivities.checking.encoding import invariants_of
from refdp.sensitivities.checking.invariants import EDITED, GHOST, LENGTH, OTHER, ROWS, first, second
from refdp.sensitivities.checking.pairs import edits_apart, is_too_far, records, sized
from refdp.sensitivities.checking.possible import require_possible
from refdp.sensitivities.checking.verifying import SOLVERS, verify
from refdp.sensitivities.fusion import fused
from refdp.sensitivities.language.concrete.answers import Answer
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.program import ROW, Program
from refdp.sensitivities.question import SIZE, Question

MOST_ROWS = 1_000
"""Most rows of a table in a certificate."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a certificate shows when it is judged again; UNKNOWN where the solvers do not confirm it."""

    claim: Claim
    verdict: Literal["PROVED", "REFUTED", "UNKNOWN"]
    trusts: frozenset[str] = frozenset()
    reason: str = ""


def replay(text: str, solver: str = "both", seconds: float = 60.0) -> Replayed:
    """The judgement of a certificate.  ValueError where it is forged: ill-formed, or a pair that shows nothing."""
    claim, verdict, evidence = parsed(text)
    require_possible(claim.declaration)
    try:
        if verdict == "REFUTED":
            return refuted(claim, tables_of(evidence))
        return proved(claim, evidence, SOLVERS if solver == "both" else (solver,), seconds)
    except (ArithmeticError, KeyError, RecursionError) as error:
        raise Forged(f"the certificate cannot be replayed: {type(error).__name__} {str(error)[:100]}") from None


def proved(claim: Claim, evidence: Json, solvers: Sequence[str], seconds: float) -> Replayed:
    """Whether the invariants prove the claim about the program that the source text is read as."""
    from refdp.sensitivities.language.reading import read_program

    return proved_of(read_program(parse_source(claim.source, claim.function), claim.declaration),
                     claim, evidence, solvers, seconds)  # fmt: skip


def proved_of(program: Program, claim: Claim, evidence: Json, solvers: Sequence[str], seconds: float) -> Replayed:
    """Whether the invariants prove the claim about this program."""
    proposed, order, is_fused = entries(evidence, "invariants", "order", "fused")
    insist(isinstance(is_fused, bool), "fused must be true or false")
    question = question_about(claim, program)
    if is_fused:
        question = replace(question, program=fused(question.program))
    known = vocabulary(question.program)
    relations = invariants_of(proposed, known)
    judged = verify(question, relations, solvers, seconds, None if order is None else invariants_of(order, known))
    return Replayed(claim, judged.verdict, judged.trusts, judged.reason)


def question_about(claim: Claim, program: Program) -> Question:
    """The question that the claim puts about a program."""
    given = claim.declaration
    told = replace(program, record=given.record, parameters=given.parameters, assumption=given.assumption)
    return Question(told, claim.neighbours, claim.norm, claim.claim, claim.edits, claim.tables)


def vocabulary(program: Program) -> Mapping[str, Term]:
    """What invariants may speak of, by name."""
    states = [s for one in program.passes for s in one.state]
    slots = [slot for name in (ROW, GHOST, OTHER) for slot in program.record.slots(name)]
    pair = [run(s) for s in states for run in (first, second)]
    return {str(v.value): v for v in (*states, *pair, *slots, *program.parameters, EDITED, ROWS, LENGTH, SIZE)}


def refuted(claim: Claim, tried: Tried) -> Replayed:
    """REFUTED where the tables are neighbours and the function, run on both, moves further than claimed."""
    known = parameters(claim, tried.parameters)
    insist(max(len(tried.first), len(tried.second)) <= MOST_ROWS, f"a table must have at most {MOST_ROWS} rows")
    tables = [records(claim.declaration.record, rows, known) for rows in (tried.first, tried.second)]
    apart = edits_apart(tables[0], tables[1], claim.neighbours, claim.tables)
    insist(apart <= claim.edits, f"the tables must be {claim.edits} edits apart, got {apart}")
    values = sized(known, *tables)
    insist(evaluate(claim.declaration.assumption, values) is True, "the assumption must hold of the pair")
    answers = answers_of(claim, tried)
    insist(is_too_far(answers, claim.norm, claim.claim, values), "the answers must be further apart than claimed")
    return Replayed(claim, "REFUTED", frozenset({"refdp's interpreter of Python"}))


def answers_of(claim: Claim, tried: Tried) -> tuple[Answer, Answer]:
    """What the function does on either table, by the plain interpreter."""
    source, given = parse_source(claim.source, claim.function), claim.declaration
    values = {**given.values, **tried.parameters}
    first, second = (answer_of(source, rows, values, record=given.record) for rows in (tried.first, tried.second))
    return first, second


def parameters(claim: Claim, values: Mapping[str, Fraction]) -> Mapping[Term, Value]:
    """The value of each symbol."""
    symbols = claim.declaration.parameters
    insist(set(values) == {str(s.value) for s in symbols}, "the pair must give each symbol a value")
    found: dict[Term, Value] = {}
    for one in symbols:
        value = values[str(one.value)]
        insist(one.sort != "Int" or value.denominator == 1, f"{one} must be whole, got {value}")
        found[one] = value != 0 if one.sort == "Bool" else value
    return found
