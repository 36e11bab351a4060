"""What a question and its invariants may speak of: each refusal, and beside it what is not refused."""

from dataclasses import replace

import pytest

from refdp.sensitivities.checking.invariants import EDITED, LENGTH, OTHER, ROWS, Hint, Invariants, first, second
from refdp.sensitivities.checking.wellformed import Refused, insist, insist_on_invariants, insist_on_question
from refdp.sensitivities.question import SIZE, Question
from refdp.terms.leaves import TRUE, ZERO, integer, rational, variable
from refdp.terms.operations import at_most, conjunction, equal
from refdp.terms.term import Term
from tests.sensitivities.test_clauses_on_traces import (
    BASE,
    COUNT,
    FIRST_PASS,
    KIND,
    OLD,
    PROGRAM,
    SECOND_PASS,
    SEEN,
    TOTAL,
    X,
    invariants,
)

ASKED = Question(PROGRAM, "add_remove", "L1", rational(1))
SOUND = invariants("add_remove")
(OTHERS,) = KIND.slots(OTHER)
STRANGER = variable("stranger", "Real")


def positive(term: Term) -> Term:
    return at_most(ZERO if term.sort == "Int" else rational(0), term)


def relation(index: int, term: Term) -> Invariants:
    """The invariants, with one relation that speaks of something more."""
    more = [conjunction(one, positive(term)) if k == index else one for k, one in enumerate(SOUND.relations)]
    return replace(SOUND, relations=tuple(more))


def single(index: int, term: Term) -> Invariants:
    """The same for the invariant of a single run."""
    more = [conjunction(one, positive(term)) if k == index else one for k, one in enumerate(SOUND.singles)]
    return replace(SOUND, singles=tuple(more))


def test_what_is_well_formed_is_accepted() -> None:
    for edit in ("add_remove", "change_one", "swap"):
        insist(ASKED, invariants(edit))
    insist(ASKED, Invariants(SOUND.relations))


@pytest.mark.parametrize("index", [0, 1])
def test_a_relation_speaks_of_both_runs_up_to_its_pass(index: int) -> None:
    allowed = [first(TOTAL), second(COUNT), OLD, OTHERS, ROWS, SIZE]
    refused = [TOTAL, COUNT, LENGTH, X, STRANGER]
    (allowed if index else refused).extend([first(SEEN), second(BASE)])
    for term in allowed:
        insist_on_invariants(PROGRAM, relation(index, term))
    for term in refused:
        with pytest.raises(Refused, match="a relation may not speak of"):
            insist_on_invariants(PROGRAM, relation(index, term))


@pytest.mark.parametrize("index", [0, 1])
def test_an_invariant_speaks_of_one_run_up_to_its_pass(index: int) -> None:
    allowed = [TOTAL, COUNT, ROWS, SIZE, LENGTH]
    refused = [first(TOTAL), second(COUNT), OLD, OTHERS, X, STRANGER]
    (allowed if index else refused).extend([SEEN, BASE])
    for term in allowed:
        insist_on_invariants(PROGRAM, single(index, term))
    for term in refused:
        with pytest.raises(Refused, match="an invariant may not speak of"):
            insist_on_invariants(PROGRAM, single(index, term))
    insist_on_invariants(
        PROGRAM, replace(SOUND, relations=(conjunction(SOUND.relations[0], EDITED), SOUND.relations[1]))
    )
    with pytest.raises(Refused, match="an invariant may not speak of"):
        insist_on_invariants(PROGRAM, replace(SOUND, singles=(EDITED, TRUE)))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_there_is_one_relation_for_each_pass_and_as_many_invariants_or_none(count: int) -> None:
    for wrong in (replace(SOUND, relations=(TRUE,) * count), replace(SOUND, singles=(TRUE,) * count)):
        if count == 0 and wrong.singles == ():
            insist_on_invariants(PROGRAM, wrong)
            continue
        with pytest.raises(Refused, match="one relation for each pass"):
            insist_on_invariants(PROGRAM, wrong)


def test_hints_and_splits_speak_of_what_is_there() -> None:
    insist_on_invariants(PROGRAM, replace(SOUND, hints=(Hint("0.edit", positive(X), (positive(first(SEEN)),)),)))
    insist_on_invariants(PROGRAM, replace(SOUND, splits=((COUNT, (integer(0), integer(1))),)))
    for hint in (Hint("0.edit", positive(STRANGER)), Hint("0.edit", TRUE, (positive(STRANGER),))):
        with pytest.raises(Refused, match="a hint may not speak of"):
            insist_on_invariants(PROGRAM, replace(SOUND, hints=(hint,)))
    with pytest.raises(Refused, match="a split may not speak of"):
        insist_on_invariants(PROGRAM, replace(SOUND, splits=((STRANGER, (rational(0),)),)))
    for split in ((COUNT, (rational(0),)), (COUNT, (SEEN,)), (equal(COUNT, SEEN), (TRUE,))):
        with pytest.raises(Refused, match="a split must be of a variable"):
            insist_on_invariants(PROGRAM, replace(SOUND, splits=(split,)))


@pytest.mark.parametrize("part", ["relations", "singles", "hints"])
def test_relations_invariants_and_hints_are_true_or_false(part: str) -> None:
    wrong = {"relations": (ROWS, TRUE), "singles": (TRUE, ROWS), "hints": (Hint("0.edit", ROWS),)}[part]
    with pytest.raises(Refused, match="must be true or false"):
        insist_on_invariants(PROGRAM, replace(SOUND, **{part: wrong}))


def test_each_part_of_a_question_has_its_sort() -> None:
    insist_on_question(ASKED)
    for wrong in (
        replace(ASKED, claim=TRUE),
        replace(ASKED, program=replace(PROGRAM, exception=rational(0))),
        replace(ASKED, program=replace(PROGRAM, assumption=rational(1))),
    ):
        with pytest.raises(Refused, match="a claim must be a number, an exception a whole number"):
            insist_on_question(wrong)


def test_names_differ_and_those_that_do_not_are_named() -> None:
    for twice in (COUNT, X, OLD, ROWS, SIZE, first(TOTAL)):
        with pytest.raises(Refused, match=r"must have different names, got .* twice") as said:
            insist_on_question(replace(ASKED, program=replace(PROGRAM, parameters=(twice,))))
        assert str(twice.value) in str(said.value)
        assert "base" not in str(said.value)


def test_each_part_of_a_program_reads_only_what_is_there() -> None:
    passes = {
        "a start": (replace(FIRST_PASS, start=(SEEN, *FIRST_PASS.start[1:])), SECOND_PASS),
        "a step": (replace(FIRST_PASS, step=(STRANGER, *FIRST_PASS.step[1:])), SECOND_PASS),
    }
    for what, wrong in passes.items():
        with pytest.raises(Refused, match=f"{what} may not speak of"):
            insist_on_question(replace(ASKED, program=replace(PROGRAM, passes=wrong)))
    for wrong in (replace(PROGRAM, output=(STRANGER,)), replace(PROGRAM, exception=variable("e", "Int"))):
        with pytest.raises(Refused, match="an outcome may not speak of"):
            insist_on_question(replace(ASKED, program=wrong))
    for question in (replace(ASKED, claim=TOTAL), replace(ASKED, program=replace(PROGRAM, assumption=positive(TOTAL)))):
        with pytest.raises(Refused, match="a claim or an assumption may not speak of"):
            insist_on_question(question)
    insist_on_question(replace(ASKED, claim=SIZE))


def test_each_state_has_a_value_of_its_sort() -> None:
    short = replace(FIRST_PASS, start=FIRST_PASS.start[:2])
    mixed = replace(FIRST_PASS, start=(ZERO, rational(0), rational(0)))
    with pytest.raises(Refused, match="a value for each of its 3 states, got 2"):
        insist_on_question(replace(ASKED, program=replace(PROGRAM, passes=(short, SECOND_PASS))))
    with pytest.raises(Refused, match="the value of count must be Int, got Real"):
        insist_on_question(replace(ASKED, program=replace(PROGRAM, passes=(mixed, SECOND_PASS))))
    whole = replace(FIRST_PASS, start=(ZERO, ZERO, ZERO))
    insist_on_question(replace(ASKED, program=replace(PROGRAM, passes=(whole, SECOND_PASS))))
