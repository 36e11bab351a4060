"""What the kernel asks of this engine about claims that none of its own rules says, and pairs of tables run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.questions import EngineQuestion
from refdp.logic.strict_json import Json, entries, insist, loaded
from refdp.sensitivities.checking.certificate import Claim, Tried, claim_of, question_text, tables_of
from refdp.sensitivities.checking.encoding import invariants_of
from refdp.sensitivities.checking.invariants import EDITED, GHOST, LENGTH, OTHER, ROWS, Invariants, first, second
from refdp.sensitivities.checking.pairs import are_within, edits_apart, is_too_far, records, sized
from refdp.sensitivities.checking.possible import require_possible
from refdp.sensitivities.checking.verifying import READING, SOLVERS, Judged, verify
from refdp.sensitivities.described import moves
from refdp.sensitivities.fusion import fused
from refdp.sensitivities.language.concrete.answers import Answer
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.program import ROW, Program
from refdp.sensitivities.question import SIZE, Question
from refdp.terms.exact_values import evaluate
from refdp.terms.term import Term, Value

INTERPRETER = "refdp's interpreter of Python"
"""Who is believed for a pair of tables."""
MOST_ROWS = 1_000
"""Most rows of a table in a certificate."""


def claim_in(asked: EngineQuestion) -> Claim:
    """The claim that a question makes.  ValueError where it makes none."""
    return claim_of(asked.text, asked.function, loaded(asked.question))


def restated(asked: EngineQuestion) -> str:
    """The question as it is written."""
    claim = claim_in(asked)
    parse_source(claim.source, claim.function)
    insist(claim.edits >= 1, f"edits must be at least 1, got {claim.edits}")
    return question_text(claim)


def sentence(asked: EngineQuestion) -> str:
    """What is asked, with all that is assumed."""
    return moves(claim_in(asked), "exact arithmetic")


def believed(asked: EngineQuestion) -> tuple[frozenset[str], bool]:
    """Whom a proof names, and that solvers are asked.  ValueError where what is brought is of no such form."""
    claim = claim_in(asked)
    proposal_of(program_of(claim), claim, loaded(asked.evidence))
    return frozenset({READING}), True


def asked(found: EngineQuestion, solver: str | None, seconds: float) -> Judged:
    """What the solvers say of everything that is to be proved.  KernelError where what is assumed cannot be."""
    claim = claim_in(found)
    try:
        require_possible(claim.declaration, claim.neighbours)
    except ValueError as error:
        raise KernelError(str(error)) from None
    solvers = SOLVERS if solver in (None, "both") else (str(solver),)
    return proved_of(program_of(claim), claim, loaded(found.evidence), solvers, seconds)


def refuted(asked: EngineQuestion) -> frozenset[str]:
    """Whom one has to believe that the pair of tables refutes the claim.  ValueError where it does not."""
    require_refuted(claim_in(asked), tables_of(loaded(asked.evidence)))
    return frozenset({INTERPRETER})


def program_of(claim: Claim) -> Program:
    """The program that the source text is read as."""
    from refdp.sensitivities.language.reading import read_program

    return read_program(parse_source(claim.source, claim.function), claim.declaration)


def proved_of(program: Program, claim: Claim, evidence: Json, solvers: Sequence[str], seconds: float) -> Judged:
    """Whether what is brought proves the claim about this program."""
    question, relations, order = proposal_of(program, claim, evidence)
    return verify(question, relations, solvers, seconds, order)


def proposal_of(program: Program, claim: Claim, evidence: Json) -> tuple[Question, Invariants, Invariants | None]:
    """The question about the program, the relations that are brought, and those of rows in another order."""
    proposed, order, is_fused = entries(evidence, "invariants", "order", "fused")
    insist(isinstance(is_fused, bool), "fused must be true or false")
    question = question_about(claim, program)
    if is_fused:
        question = replace(question, program=fused(question.program))
    known = vocabulary(question.program)
    return question, invariants_of(proposed, known), None if order is None else invariants_of(order, known)


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


def require_refuted(claim: Claim, tried: Tried) -> None:
    """Forged unless the tables are neighbours and the function, run on both, moves further than claimed."""
    known = parameters(claim, tried.parameters)
    insist(max(len(tried.first), len(tried.second)) <= MOST_ROWS, f"a table must have at most {MOST_ROWS} rows")
    first, second = (records(claim.declaration.record, rows, known) for rows in (tried.first, tried.second))
    apart = edits_apart(first, second, claim.neighbours, claim.tables)
    near = are_within(claim.edits, apart, first, claim.neighbours)
    insist(near, f"the tables must be neighbours, {claim.edits} edits apart, got {apart}")
    values = sized(known, first, second)
    insist(evaluate(claim.declaration.assumption, values) is True, "the assumption must hold of the pair")
    answers = answers_of(claim, tried)
    insist(is_too_far(answers, claim.norm, claim.claim, values), "the answers must be further apart than claimed")


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
