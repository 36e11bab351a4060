"""Where a pair is only a bound, nothing is said from below: answers, calibration, and noise in every turn beside it."""

from fractions import Fraction as F

import pytest
from mpmath import erfc, exp, mp, mpf, sqrt

from refdp.accounting.accounts import ABOVE, Account, Limits
from refdp.accounting.calibrating import calibrate
from refdp.accounting.curves import OutOfReach
from refdp.accounting.events import (
    Approximate,
    BallsInBins,
    DiscreteLaplace,
    Event,
    Gaussian,
    LaplaceNoisyMax,
    PermuteAndFlip,
    TruncatedPoisson,
    WithReplacement,
)
from refdp.report.pictures.losses import sides_of
from refdp.report.pictures.trade_offs import band_of

ROUGH = Limits(F(1, 100), timeout=5)


def noise_alone(sigma, epsilon):
    """delta of Gaussian noise."""
    with mp.workdps(40):
        s, e = mpf(sigma.numerator) / sigma.denominator, mpf(epsilon)
        normal = lambda x: erfc(-x / sqrt(2)) / 2  # noqa: E731
        return normal(1 / (2 * s) - e * s) - exp(e) * normal(-1 / (2 * s) - e * s)


@pytest.mark.parametrize(("sigma", "epsilon"), [(F(1), 4), (F(1, 2), 4), (F(3), 4), (F(2), 1)])
def test_balls_in_one_bin_are_noise_alone(sigma, epsilon):
    answer = Account("add_remove", (Event(Gaussian(sigma), 1, BallsInBins(1, 1)),)).delta_bounds(epsilon, ROUGH)
    truth = noise_alone(sigma, epsilon)
    assert answer.bounds.lower == 0
    assert truth * (1 - mpf(10) ** -9) <= mpf(answer.bounds.upper.numerator) / answer.bounds.upper.denominator
    assert mpf(answer.bounds.upper.numerator) / answer.bounds.upper.denominator <= truth * mpf("1.02")


def test_balls_in_bins_cost_no_more_than_noise_in_every_turn_and_less_where_the_lattice_is_fine():
    for steps, turns, delta in ((8, 8, "1e-6"), (100, 1, "1e-6"), (2, 1, "1e-20")):
        balls = Account("add_remove", (Event(Gaussian(1), 1, BallsInBins(steps, turns)),)).epsilon_bounds(delta, ROUGH)
        noise = Account("add_remove", (Event(Gaussian(1), turns),)).epsilon_bounds(delta, ROUGH)
        assert balls.bounds.upper <= noise.bounds.upper
        assert balls.bounds.lower == 0
        assert (balls.bounds.upper < noise.bounds.upper / 2) == (steps == 100)


EVENTS = {
    "truncated": ("add_remove", Event(Gaussian(2), 10, TruncatedPoisson(F(1, 100), 20, 1000))),
    "with replacement": ("change_one", Event(Gaussian(2), 1, WithReplacement(100, 5))),
    "noisy max": ("none", Event(LaplaceNoisyMax(2), 1)),
    "flips, twice": ("none", Event(PermuteAndFlip(2), 2)),
}


@pytest.mark.parametrize("name", EVENTS)
def test_where_the_pair_is_only_a_bound_the_lower_end_is_0_and_the_answer_says_so(name):
    neighbours, event = EVENTS[name]
    answer = Account(neighbours, (event, Event(Gaussian(5), 1))).epsilon_bounds("1e-6", ROUGH)
    assert answer.bounds.lower == 0
    assert 0 < answer.bounds.upper < 30
    assert answer.reason.startswith(ABOVE)
    assert event.name in answer.reason


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Event(Gaussian(2), 10, TruncatedPoisson(F(1, 100), 20, 1000)), "Gaussian noise has unbounded losses"),
        (Event(Gaussian(2), 1, BallsInBins(8, 1)), "an outcome is possible for one of two neighbours alone"),
        (Event(Approximate(1), 3, TruncatedPoisson(F(1, 2), 2, 9)), None),
    ],
)
def test_at_delta_0_it_is_said_why_no_epsilon_is_known(event, why):
    answer = Account("add_remove", (event,)).epsilon_bounds(0, ROUGH)
    assert answer.bounds.lower == 0
    assert answer.note is None
    assert answer.reason.startswith(ABOVE)
    if why is None:
        assert 0 < answer.bounds.upper < 9
        assert "no epsilon is known" not in answer.reason
    else:
        assert answer.bounds.upper is None
        assert answer.reason.endswith(f"; no epsilon is known at delta 0: {why}")


def test_permute_and_flip_alone_attains_its_bound():
    answer = Account("none", (Event(PermuteAndFlip(2), 1),)).epsilon_bounds("1e-6", ROUGH)
    assert answer.reason is None
    assert 0 < answer.bounds.lower


def test_draws_of_many_steps_on_a_grid_are_no_worse_than_their_greatest_loss():
    for scale in (50_000, 50_001):
        event = Event(DiscreteLaplace(scale, scale), 1, WithReplacement(10, 2))
        answer = Account("change_one", (event,)).epsilon_bounds("1e-6", ROUGH)
        assert F(79, 100) < answer.bounds.upper <= 2


def test_a_target_that_is_missed_by_the_bound_alone_is_not_said_to_be_missed():
    sampling = {"scheme": "balls_in_bins", "steps": 1, "turns": 1}
    spec = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "?", "sampling": sampling}]}
    found = calibrate(spec, 4, "1e-6", limits=ROUGH)
    assert F("1.1935") < found.meets < F("1.21")
    assert found.fails is None
    assert found.reason.startswith(ABOVE)


def test_a_width_that_is_not_reached_is_said_beside_what_is_not_known_from_below():
    event = Event(Gaussian(2), 10, TruncatedPoisson(F(1, 100), 20, 1000))
    answer = Account("add_remove", (event, Event(LaplaceNoisyMax(F(1, 3)), 7))).epsilon_bounds(
        "1e-6", Limits(F(1, 10**12), timeout=F(1, 100))
    )
    assert answer.reason.startswith(ABOVE)
    assert "; " in answer.reason


@pytest.mark.parametrize("draw", [sides_of, band_of])
def test_no_picture_shows_from_below_what_is_not_known(draw):
    with pytest.raises(OutOfReach, match="nothing is known from below"):
        draw(Account("add_remove", (Event(Gaussian(1), 1, BallsInBins(8, 1)),)), 5.0)
