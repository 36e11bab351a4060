"""What the kernel's rule `runs_stay_related` asks of this engine: to read a function, and what must be proved of it.

A query in a pipeline does more than move by at most its bound: it answers on every table of its domain, and its answers
lie on the grid that its claim names.  docs/soundness.md proves that these conditions are enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

from refdp.kernel.rules.engines import Query
from refdp.kernel.rules.machines import MachineClaim
from refdp.logic.strict_json import Json, entries, insist, items, loaded, text_of
from refdp.sensitivities.checking.clauses import Condition, Setting, tidy
from refdp.sensitivities.checking.encoding import invariants_json, invariants_of, value_of
from refdp.sensitivities.checking.invariants import Invariants
from refdp.sensitivities.checking.pairs import edits_apart, is_too_far, records, sized, slot_values
from refdp.sensitivities.checking.replaying import INTERPRETER, MOST_ROWS, vocabulary
from refdp.sensitivities.checking.verifying import SOLVERS, Judged, demanded, judged
from refdp.sensitivities.checking.wellformed import insist as insist_on
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.fusion import fused
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import Source, parse_source
from refdp.sensitivities.program import ROW, Program, outcome
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Question, Tables
from refdp.sensitivities.records import Fields, Kind
from refdp.sensitivities.row_domains import kind_of
from refdp.spec.queries import Run
from refdp.terms.leaves import TRUE, ZERO, integer, parts, rational
from refdp.terms.operations import divide, equal, floor, real, root
from refdp.terms.smtlib import read, written
from refdp.terms.term import Term, TermError

RAISES = "no exception"
"""The condition that no run raises."""
EXACT = frozenset({"number", "truth", "name", "+", "*", "/", "floor", "real", "<", "<=", "==", "not", "all_of",
                   "any_of", "ite"})  # fmt: skip
"""The operators whose values at rational numbers are rational."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Relations between two runs, and what holds of a single run: one invariant for each pass, or none."""

    relations: Invariants
    order: Invariants | None
    is_fused: bool
    total: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A question about a function that was read, with the evidence for it."""

    question: Question
    evidence: Evidence
    step: Fraction | None
    """The answers are whole multiples of it; None: any numbers."""

    def conditions(self) -> Iterator[Condition]:
        """Everything that is to be proved: neighbours stay near, no run raises, answers lie on the grid."""
        yield from demanded(self.question, self.evidence.relations, self.evidence.order)
        yield from self.of_single_runs()

    def of_single_runs(self) -> Iterator[Condition]:
        """That no run raises, and that every answer is a multiple of the step."""
        program = self.question.program
        wanted = [(RAISES, equal(program.exception, ZERO))]
        for place, answer in enumerate(program.output):
            if self.step is not None and not (answer.sort == "Int" and (1 / self.step).denominator == 1):
                steps = divide(real(answer), rational(self.step))
                wanted.append((f"answer {place} on the grid", equal(real(floor(steps)), steps)))
        wanted = [(name, shown) for name, shown in wanted if shown is not TRUE]
        if not wanted:
            return
        alone = Setting(program, self.question.neighbours, self.question.neighbours,
                        Invariants(self.evidence.relations.relations, self.evidence.total))  # fmt: skip
        yield from map(tidy, alone.single_run() if self.evidence.total else ())
        known = alone.known_of_single_run(len(program.passes))
        yield from (tidy(Condition(name, known, shown)) for name, shown in wanted)


def coordinates(claim: Query) -> int | None:
    """How many coordinates the answer has, None where it is one number.  ValueError where the evidence has no form."""
    found = case_of(claim)
    proposed = found.evidence.relations
    insist_on(found.question, replace(proposed, singles=found.evidence.total or proposed.singles))
    insist_on(found.question, proposed)
    program = found.question.program
    return len(program.output) if program.labels or len(program.output) != 1 else None


def asked(claim: Query, solver: str | None, seconds: float) -> Judged:
    """What the solvers say of everything that is to be proved."""
    return judged(case_of(claim).conditions(), SOLVERS if solver in (None, "both") else (solver,), seconds)


def moved(claim: Query) -> tuple[int | None, frozenset[str]]:
    """How many coordinates the answers have on two tables that the evidence brings, and whom one has to believe.

    ValueError unless the tables are as many edits apart as is claimed, and the function, run on both, moves too far or
    raises.
    """
    first, second = (tuple(map(value_of, items(one))) for one in entries(loaded(claim.evidence), "first", "second"))
    insist(max(len(first), len(second)) <= MOST_ROWS, f"a table must have at most {MOST_ROWS} rows")
    kind = kind_of(claim.rows)
    tables = [records(kind, rows, {}) for rows in (first, second)]
    neighbours, norm, kept = cast(Neighbours, claim.neighbours), cast(Norm, claim.norm), cast(Tables, claim.tables)
    apart = edits_apart(tables[0], tables[1], neighbours, kept)
    insist(apart <= claim.edits, f"the tables must be at most {claim.edits} edits apart, got {apart}")
    insist(claim.size in (None, len(first)), f"the tables must have {claim.size} rows, got {len(first)}")
    source = source_of(claim)
    answers = [answer_of(source, rows, dict(claim.arguments), record=kind) for rows in (first, second)]
    raises = any(one.exception for one in answers)
    far = is_too_far((answers[0], answers[1]), norm, claim_of(claim.bound), sized({}, *tables))
    insist(raises or far, "the answers must be further apart than claimed")
    shown = next((one for one in answers if not one.exception), None)
    is_number = shown is None or [place for place, _ in shown.values] == [()]
    count = None if shown is None or is_number else len(shown.values)
    return count, frozenset({INTERPRETER})


def case_of(claim: Query) -> Case:
    """The question that a claim puts about the function, read from its text, and the evidence."""
    program = program_of(claim)
    found = evidence_of(claim.evidence, program)
    if found.is_fused:
        program = fused(program)
    neighbours, norm, kept = cast(Neighbours, claim.neighbours), cast(Norm, claim.norm), cast(Tables, claim.tables)
    return Case(Question(program, neighbours, norm, claim_of(claim.bound), 1, kept), found, claim.step)


def claim_of(bound: Term) -> Term:
    """The bound as a term of obligations."""
    if bound.operator == "sqrt":
        return root(rational(bound.arguments[0].rational))
    value = bound.rational
    return integer(int(value)) if value.denominator == 1 else rational(value)


def source_of(claim: Query | MachineClaim) -> Source:
    """The function of the claim; TermError where the claim gives a value to a parameter that it does not have."""
    found = parse_source(claim.text, claim.function)
    if strange := sorted(set(claim.arguments) - set(found.parameters)):
        raise TermError(f"{claim.function} has no parameter {strange[0]} besides its table")
    return found


def program_of(claim: Query) -> Program:
    """The function as passes over rows of the domain; TermError where an answer may be no rational number."""
    assumption = TRUE if claim.size is None else equal(SIZE, integer(claim.size))
    declaration = Declaration(kind_of(claim.rows), dict(claim.arguments), {}, assumption)
    program = read_program(source_of(claim), declaration)
    used = [t for one in program.passes for t in (*one.start, *one.step)] + [*program.output, program.exception]
    for part in (inner for t in used for inner in parts(t)):
        if part.operator not in EXACT:
            raise TermError(f"{claim.function} must answer in exact numbers, got {part.operator}")
    return program


def evidence_of(written_down: str, program: Program) -> Evidence:
    """The evidence that a text writes down."""
    relations, order, is_fused, total = entries(loaded(written_down), "invariants", "order", "fused", "total")
    insist(isinstance(is_fused, bool), "fused must be true or false")
    known = vocabulary(fused(program) if is_fused else program)
    return Evidence(
        invariants_of(relations, known),
        None if order is None else invariants_of(order, known),
        is_fused,
        tuple(read(text_of(one), known) for one in items(total)),
    )


def evidence_json(found: Evidence) -> Json:
    """Evidence as JSON."""
    return {
        "invariants": invariants_json(found.relations),
        "order": None if found.order is None else invariants_json(found.order),
        "fused": found.is_fused,
        "total": list(map(written, found.total)),
    }


def run_of(program: Program) -> Run:
    """What the program answers on a table, exactly: the transition system that was proved is the one that runs."""

    def run(table: Sequence[Any]) -> Any:
        slots = program.record.slots(ROW)
        rows = (slot_values(program.record, in_order(program.record, row)) for row in table)
        found = outcome(program, [dict(zip(slots, row, strict=True)) for row in rows], {})
        if found.exception:
            raise TermError(f"{program.name} raises {found.exception}")
        numbers = tuple(Fraction(one) for one in found.numbers)
        return numbers if program.labels or len(numbers) != 1 else numbers[0]

    return run


def in_order(kind: Kind, row: Any) -> Any:
    """The row with its fields in the order of its kind."""
    if not isinstance(kind, Fields) or not isinstance(row, Mapping):
        return row
    return {str(key): in_order(inner, row[key]) for key, inner in kind.kinds}
