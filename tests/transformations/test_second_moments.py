"""second_moments: one row added or removed moves it by norm^2 in L2, one replaced by sqrt(2) norm^2, and by no less."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.mechanisms import discrete_gaussian
from refdp.transformations import clipped_vector_sum, second_moments
from tests.exactness.refusals import refusal, shows
from tests.transformations.checks import NOT_NUMBERS, exceeded, fractions, is_sharp, random_tables, spread, tables

ROWS = [fractions(*row) for row in ((0, 0), (3, 4), (-4, 3), (30, -40), (1, 2), (0, "1/3"))]


def test_second_moments_of_worked_examples():
    t = second_moments(5, 2)
    assert t(()) == (0, 0, 0, 0)
    assert t(((6, 8),)) == (9, 12, 12, 16)
    assert t(((-3, -4),)) == (9, 12, 12, 16)
    assert t(((3, 4), (1, -1))) == (10, 11, 11, 17)
    assert second_moments(1, 1, "1/2")(((F(9, 10),), (2,))) == (F(5, 4),)
    assert second_moments(2, 2, "1/10")(((1, F(15, 100)),)) == fractions(1, "1/10", "1/10", "1/100")


def test_second_moments_of_random_tables_are_the_products_of_clipped_rows():
    t, clip = second_moments("5/2", 3, "1/10"), clipped_vector_sum("5/2", 3, "1/10")

    def row(chance):
        return tuple(F(chance.randint(-20, 20), chance.randint(1, 5)) for _ in range(3))

    for table in random_tables("moments", row):
        clipped = [clip((one,)) for one in table]
        assert t(table) == tuple(sum(z[i] * z[j] for z in clipped) for i in range(3) for j in range(3))
        assert t(table[::-1]) == t(table)


@pytest.mark.parametrize(("neighbours", "square"), [("add_remove", 625), ("change_one", 1250)])
def test_second_moments_are_stable_and_their_map_is_sharp(neighbours, square):
    t, inputs = second_moments(5, 2, neighbours=neighbours), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert spread(t, inputs)[F(1)] == square


def test_second_moments_have_a_theorem_in_every_dimension_at_once():
    for dimension in (1, 4, 1000):
        theorem = refdp.theorem(second_moments("1/2", dimension, "1/32"), 3)
        assert theorem.trusts == frozenset()
        assert str(theorem.claim.d_out[0]) == "3/4"
        assert str(theorem.claim.output_domain) == f"vector(grid(1/1024), {dimension**2})"


@pytest.mark.parametrize(("neighbours", "rho"), [("add_remove", F(1, 8)), ("change_one", F(1, 4))])
def test_second_moments_with_noise_are_private(neighbours, rho):
    noisy = second_moments(2, 3, "1/4", neighbours=neighbours) >> discrete_gaussian(8, "1/16", dimension=9)
    assert rho <= noisy.map(1) <= rho + F(1, 10**9)
    theorem = refdp.theorem(noisy, 1)
    assert theorem.trusts == frozenset()
    assert rho <= theorem.claim.d_out[0].rational <= rho + F(1, 10**9)
    assert all((16 * c).denominator == 1 for c in noisy([(1, 1, 0)]))
    assert "does not lie in" in refusal(lambda: second_moments(2, 3) >> discrete_gaussian(8, dimension=3))
    coarse = refusal(lambda: second_moments(2, 3, "1/4") >> discrete_gaussian(8, "1/4", dimension=9))
    assert "does not lie in" in coarse


@pytest.mark.parametrize("parameter", ["norm", "dimension", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_second_moments_refuse_what_is_no_exact_number(parameter, value):
    given = {"norm": 5, "dimension": 2, "granularity": 1, parameter: value}
    assert shows(refusal(lambda: second_moments(**given)), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: second_moments(0, 2), "norm must be > 0, got 0"),
        (lambda: second_moments(5, 0), "dimension must be >= 1, got 0"),
        (lambda: second_moments(5, "3/2"), "dimension must be a whole number, got 3/2"),
        (lambda: second_moments(5, 2, 0), "granularity must be > 0, got 0"),
        (lambda: second_moments(5, 2, neighbours="l2"), "neighbours must be one of add_remove, change_one, got l2"),
        (lambda: second_moments(5, 2)(((1, 2, 3),)), "the input must be a member of table(vector(reals(), 2))"),
    ],
)
def test_second_moments_refuse_in_one_sentence(call, said):
    assert refusal(call) == said
