"""The judge's own values of terms, against another evaluator and against mpmath; and its data are what they must be."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F
from random import Random
from typing import Any

import mpmath
import pytest

from refdp.second_judge import programs
from refdp.second_judge.data import Constants
from refdp.second_judge.numbers import approximate, decimal_value, steps
from refdp.second_judge.programs import NEW, OLD, Question, Relation, drawn_pairs, neighbours
from refdp.terms.exact_values import attempt
from refdp.terms.leaves import TRUE, integer, rational, variable
from refdp.terms.operations import (
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    disjunction,
    divide,
    equal,
    exponential,
    floor,
    less,
    logarithm,
    multiply,
    negation,
    power,
    root,
    subtract,
)
from refdp.terms.term import Term
from tests.examples import few

X, Y = variable("x", "Real"), variable("y", "Real")


def random_number(random: Random, depth: int) -> Term:
    """A term that is a number, or has no value."""
    if depth == 0 or random.random() < 0.2:
        return random.choice((X, Y, rational(F(random.randint(-4, 4), random.randint(1, 3)))))
    a, b = random_number(random, depth - 1), random_number(random, depth - 1)
    kind = random.randrange(7)
    if kind == 6:
        return choice(random_truth(random, depth - 1), a, b)
    return (add(a, b), subtract(a, b), multiply(a, b), divide(a, b), absolute(a), add(floor(a), b))[kind]


def random_truth(random: Random, depth: int) -> Term:
    """A term that is a truth value, or has none."""
    a, b = random_number(random, depth), random_number(random, depth)
    first = random.choice((less, at_most, equal))(a, b)
    if depth == 0 or random.random() < 0.4:
        return first
    second = random_truth(random, depth - 1)
    return random.choice((conjunction(first, second), disjunction(first, second), negation(first)))


@pytest.mark.parametrize("found", [approximate, decimal_value])
def test_values_are_those_of_the_other_evaluator_and_there_are_none_where_that_has_none(found: Any) -> None:
    """A conjunction of what is false and what has no value is false there, and has no value here."""
    random, valued = Random(0), 0
    for _ in range(1000):
        term = random.choice((random_number, random_truth))(random, random.randint(1, 4))
        values = {X: F(random.randint(-6, 6), random.randint(1, 2)), Y: F(random.randint(-2, 2))}
        expected = attempt(term, values)
        try:
            value = found(term, values)
        except ArithmeticError:
            joins = any(one.operator in ("all_of", "any_of") for one, _ in steps(term))
            assert isinstance(expected, ArithmeticError) or joins, term
            continue
        valued += 1
        assert value == expected, term
    assert valued > 700


def test_a_term_comes_after_its_arguments_and_once() -> None:
    random = Random(1)
    for _ in range(few(200)):
        term = random_number(random, 5)
        found = steps(term)
        assert found[-1][0] == term
        assert len({one for one, _ in found}) == len(found)
        for place, (one, arguments) in enumerate(found):
            assert tuple(found[at][0] for at in arguments) == one.arguments
            assert all(at < place for at in arguments)


@pytest.mark.parametrize("exponent", [F(1), F(-7, 3), F(1, 1000), F(40)])
def test_powers_of_e_logarithms_and_roots_are_right_to_seventy_digits(exponent: F) -> None:
    with mpmath.workdps(100):
        number = mpmath.mpf(exponent.numerator) / exponent.denominator
        for term, truth in (
            (add(exponential(X), rational(1)), mpmath.exp(number) + 1),
            (logarithm(add(multiply(X, X), rational(2))), mpmath.log(number**2 + 2)),
            (
                multiply(rational(2), root(add(multiply(X, X), exponential(X)))),
                2 * mpmath.sqrt(number**2 + mpmath.exp(number)),
            ),
            (power(add(multiply(X, X), rational(2)), divide(X, rational(7))), (number**2 + 2) ** (number / 7)),
        ):
            found = decimal_value(term, {X: exponent})
            assert isinstance(found, Decimal)
            assert abs(mpmath.mpf(str(found)) / truth - 1) < mpmath.mpf(10) ** -70


def question(related: Term, sort: str = "Real", **more: Any) -> Question:
    source = "def f(q):\n    return sum(q) + laplace(1)\n"
    return Question(
        source, "f", True, sort, {}, None, (Relation(related, **more),), one_direction=False, conditions=(), given={},
        epsilon=rational(1), delta=None, rho=None, finite=False,
    )  # fmt: skip


RELATIONS = {
    "any": (TRUE, {}),
    "near": (at_most(absolute(subtract(OLD, NEW)), rational(1)), {}),
    "within": (
        conjunction(
            *(at_most(rational(0), one) for one in (OLD, NEW)), *(at_most(one, rational(1)) for one in (OLD, NEW))
        ),
        {},
    ),
    "different": (negation(equal(OLD, NEW)), {}),
    "one": (TRUE, {"changed": 1}),
    "two steps": (TRUE, {"changed": 2, "total": F(2)}),
    "squares": (TRUE, {"squares": F(4)}),
}


@pytest.mark.parametrize("name", RELATIONS)
def test_data_that_are_drawn_are_neighbours_and_differ(name: str) -> None:
    """Also where an element that stays as it is is not related to itself: then every one has changed."""
    related, limits = RELATIONS[name]
    asked = question(related, **limits)
    pairs = list(drawn_pairs(asked, asked.parts[0], Random(0), 200, 6))
    assert len(pairs) == 200
    for pair in pairs:
        assert len(pair.first) == len(pair.second)
        assert pair.first != pair.second
        moved = [(a, b) for a, b in zip(pair.first, pair.second, strict=True) if a != b]
        assert len(moved) <= limits.get("changed", 6)
        assert sum(abs(b - a) for a, b in moved) <= limits.get("total", 10**9)
        assert sum((b - a) ** 2 for a, b in moved) <= limits.get("squares", 10**9)
        for a, b in zip(pair.first, pair.second, strict=True):
            assert attempt(related, {OLD: F(a), NEW: F(b)}) is True
    assert name != "different" or all(
        len(pair.first) == sum(map(lambda a, b: a != b, pair.first, pair.second)) for pair in pairs
    )


def test_data_that_cannot_be_neighbours_cost_one_question_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most random data break bounds: each of their elements was tried with twelve others all the same."""
    asked, random, count = question(RELATIONS["within"][0]), Random(0), 0

    def counted(*given: Any) -> Any:
        nonlocal count
        count += 1
        return decimal_value(*given)

    monkeypatch.setattr(programs, "decimal_value", counted)
    constants, tried = Constants.of(asked.source, []), few(400)
    found = [neighbours(asked, asked.parts[0], random, constants, 8, False, {}) for _ in range(tried)]
    assert found.count(None) > tried * 9 / 10
    assert count < 20 * tried


def test_a_term_of_integers_is_valued() -> None:
    assert approximate(add(integer(2), integer(3)), {}) == 5
