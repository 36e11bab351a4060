"""Cases: at every point a statement holds exactly if all its cases do, in each of their forms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from refdp.provers.smt.cases import (
    BRANCHING,
    MAXIMUM_CASES,
    alternatives,
    case_goals,
    cases,
    negation,
    over_reals,
    whole,
)
from refdp.provers.smt.encode import smt_lib
from refdp.provers.smt.goals import Goal, goal
from refdp.spec.evaluation import evaluate, truth
from refdp.spec.statements import Statement
from refdp.spec.terms import Term, TermError, denominators, name, read, subterms
from tests.provers.random_statements import Point, grid, holds_at, is_defined, statements
from tests.provers.statements import FALSE, TRUE, statement

SAMPLE = [*statements(7, 150), *TRUE.values(), *FALSE.values()]


def goal_holds(g: Goal, point: Point) -> bool:
    """Whether the goal holds at the point, whose integers are whole."""
    return not all(truth(t, point) for t in g.given) or truth(g.show, point)


def points(s: Statement, count: int) -> Iterator[Point]:
    """Points of the grid at which no denominator is zero and every integer is whole."""
    found = list(grid(s))
    for point in Random(13).sample(found, min(count, len(found))):
        whole_where_needed = all(point[v].denominator == 1 for v in goal(s).integers if v in point)
        if whole_where_needed and all(is_defined(1 / d, point) for d in denominators(s.show)):
            yield point


def test_a_statement_holds_where_its_cases_do():
    compared = 0
    for s in SAMPLE:
        forms = list(case_goals(goal(s)))
        for point in points(s, 6):
            for form in range(3):
                assert all(goal_holds(goals[form], point) for goals in forms) == holds_at(s, point), (s, form, point)
                compared += 1
    assert compared > 2000


def test_a_statement_fails_where_a_denominator_is_zero_and_so_does_a_case():
    for show in ("x / x == 1", "0 / x == 0", "1 / (1 / x) == x", "1 / (1 + 1 / x) <= 3", "abs(1 / x) >= 0"):
        s = statement([], show)
        first = next(case_goals(goal(s)))
        assert first[-1].show == Term("!=", (name("x"), read("0"))), "the innermost denominator comes first"
        assert first[-1].given == ()


def test_cases_have_nothing_left_to_branch_on():
    for s in SAMPLE:
        for goals in case_goals(goal(s)):
            assert not any(t.operator in BRANCHING for g in goals for u in (*g.given, g.show) for t in subterms(u))


@pytest.mark.parametrize("text", ["abs(x)", "min(x, y)", "max(x, y)", "indicator(x <= y)", "indicator(x < y)",
                                  "indicator(x == y)", "indicator(x != y)"])  # fmt: skip
def test_exactly_one_alternative_holds_and_has_the_value(text):
    t = read(text)
    for point in ({"x": Fraction(a), "y": Fraction(b)} for a in (-1, 0, 1) for b in (-1, 0, 1)):
        values = [value for condition, value in alternatives(t) if truth(condition, point)]
        assert [evaluate(v, point) for v in values] == [evaluate(t, point)]


@pytest.mark.parametrize("operator", ["<=", "<", "==", "!="])
def test_negation_holds_where_the_comparison_does_not(operator):
    comparison = Term(operator, (name("x"), name("y")))
    for a in (0, 1):
        for b in (0, 1):
            point = {"x": Fraction(a), "y": Fraction(b)}
            assert truth(negation(comparison), point) is not truth(comparison, point)


def test_a_condition_that_is_given_is_not_split_again():
    assert len(cases(statement(["0 <= x"], "abs(x) == x"))) == 1
    assert len(cases(statement(["x < 0"], "abs(x) == -x"))) == 1
    assert len(cases(statement([], "abs(x) * abs(x) == x * x"))) == 2
    assert len(cases(statement([], "max(x, y) - min(x, y) == abs(x - y)"))) == 4


def test_integers_over_the_reals_keep_their_distance():
    g = Goal((read("x < y"), read("x < 1/2"), read("x <= y"), read("integer(z / 2)")), read("x < y"), frozenset("xyz"))
    relaxed = over_reals(g)
    assert relaxed.given == (read("x + 1 <= y"), read("x < 1/2"), read("x <= y"))
    assert (relaxed.show, relaxed.integers) == (read("x < y"), frozenset())


def test_too_many_cases_are_no_plan():
    many = sum((abs(name(f"x{i}")) for i in range(7)), start=abs(name("x")))
    assert cases(Statement((), 0 <= many)) == ()
    assert 1 < len(cases(statement([], "0 <= abs(x) + abs(y) + abs(z)"))) <= MAXIMUM_CASES


def test_cases_with_too_large_numbers_are_no_plan():
    """In one branch the base is 2, and 2 ** (64 * 64 * 64) is more than a term may hold."""
    s = statement([], "(((indicator(x <= 0) + 1)**64)**64)**64 == 1")
    assert cases(s) == ()
    assert len(whole(s)) == 1


def test_whole_is_the_statement_as_one_text():
    s = TRUE["laplace loss"]
    assert whole(s) == ((smt_lib(s),),)


def test_conditions_that_are_not_comparisons_stay():
    s = statement([], "indicator(integer(x)) * abs(y) <= abs(y)")
    texts = cases(s)
    assert len(texts) == 2
    assert all("is_int" in case[-1] for case in texts)


def test_a_branch_that_divides_by_zero_stays_a_goal():
    """1 / indicator(x <= 0) is 1 / 0 in one branch: its value is unknown, the branch is not dropped."""
    forms = list(case_goals(goal(statement([], "1 / indicator(x <= 0) == 1"))))
    assert any(read("0 < x") in goals[-1].given for goals in forms)
    with pytest.raises(TermError):
        truth(forms[-1][-1].show, {"x": Fraction(1)})
