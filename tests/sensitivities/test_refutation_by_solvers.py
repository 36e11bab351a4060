"""Solvers suggest pairs that the interpreter confirms; programs and interpreter agree."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from refdp import work
from refdp.sensitivities.checking.pairs import slot_values
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.bounded import bounded_outcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import NotAFold, parse_source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import EXCEPTIONS, ROW, Pass, Program, outcome
from refdp.sensitivities.refutation.assignments import assignments
from refdp.sensitivities.refutation.furthest import largest_move
from refdp.sensitivities.refutation.interesting import records
from refdp.sensitivities.refutation.judge import Judge
from refdp.sensitivities.refutation.models import Models, unrolled
from refdp.sensitivities.refutation.search import Finding, modelled, search
from refdp.terms.exact_values import NotRational, evaluate
from refdp.terms.leaves import integer, rational, truth, variable
from refdp.terms.operations import add, choice, equal, less, multiply
from refdp.terms.term import Term, Value
from tests.sensitivities.claims_on_tables import CASES, TEN, Case
from tests.sensitivities.test_refutation import NEVER_SMALLER, SMALLER, assert_is_violation

READ = [c for c in CASES if c.name not in ("tree", "distinct")]


@pytest.mark.parametrize("case", READ[::4], ids=[f"{c.name}, {c.neighbours}, {c.norm}" for c in READ[::4]])
def test_refutation_by_solvers_leaves_a_true_claim_alone_and_finds_a_smaller_one(case: Case) -> None:
    source, program, unroll = parse_source(case.body, "f"), None, None
    try:
        program = read_program(source, case.declaration)
    except NotAFold:
        unroll = partial(bounded_outcome, source, case.declaration)

    def asked(claim: Term) -> Iterator[Pair | int]:
        until = work.spent() + 20
        judge = Judge(source, case.declaration, case.neighbours, case.norm, claim, case.edits, case.tables, until)
        return modelled(Models(judge, unroll or partial(unrolled, program), claim), 2)

    assert list(asked(case.claim)) == [0, 1, 2]
    if case.name not in NEVER_SMALLER:
        pair = next(found for found in asked(multiply(SMALLER, case.claim)) if not isinstance(found, int))
        assert_is_violation(case, pair, multiply(SMALLER, case.claim))


@pytest.mark.parametrize("case", READ, ids=[f"{c.name}, {c.neighbours}, {c.norm}" for c in READ])
def test_interpreter_agrees_with_the_symbolic_reading(case: Case) -> None:
    source, given = parse_source(case.body, "f"), case.declaration
    try:
        program = read_program(source, given)
    except NotAFold:
        program = None
    for parameters in assignments(given, [Fraction(3)], 2):
        known = {symbol: parameters[str(symbol.value)] for symbol in given.parameters}
        choice_of = random.Random(1)
        domain = records(given.record, source, known, [Fraction(3), Fraction(6)])
        for size in (0, 1, 2, 3, 3, 4):
            rows = [choice_of.choice(domain) for _ in range(size)]
            slots = [slot_values(given.record, row) for row in rows]
            try:
                wanted = answer_of(source, rows, {**given.values, **parameters}, record=given.record).outcome
            except NotRational:
                continue
            if program is not None:
                names = given.record.slots(ROW)
                assert outcome(program, [dict(zip(names, s, strict=True)) for s in slots], known) == wanted
            else:
                terms = [
                    tuple(constant(v, slot) for v, slot in zip(s, given.record.slots(ROW), strict=True)) for s in slots
                ]
                numbers, raised, _, _ = bounded_outcome(source, given, terms)
                assert EXCEPTIONS[int(evaluate(raised, known))] == wanted.exception
                assert wanted.exception or tuple(evaluate(t, known) for t in numbers) == wanted.numbers


def constant(value: Value, slot: Term) -> Term:
    if isinstance(value, bool):
        return truth(value)
    return integer(int(value)) if slot.sort == "Int" else rational(value)


S, X = variable("s", "Real"), variable(ROW, "Real")
HIDDEN = Fraction(31415926, 10**7)
PECULIAR = Program(
    "f", TEN, (), (Pass((S,), (rational(0),), (choice(equal(X, rational(HIDDEN)), add(S, rational(9)), S),)),), (S,)
)


def test_solver_finds_what_no_enumeration_tries() -> None:
    text = "def f(rows):\n    return sum(9 for x in rows if x * 10000000 == 31415925 + 1)"
    arguments = (parse_source(text, "f"), Declaration(TEN), "change_one", "L1", rational(8))
    assert search(*arguments, seconds=1).pair is None  # type: ignore[arg-type]
    pair = search(*arguments, program=PECULIAR).pair  # type: ignore[arg-type]
    assert pair is not None
    assert HIDDEN in (*pair.first, *pair.second)


def test_model_that_the_function_does_not_bear_out_is_dropped() -> None:
    source = parse_source("def f(rows): return 0", "f")
    assert search(source, Declaration(TEN), "change_one", "L1", rational(8), program=PECULIAR, seconds=2).pair is None


def test_checked_rows_are_those_that_a_solver_excludes() -> None:
    total = Program("f", TEN, (), (Pass((S,), (rational(0),), (add(S, X),)),), (S,))
    source = parse_source("def f(rows): return sum(rows)", "f")
    assert search(source, Declaration(TEN), "add_remove", "L1", rational(10), program=total) == Finding(None, 4)
    late = replace(total, output=(choice(less(S, rational(35)), rational(0), rational(99)),))
    other = parse_source("def f(rows): return 0", "f")  # never borne out, so no pair: rows are checked up to 2 only
    found = search(other, Declaration(TEN), "add_remove", "L1", rational(10), program=late)
    assert found == Finding(None, 2)


def test_furthest_pair_is_improved_by_a_solver() -> None:
    text = "def f(rows):\n    return sum(9 for x in rows if x * 10000000 == 31415925 + 1)"
    source = parse_source(text, "f")
    alone = largest_move(source, Declaration(TEN), "add_remove", "L2", seconds=0.3)
    assert alone is not None
    assert alone.distance == 0
    helped = largest_move(source, Declaration(TEN), "add_remove", "L2", seconds=2, program=PECULIAR)
    assert helped is not None
    assert helped.distance == 81
