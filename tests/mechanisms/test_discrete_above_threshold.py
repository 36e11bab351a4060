"""discrete_above_threshold: maps, draws and refusals; its law and its privacy by enumeration: tests/exactness."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp
from refdp.mechanisms import ABOVE_THRESHOLD
from refdp.mechanisms.discrete_above_threshold import DISCRETE_ABOVE_THRESHOLD, discrete_above_threshold
from refdp.spec.samplers import ThresholdFirst, sampler_obligations
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdicts
from tests.mechanisms.checks import refuted, walked
from tests.mechanisms.local_variants import verdicts_elsewhere

RATE = written("threshold_rate", "threshold_scale granularity", "granularity / threshold_scale")
SUBJECT = "discrete_above_threshold(0, 1, 1/2, 1/2, 1)"


def test_discrete_above_threshold_has_its_two_maps():
    m = discrete_above_threshold(100, 3, threshold_scale=2, answer_scale=12)
    assert m.map(1) == 1
    assert discrete_above_threshold(100, 3, threshold_scale=2, answer_scale=12, monotone=True).map(1) == F(3, 4)
    assert refdp.theorem(m, 1).claim.d_out[0].rational == 1


def test_discrete_above_threshold_answers_where_all_is_clear():
    """Noise beyond 900 has less than 10^-300 of the probability."""
    m = discrete_above_threshold(0, 2, threshold_scale=1, answer_scale=1)
    assert m((-2000, 2000, -2000, 2000, 2000)) == (1, 3)
    assert m((-2000, -2000)) == ()
    assert discrete_above_threshold("1/2", 1, 1, 1, granularity="1/2")((F(-2001, 2), F(2001, 2))) == (1,)


def test_discrete_above_threshold_draws_its_law():
    """The coin-flip tree of one answer that is as great as the threshold."""
    assert refuted(walked(SUBJECT, (F(0),), 14), SUBJECT, (F(0),), [(), (F(0),)]) == []


def test_discrete_above_threshold_with_another_rate_draws_another_law():
    wrong = ThresholdFirst(RATE, written("answer_rate", "answer_scale granularity", "2 * granularity / answer_scale"))
    found = verdicts(replace(DISCRETE_ABOVE_THRESHOLD, stem="m"), wrong)
    assert found["sampler.draws_have_the_weights"] == "disproved"
    assert verdicts_elsewhere("discrete_above_threshold") == {"proved"}


def test_a_scheme_for_discrete_noise_draws_no_other():
    rate = written("rate", "threshold_scale", "1 / threshold_scale")
    scheme = ThresholdFirst(rate, rate)
    for kind in (replace(DISCRETE_ABOVE_THRESHOLD, stem="m", answer_scale=None), replace(ABOVE_THRESHOLD, stem="m")):
        with entered(kind, schemes={"m": scheme}):
            assert refusal(lambda: sampler_obligations("m")) == "m has no discrete noise on both"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: discrete_above_threshold("1/2", 1, 1, 1),
            "threshold must be a whole multiple of granularity",
        ),
        (lambda: discrete_above_threshold(0, 0, 1, 1), "positives must be >= 1, got 0"),
        (lambda: discrete_above_threshold(0, "3/2", 1, 1), "positives must be a whole number, got 3/2"),
        (lambda: discrete_above_threshold(0, 1, 0, 1), "threshold_scale must be > 0, got 0"),
        (lambda: discrete_above_threshold(0, 1, 1, -1), "answer_scale must be > 0, got -1"),
        (lambda: discrete_above_threshold(0, 1, 1, 1, granularity=0), "granularity must be > 0, got 0"),
        (lambda: discrete_above_threshold(0, 1, 1, 0.5), "must be exact, got the float 0.5"),
        (lambda: discrete_above_threshold(0, 1, 1, 1, monotone="no"), "monotone must be True or False, got 'no'"),
        (lambda: discrete_above_threshold(0, 1, 1, 1)((F(1, 2),)), "the input must be a member of vector(grid(1), 1)"),
    ],
)
def test_discrete_above_threshold_refuses_in_one_sentence(call, said):
    assert said in refusal(call)
