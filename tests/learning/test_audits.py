"""Audits: each mistake is seen by the judge that can see it, right loops by none, and bounds of canaries are exact."""

from fractions import Fraction as F
from math import comb

import pytest

from refdp.auditing.judges.training.canaries import by_counts
from refdp.auditing.judges.training.judges import on_lots, on_noise, on_pairs, on_setup
from refdp.auditing.judges.training.one_run import ceiling, epsilon_at_least, is_refuted, value
from refdp.learning.audits import Effort
from refdp.learning.loops import MISTAKES, TWINS, StepLoop
from refdp.learning.training import Plan

PLAN = Plan(F(1, 10), 100, F(2), F(33), F(2))
ERROR = F(1, 10**10)
"""Of each judge that counts: some 30 of them are run here, so that a false alarm has a chance below 1e-8 in all."""
JUDGES = {
    "pairs": on_pairs,
    "noise": lambda loop: on_noise(loop, ERROR),
    "lots": lambda loop: on_lots(loop, ERROR),
    "set-up": on_setup,
}
SEEN = {
    "noise_of_the_mean_on_the_sum": {"noise"},
    "divided_by_the_actual_size": {"pairs"},
    "noise_divided_by_the_actual_size": {"pairs", "noise"},
    "clipped_after_averaging": {"pairs"},
    "skipped_empty_lots": {"pairs", "noise"},
    "drawn_again": {"lots"},
    "shuffled": {"lots"},
    "halved_noise": {"noise"},
    "repeated_noise": {"noise"},
    "clipped_by_coordinate": {"pairs"},
    "sized_setup": {"set-up"},
}


@pytest.mark.parametrize("mistake", [*MISTAKES, *TWINS])
def test_each_mistake_is_seen_by_these_judges_and_right_loops_by_none(mistake):
    loop = StepLoop(PLAN, mistake)
    saw = {name for name, judge in JUDGES.items() if judge(loop).verdict == "REFUTED"}
    assert saw == SEEN.get(mistake, set())


def test_every_mistake_is_expected_to_be_seen():
    assert SEEN.keys() == MISTAKES.keys() - {"none"}


def test_more_noise_than_is_claimed_is_said():
    assert "more noise than is claimed" in on_noise(StepLoop(PLAN, "noise_of_the_sum_on_the_mean"), ERROR).text


def test_a_loop_that_is_none_is_refused():
    with pytest.raises(ValueError, match="mistake must be one of none"):
        StepLoop(PLAN, "other")


EFFORTS = [
    ({"error": F(0)}, "error"),
    ({"runs": 1}, "runs"),
    ({"guesses": 3}, "guesses"),
    ({"canary_error": F(1)}, "can"),
]


@pytest.mark.parametrize(("given", "said"), EFFORTS)
def test_efforts_that_are_none_are_refused(given, said):
    with pytest.raises(ValueError, match=said):
        Effort(**given)


def test_the_bound_of_one_run_is_attained_by_randomised_responses():
    """delta = 0: the oracle is the binomial law itself."""
    for odds in (F(1), F(2), F(7, 3)):
        p = odds / (1 + odds)
        for right in range(9):
            exact = sum((comb(8, k) * p**k * (1 - p) ** (8 - k) for k in range(right, 9)), F(0))
            assert value(8, 8, right, odds, F(0)) == exact


def test_the_bound_of_one_run_needs_its_delta_term():
    """All 20 bits are told with probability 1/100, else fair guesses: (0, 1/100)-DP, and the bound holds."""
    truth = F(1, 100) + F(99, 100) * F(1, 2**20)
    assert value(20, 20, 20, F(1), F(0)) < truth < value(20, 20, 20, F(1), F(1, 100))


@pytest.mark.parametrize(
    ("numbers", "low", "high"),
    [
        ((1000, 100, 90, F(0)), "1.630", "1.6309"),
        ((1000, 100, 90, F(1, 10**5)), "1.6255", "1.6262"),
        ((1000, 200, 190, F(0)), "2.397", "2.3979"),
        ((1000, 200, 190, F(1, 10**5)), "2.393", "2.3937"),
    ],
)
def test_bounds_of_one_run_are_those_that_were_published(numbers, low, high):
    assert F(low) < epsilon_at_least(*numbers, F(1, 20)) < F(high)


def test_what_is_refuted_is_a_certified_comparison():
    assert is_refuted(1000, 100, 90, F("1.63"), F(0), F(1, 20))
    assert not is_refuted(1000, 100, 90, F("1.64"), F(0), F(1, 20))
    assert not is_refuted(10, 10, 10, F(65), F(0), F(1, 2))


def test_no_guess_right_or_none_made_shows_nothing():
    assert value(5, 0, 0, F(1), F(0)) == value(5, 5, 0, F(3), F(1, 9)) == 1
    assert ceiling(5, 0, F(0), F(1, 20)) == 0


@pytest.mark.parametrize("numbers", [(5, 6, 6), (5, 4, 5), (0, 0, 0), (5, 5, -1)])
def test_numbers_of_guesses_that_cannot_be_are_refused(numbers):
    with pytest.raises(ValueError, match="right must be at most guesses"):
        value(*numbers, F(1), F(0))


def test_counts_show_no_more_than_their_ceiling():
    """500 runs at 1/20: about ln(500 / 3.69) = 4.9."""
    assert F("4.8") < by_counts(500, 0, 0, F(0), F(1, 20)) < F("5")
    assert by_counts(500, 250, 250, F(0), F(1, 20)) == 0
    assert by_counts(500, 0, 500, F(0), F(1, 20)) == 0
