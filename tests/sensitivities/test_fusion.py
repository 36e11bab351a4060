"""A fused program does on every table what the program does, exceptions included."""

from fractions import Fraction as F
from random import Random

import pytest

from refdp.sensitivities.fusion import fused
from refdp.sensitivities.program import Pass, Program, outcome
from refdp.sensitivities.records import Fields, Number
from refdp.terms.leaves import ZERO, integer, rational, variable, variables
from refdp.terms.operations import (
    absolute,
    add,
    choice,
    conjunction,
    disjunction,
    divide,
    equal,
    larger,
    less,
    multiply,
    negation,
    real,
    subtract,
    total,
)
from tests.examples import few

PAIR = Fields(((0, Number(rational(-3), rational(3))), (1, Number(rational(0), rational(2)))))
X, Y = PAIR.slots("row")
C = variable("c", "Real")
N, S, M, P = variable("n1", "Int"), variable("s", "Real"), variable("m", "Real"), variable("p", "Int")
Q, T, INDEX = variable("q", "Real"), variable("t", "Real"), variable("i", "Int")
ONE = integer(1)
FIRST = Pass(
    (N, S, M, P),
    (ZERO, rational(0), rational(-9), ZERO),
    (add(N, ONE), add(S, X), larger(M, X), choice(less(ZERO, X), add(P, ONE), P)),
)
MEAN = divide(S, N)
SAFE = choice(equal(N, ZERO), rational(0), MEAN)


def later(*lines):
    return Pass(*(tuple(line[k] for line in lines) for k in range(3)))


def program(*passes, output, exception=ZERO):
    return Program("f", PAIR, (C,), passes, tuple(output), exception=exception)


def table(random, size):
    return [{X: F(random.randint(-6, 6), 2), Y: F(random.randint(0, 4), 2)} for _ in range(size)]


def same(one, another, random, tables=12):
    """Compare on the empty table and others; a program without a value on a table says nothing about it."""
    compared = 0
    for size in [0, 0, 1, 1, *range(2, tables)]:
        rows, values = table(random, size), {C: F(random.randint(-4, 4), 3)}
        try:
            wanted = outcome(one, rows, values)
        except ArithmeticError:
            continue
        compared += 1
        assert outcome(another, rows, values) == wanted
    return compared


SQUARE = multiply(subtract(X, MEAN), subtract(X, MEAN))
ENDS = {
    "variance": (Q, rational(0), add(Q, SQUARE)),
    "covariance": (Q, rational(0), add(Q, multiply(subtract(X, SAFE), subtract(Y, SAFE)))),
    "normalised": (Q, C, add(Q, divide(X, subtract(M, integer(50))))),
    "guarded": (Q, rational(0), choice(less(ZERO, X), add(Q, multiply(subtract(X, divide(S, P)), Y)), Q)),
    "known at the end": (Q, rational(0), choice(less(N, integer(3)), Q, add(Q, SQUARE))),
    "division that only some tables ask for": (
        Q,
        rational(0),
        add(Q, choice(less(divide(S, N), C), X, multiply(Y, S))),
    ),
    "both": (Q, rational(0), choice(conjunction(less(Y, X), less(ZERO, S)), add(Q, S), add(Q, multiply(M, Y)))),
    "either": (Q, rational(0), choice(disjunction(less(Y, X), less(ZERO, S)), add(Q, S), add(Q, multiply(M, Y)))),
    "clamped": (Q, rational(0), add(Q, multiply(S, choice(less(C, X), C, X)))),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_sum_in_a_later_pass_ends_as_a_term(name):
    one = program(FIRST, later(ENDS[name]), output=(Q, S))
    assert len(fused(one).passes) == 1
    assert same(one, fused(one), Random(1), 30) > 10


@pytest.mark.parametrize(
    "step",
    [
        add(Q, absolute(subtract(X, MEAN))),
        choice(less(X, MEAN), add(Q, ONE), Q),
        larger(Q, subtract(X, MEAN)),
        add(multiply(Q, SAFE), X),
        choice(less(N, integer(3)), Q, add(Q, divide(X, add(Y, ONE)))),
    ],
)
def test_a_state_that_is_no_sum_keeps_its_pass(step):
    one = program(FIRST, later((Q, rational(0), step)), output=(Q,))
    assert len(fused(one).passes) == 2
    assert same(one, fused(one), Random(2)) > 10


def test_a_state_that_needs_no_earlier_result_moves_into_the_first_pass():
    one = program(FIRST, later((Q, C, larger(Q, Y)), (T, rational(0), add(T, multiply(Q, SAFE)))), output=(Q, T))
    assert len(fused(one).passes) == 1
    assert same(one, fused(one), Random(3)) > 10


def test_a_state_that_is_read_while_its_pass_runs_keeps_its_pass():
    running = (T, rational(0), larger(T, add(Q, multiply(SAFE, X))))
    one = program(
        FIRST, later((Q, rational(0), add(Q, X)), running, (INDEX, ZERO, add(INDEX, ONE))), output=(Q, T, INDEX)
    )
    assert [len(p.state) for p in fused(one).passes] == [4, 2]
    assert same(one, fused(one), Random(4)) > 10


def raised_unless(flag, condition):
    return choice(equal(flag, ZERO), choice(condition, ONE, ZERO), flag)


def test_a_state_that_the_first_row_settles_ends_as_a_term():
    flag = (INDEX, ZERO, raised_unless(INDEX, less(S, C)))
    start = (T, S, choice(equal(T, S), choice(less(X, X), X, C), T))
    one = program(FIRST, later(flag, start), output=(INDEX, T), exception=INDEX)
    assert len(fused(one).passes) == 1
    assert same(one, fused(one), Random(7)) > 10


@pytest.mark.parametrize(
    "line",
    [
        (INDEX, ZERO, raised_unless(INDEX, less(X, MEAN))),
        (INDEX, ZERO, choice(less(INDEX, integer(2)), add(multiply(INDEX, N), ONE), INDEX)),
        (INDEX, ZERO, choice(less(S, INDEX), ZERO, ONE)),
    ],
)
def test_a_state_that_a_later_row_moves_keeps_its_pass(line):
    one = program(FIRST, later(line), output=(INDEX,))
    assert len(fused(one).passes) == 2
    assert same(one, fused(one), Random(8)) > 10


def test_a_sum_that_the_first_pass_has_is_not_made_again():
    one = program(FIRST, later((Q, rational(0), add(Q, subtract(X, SAFE)))), output=(Q,))
    assert fused(one).passes[0].state == (N, S, M, P)


def test_three_passes_become_one():
    second = later((Q, rational(0), add(Q, SQUARE)))
    third = later((T, Q, add(T, multiply(Q, X))))
    one = program(FIRST, second, third, output=(divide(T, N),), exception=choice(equal(N, ZERO), ONE, ZERO))
    assert len(fused(one).passes) == 1
    assert same(one, fused(one), Random(5)) > 10


def test_new_sums_are_named_like_nothing_else():
    taken = variable("sum!0", "Real")
    first = Pass((N, taken), (ZERO, rational(0)), (add(N, ONE), larger(taken, X)))
    one = program(first, later((Q, rational(0), add(Q, multiply(taken, Y)))), output=(Q, taken))
    assert len(fused(one).passes) == 1
    assert same(one, fused(one), Random(6)) > 10


def random_number(random, depth):
    leaf = [X, Y, C, S, M, N, P, SAFE, MEAN, INDEX, integer(2), divide(S, P), divide(ONE, Y)]
    if depth == 0:
        return random.choice(leaf[:9] if random.random() < 0.8 else leaf)
    kind, inner = random.randrange(7), [random_number(random, depth - 1) for _ in range(2)]
    if kind < 2:
        return add(*inner)
    if kind < 4:
        return multiply(*inner)
    if kind == 4:
        return subtract(*inner)
    if kind == 5:
        return choice(random_condition(random, depth - 1), *inner)
    return real(inner[0])


def random_condition(random, depth):
    if depth > 0 and random.random() < 0.4:
        parts = [random_condition(random, depth - 1) for _ in range(2)]
        return random.choice([conjunction, disjunction])(*parts)
    one = random.choice(
        [
            less(ZERO, X),
            less(Y, X),
            less(N, integer(3)),
            less(ZERO, SAFE),
            less(MEAN, M),
            less(X, C),
            less(X, S),
            equal(Y, ZERO),
        ]
    )
    return negation(one) if random.random() < 0.3 else one


@pytest.mark.parametrize("seed", range(few(150)))
def test_a_random_program_of_two_or_three_passes_is_unchanged(seed):
    random = Random(seed)
    second = later(
        (INDEX, ZERO, add(INDEX, ONE)),
        *((q, random.choice([rational(0), C, SAFE]), add(q, random_number(random, 3))) for q in (Q, T)),
    )
    third_state = variable("r", "Real")
    third = later(
        (third_state, Q, choice(less(Y, X), add(third_state, multiply(T, random_number(random, 1))), third_state))
    )
    third = Pass(third.state, third.start, tuple(t if INDEX not in variables(t) else third_state for t in third.step))
    one = program(
        FIRST, second, *([third] if seed % 2 else []), output=(Q, T, total([third_state] if seed % 2 else []))
    )
    same(one, fused(one), random)


def test_random_programs_are_often_fused_and_compared():
    fewer = compared = 0
    for seed in range(60):
        random = Random(seed)
        second = later((INDEX, ZERO, add(INDEX, ONE)), (Q, SAFE, add(Q, random_number(random, 3))))
        one = program(FIRST, second, output=(Q,))
        fewer += len(fused(one).passes) == 1
        compared += same(one, fused(one), random)
    assert fewer >= 20
    assert compared >= 300
