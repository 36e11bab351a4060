"""The checker on invariants made by hand: it accepts what follows, and refuses what only seems to."""

from dataclasses import replace
from fractions import Fraction

import pytest

from refdp import work
from refdp.logic.asking import Answer
from refdp.sensitivities.checking import verifying
from refdp.sensitivities.checking.clauses import Condition, Setting, conditions
from refdp.sensitivities.checking.invariants import (
    EDITED,
    LENGTH,
    ROWS,
    Hint,
    Invariants,
    equality,
    first,
    relevant,
    second,
)
from refdp.sensitivities.checking.verifying import (
    LONGEST,
    MOST_OBLIGATIONS,
    SECOND,
    SHARE,
    discharged,
    generalised,
    obligations,
    verify,
)
from refdp.sensitivities.checking.wellformed import Refused
from refdp.sensitivities.program import Pass, Program
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.sensitivities.search.orders import order_relation
from refdp.sensitivities.search.proving import Found, Missed, prove
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, rational, variable
from refdp.terms.operations import (
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    divide,
    equal,
    less,
    multiply,
    real,
    root,
    subtract,
)
from tests.sensitivities import hand_made as f

ADD, CHANGE = "add_remove", "change_one"
BARELY = rational(Fraction(999_999, 1_000_000))
(GHOST_COLOUR,) = f.COLOURS.slots("ghost")


def near(state, limit):
    """Equal before the edit, no further apart than the limit after it."""
    a, b = first(state), second(state)
    return choice(EDITED, at_most(absolute(subtract(a, b)), limit), equal(a, b))


def verdict(question, *relations, **more):
    return verify(question, Invariants(relations, **more), seconds=20).verdict


def fails(question, *relations, **more):
    found = verify(question, Invariants(relations, **more), seconds=20)
    assert found.verdict == "UNKNOWN"
    return found.reason


def mean():
    """sum(rows) / len(rows), of numbers from 0 to 1; ZeroDivisionError where there is none."""
    made = f.fragile_mean()
    total, count = made.passes[0].state
    far = choice(EDITED, integer(1), ZERO)
    rows = conjunction(equal(first(count), ROWS), equal(second(count), ROWS))
    return made, conjunction(at_most(absolute(subtract(first(total), second(total))), far), rows)


@pytest.mark.parametrize(("scale", "expected"), [(rational(1), "PROVED"), (BARELY, "UNKNOWN")])
def test_claims_in_n_the_mean_moves_by_one_nth(scale, expected):
    made, relation = mean()
    assert verdict(Question(made, CHANGE, "L1", divide(scale, SIZE)), relation) == expected


def test_claims_in_n_an_assumption_on_n_is_known_throughout():
    made, relation = mean()
    ten = replace(made, assumption=at_most(integer(10), SIZE))
    tenth = rational(Fraction(1, 10))
    assert verdict(Question(ten, CHANGE, "L1", tenth), relation) == "PROVED"
    assert verdict(Question(made, CHANGE, "L1", tenth), relation) == "UNKNOWN"
    assert verdict(Question(ten, CHANGE, "L1", multiply(BARELY, tenth)), relation) == "UNKNOWN"


@pytest.mark.parametrize("seconds", [1, 8, 10_000])
def test_no_solver_takes_more_than_its_longest_time_nor_more_than_its_share_of_what_is_left(seconds, monkeypatch):
    """Else the first of many conditions would take the time of all."""
    given = []
    monkeypatch.setattr(verifying, "asked", lambda *words: given.append(words[2]) or Answer("unknown", "asked"))
    end = work.spent() + seconds
    assert discharged(Condition("one", (), TRUE), ("z3", "cvc5"), end)[0] == ()
    assert len(given) == 4
    for time, longest in zip(given, (SECOND, SECOND, LONGEST, LONGEST), strict=True):
        assert 0 < time <= min(longest, SHARE * seconds)
    assert seconds < 10_000 or given == [SECOND, SECOND, LONGEST, LONGEST]


def test_claims_in_n_n_is_the_number_of_rows_of_the_smaller_table():
    c = f.count()
    (state,) = c.passes[0].state
    doubled = replace(c, output=(multiply(state, state),))  # (n + 1)^2 - n^2 = 2 n + 1
    relation = conjunction(equal(first(state), ROWS), equal(second(state), add(ROWS, EDITED)))
    claim = add(multiply(integer(2), SIZE), integer(1))
    assert verdict(Question(doubled, ADD, "L1", claim), relation) == "PROVED"
    assert verdict(Question(doubled, ADD, "L1", subtract(claim, rational(Fraction(1, 1000)))), relation) == "UNKNOWN"


@pytest.mark.parametrize("neighbours", [ADD, CHANGE])
def test_several_edits_cost_as_many_times_one(neighbours):
    limit = f.SIZE_OF if neighbours == ADD else f.WIDTH
    relation = near(f.var("total"), limit)
    for edits in (2, 3):
        claim = multiply(integer(edits), limit)
        assert verdict(Question(f.clamp_sum(), neighbours, "L1", claim, edits), relation) == "PROVED"
        assert verdict(Question(f.clamp_sum(), neighbours, "L1", claim, edits + 1), relation) == "UNKNOWN"
        assert verdict(Question(f.clamp_sum(), neighbours, "L1", multiply(BARELY, claim), edits), relation) == "UNKNOWN"


def test_several_edits_claims_in_n_are_refused_where_n_changes_on_the_way():
    made, relation = mean()
    claim = divide(rational(2), SIZE)
    assert verdict(Question(made, CHANGE, "L1", claim, 2), relation) == "PROVED"
    assert "n" in fails(Question(made, ADD, "L1", claim, 2), relation)
    few = replace(made, assumption=at_most(SIZE, integer(3)))
    assert "n" in fails(Question(few, ADD, "L1", integer(9), 2), relation)
    assert "edits" in fails(Question(made, CHANGE, "L1", claim, 0), relation)


def test_quotients_what_division_by_zero_gives_proves_nothing():
    made, relation = mean()
    unguarded = replace(made, output=(divide(*made.passes[0].state),), exception=ZERO)
    assert "out" in fails(Question(unguarded, ADD, "L1", integer(1)), relation.arguments[0])
    total, count = made.passes[0].state
    zero = replace(made, output=(multiply(divide(total, ZERO), integer(0)), count), exception=ZERO)
    assert verdict(Question(zero, ADD, "L1", rational(Fraction(1, 2)), tables="lists"), TRUE) == "UNKNOWN"


def test_roots_a_branch_with_a_negative_argument_proves_nothing():
    made = f.strict_sum()
    total, bad = made.passes[0].state
    signed = replace(
        made, output=(choice(less(total, ZERO), integer(1_000), root(total)),), exception=ZERO,
        passes=(Pass((total, bad), (rational(-1), ZERO), (add(total, f.X), ZERO)),),
    )  # fmt: skip
    relation = conjunction(near(total, integer(1)))
    assert "out" in fails(Question(signed, ADD, "L1", integer(900)), relation)


def test_roots_a_relation_on_negative_numbers_is_no_contradiction():
    s = f.var("total")
    made = f.program(f.UNIT, {s: (rational(-1), add(s, multiply(integer(9), f.X)))}, [s], ())
    absurd = less(multiply(root(first(s)), root(second(s))), ZERO)
    for relation in (absurd, conjunction(absurd, equal(first(s), second(s)))):
        assert verdict(Question(made, ADD, "L1", integer(1)), relation) == "UNKNOWN"


def test_roots_the_root_of_a_sum_is_followed():
    made = f.program(f.UNIT, {f.var("total"): (rational(4), add(f.var("total"), f.X))}, [root(f.var("total"))], ())
    relation = conjunction(near(f.var("total"), integer(1)), at_most(integer(4), first(f.var("total"))),
                           at_most(integer(4), second(f.var("total"))))  # fmt: skip
    assert verdict(Question(made, ADD, "L1", rational(Fraction(1, 4))), relation) == "PROVED"
    assert verdict(Question(made, ADD, "L1", rational(Fraction(1, 5))), relation) == "UNKNOWN"


def test_singles_an_invariant_of_single_runs_is_proved_before_it_is_used():
    c = f.saturated_count()
    (state,) = c.passes[0].state
    shown = replace(c, output=(choice(less(integer(10), state), multiply(integer(5), state), ZERO),))
    question = Question(shown, ADD, "L1", ZERO)
    assert verdict(question, TRUE) == "UNKNOWN"
    assert verdict(question, TRUE, singles=(at_most(state, integer(10)),)) == "PROVED"
    for wrong in (at_most(state, integer(9)), FALSE, less(state, ZERO), at_most(integer(1), state)):
        assert "single" in fails(question, TRUE, singles=(wrong,))


def test_splits_every_label_is_looked_at():
    bins = f.histogram().passes[0].state
    ahead = [choice(conjunction(EDITED, equal(GHOST_COLOUR, integer(i))), integer(1), ZERO) for i in range(3)]
    relation = conjunction(*(equal(second(b), add(first(b), more)) for b, more in zip(bins, ahead, strict=True)))
    question = Question(f.histogram(), ADD, "L1", integer(1))
    labels = tuple(map(integer, range(3)))
    assert verdict(question, relation, splits=((GHOST_COLOUR, labels),)) == "PROVED"
    assert "values" in fails(question, relation, splits=((GHOST_COLOUR, labels[:2]),))
    assert "values" in fails(question, relation, splits=((GHOST_COLOUR, ()),))
    smaller = replace(question, claim=BARELY)
    assert "out" in fails(smaller, relation, splits=((GHOST_COLOUR, labels),))


def test_hints_each_is_proved_from_what_it_is_given():
    question, relation = Question(f.count(), ADD, "L1", integer(1)), near(f.var("count", "Int"), integer(1))
    out = next(c for c in conditions(question, ADD, Invariants((relation,))) if c.name == "out")
    assert verdict(question, relation, hints=(Hint("out", out.conclusion, out.hypotheses),)) == "PROVED"
    assert "hint" in fails(question, relation, hints=(Hint("out", out.conclusion, ()),))
    assert "hint" in fails(question, relation, hints=(Hint("out", FALSE, out.hypotheses),))
    assert "hint" in fails(question, relation, hints=(Hint("out", out.conclusion, (FALSE,)),))
    assert "hint" in fails(question, relation, hints=(Hint("0.out", TRUE, ()),))


def test_no_more_is_to_be_proved_than_so_much():
    wanted = [Condition("0.edit", (), TRUE)] * MOST_OBLIGATIONS
    assert len(list(obligations(wanted, Invariants(()), ""))) == MOST_OBLIGATIONS
    with pytest.raises(Refused, match="at most 20000 obligations"):
        list(obligations([*wanted, *wanted[:1]], Invariants(()), ""))


def test_hints_what_stands_for_any_number_is_a_variable_of_its_own_sort_that_is_nowhere():
    x, k, taken = variable("x", "Real"), variable("k", "Int"), variable("whatever!0", "Real")
    square, next_one = multiply(x, x), add(k, integer(1))
    one = Condition("0.edit", (at_most(square, taken),), less(square, add(taken, real(next_one))))
    found = generalised(one, (square, next_one, square))
    new, whole = variable("whatever!1", "Real"), variable("whatever!2", "Int")
    assert found == Condition("0.edit", (at_most(new, taken),), less(new, add(taken, real(whole))))


def bumps():
    """total += x * (1 - x), of numbers from 0 to 1: a row moves it by up to 1/4, and by 0 if it were whole."""
    total = f.var("total")
    step = add(total, multiply(f.X, subtract(integer(1), f.X)))
    return Question(f.program(f.UNIT, {total: (rational(0), step)}, [total], ()), ADD, "L1", ZERO)


(GHOST,) = f.UNIT.slots("ghost")
WHOLE_GHOST = variable("ghost", "Int")
"""Named as the row that is added, which is a real number."""


@pytest.mark.parametrize("given", ["nothing", "the bound"])
def test_hints_of_a_variable_named_as_another_of_another_sort_are_refused(given):
    """As reals both would be one, and the row would be whole."""
    question, total = bumps(), f.var("total")
    same = equal(first(total), second(total))
    squares = at_most(multiply(real(WHOLE_GHOST), real(WHOLE_GHOST)), multiply(GHOST, GHOST))
    known = {"nothing": (), "the bound": (at_most(ZERO, real(WHOLE_GHOST)),)}[given]
    assert verdict(question, same) == "UNKNOWN"
    reason = fails(question, same, hints=(Hint("0.edit", squares, known),))
    assert "a hint may not speak of" in reason
    assert "ghost" in reason


@pytest.mark.parametrize("stranger", [WHOLE_GHOST, variable("stranger", "Real"), variable("n", "Real")], ids=str)
def test_hints_and_splits_speak_of_no_foreign_variable(stranger):
    question, total = bumps(), f.var("total")
    relation = near(total, rational(Fraction(1, 4)))
    wide = replace(question, claim=rational(Fraction(1, 4)))
    assert verdict(wide, relation) == "PROVED"
    hint = at_most(multiply(real(stranger), real(stranger)), multiply(GHOST, GHOST))
    assert "a hint may not speak of" in fails(wide, relation, hints=(Hint("0.edit", hint, ()),))
    assert "a hint may not speak of" in fails(wide, relation, hints=(Hint("0.edit", TRUE, (hint,)),))
    zero = integer(0) if stranger.sort == "Int" else rational(0)
    assert "a split may not speak of" in fails(wide, relation, splits=((stranger, (zero,)),))


def test_order_an_exception_hides_what_else_the_state_is():
    question = Question(f.strict_sum(), CHANGE, "L1", integer(1_000))
    assert order_relation(question, 5).invariants != equality(f.strict_sum())
    assert isinstance(prove(question, 10), Missed)  # an exception on one table only
    checked = Number(rational(0), rational(1))
    found = prove(replace(question, program=replace(f.strict_sum(), record=checked), claim=integer(1)), 10)
    assert isinstance(found, Found)


@pytest.mark.parametrize("made", [f.max_gap, f.moving_average, f.run_count, f.first_two_sum, f.greedy_budget])
def test_order_functions_of_the_order_have_no_relation(made):
    assert order_relation(Question(made(), ADD, "L1", integer(1)), 5).invariants is None


@pytest.mark.parametrize("made", [f.clamp_sum, f.histogram, f.saturated_count, f.above_the_average, f.fragile_mean])
def test_order_functions_of_the_multiset_reach_the_same_state(made):
    assert order_relation(Question(made(), ADD, "L1", integer(1)), 5).invariants == equality(made())


def test_order_what_no_answer_depends_on_may_differ():
    last, count = f.var("last"), f.var("count", "Int")
    made = f.program(f.UNIT, {last: (rational(0), f.X), count: (ZERO, add(count, integer(1)))}, [count], ())
    assert relevant(made) == {count}
    assert isinstance(prove(Question(made, ADD, "L1", integer(1)), 10), Found)
    assert isinstance(prove(Question(replace(made, output=(last,)), ADD, "L1", integer(1)), 10), Missed)


def test_passes_a_later_pass_depends_on_what_the_earlier_found():
    made = f.above_the_average()  # how many are above: all may change sides
    assert isinstance(prove(Question(made, ADD, "L1", integer(5)), 1), Missed)
    (total,) = made.passes[0].state
    (above,) = made.passes[1].state
    assert "1." in fails(Question(made, ADD, "L1", integer(5)), near(total, integer(1)), near(above, integer(5)))
    early = near(above, integer(5))
    assert "may not speak of" in fails(Question(made, ADD, "L1", integer(5)), early, TRUE)


def one_pass(record, states, output, parameters=()):
    start, step = zip(*states.values(), strict=True)
    return Program("f", record, parameters, (Pass(tuple(states), start, step),), (output,))


COUNTING = {f.var("count", "Int"): (ZERO, add(f.var("count", "Int"), integer(1)))}
ALIASES = Fields((("a", Missing(Number())), ("a.missing", Category((False, True)))))


@pytest.mark.parametrize(
    "made",
    [
        one_pass(f.UNIT, COUNTING, f.var("count", "Int"), (variable("n", "Int"),)),
        one_pass(f.UNIT, COUNTING, f.var("count", "Int"), (variable("n", "Real"),)),
        one_pass(f.UNIT, COUNTING, f.var("count", "Int"), (variable("row", "Real"),)),
        one_pass(f.UNIT, COUNTING, f.var("count", "Int"), (variable("ghost", "Int"),)),
        one_pass(f.UNIT, COUNTING, f.var("count", "Int"), (variable("count", "Real"),)),
        one_pass(f.UNIT, COUNTING, f.var("count", "Int"), (variable("x| Int)(assert false)(declare-const |y", "Int"),)),
        one_pass(f.UNIT, COUNTING, f.var("count", "Int"), (variable("let!0", "Int"),)),
        one_pass(f.UNIT, COUNTING, f.var("other", "Int")),
        one_pass(f.UNIT, {f.var("a", "Int"): (ZERO, f.var("b", "Int"))}, ZERO),
        one_pass(f.UNIT, {f.var("a", "Int"): (f.X, ZERO)}, ZERO),
        one_pass(f.UNIT, {f.var("a", "Int"): (ZERO, f.X)}, ZERO),
        one_pass(f.UNIT, {f.var("a", "Bool"): (ZERO, TRUE)}, ZERO),
        one_pass(ALIASES, COUNTING, f.var("count", "Int")),
        one_pass(Number(f.L, None), COUNTING, f.var("count", "Int")),
    ],
)
def test_programs_with_confused_names_or_sorts_are_refused(made):
    reason = fails(Question(made, ADD, "L1", integer(1)), TRUE)
    assert any(word in reason for word in ("different names", "may not speak of", "must be")), reason


@pytest.mark.parametrize("norm", ["L1", "L2", "Linf"])
def test_answers_on_an_empty_table_count(norm):
    made = f.program(f.UNIT, COUNTING, [choice(equal(f.var("count", "Int"), ZERO), integer(7), ZERO)], ())
    relation = conjunction(near(f.var("count", "Int"), integer(1)), at_most(ZERO, first(f.var("count", "Int"))))
    assert verdict(Question(made, ADD, norm, integer(7)), relation) == "PROVED"
    assert verdict(Question(made, ADD, norm, integer(6)), relation) == "UNKNOWN"


@pytest.mark.parametrize("norm", ["L1", "L2", "Linf"])
@pytest.mark.parametrize(("claim", "expected"), [(ZERO, "PROVED"), (integer(-1), "UNKNOWN"), (f.L, "UNKNOWN")])
def test_the_same_exception_is_at_distance_zero_which_exceeds_a_negative_claim(norm, claim, expected):
    failing = replace(f.count(), exception=integer(1))
    assert verdict(Question(failing, CHANGE, norm, claim), TRUE) == expected


def test_where_nothing_is_demanded_nothing_is_proved():
    found = verifying.judged([])
    assert (found.verdict, found.reason) == ("UNKNOWN", "nothing was there to be proved")


def test_a_solver_that_is_believed_alone_is_believed_beside_others():
    z3, cvc5, bitwuzla = (verifying.WORKERS[name].start() for name in ("z3", "cvc5", "bitwuzla"))
    proved = [("a", ("z3",)), ("b", ("z3", "cvc5")), ("c", ("cvc5", "bitwuzla"))]
    assert verifying.believed_in(proved[:2]) == {verifying.READING, z3}
    assert verifying.believed_in(proved) == {verifying.READING, z3, f"{cvc5} and {bitwuzla}"}


def test_no_solver_is_asked_once_the_work_is_done(monkeypatch):
    monkeypatch.setattr(verifying, "asked", lambda *_: pytest.fail("asked"))
    one = Condition("c", (), TRUE)
    for end in (work.spent() - 1, 0.0):
        assert discharged(one, ("z3", "cvc5"), end) == ((), "the time is over")


@pytest.mark.parametrize(("neighbours", "longer"), [("add_remove", True), ("change_one", False)])
def test_a_neighbour_in_another_order_is_one_row_longer_only_where_rows_are_added(neighbours, longer):
    setting = Setting(f.clamp_sum(), neighbours, "swap", Invariants((TRUE,)))
    (fact,) = setting.some_length()
    values = {SIZE: Fraction(3)}
    assert evaluate(fact, {**values, LENGTH: Fraction(3)})
    assert evaluate(fact, {**values, LENGTH: Fraction(4)}) == longer
    assert not evaluate(fact, {**values, LENGTH: Fraction(2)})


@pytest.mark.parametrize("edit", ["add_remove", "change_one"])
def test_tables_have_a_row_for_certain_only_where_one_is_changed(edit):
    facts = Setting(f.clamp_sum(), edit, edit, Invariants((TRUE,))).known(0)
    assert (at_most(integer(1), SIZE) in facts) == (edit == CHANGE)
    assert at_most(ZERO, SIZE) in facts
