"""Multiplying out: the comparison keeps its truth wherever no denominator is zero."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import prod
from random import Random

import pytest

from refdp.spec.goals import Goal
from refdp.spec.quotients import factors, multiplied_out, quotient, without_division
from refdp.terms.evaluation import evaluate, truth
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, denominators, name, number, subterms
from tests.provers.random_statements import NUMBERS, is_defined

NAMES = ["x", "y", "k"]


def random_quotient(chance: Random, depth: int) -> Term:
    """A term with several divisions, some inside denominators."""
    if depth == 0:
        v = name(chance.choice(NAMES))
        return chance.choice([v, number(chance.choice(NUMBERS)), v - 1])
    a, b = random_quotient(chance, depth - 1), random_quotient(chance, depth - 1)
    divisible = b if b.operator != "number" else name("k")
    return chance.choice([a + b, a - b, a * b, a / divisible, 1 / divisible, a**2, -a, (a / divisible) ** 3])


def samples(count: int):
    chance = Random(17)
    for _ in range(count):
        a, b = random_quotient(chance, chance.choice([1, 2, 3])), random_quotient(chance, chance.choice([0, 1, 2]))
        point = {v: Fraction(chance.randrange(-3, 4), chance.choice([1, 2])) for v in NAMES}
        yield apply(chance.choice(["<=", "<", "==", "!="]), a, b), point


def is_fine(t: Term, point: dict[str, Fraction]) -> bool:
    """Whether nothing in the comparison is divided by zero."""
    return all(is_defined(1 / d, point) for d in denominators(t))


def test_multiplied_out_comparison_is_true_where_the_comparison_is():
    compared = Counter()
    for t, point in samples(3000):
        if not is_fine(t, point):
            continue
        positive = {name(v) for v, x in point.items() if x > 0}
        for known in (set(), positive):
            plain = multiplied_out(t, known)
            assert truth(plain, point) == truth(t, point), (t, point)
            compared[t.operator, truth(t, point)] += any(s.operator == "/" for s in subterms(t))
    assert all(compared[operator, True] > 50 for operator in ("<=", "<", "!="))
    assert all(compared[operator, False] > 50 for operator in ("<=", "<", "=="))


def test_multiplied_out_comparison_divides_by_nothing():
    checked = 0
    for t, point in samples(1000):
        if is_fine(t, point):
            checked += 1
            assert not any(s.operator == "/" for s in subterms(multiplied_out(t, set())))
    assert checked > 300


def test_quotient_has_the_value_of_the_term():
    for t, point in samples(500):
        a = t.arguments[0]
        if is_defined(a, point):
            numerator, below = quotient(a)
            denominator = prod(evaluate(f, point) ** n for f, n in below.items())
            if denominator != 0:
                assert evaluate(numerator, point) / denominator == evaluate(a, point)


def test_factors_multiply_to_the_term():
    for t, point in samples(500):
        a = t.arguments[0]
        if is_defined(a, point):
            coefficient, found = factors(a)
            assert coefficient * prod(evaluate(f, point) ** n for f, n in found.items()) == evaluate(a, point)


@pytest.mark.parametrize(
    ("given", "show", "expected"),
    [
        (["2 * v != 0", "0 < v"], "a / (2 * v) <= b / (2 * v)", "1/2 * a <= 1/2 * b"),
        (["v != 0", "0 < v"], "a / v <= b", "a <= b * v"),
        (["v != 0"], "a / v <= b", "a * v <= b * v * v"),
        (["v != 0"], "a / v == b", "a == b * v"),
        (["v != 0"], "a / v != b", "a != b * v"),
        (["v**2 != 0"], "a / v**2 < b", "a < b * v**2"),
    ],
)
def test_an_order_is_multiplied_by_what_is_positive(given, show, expected):
    g = Goal(tuple(map(read, given)), read(show), frozenset())
    assert without_division(g) == Goal(g.given, read(expected), frozenset())


@pytest.mark.parametrize(
    ("given", "show"),
    [
        (["0 < v"], "a / v == b"),
        (["v != 1"], "a / v == b"),
        (["0 != v"], "a / v == b"),
        (["v != 0"], "a / (v + 1) == b"),
        (["v != 0"], "a / v / w == b"),
        (["1 / v != 0"], "1 / (1 / v) == v"),
        (["v != 0", "a / w <= 1"], "a / v == b"),
    ],
)
def test_a_goal_is_left_alone_where_a_denominator_may_be_zero(given, show):
    g = Goal(tuple(map(read, given)), read(show), frozenset())
    assert without_division(g) == g


def test_a_comparison_with_something_else_in_it_is_left_alone():
    for text in ("abs(a / v) <= 1", "exp(1 / v) <= 1", "integer(1 / v)", "indicator(1 / v <= 1) == 1"):
        assert multiplied_out(read(text), set()) == read(text)
    odd = Term("<=", (Term("**", (name("v"), number(Fraction(1, 2)))) / name("w"), number(1)))
    assert multiplied_out(odd, set()) == odd
