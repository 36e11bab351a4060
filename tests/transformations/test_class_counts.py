"""class_counts: one row added or removed moves it by 1 for its class and 1 for each feature, and by no less."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.mechanisms import discrete_laplace
from refdp.transformations import class_counts
from tests.exactness.refusals import refusal, shows
from tests.transformations.checks import NOT_NUMBERS, exceeded, fractions, is_sharp, spread, tables

ROWS = [fractions(*row) for row in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 5), (-1, 0, 0), (7, 7, 7))]


def test_class_counts_of_worked_examples():
    t = class_counts(2, 2, 3)
    assert t(()) == (0,) * 10
    assert t(((1, 0, 1),)) == (0, 1, 0, 0, 1, 0, 0, 0, 0, 1)
    assert t(((0, 0, 0), (0, 1, 0))) == (2, 0, 1, 1, 0, 0, 2, 0, 0, 0)
    assert t(((0, 2, -1),)) == (1, *(0,) * 9)  # values that are none
    assert t(((2, 0, 0), (-1, 0, 0))) == (0,) * 10  # classes that are none
    assert class_counts(3, 5, 1)(((2,), (2,), (0,))) == (1, 0, 2)  # no feature: the histogram of the classes


@pytest.mark.parametrize(("neighbours", "far"), [("add_remove", 3), ("change_one", 6)])
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_class_counts_are_stable_and_their_map_is_sharp(neighbours, norm, far):
    t, inputs = class_counts(2, 2, 3, neighbours, norm), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert spread(t, inputs)[F(1)] == far


def test_class_counts_with_noise_have_a_theorem():
    noisy = class_counts(2, 3, 4) >> discrete_laplace(8, dimension=20)
    assert noisy.map(1) == F(1, 2)
    theorem = refdp.theorem(noisy, 1)
    assert theorem.trusts == frozenset()
    assert str(theorem.claim.d_out[0]) == "1/2"
    assert len(noisy([(1, 0, 2, 1)])) == 20
    assert "does not lie in" in refusal(lambda: class_counts(2, 3, 4) >> discrete_laplace(8, dimension=19))


@pytest.mark.parametrize("parameter", ["classes", "values", "dimension"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_class_counts_refuse_what_is_no_exact_number(parameter, value):
    given = {"classes": 2, "values": 2, "dimension": 2, parameter: value}
    assert shows(refusal(lambda: class_counts(**given)), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: class_counts(0, 2, 2), "classes must be >= 1, got 0"),
        (lambda: class_counts(2, 0, 2), "values must be >= 1, got 0"),
        (lambda: class_counts(2, 2, 0), "dimension must be >= 1, got 0"),
        (lambda: class_counts("3/2", 2, 2), "classes must be a whole number, got 3/2"),
        (lambda: class_counts(2, 2, 2, norm="linf"), "norm must be one of l1, l2 for class_counts, got linf"),
        (lambda: class_counts(2, 2, 2, "hamming"), "neighbours must be one of add_remove, change_one, got hamming"),
        (lambda: class_counts(2, 2, 2)((("1/2", 0),)), "the input must be a member of table(vector(grid(1), 2))"),
        (lambda: class_counts(2, 2, 2)(((1,),)), "the input must be a member of table(vector(grid(1), 2))"),
    ],
)
def test_class_counts_refuse_in_one_sentence(call, said):
    assert refusal(call) == said
