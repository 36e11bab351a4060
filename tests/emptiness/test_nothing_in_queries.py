"""What checkers of queries say where there is nothing: no passes, no states, no cases, no labels, no tables."""

from dataclasses import replace

import pytest

from refdp.sensitivities.checking.clauses import Condition, Setting, tidy
from refdp.sensitivities.checking.invariants import Hint, Invariants, equality, first, second
from refdp.sensitivities.checking.pairs import records, sized, slot_values
from refdp.sensitivities.checking.verifying import cases, judged, obligations, verify
from refdp.sensitivities.checking.wellformed import Refused, insist_on_invariants
from refdp.sensitivities.program import ROW, Pass, Program
from refdp.sensitivities.question import Question
from refdp.sensitivities.records import Category, Number
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, rational, variable
from refdp.terms.operations import at_most, equal

KIND = Number(rational(0), rational(3))
(ROW_READ,) = KIND.slots(ROW)
TOTAL = variable("total", "Real")
CONSTANT = Program("constant", KIND, (), (), (rational(3),))
"""A function that reads no row."""
IDLE = replace(CONSTANT, passes=(Pass((), (), ()),))
"""A function that reads the rows, and keeps nothing of them."""
LAST = Program("last", KIND, (), (Pass((TOTAL,), (rational(0),), (ROW_READ,)),), (TOTAL,))
FORGETFUL = replace(LAST, output=(rational(3),))
"""Functions of the last row, and of none."""


def verdict(program, invariants, claim=0, neighbours="add_remove", norm="L1"):
    return verify(Question(program, neighbours, norm, rational(claim)), invariants, ("z3",), 20.0).verdict


@pytest.mark.parametrize("norm", ["L1", "L2", "Linf"])
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_a_function_without_passes_does_not_move_and_moves_by_no_less_than_0(neighbours, norm):
    for output, nothing in (((rational(3),), Invariants(())), ((), Invariants(()))):
        program = replace(CONSTANT, output=output)
        assert verdict(program, nothing, 0, neighbours, norm) == "PROVED"
        assert verdict(program, nothing, -1, neighbours, norm) == "UNKNOWN"


def test_a_function_without_passes_has_no_invariants():
    insist_on_invariants(CONSTANT, Invariants(()))
    assert list(Setting(CONSTANT, "add_remove", "add_remove", Invariants(())).single_run()) == []
    for stranger in (Invariants((TRUE,)), Invariants((), (TRUE,))):
        with pytest.raises(Refused):
            insist_on_invariants(CONSTANT, stranger)


def test_a_pass_without_states_shows_nothing_but_what_needs_none():
    assert verdict(IDLE, Invariants((TRUE,))) == "PROVED"
    assert verdict(IDLE, Invariants((TRUE,)), -1) == "UNKNOWN"
    assert verdict(IDLE, Invariants((FALSE,))) == "UNKNOWN"


def test_two_runs_that_need_no_state_are_related_by_nothing():
    """The relation says nothing, and so proves nothing of an answer that reads a state."""
    assert equality(FORGETFUL).relations == (TRUE,)
    assert equality(LAST).relations == (equal(first(TOTAL), second(TOTAL)),)
    assert verdict(FORGETFUL, equality(FORGETFUL)) == "PROVED"
    for claim in (0, 2):
        assert verdict(LAST, equality(FORGETFUL), claim) == "UNKNOWN"


X = variable("x", "Int")


def test_a_condition_without_hypotheses_is_as_hard_as_its_conclusion():
    for conclusion, found in ((TRUE, "PROVED"), (FALSE, "UNKNOWN"), (at_most(ZERO, X), "UNKNOWN")):
        condition = tidy(Condition("bare", (), conclusion))
        assert condition.hypotheses == ()
        assert judged([condition], ("z3",), 20.0).verdict == found


def test_of_no_conditions_nothing_is_proved_and_no_hint_belongs_to_them():
    nothing = list(obligations([], Invariants(()), ""))
    assert nothing == []
    assert judged(nothing).verdict == "UNKNOWN"
    with pytest.raises(Refused, match="a hint must be for a condition"):
        list(obligations([], Invariants((), hints=(Hint("out", TRUE),)), ""))


def test_a_split_into_no_values_asks_for_a_contradiction_and_for_nothing_else():
    """A variable without a value is none; where it has one, the condition is not left out."""
    split = Invariants((), splits=((X, ()),))
    for hypothesis, conclusion, found in (
        (equal(X, integer(1)), equal(X, integer(1)), "UNKNOWN"),
        (equal(X, integer(1)), equal(X, integer(2)), "UNKNOWN"),
        (equal(X, integer(1)), FALSE, "UNKNOWN"),
    ):
        (only,) = cases(Condition("split", (hypothesis,), conclusion), split)
        assert (only.hypotheses, only.conclusion) == ((hypothesis,), FALSE)
        assert judged([only], ("z3",), 20.0).verdict == found
    impossible = (equal(X, integer(1)), equal(X, integer(2)))
    (only,) = cases(Condition("split", impossible, FALSE), split)
    assert judged([only], ("z3",), 20.0).verdict == "PROVED"


def test_a_category_without_labels_has_no_rows():
    for value in ("", "a", None, True):
        with pytest.raises(ValueError, match="a row must be as declared"):
            slot_values(Category(()), value)
        with pytest.raises(ValueError, match="a row must be as declared"):
            records(Category(()), [value], {})
    assert records(Category(()), [], {}) == []


def test_of_no_tables_no_size_is_known():
    with pytest.raises(ValueError, match="empty"):
        sized({})
    assert list(sized({}, [], [(True,)]).values()) == [0]
