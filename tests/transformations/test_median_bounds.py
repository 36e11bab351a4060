"""median_bounds: values by hand, maps and refusals; definitions and neighbours by enumeration: tests/exactness."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.kernel.judgements import KernelError
from refdp.pipeline import PipelineError


def test_median_bounds_by_hand():
    """0 | 1 4 9 | 10: the windows around 4 of one gap, two and three, and all four."""
    assert refdp.median_with_smooth_bound(0, 10, 1)((9, 1, 4)) == (4, 10)
    assert refdp.median_with_smooth_bound(0, 10, 2)((9, 1, 4)) == (4, 5)
    assert refdp.median_with_smooth_bound(0, 10, "3/2")((9, 1, 4)) == (4, F(16, 3))
    assert [refdp.median_with_distance(0, 10, bound)((9, 1, 4))[0] for bound in (4, 5, 7, 8, 9, 10)] == [
        0,
        1,
        1,
        2,
        3,
        4,
    ]


def test_median_bounds_of_no_rows_are_those_of_the_range():
    assert refdp.median_with_smooth_bound(0, 10, 2)(()) == (0, 10)
    assert [refdp.median_with_distance(0, 10, bound)(()) for bound in (9, 10)] == [(0, 0), (1, 0)]


def test_median_bounds_are_stated_for_one_row():
    for t in (refdp.median_with_smooth_bound(0, 10, 2), refdp.median_with_distance(0, 10, 2, neighbours="change_one")):
        assert t.map(1) == 2
        with pytest.raises(PipelineError, match="d_in must be 1"):
            t.map(2)
        with pytest.raises(KernelError, match="d_in must be 1"):
            refdp.theorem(t, 2)
        assert str(refdp.theorem(t, 1).claim.d_out[0]) == "2"


def test_median_bounds_with_noise_have_their_theorem():
    noisy = refdp.median_with_smooth_bound(0, 10, "417/200") >> refdp.rounded_scaled_cauchy("24/25", "1/8")
    claim = refdp.theorem(noisy, 1).claim
    assert claim.d_out[0].rational == noisy.map(1) <= 1
    with pytest.raises(PipelineError, match="d_in must be 1"):
        noisy.map(2)
    with pytest.raises(KernelError, match="d_in must be 1"):
        refdp.theorem(noisy, 2)
    assert (noisy((1, 2, 3)) * 8).denominator == 1


def test_median_bounds_tested_have_their_theorem():
    release = refdp.propose_test_release(refdp.discrete_laplace(4), scale=1, threshold=5)
    tested = refdp.median_with_distance(0, 10, 2) >> release
    claim = refdp.theorem(tested, 1).claim
    assert tuple(t.rational for t in claim.d_out) == tested.map(1)
    assert claim.d_out[0].rational == F(3, 2)
    assert tested((0, 10) * 2) in [(), *((F(k),) for k in range(-100, 100))]


def test_median_bounds_meet_only_what_they_fit():
    with pytest.raises(PipelineError, match="does not lie in the input domain"):
        refdp.median_with_smooth_bound(0, 1, 2) >> refdp.discrete_laplace(1)
    with pytest.raises(PipelineError, match="does not lie in the input domain"):
        refdp.median_with_distance(0, 1, 2) >> refdp.rounded_scaled_cauchy(1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: refdp.median_with_smooth_bound(1, 1, 2), "lower < upper must hold"),
        (lambda: refdp.median_with_smooth_bound(0, 1, "1/2"), "growth must be >= 1"),
        (lambda: refdp.median_with_distance(0, 1, -1), "bound must be >= 0"),
        (lambda: refdp.median_with_distance(0, 1, 1, 0), "granularity must be > 0"),
        (lambda: refdp.median_with_distance("1/2", 3, 1), "must be a whole multiple"),
        (lambda: refdp.median_with_distance(0, 1, 1, neighbours="rows"), "neighbours must be one of"),
        (lambda: refdp.median_with_smooth_bound(0, 1, 2)((2,)), "the input must be a member"),
        (lambda: refdp.median_with_distance(0, 1, 2)(("1/2",)), "the input must be a member"),
        (
            lambda: refdp.propose_test_release(refdp.exponential(1), 1, 2),
            "m must be pure or approximate DP for a number",
        ),
        (lambda: refdp.propose_test_release(3, 1, 2), "m must be pure or approximate DP for a number"),
        (lambda: refdp.propose_test_release(refdp.discrete_gaussian(1), 1, 2), "m must be pure or approximate"),
        (lambda: refdp.propose_test_release(refdp.discrete_laplace(1), 0, 2), "scale must be > 0, got 0"),
        (lambda: refdp.propose_test_release(refdp.discrete_laplace(1), 1, "1/2"), "threshold must be a whole number"),
        (lambda: refdp.propose_test_release(refdp.discrete_laplace(1), 1, 0), "threshold must be a whole number"),
    ],
)
def test_median_bounds_refuse_other_parameters(make, said):
    with pytest.raises(ValueError, match=said):
        make()
