"""Sums by levels in pipelines: their theorems and draws, and that they are the rows of the matrix of that name."""

from fractions import Fraction as F

import pytest

import refdp
from refdp import strategies


@pytest.mark.parametrize(
    ("made", "noise"),
    [
        (refdp.tree_sums(3), 7),
        (refdp.tree_sums(2, 3), 4),
        (refdp.wavelet_sums(3), 4),
        (refdp.two_level_sums(2, 2), 6),
        (refdp.prefix_sums(4), 4),
    ],
)
def test_sums_by_levels_in_pipelines_have_theorems_and_draws(made, noise):
    entries = int(made.input_domain.arguments[1].rational) if made.input_domain.arguments[1].operator == "number" else 4
    found = made >> refdp.discrete_laplace(2, dimension=noise)
    claim = refdp.theorem(found, 1).claim
    assert claim.d_out[0].rational == found.map(1)
    answers = found(tuple(range(entries)))
    assert len(answers) == noise
    assert all(F(a).denominator == 1 for a in answers)


def test_sums_by_levels_are_those_of_the_matrices_of_their_names():
    x = (F(3), F(-1), F(4), F(1), F(-5), F(9), F(2), F(-6))
    assert refdp.tree_sums(4)(x) == refdp.linear(strategies.tree(8))(x)
    assert refdp.wavelet_sums(4)(x) == refdp.linear(strategies.wavelet(8))(x)
    assert refdp.two_level_sums(4, 2)(x) == refdp.linear(strategies.blocks(8, 4))(x)
    assert refdp.prefix_sums(8)(x) == refdp.linear(strategies.prefixes(8))(x)
