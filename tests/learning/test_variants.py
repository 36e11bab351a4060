"""Loops that look like DP-SGD: wrong ones are refuted by their pair, and twins of theirs never are."""

from fractions import Fraction as F

import numpy as np
import pytest

from refdp.accounting.questions import Limits
from refdp.learning.training import Plan
from refdp.learning.variants import JUDGES, Claim, Setting, judged, shuffled, shuffled_at, shuffled_delta, some_step

LIMITS = Limits(F(1, 10**6), 60, 2 * 10**9)


def setting(rate="1/10", steps=100, sigma="2", lot="33", delta="1e-5"):
    return Setting(Plan(F(rate), steps, F(sigma), F(lot), F(1)), F(delta), LIMITS)


WRONG = {
    "noise_of_the_mean_on_the_sum",
    "divided_by_the_actual_size",
    "clipped_after_averaging",
    "skipped_empty_lots",
    "shuffled_as_published",
}
TWINS = {
    "noise_of_the_sum_on_the_mean",
    "divided_by_the_size_of_fixed_lots",
    "clipped_after_averaging_with_twice_the_noise",
}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"rate": "1/100", "steps": 200, "sigma": "1", "lot": "6"},
        {"rate": "1", "steps": 3, "sigma": "7", "lot": "40"},
        {"rate": "1/3", "steps": 1, "sigma": "3/2", "lot": "2"},
    ],
    ids=str,
)
def test_wrong_loops_are_refuted_and_twins_are_not(given):
    found = {one.name: one for one in judged(setting(**given)) if one.name != "shuffled"}
    assert WRONG <= found.keys()
    for name in WRONG:
        assert found[name].verdict == "REFUTED", name
        assert found[name].expected == "REFUTED"
        assert found[name].account is None
    for name in TWINS & found.keys():
        assert found[name].verdict == "PROVED", name
        assert found[name].account is not None


def test_at_a_lot_of_one_nothing_is_wrong_with_noise_of_the_mean():
    """The true tight claim beside the wrong one: C / L is C."""
    found = {one.name: one for one in judged(setting(lot="1", steps=2))}
    assert found["noise_of_the_mean_on_the_sum"].verdict == "PROVED"
    assert found["noise_of_the_sum_on_the_mean"].verdict == "PROVED"
    assert found["divided_by_the_actual_size"].verdict == "UNKNOWN"


def test_empty_lots_may_be_skipped_where_delta_allows_it():
    found = {one.name: one for one in judged(setting(rate="1/1000000", steps=1, sigma="1"))}
    assert found["skipped_empty_lots"].verdict == "UNKNOWN"


def test_shuffled_lots_are_refuted_by_the_published_event_and_by_nothing_less():
    least, c = shuffled_delta(F(2, 5), 10**4, F(4))
    assert c == F(218, 100)
    assert F("0.22604") < least < F("0.22606")
    assert shuffled_at(Claim("zero_out", F(4), F("1.169e-5")), F(2, 5), 10**4, 10**4, "UNKNOWN").verdict == "REFUTED"
    assert shuffled_at(Claim("zero_out", F(4), F("0.2261")), F(2, 5), 10**4, 10**4, "UNKNOWN").verdict == "UNKNOWN"


@pytest.mark.parametrize(("sigma", "lots", "epsilon", "low"), [("1/2", 1000, 1, "0.37143"), ("1", 100, 1, "0.016705")])
def test_events_of_shuffled_lots_are_those_that_were_published(sigma, lots, epsilon, low):
    """Found by a search on its own, to which the thresholds that are tried here are near."""
    least, _ = shuffled_delta(F(sigma), lots, F(epsilon))
    assert F(low) * F(999, 1000) < least < F(low) * F(1001, 1000)


def test_shuffling_at_other_numbers_is_unknown():
    assert shuffled(setting()).verdict == "UNKNOWN"


def test_shuffling_is_no_surprise_where_an_event_refutes_it():
    """Of two epochs of ten lots the account of coins is far below what the event of one of them shows."""
    found = shuffled(setting(steps=20))
    assert (found.verdict, found.expected) == ("REFUTED", "REFUTED")


def test_no_shuffling_is_judged_of_less_than_an_epoch_or_of_parts_that_are_none():
    assert shuffled(setting(steps=9)) is None
    assert shuffled(setting(rate="2/7")) is None


def test_the_event_of_a_step_has_the_probability_that_simulation_finds():
    """Two million normal variables of a fixed seed; 6 deviations of the share."""
    rng, rate, sigma, steps, n = np.random.default_rng(7), 0.1, 0.5, 20, 100_000
    noise = rng.normal(size=(n, steps)) * sigma + (rng.random((n, steps)) < rate)
    share = (noise > 0.75).any(axis=1).mean()
    found = some_step(F(3, 4), F(1, 2), steps, F(1, 10))
    assert found.lower <= found.upper < found.lower + F(1, 10**20)
    assert abs(float(found.lower) - share) < 6 * (0.25 / n) ** 0.5


def test_the_pair_of_clipped_means_is_that_of_an_answer_that_moves_by_twice_the_norm():
    """On the witness itself: means of lots with and without the row, clipped, are v and -v, but for a unit."""
    from refdp.learning.clipping import Clip

    clip, rows = Clip(F(1), F(1, 1024)), 8
    v = np.array([1.0, 0.0])
    for size in range(rows + 1):
        total = size * v - (2 * rows + 1) * v
        assert clip(total / (size + 1)).tolist() in ([-1024, 0], [-1023, 0])
        assert size == 0 or clip(size * v / size).tolist() == [1024, 0]


def test_every_judge_has_a_statement():
    assert len(JUDGES) == 9
    assert all(judge.__doc__ for judge in JUDGES)
