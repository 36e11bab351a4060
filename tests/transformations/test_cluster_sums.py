"""cluster_sums: a row moves size and sums of one cluster; one replaced those of two, or goes to a far corner."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.mechanisms import discrete_gaussian, discrete_laplace
from refdp.transformations import cluster_sums
from tests.exactness.refusals import refusal, shows
from tests.transformations.checks import NOT_NUMBERS, exceeded, fractions, is_sharp, spread, tables

CENTRES = ((-1, -1), (1, 1))
ROWS = [fractions(*row) for row in ((0, 0), (2, 2), (-2, -2), (9, -9), (1, 2), (0, -1))]
FAR = {
    ("add_remove", "l1"): 5, ("add_remove", "l2"): 9, ("change_one", "l1"): 10, ("change_one", "l2"): 18,
}  # fmt: skip


def test_cluster_sums_of_worked_examples():
    t = cluster_sums(CENTRES, 2)
    assert t(()) == (0,) * 6
    assert t(((0, 0),)) == (1, 0, 0, 0, 0, 0)  # of two centres equally near the first one
    assert t(((1, 0), (9, 9), (-9, 0))) == (1, -2, 0, 2, 3, 2)
    assert t(((5, -2),)) == (1, 2, -2, 0, 0, 0)  # clamped first, then placed
    assert cluster_sums([("1/2",)], 1, "1/4")(((F(1, 4),), (F(3, 4),))) == (2, 1)
    assert cluster_sums([(0,), (3,)], 0)(((7,), (2,))) == (2, 0, 0, 0)


@pytest.mark.parametrize(("neighbours", "norm"), FAR)
def test_cluster_sums_are_stable_and_their_map_is_sharp(neighbours, norm):
    t, inputs = cluster_sums(CENTRES, 2, neighbours=neighbours, norm=norm), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    if (neighbours, norm) != ("change_one", "l2"):
        assert is_sharp(t, inputs)
        assert spread(t, inputs)[F(1)] == FAR[neighbours, norm]


def test_cluster_sums_of_one_cluster_attain_the_opposite_corner():
    """(-2, -2) replaced by (2, 2): 32 is the square of how far, and 2 (1 + 2 * 4) = 18 that of joining another one."""
    t, inputs = cluster_sums([(0, 0)], 2, neighbours="change_one", norm="l2"), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert spread(t, inputs)[F(1)] == 32


def test_cluster_sums_with_noise_have_a_theorem():
    noisy = cluster_sums(CENTRES, 2, "1/10") >> discrete_laplace(10, "1/10", dimension=6)
    assert noisy.map(1) == F(1, 2)
    theorem = refdp.theorem(noisy, 1)
    assert theorem.trusts == frozenset()
    assert str(theorem.claim.d_out[0]) == "1/2"
    assert len(noisy([(1, F(3, 10))])) == 6
    gaussian = cluster_sums(CENTRES, 2, norm="l2") >> discrete_gaussian(3, dimension=6)
    assert refdp.theorem(gaussian, 1).claim.d_out[0].rational == F(1, 2)
    assert "does not lie in" in refusal(lambda: cluster_sums(CENTRES, 2) >> discrete_laplace(10, dimension=5))


@pytest.mark.parametrize("parameter", ["cap", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_cluster_sums_refuse_what_is_no_exact_number(parameter, value):
    given = {"centres": CENTRES, "cap": 2, "granularity": 1, parameter: value}
    assert shows(refusal(lambda: cluster_sums(**given)), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: cluster_sums(CENTRES, -1), "cap must be >= 0, got -1"),
        (lambda: cluster_sums(CENTRES, 2, 0), "granularity must be > 0, got 0"),
        (lambda: cluster_sums(CENTRES, 2, 2), "1 must be a whole multiple of granularity, got granularity = 2"),
        (
            lambda: cluster_sums(CENTRES, "1/2"),
            "cap must be a whole multiple of granularity, got cap = 1/2, granularity = 1",
        ),
        (
            lambda: cluster_sums([], 2),
            "centres: a matrix must have at least one row and one column, and rows of one length",
        ),
        (
            lambda: cluster_sums([(0, 0), (1,)], 2),
            "centres: a matrix must have at least one row and one column, and rows of one length",
        ),
        (
            lambda: cluster_sums([0, 1], 2),
            "centres must be a list of rows, each a list of numbers, got the list [0, 1]",
        ),
        (lambda: cluster_sums([(0.5,)], 2), 'centres must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: cluster_sums(CENTRES, 2, norm="linf"), "norm must be one of l1, l2 for cluster_sums, got linf"),
        (lambda: cluster_sums(CENTRES, 2)(((1,),)), "the input must be a member of table(vector(grid(1), 2))"),
    ],
)
def test_cluster_sums_refuse_in_one_sentence(call, said):
    assert refusal(call) == said


def test_no_rows_have_sums_of_nothing():
    assert cluster_sums(CENTRES, 2)(()) == (0,) * (3 * len(CENTRES))
