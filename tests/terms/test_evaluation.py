"""One evaluator, several arithmetics: exact in rationals, defined only where the term has a value."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refdp.numerics.arithmetic import Intervals
from refdp.terms.evaluation import RATIONALS, evaluate, rational_root, truth
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, name, term

rationals = st.fractions(min_value=-50, max_value=50, max_denominator=20)
AT = {"x": Fraction(-3, 2), "y": Fraction(2)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x + y * 3", Fraction(9, 2)), ("x / y", Fraction(-3, 4)), ("-x ** 2", Fraction(-9, 4)),
        ("abs(x)", Fraction(3, 2)), ("min(x, y) - max(x, y)", Fraction(-7, 2)), ("indicator(x <= y)", Fraction(1)),
        ("indicator(y < y)", Fraction(0)), ("indicator(x != y) + indicator(x == y)", Fraction(1)),
        ("exp(x - x) + ln(y / y)", Fraction(1)), ("normal_tail(x - x)", Fraction(1, 2)),
        ("sqrt(y * y / 9)", Fraction(2, 3)), ("x ** 0", Fraction(1)), ("sqrt(x - x)", Fraction(0)),
    ],
)  # fmt: skip
def test_value_is_exact(text, value):
    found = evaluate(read(text), AT)
    assert found == value
    assert isinstance(found, Fraction)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("z", "z has no value"), ("x / (y - y)", "division by zero"), ("exp(y)", "is not a rational number"),
        ("ln(y)", "is not a rational number"), ("sqrt(y)", "is not a rational number"),
        ("sqrt(x)", "is not a rational number"), ("ln(x)", "is not a rational number"),
        ("pi()", "is not a rational number"), ("normal_tail(x)", "is not a rational number"),
        ("records()", "no numerical value"),
        ("'text'", "no numerical value"), ("x <= y", "no numerical value"), ("integral(x, x)", "no numerical value"),
        ("indicator(x)", "is not a statement"), ("foo(x)", "no numerical value"),
        ("0 * (1 / (y - y))", "division by zero"),
    ],
)  # fmt: skip
def test_value_that_a_term_does_not_have_is_refused(text, sentence):
    with pytest.raises(TermError, match=sentence):
        evaluate(read(text), AT)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("x < y", True), ("y <= y", True), ("y < y", False), ("x == y", False), ("x != y", True), ("y == 4 / 2", True),
        ("all_of(x < y, y < 3)", True), ("all_of(x < y, y < 1)", False), ("all_of()", True), ("integer(y)", True),
        ("integer(x)", False), ("integer(2 * x)", True),
    ],
)  # fmt: skip
def test_truth_is_exact(text, holds):
    assert truth(read(text), AT) is holds


@pytest.mark.parametrize("text", ["x", "1", "'text'", "foo(x)", "x + y", "records()", "indicator(x < y)"])
def test_truth_of_what_is_no_statement_is_refused(text):
    with pytest.raises(TermError, match="is not a statement"):
        truth(read(text), AT)


@given(rationals, rationals)
def test_interval_value_holds_the_exact_one(x, y):
    assume(x != y)  # a tie of enclosures is undecided
    arithmetic = Intervals(64)
    t = read("max(x, y) * abs(x - y) + min(x * x, 3) ** 3 - indicator(x <= y)")
    enclosed = evaluate(t, {"x": arithmetic.number(x), "y": arithmetic.number(y)}, arithmetic)
    assert evaluate(t, {"x": x, "y": y}) in enclosed


@given(st.fractions(min_value=0, max_value=1000, max_denominator=100))
def test_rational_root_is_the_root_of_a_square_and_none_otherwise(r):
    assert rational_root(r * r) == r
    assert rational_root(-r * r) is None or r == 0
    assert rational_root(r * r * 2) is None or r == 0


def test_exponent_is_read_as_a_number_of_factors():
    assert evaluate(term(Fraction(-2, 3)) ** 3, {}) == Fraction(-8, 27)
    assert evaluate(Term("**", (name("x"), term(2))), {"x": Fraction(5)}) == 25


def test_rationals_know_only_values_that_are_rational():
    assert RATIONALS.function("exp", Fraction(0)) == 1
    assert RATIONALS.function("ln", Fraction(1)) == 0
    with pytest.raises(TermError):
        RATIONALS.function("exp", Fraction(1, 10**9))
