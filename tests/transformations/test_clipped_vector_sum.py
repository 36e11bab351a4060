"""clipped_vector_sum: a row added or removed moves it by the norm in L2, one replaced by twice that, and by no less."""

from fractions import Fraction as F
from itertools import product

import pytest

import refdp
from refdp.mechanisms import discrete_gaussian
from refdp.transformations import attributes, clipped_vector_sum
from tests.claimed import clipped_vector_sum as claims
from tests.exactness.refusals import refusal, shows
from tests.transformations.checks import (
    NOT_NUMBERS,
    exceeded,
    fractions,
    is_sharp,
    random_tables,
    records,
    spread,
    tables,
)

ROWS = [fractions(*row) for row in ((0, 0), (3, 4), (-3, -4), (30, -40), (1, 2), (0, "1/3"))]


def test_clipped_vector_sum_of_worked_examples():
    t = clipped_vector_sum(5, 2)
    assert t(()) == (0, 0)
    assert t(((6, 8),)) == (3, 4)
    assert t(((-6, -8),)) == (-3, -4)
    assert t(((3, 4),)) == (3, 4)
    assert t(((0, 0),)) == (0, 0)
    assert t(((F(3, 2), F(-3, 2)),)) == (1, -1)
    assert t(((6, 8), (-1, 2))) == (2, 6)
    assert clipped_vector_sum(1, 3, "1/1000")(((1, 1, 1),)) == fractions("0.577", "0.577", "0.577")
    assert clipped_vector_sum(1, 1)(((10**400,), (-(10**400),), (F(1, 10**400),))) == (0,)


def test_clipped_vector_sum_leaves_what_is_short_and_on_the_grid_as_it_is():
    t = clipped_vector_sum(5, 2)
    for row in product(range(-5, 6), repeat=2):
        short = row[0] ** 2 + row[1] ** 2 <= 25
        assert (t((row,)) == row) == short


def test_clipped_vector_sum_of_random_tables_is_the_sum_of_what_it_makes_of_each_row():
    t = clipped_vector_sum("5/2", 3, "1/10")

    def row(chance):
        return tuple(F(chance.randint(-20, 20), chance.randint(1, 5)) for _ in range(3))

    for table in random_tables("clipped", row):
        parts = [t((one,)) for one in table]
        assert t(table) == tuple(sum(p[j] for p in parts) for j in range(3))
        assert t(table[::-1]) == t(table)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_clipped_vector_sum_is_stable_and_its_map_is_sharp(neighbours):
    t, inputs = clipped_vector_sum(5, 2, neighbours=neighbours), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert spread(t, inputs)[F(1)] == (25 if neighbours == "add_remove" else 100)


def test_clipped_vector_sum_has_a_theorem_in_every_dimension_at_once():
    for dimension in (1, 4, 10**6):
        t = clipped_vector_sum("1/2", dimension, "1/1024")
        theorem = refdp.theorem(t, 3)
        assert theorem.trusts == frozenset()
        assert str(theorem.claim.d_out[0]) == "3/2"
    assert "dimension" in str(claims.add_remove().claim.term)


@pytest.mark.parametrize(("neighbours", "rho"), [("add_remove", F(1, 2)), ("change_one", F(2))])
def test_clipped_vector_sum_with_noise_is_a_step_of_training(neighbours, rho):
    step = clipped_vector_sum(8, 3, neighbours=neighbours) >> discrete_gaussian(8, dimension=3)
    assert step.map(1) == rho
    theorem = refdp.theorem(step, 1)
    assert theorem.trusts == frozenset()
    assert str(theorem.claim.d_out[0]) == str(rho)
    noisy = step([(100, 0, 0), (0, 3, -4)])
    assert len(noisy) == 3
    assert all(c.denominator == 1 for c in noisy)


def test_clipped_vector_sum_chains_only_where_domain_and_metric_meet():
    bits = attributes(("D1", "D2", "D3"), "add_remove") >> clipped_vector_sum(1, 3, "1/100")
    # rows 101 (three times), 010 (twice), 001, 110, 000: 1 alone stays, two 1s are 1 / sqrt(2) each, towards zero
    assert bits(records()) == fractions("2.8", "2.7", "3.1")
    assert bits.map(1) == 1
    assert refusal(lambda: clipped_vector_sum(5, 2) >> discrete_gaussian(1, "1/2", dimension=2)) == (
        "the output domain vector(grid(1), 2) does not lie in the input domain vector(grid(1/2), 2)"
    )
    assert "does not lie in" in refusal(lambda: clipped_vector_sum(5, 2) >> discrete_gaussian(1, dimension=3))
    assert "does not lie in" in refusal(lambda: clipped_vector_sum(5, 2) >> discrete_gaussian(1))


@pytest.mark.parametrize("parameter", ["norm", "dimension", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_clipped_vector_sum_refuses_what_is_no_exact_number(parameter, value):
    given = {"norm": 5, "dimension": 2, "granularity": 1, parameter: value}
    assert shows(refusal(lambda: clipped_vector_sum(**given)), parameter, value)


OF_2 = "the input must be a member of table(vector(reals(), 2))"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: clipped_vector_sum(0, 2), "norm must be > 0, got 0"),
        (lambda: clipped_vector_sum(-1, 2), "norm must be > 0, got -1"),
        (lambda: clipped_vector_sum(5, 0), "dimension must be >= 1, got 0"),
        (lambda: clipped_vector_sum(5, "3/2"), "dimension must be a whole number, got 3/2"),
        (lambda: clipped_vector_sum(5, 2, 0), "granularity must be > 0, got 0"),
        (lambda: clipped_vector_sum(5, 2, neighbours="l2"), "neighbours must be one of add_remove, change_one, got l2"),
        (lambda: clipped_vector_sum(5, 2)(((1, 2, 3),)), OF_2),
        (lambda: clipped_vector_sum(5, 2)((1, 2)), OF_2),
        (lambda: clipped_vector_sum(5, 2)(1), OF_2),
        (lambda: clipped_vector_sum(5, 2)(((1, None),)), OF_2),
        (lambda: clipped_vector_sum(5, 2)(((1, 0.5),)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
    ],
)
def test_clipped_vector_sum_refuses_in_one_sentence(call, said):
    assert refusal(call) == said
