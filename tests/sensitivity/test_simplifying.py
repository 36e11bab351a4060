"""A simplified term is equal to the term wherever the facts hold: at many points, by exact evaluation."""

import random
from fractions import Fraction

import pytest

from refdp.sensitivity.evaluation import evaluate
from refdp.sensitivity.simplifying import simplified
from refdp.sensitivity.terms import (
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    disjunction,
    divide,
    equal,
    floor,
    integer,
    larger,
    less,
    multiply,
    negation,
    rational,
    real,
    smaller,
    subtract,
    variable,
)

P, J, X, B = variable("i", "Int"), variable("j", "Int"), variable("x", "Real"), variable("b", "Bool")
C = [variable(f"c{k}", "Int") for k in range(4)]
ROW = conjunction(at_most(integer(0), P), at_most(P, integer(3)), at_most(rational(0), X), at_most(X, rational(10)))


def number(chance, depth):
    if depth == 0 or chance.random() < 0.25:
        return chance.choice(
            [P, J, X, *C[:2], integer(chance.randint(-2, 4)), rational(Fraction(chance.randint(-3, 9), 2))]
        )
    a, b = number(chance, depth - 1), number(chance, depth - 1)
    return chance.choice([
        lambda: add(a, b), lambda: subtract(a, b), lambda: multiply(rational(Fraction(chance.randint(-3, 3), 2)), a),
        lambda: smaller(a, b), lambda: larger(a, b), lambda: floor(divide(a, integer(2))), lambda: absolute(a),
        lambda: choice(statement(chance, depth - 1), a, b), lambda: choice(statement(chance, depth - 1), a, b),
        lambda: choice(equal(b, integer(0)), integer(0), divide(a, b)), lambda: real(a),
    ])()  # fmt: skip


def statement(chance, depth):
    if depth == 0 or chance.random() < 0.4:
        a, b = number(chance, max(depth - 1, 0)), number(chance, max(depth - 1, 0))
        return chance.choice([less(a, b), at_most(a, b), equal(a, b), equal(P, integer(chance.randint(-1, 4))), B])
    a, b = statement(chance, depth - 1), statement(chance, depth - 1)
    return chance.choice([conjunction(a, b), disjunction(a, b), negation(a), conjunction(negation(a), b)])


def point(chance):
    """Values of the variables, some on the bounds."""
    half = Fraction(chance.randint(0, 20), 2)
    values = {P: Fraction(chance.randint(0, 3)), J: Fraction(chance.randint(-2, 5)), X: half, B: chance.random() < 0.5}
    return values | {c: Fraction(chance.randint(-2, 3)) for c in C}


@pytest.mark.parametrize("seed", range(12))
def test_simplifying_keeps_the_value_wherever_the_facts_hold(seed):
    chance = random.Random(seed)
    for _ in range(60):
        fact = conjunction(ROW, statement(chance, 2))
        term = number(chance, 4) if chance.random() < 0.7 else statement(chance, 4)
        short = simplified(term, fact)
        assert short.sort == term.sort
        for values in (point(chance) for _ in range(25)):
            if evaluate(fact, values):
                assert evaluate(short, values) == evaluate(term, values), (term, fact, values)


def test_simplifying_finds_the_element_that_is_counted():
    read = choice(
        equal(P, integer(0)), C[0], choice(equal(P, integer(1)), C[1], choice(equal(P, integer(2)), C[2], C[3]))
    )
    for place in range(4):
        step = choice(equal(P, integer(place)), add(read, integer(1)), C[place])
        assert simplified(step, ROW) is choice(equal(P, integer(place)), add(C[place], integer(1)), C[place])


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (less(P, integer(4)), True),
        (less(P, integer(3)), None),
        (equal(add(P, integer(5)), integer(0)), False),
        (equal(floor(divide(X, integer(4))), integer(3)), False),
        (at_most(floor(divide(X, integer(4))), integer(2)), True),
        (at_most(integer(3), smaller(P, integer(2))), False),
        (less(X, rational(10)), None),
        (equal(X, rational(10)), None),
        (less(J, integer(100)), None),
    ],
)
def test_simplifying_decides_what_bounds_say_and_no_more(condition, holds):
    found = simplified(condition, ROW)
    assert (found.value if found.operator == "truth" else None) is holds
