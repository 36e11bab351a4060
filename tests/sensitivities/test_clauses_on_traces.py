"""The conditions on invariants are true of what two runs really do, at every row, where the invariants are true.

Small tables that differ by one edit are run, pass by pass; each hypothesis and each conclusion is evaluated at the
states, the numbers of rows and the edited records of that moment.  No solver is asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest

from refdp.sensitivities.checking.clauses import Condition, conditions
from refdp.sensitivities.checking.invariants import EDITED, GHOST, LENGTH, OTHER, ROWS, Invariants, first, second
from refdp.sensitivities.program import ROW, Pass, Program
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.records import Number
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import TRUE, ZERO, integer, rational, variable
from refdp.terms.operations import add, at_most, choice, conjunction, equal, less, multiply, real, subtract
from refdp.terms.term import Term

KIND = Number(rational(-1), rational(3))
(X,), (OLD,), (NEW,) = (KIND.slots(name) for name in (ROW, GHOST, OTHER))
TOTAL, LAST, BASE = (variable(name, "Real") for name in ("total", "last", "base"))
COUNT, SEEN, ABOVE = (variable(name, "Int") for name in ("count", "seen", "above"))
ONE = integer(1)
FIRST_PASS = Pass((TOTAL, COUNT, LAST), (rational(0), ZERO, rational(0)), (add(TOTAL, X), add(COUNT, ONE), X))
SECOND_PASS = Pass(
    (BASE, SEEN, ABOVE),
    (add(TOTAL, LAST), ZERO, ZERO),
    (BASE, add(SEEN, ONE), add(ABOVE, choice(less(TOTAL, multiply(real(COUNT), X)), ONE, ZERO))),
)
"""How many rows are above the mean, found in a second pass."""
PROGRAM = Program("f", KIND, (), (FIRST_PASS, SECOND_PASS), (TOTAL, real(ABOVE)), assumption=at_most(ZERO, SIZE))


def invariants(edit: str) -> Invariants:
    """What is true of both runs, and of each alone."""
    longer = choice(EDITED, ONE, ZERO) if edit == "add_remove" else ZERO
    moved = {"add_remove": OLD, "change_one": subtract(NEW, OLD), "swap": rational(0)}[edit]
    one = conjunction(
        equal(first(COUNT), ROWS),
        equal(second(COUNT), add(ROWS, longer)),
        equal(subtract(second(TOTAL), first(TOTAL)), choice(EDITED, moved, rational(0))),
        choice(EDITED, TRUE, equal(first(LAST), second(LAST))),
    )
    two = conjunction(
        equal(first(SEEN), ROWS),
        equal(second(SEEN), add(ROWS, longer)),
        *(equal(run(BASE), add(run(TOTAL), run(LAST))) for run in (first, second)),
        *(at_most(ZERO, run(ABOVE)) for run in (first, second)),
        at_most(first(ABOVE), ROWS),
    )
    alone = conjunction(equal(COUNT, ROWS), at_most(ZERO, ROWS), at_most(ROWS, LENGTH))
    later = conjunction(equal(SEEN, ROWS), equal(COUNT, LENGTH), at_most(ROWS, LENGTH), at_most(ABOVE, ROWS))
    return Invariants((one, two), (alone, later))


@dataclass(frozen=True)
class Tables:
    """Two tables that differ by one edit at a place."""

    one: tuple[F, ...]
    two: tuple[F, ...]
    place: int
    edited: dict[Term, F]
    size: int


def tables(edit: str, neighbours: str) -> Iterator[Tables]:
    """Every such pair of up to three rows of a few values."""
    values = (F(-1), F(3), F(1, 2))
    for rows in (rows for n in range(4) for rows in product(values[: 5 - n], repeat=n)):
        n = len(rows)
        if edit == "add_remove":
            for k, new in product(range(n + 1), values):
                yield Tables(rows, (*rows[:k], new, *rows[k:]), k, {OLD: new, NEW: F(0)}, n)
        elif edit == "change_one":
            for k, new in product(range(n), values):
                yield Tables(rows, (*rows[:k], new, *rows[k + 1 :]), k, {OLD: rows[k], NEW: new}, n)
        else:
            for k in range(n - 1):
                other = (*rows[:k], rows[k + 1], rows[k], *rows[k + 2 :])
                for size in (n, n - 1) if neighbours == "add_remove" else (n,):
                    yield Tables(rows, other, k, {OLD: rows[k], NEW: rows[k + 1]}, size)


def trace(rows: tuple[F, ...]) -> list[list[dict[Term, Any]]]:
    """For each pass the states before the first row, and after each; earlier passes' final states among them."""
    known: dict[Term, Any] = {}
    found = []
    for one in PROGRAM.passes:
        known = known | {s: evaluate(t, known) for s, t in zip(one.state, one.start, strict=True)}
        steps = [known]
        for row in rows:
            at = {**known, X: row}
            known = known | {s: evaluate(t, at) for s, t in zip(one.state, one.step, strict=True)}
            steps.append(known)
        found.append(steps)
    return found


def moments(edit: str, pair: Tables, name: str) -> Iterator[dict[Term, Any]]:
    """What everything is, each time that a condition of that name speaks of."""
    traces = trace(pair.one), trace(pair.two)
    fixed = {SIZE: pair.size, LENGTH: len(pair.one), **pair.edited}
    if name == "out":
        yield fixed | both(traces[0][-1][-1], traces[1][-1][-1])
        return
    index, _, what = name.partition(".")
    one, two = (t[int(index)] for t in traces)
    wide, longer = {"add_remove": (0, 1), "change_one": (1, 0), "swap": (2, 0)}[edit]
    if what.startswith("single"):
        for steps, rows in ((one, pair.one), (two, pair.two)):
            if len(rows) - pair.size in (0, 1) and (edit != "change_one" or len(rows) == pair.size):
                for i in range(len(rows)) if what == "single.step" else range(1):
                    yield fixed | steps[i] | {LENGTH: len(rows), ROWS: i, X: rows[i] if rows else F(0)}
        return
    places = {
        "init": [(0, 0)],
        "before": [(i, i) for i in range(pair.place)],
        "edit": [(pair.place, pair.place)],
        "after": [(i, i + longer) for i in range(pair.place + wide, len(pair.one))],
    }[what]
    for i, j in places:
        row = pair.one[i] if i < len(pair.one) else F(0)
        yield fixed | both(one[i], two[j]) | {ROWS: i, X: row}


def both(one: dict[Term, Any], two: dict[Term, Any]) -> dict[Term, Any]:
    """The states of both runs."""
    return {first(s): v for s, v in one.items()} | {second(s): v for s, v in two.items()}


CASES = [("add_remove", "add_remove"), ("change_one", "change_one"), ("swap", "add_remove"), ("swap", "change_one")]


def asked(edit: str, neighbours: str, claim: Term) -> list[Condition]:
    """The conditions; their edit, the relation of the question, and what is claimed."""
    question = Question(PROGRAM, neighbours, "L1", claim)  # type: ignore[arg-type]
    return list(conditions(question, edit, invariants(edit)))  # type: ignore[arg-type]


@pytest.mark.parametrize(("edit", "neighbours"), CASES)
def test_conditions_are_true_of_real_runs(edit: str, neighbours: str) -> None:
    demanded = asked(edit, neighbours, rational(100))
    names = {
        f"{i}.{what}" for i in range(2) for what in ("init", "before", "edit", "after", "single.init", "single.step")
    }
    assert {one.name for one in demanded} == names | {"out"}
    met = set()
    for pair in tables(edit, neighbours):
        for one in demanded:
            for moment in moments(edit, pair, one.name):
                met.add(one.name)
                assert all(evaluate(h, moment) for h in one.hypotheses), (one.name, pair)
                assert evaluate(one.conclusion, moment), (one.name, pair)
    assert met == names | {"out"}


@pytest.mark.parametrize(("edit", "neighbours"), CASES)
@pytest.mark.parametrize("claim", [F(0), F(1), F(5, 2), F(4)])
def test_the_last_condition_is_that_the_answers_are_as_near_as_is_claimed(edit: str, neighbours: str, claim: F) -> None:
    (out,) = (one for one in asked(edit, neighbours, rational(claim)) if one.name == "out")
    found = set()
    for pair in tables(edit, neighbours):
        one, two = (trace(rows)[-1][-1] for rows in (pair.one, pair.two))
        (moment,) = moments(edit, pair, "out")
        near = abs(one[TOTAL] - two[TOTAL]) + abs(one[ABOVE] - two[ABOVE]) <= claim
        assert evaluate(out.conclusion, moment) == near
        found.add(near)
    assert found


@pytest.mark.parametrize(("edit", "neighbours"), CASES)
def test_wrong_runs_are_told_apart(edit: str, neighbours: str) -> None:
    """That is: with a state that is off by one, an invariant or what follows from it is false."""
    demanded = {one.name: one for one in asked(edit, neighbours, rational(100))}
    wrong = 0
    for pair in tables(edit, neighbours):
        for moment in moments(edit, pair, "0.edit"):
            one, off = demanded["0.edit"], moment | {second(COUNT): moment[second(COUNT)] + 1}
            wrong += not all(evaluate(h, off) for h in one.hypotheses) and not evaluate(one.conclusion, off)
    assert wrong


@pytest.mark.parametrize(("edit", "neighbours"), CASES)
def test_a_step_is_asked_about_where_the_first_table_has_the_rows_that_it_reads(edit: str, neighbours: str) -> None:
    """From the first row to the last one, and nothing of rows that are not there."""
    said = at_most(integer(-9), ROWS)  # a relation that is true, and speaks of the rows
    question = Question(PROGRAM, neighbours, "L1", rational(100))  # type: ignore[arg-type]
    demanded = {one.name: one for one in conditions(question, edit, Invariants((said, said)))}  # type: ignore[arg-type]
    edited = {"add_remove": 0, "change_one": 1, "swap": 2}[edit]
    for name, read in (("before", 1), ("after", 1), ("edit", edited)):
        for size, rows in product(range(1, 4), range(-1, 6)):
            moment = {SIZE: size, LENGTH: size, ROWS: rows, X: F(0), OLD: F(1), NEW: F(1)}
            holds = all(evaluate(h, moment) for h in demanded[f"0.{name}"].hypotheses)
            assert holds == (0 <= rows <= size - read), (name, size, rows)


def test_a_later_pass_knows_of_a_single_run_what_holds_after_all_rows_of_the_earlier_ones() -> None:
    question = Question(PROGRAM, "change_one", "L1", rational(100))
    alone = (equal(COUNT, ROWS), at_most(ZERO, SEEN))
    demanded = {one.name: one for one in conditions(question, "change_one", Invariants((TRUE, TRUE), alone))}
    for count, length in product(range(4), range(1, 4)):
        moment = {SIZE: length, LENGTH: length, ROWS: 0, X: F(1), COUNT: count, SEEN: 0}
        for name in ("1.single.init", "1.single.step"):
            assert all(evaluate(h, moment) for h in demanded[name].hypotheses) == (count == length), (name, length)
