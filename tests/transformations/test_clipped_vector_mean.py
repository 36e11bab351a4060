"""Means of clipped vectors: by a public number, by a public size, and by a private size, which bounds no better."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.mechanisms import discrete_gaussian
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.transformations import clipped_mean_of_sized, clipped_vector_mean, clipped_vector_sum
from tests.claimed import clipped_vector_mean as claims
from tests.exactness.refusals import refusal
from tests.transformations.checks import exceeded, fractions, is_sharp, random_tables, spread, tables

ROWS = [fractions(*row) for row in ((0, 0), (3, 4), (-3, -4), (30, 40))]


def test_clipped_vector_mean_is_the_sum_over_the_lot():
    def row(chance):
        return tuple(F(chance.randint(-20, 20), chance.randint(1, 5)) for _ in range(2))

    for table in random_tables("mean", row):
        total = clipped_vector_sum(3, 2, "1/4")(table)
        assert clipped_vector_mean(3, "5/2", 2, "1/4")(table) == tuple(c / F(5, 2) for c in total)
        if table:
            assert clipped_mean_of_sized(3, len(table), 2, "1/4")(table) == tuple(c / len(table) for c in total)
            by_count = value(read("clipped_mean_by_count(3, 2, 1/4)"), table)
            assert by_count == tuple(c / len(table) for c in total)
    assert value(read("clipped_mean_by_count(3, 2, 1/4)"), ()) == (0, 0)


def test_clipped_vector_mean_of_worked_examples():
    assert clipped_vector_mean(5, 10, 2)(((6, 8), (-1, 2))) == fractions("1/5", "3/5")
    assert clipped_mean_of_sized(5, 2, 2)(((6, 8), (-1, 2))) == fractions(1, 3)
    assert clipped_vector_mean(5, 10, 2)(()) == (0, 0)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_clipped_vector_mean_is_stable_and_its_map_is_sharp(neighbours):
    t, inputs = clipped_vector_mean(5, 10, 2, neighbours=neighbours), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert spread(t, inputs)[F(1)] == (F(1, 4) if neighbours == "add_remove" else 1)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_clipped_mean_of_sized_is_stable_and_its_map_is_sharp(size):
    t, inputs = clipped_mean_of_sized(5, size, 2), tables(ROWS, size, size)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)


@pytest.mark.parametrize("rows", [1, 2, 5, 20])
def test_mean_by_the_private_number_of_rows_moves_by_two_parts(rows):
    """By 2 norm / (rows + 1), and not norm / (rows + 1): -1s, and a 1 beside them."""
    subject = read("clipped_mean_by_count(1, 1, 1)")
    before, after = ((F(-1),),) * rows, (*((F(-1),),) * rows, (F(1),))
    assert value(subject, after)[0] - value(subject, before)[0] == F(2, rows + 1)


def test_clipped_vector_mean_with_noise_costs_what_the_sum_with_its_noise_does():
    """sigma norm on the sum, or sigma norm / lot on the mean; sigma norm on the mean costs a 100^2th."""
    on_sum = clipped_vector_sum(5, 2) >> discrete_gaussian(10, dimension=2)
    on_mean = clipped_vector_mean(5, 100, 2) >> discrete_gaussian("1/10", "1/100", dimension=2)
    loose = clipped_vector_mean(5, 100, 2) >> discrete_gaussian(10, "1/100", dimension=2)
    assert on_sum.map(1) == on_mean.map(1) == F(1, 8)
    assert loose.map(1) == F(1, 8) / 100**2
    assert refdp.theorem(on_mean, 1).trusts == frozenset()
    assert refdp.theorem(clipped_mean_of_sized(5, 4, 2) >> discrete_gaussian(1, "1/4", dimension=2), 1).trusts == set()
    assert claims.noise_for_the_sum().trusts == frozenset()


NO_NEIGHBOURS = (
    "no two members of sized_table(vector(reals(), dimension), size) are neighbours under symmetric: "
    "the claim would be empty"
)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: clipped_vector_mean(5, 0, 2), "lot must be > 0, got 0"),
        (lambda: clipped_vector_mean(0, 1, 2), "norm must be > 0, got 0"),
        (lambda: clipped_mean_of_sized(5, 0, 2), "size must be >= 1, got 0"),
        (lambda: clipped_mean_of_sized(5, "1/2", 2), "size must be a whole number, got 1/2"),
        (
            lambda: clipped_mean_of_sized(5, 2, 2, neighbours="add_remove"),
            NO_NEIGHBOURS,
        ),
        (
            lambda: clipped_mean_of_sized(5, 2, 2)(((1, 2),)),
            "the input must be a member of sized_table(vector(reals(), 2), 2)",
        ),
    ],
)
def test_clipped_vector_mean_refuses_in_one_sentence(call, said):
    assert refusal(call) == said
