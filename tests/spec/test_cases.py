"""Cases: at every point a statement holds exactly if all its cases do, in each of their forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from refdp.spec.cases import BRANCHING, MAXIMUM_CASES, alternatives, case_goals, contradictions, denials, over_reals
from refdp.spec.goals import Goal, goal, negation
from refdp.spec.statements import Statement
from refdp.terms.evaluation import evaluate, truth
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, denominators, indicator, name, number, subterms
from tests.provers.random_statements import Point, grid, holds_at, hypotheses_hold, is_defined, statements
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


def test_integers_over_the_reals_keep_their_distance():
    g = Goal((read("x < y"), read("x < 1/2"), read("x <= y"), read("integer(z / 2)")), read("x < y"), frozenset("xyz"))
    relaxed = over_reals(g)
    assert relaxed.given == (read("x + 1 <= y"), read("x < 1/2"), read("x <= y"))
    assert (relaxed.show, relaxed.integers) == (read("x < y"), frozenset())


def test_a_branch_that_divides_by_zero_stays_a_goal():
    """1 / indicator(x <= 0) is 1 / 0 in one branch: its value is unknown, the branch is not dropped."""
    forms = list(case_goals(goal(statement([], "1 / indicator(x <= 0) == 1"))))
    assert any(read("0 < x") in goals[-1].given for goals in forms)
    with pytest.raises(TermError):
        truth(forms[-1][-1].show, {"x": Fraction(1)})


def facts_hold(facts: tuple[Term, ...], point: Point) -> bool:
    """Whether every fact holds at the point; TermError where one has no value."""
    return all(truth(fact, point) for fact in facts)


def test_a_statement_fails_just_where_all_facts_of_a_case_hold():
    compared = Counter[bool]()
    for s in SAMPLE:
        found = contradictions(s)
        for point in points(s, 12):
            holds = not any(facts_hold(facts, point) for facts in found)
            assert holds == holds_at(s, point), (s, point)
            compared[holds] += 1
    assert min(compared[True], compared[False]) > 50


def test_all_facts_of_a_case_hold_where_a_denominator_is_zero():
    """The case of the innermost such denominator, whose facts divide by nothing."""
    compared = 0
    for s in SAMPLE:
        for point in grid(s):
            if hypotheses_hold(s, point) and not all(is_defined(1 / d, point) for d in denominators(s.show)):
                plain = [f for f in contradictions(s) if all(is_defined(a, point) for t in f for a in t.arguments)]
                assert any(facts_hold(facts, point) for facts in plain), (s, point)
                compared += 1
    assert compared > 40


def test_an_equation_fails_on_either_side():
    assert denials(read("a == b")) == (read("a < b"), read("b < a"))
    assert denials(read("a != b")) == (read("a == b"),)
    assert denials(read("a <= b")) == (read("b < a"),)
    assert denials(read("a < b")) == (read("b <= a"),)


@pytest.mark.parametrize(
    "show", ["integer(x)", "multiple(x, 2)", "ln(x) <= ln(x)", "indicator(ln(x) < 1) <= 1", "0 <= sqrt(x)",
             "integral(abs(z), z) == 0", "indicator(integer(x)) <= 1", "x == 'a'"],
)  # fmt: skip
def test_what_may_have_no_value_has_no_contradictions(show):
    """indicator(ln(x) < 1) is neither 1 nor 0 at x = -1."""
    with pytest.raises(TermError, match="has no value everywhere"):
        contradictions(statement([], show))


def test_a_root_has_no_contradictions():
    root = Term("**", (name("x"), number(Fraction(1, 2))))
    with pytest.raises(TermError, match="has no value everywhere"):
        contradictions(Statement((), indicator(root <= 1) <= 1))


def test_what_is_no_comparison_has_no_contradictions():
    with pytest.raises(TermError, match="x is not a comparison"):
        contradictions(statement([], "x"))


def test_what_has_an_integral_has_no_cases():
    """abs(z) under an integral over z is neither z throughout nor -z throughout."""
    with pytest.raises(TermError, match="an integral has no cases"):
        contradictions(statement(["integral(abs(z), z) <= 1"], "x <= x"))


def test_a_denominator_has_a_sign_in_each_case():
    """2 <= x does not say in so many words that x - 1 is positive."""
    facts = contradictions(statement(["2 <= x"], "0 < 1 / (x - 1)"))
    assert [list(map(str, f)) for f in facts] == [
        ["2 <= x", "x - 1 == 0"],
        ["2 <= x", "0 < (x - 1 - 0) ** 2", "1 <= 0 * (x - 1)", "0 < x - 1"],
        ["2 <= x", "0 < (x - 1 - 0) ** 2", "x - 1 <= 0 * (x - 1) * (x - 1)", "x - 1 < 0"],
    ]


@pytest.mark.parametrize("given", ["0 < x", "1/2 <= x", "1 < x"])
def test_a_denominator_with_a_known_sign_makes_no_cases(given):
    assert len(contradictions(statement([given], "0 < 1 / x"))) == 2
    assert len(contradictions(statement([given], "0 < 1 / x ** 2"))) == 2


@pytest.mark.parametrize("given", ["0 <= x", "-1 < x", "x < 0"])
def test_a_denominator_that_may_be_negative_is_multiplied_twice(given):
    facts = contradictions(statement([given], "0 < 1 / x"))[-1]
    assert "x <= 0 * x * x" in map(str, facts)


def test_facts_are_sharper_between_integers_only():
    s = statement(["x != y", "x < y"], "x + 1 <= y", "x y")
    assert contradictions(s) == ((read("1 <= (x - y) ** 2"), read("x + 1 <= y"), read("y + 1 <= x + 1")),)
    s = statement(["x != y", "x < y"], "x + 1 <= y", "x")
    assert contradictions(s) == ((read("0 < (x - y) ** 2"), read("x < y"), read("y < x + 1")),)


def test_facts_leave_out_what_is_no_comparison():
    s = statement(["integer(x / 2)", "multiple(x, y)", "0 <= x"], "0 <= x")
    assert contradictions(s) == ((read("0 <= x"), read("x < 0")),)


def test_too_many_cases_are_refused():
    many = sum((abs(name(f"x{i}")) for i in range(9)), start=abs(name("x")))
    with pytest.raises(TermError, match=f"at most {MAXIMUM_CASES} cases"):
        contradictions(Statement((), 0 <= many))
