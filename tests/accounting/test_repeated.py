"""The best of a random number of runs: against the exact law of the best of small mechanisms."""

from fractions import Fraction
from itertools import accumulate, pairwise
from math import inf
from random import Random

import pytest

from refdp.accounting.accounts import Account
from refdp.accounting.events import (
    NOT_PRIVATE,
    Approximate,
    BallsInBins,
    Event,
    Finite,
    FixedSizeOfAtLeast,
    Gaussian,
    Laplace,
    NoTheorem,
    Poisson,
    RepeatAndSelect,
)
from refdp.accounting.inputs.anything import events_of
from refdp.accounting.inputs.relations import neighbours_of
from refdp.accounting.inputs.spec import read_event
from refdp.accounting.losses import LossError, Profile
from refdp.accounting.pairs import dominating_pairs
from refdp.accounting.repeated import one_run, shifted
from refdp.accounting.runs import gamma_of, mean_runs
from refdp.numerics.elementary import exp_bounds, ln_bounds
from tests.accounting.small_mechanisms import hockey_stick, hockey_sticks, law, possible_law
from tests.examples import few

BITS = 200
TINY = Fraction(1, 2**150)
WIDTH = Fraction(1, 10**9)
"""More than epsilons at delta 0 are rounded up by."""
EPSILONS = [Fraction(n, 4) for n in range(0, 13, 2)]
POWERS = {epsilon: exp_bounds(epsilon, BITS)[1] for epsilon in EPSILONS}


def exact_exp(x):
    return exp_bounds(x, BITS)[0]


def exact_ln(x):
    return ln_bounds(x, BITS)[0]


def generating(numbers, s):
    """E[s^K], to about 2^-200."""
    if numbers.shape is None:
        return exact_exp(numbers.mean * (s - 1))
    kept, shape = 1 - (1 - numbers.gamma) * s, numbers.shape
    if shape == 0:
        return exact_ln(kept) / exact_ln(numbers.gamma)
    return (kept**-shape - 1) / (numbers.gamma**-shape - 1)


def best(numbers, one):
    """The law of the best of K runs, outcomes being in order; where K is 0 nothing is answered."""
    values = [generating(numbers, s) for s in accumulate(one, initial=Fraction(0))]
    return [values[0], *(b - a for a, b in pairwise(values))]


NUMBERS = [
    {"shape": 1, "gamma": "1/3"}, {"shape": 2, "gamma": "1/2"}, {"shape": 0, "gamma": "1/5"}, {"mean": "3/2"},
    {"shape": 3, "gamma": "9/10"}, {"mean": 4},
]  # fmt: skip


def repeated(event, numbers):
    return RepeatAndSelect((event,), **numbers)


def profile(event, neighbours="none"):
    """epsilon -> delta of an event of which a profile is known."""
    (loss,) = set(dominating_pairs(event, neighbours).values())
    assert isinstance(loss, Profile)
    return loss.upper


@pytest.mark.parametrize("shard", range(few(4)))
def test_the_best_of_several_runs_never_costs_more_than_its_profile(shard):
    """1,000 pairs of laws, now and then with impossible outcomes, each both ways; and what is said at delta 0."""
    for seed in range(250 * shard, 250 * shard + 250):
        random = Random(seed)
        kind = law if seed % 3 == 0 else possible_law
        p, q = kind(random), kind(random)
        numbers = repeated(Event(Finite(tuple(zip(p, q, strict=True)))), NUMBERS[seed % len(NUMBERS)])
        found = profile(Event(numbers))
        first, second = best(numbers, p), best(numbers, q)
        assert abs(sum(first) - 1) < TINY
        costs = hockey_sticks(first, second), hockey_sticks(second, first)
        for epsilon in EPSILONS:
            bound = found(epsilon) + TINY
            assert all(cost(POWERS[epsilon]) <= bound for cost in costs)
        assert_bounded_at_delta_0(Event(numbers), p, q, first, second)


def assert_bounded_at_delta_0(event, p, q, first, second):
    """The greatest ratio of the best, either way, is at most e to the upper end, at most (2 + shape) epsilon."""
    answer, shape = Account("none", (event,)).epsilon_bounds(0), event.mechanism.shape
    assert answer.bounds.lower == 0
    if any((a == 0) != (b == 0) for a, b in zip(p, q, strict=True)):
        assert answer.bounds.upper is None
        assert "an outcome is possible for one of two neighbours alone" in answer.reason
        return
    power = exp_bounds(answer.bounds.upper, BITS)[1]
    for one, other in ((first, second), (second, first)):
        assert all(a <= power * b + TINY for a, b in zip(one, other, strict=True))
    run = max(ln_bounds(max(a / b, b / a), BITS)[1] for a, b in zip(p, q, strict=True) if b)
    if shape is not None:
        assert answer.bounds.upper <= (2 + shape) * run + WIDTH
    assert profile(event)(answer.bounds.upper + WIDTH) == 0


def test_of_a_number_of_runs_that_is_1_at_delta_0_nothing_is_added():
    answer = Account("none", (Event(repeated(Event(Approximate(1)), {"shape": 1, "gamma": 1})),)).epsilon_bounds(0)
    assert answer.bounds.upper == 1
    assert "nothing from below" in answer.reason
    beside = Account("none", (Event(repeated(Event(Approximate(1)), {"mean": 2})), Event(Laplace(2)))).epsilon_bounds(0)
    assert beside.bounds.lower == Fraction(1, 2)
    assert beside.bounds.upper > Fraction(3, 2)
    twice = Account("none", (Event(repeated(Event(Approximate(1)), {"shape": "1/2", "gamma": "1/100"}), 2),))
    assert twice.epsilon_bounds(0).bounds.upper == 5
    unbounded = Account("add_remove", (Event(repeated(Event(Gaussian(1)), {"mean": 3})),)).epsilon_bounds(0)
    assert unbounded.bounds.upper is None
    assert "Gaussian noise has unbounded losses" in unbounded.reason


def test_what_is_proved_of_pure_runs_is_nearly_attained_and_no_less_holds():
    """(2 + shape) epsilon: an outcome that is likelier, with better ones that are less likely; many runs."""
    rare, rarer, odds = Fraction(1, 10**3), Fraction(1, 10**7), 2
    for shape in (1, 2):
        p = (1 - odds * rarer - rare, odds * rarer, rare)
        q = (1 - rarer - odds * rare, rarer, odds * rare)
        numbers = repeated(Event(Approximate("ln(2)")), {"shape": shape, "gamma": Fraction(1, 10**9)})
        first, second = best(numbers, p), best(numbers, q)
        worst = max(a / b for a, b in zip(first[1:], second[1:], strict=True))
        assert odds ** (2 + shape) * Fraction(99, 100) < worst <= odds ** (2 + shape)
        found = profile(Event(numbers))
        assert found(ln_bounds(Fraction(odds ** (2 + shape)), 64)[1]) == 0
        assert found(ln_bounds(Fraction(odds), 64)[1]) > 0


def test_the_shift_cannot_be_left_out():
    """Laws within a factor of 2: one run costs nothing at ln 2, and the best of many does."""
    p, q = (tuple(Fraction(n, 6) for n in row) for row in ((2, 2, 2), (1, 1, 4)))
    numbers = repeated(Event(Finite(tuple(zip(p, q, strict=True)))), {"shape": 1, "gamma": "1/10"})
    selected = profile(Event(numbers))
    epsilon = ln_bounds(Fraction(2), 64)[1]
    assert one_run(selected.run, epsilon) == 0
    cost = hockey_stick(best(numbers, p), best(numbers, q), exp_bounds(epsilon, BITS)[1])
    assert 0 < cost <= selected(epsilon)


def test_the_mean_cannot_be_left_out():
    """The best outcome is rare, and impossible on the other table: of many runs it is many times as likely."""
    rare = Fraction(1, 1000)
    p, q = (1 - rare, rare), (Fraction(1), Fraction(0))
    numbers = repeated(Event(Finite(tuple(zip(p, q, strict=True)))), {"shape": 1, "gamma": "1/10"})
    selected = profile(Event(numbers))
    shift, mean = shifted(selected.run, numbers)
    epsilon = Fraction(1)
    assert shift < epsilon
    cost = hockey_stick(best(numbers, p), best(numbers, q), POWERS[epsilon])
    assert one_run(selected.run, epsilon - shift) * 9 < cost <= selected(epsilon) <= mean * rare * 2


def test_one_run_is_one_run():
    event = Event(Gaussian(2), 3)
    found = profile(Event(RepeatAndSelect((event,), 1, 1)), "add_remove")
    truth = Account("add_remove", (event,)).delta_bounds(Fraction(1, 2)).bounds
    assert truth.lower <= found(Fraction(1, 2)) <= truth.upper * Fraction(1001, 1000)


def test_runs_may_be_any_account():
    """A thousand steps on samples, ten runs in the mean: less than twice the epsilon of one run."""
    steps = Event(Gaussian(1), 100, Poisson("1/100"))
    one = Account("add_remove", (steps,)).epsilon_bounds("1e-5").bounds
    found = profile(Event(RepeatAndSelect((steps, Event(Laplace(20))), 1, "1/10")), "add_remove")
    assert found(one.upper) > Fraction(1, 10**5)
    assert found(3 * one.upper) < Fraction(1, 10**5)


def test_beliefs_about_runs_are_beliefs_about_the_best():
    within = Event(Gaussian(2), 1, FixedSizeOfAtLeast(9, 2), frozenset({"somebody"}))
    event = Event(RepeatAndSelect((within,), mean=3))
    assert event.trusts == {"assumption: every table has at least 9 rows", "somebody"}
    assert str(event) == (
        "1 x repeat_and_select(mean=3) of 1 x gaussian(sigma=2, sensitivity=1) on a sample of 2 rows of at least 9"
    )


@pytest.mark.parametrize("shape", [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3)])
def test_a_number_of_runs_is_found_by_its_mean(shape):
    for mean in (Fraction(1), Fraction(3, 2), Fraction(10), Fraction(1000)):
        gamma = gamma_of(mean, shape)
        found = mean_runs(shape, gamma)
        assert mean <= found.upper < mean * (1 + Fraction(1, 10**6))
        assert mean <= found.lower + Fraction(1, 10**30)
    weights = [Fraction(1, 2) ** k * (k + 1) * (k + 2) / 2 for k in range(1, 200)]  # shape 3, gamma 1/2
    mean = sum(k * w for k, w in enumerate(weights, 1)) / sum(weights)
    assert abs(mean - mean_runs(Fraction(3), Fraction(1, 2)).lower) < Fraction(1, 10**30)
    with pytest.raises(LossError, match="mean must be >= 1"):
        gamma_of(Fraction(1, 2), shape)


def test_repeat_and_select_is_read():
    stated = {"mechanism": "repeat_and_select", "events": [{"mechanism": "laplace", "scale": 2}]}
    inside = (Event(Laplace(2)),)
    assert read_event({**stated, "shape": 1, "gamma": "1/10"}).mechanism == RepeatAndSelect(inside, 1, "1/10")
    assert read_event({**stated, "mean": 5, "count": 2}) == Event(RepeatAndSelect(inside, mean=5), 2)
    for wrong, sentence in (
        (stated, "repeat_and_select must be one with shape and gamma, or with mean"),
        ({**stated, "shape": 1}, "with shape and gamma"),
        ({**stated, "shape": 1, "gamma": "1/2", "mean": 2}, "with shape and gamma"),
        ({**stated, "shape": -1, "gamma": "1/2"}, "shape must be >= 0"),
        ({**stated, "shape": 1, "gamma": 0}, "gamma must be > 0"),
        ({**stated, "shape": 1, "gamma": 2}, "gamma must be at most 1"),
        ({**stated, "shape": 5000, "gamma": 1}, "shape must be at most 1000"),
        ({**stated, "mean": 0}, "mean must be > 0"),
        ({**stated, "events": [], "mean": 1}, "events must be at least one event"),
        ({**stated, "events": "laplace", "mean": 1}, "events must be a list"),
        ({**stated, "events": [{**stated, "mean": 1}], "mean": 1}, "events must be no repeat_and_select themselves"),
    ):
        with pytest.raises(LossError, match=sentence):
            read_event(wrong)


class RepeatAndSelectDpEvent:
    def __init__(self, event, mean, shape):
        self.event, self.mean, self.shape = event, mean, shape


class GaussianDpEvent:
    def __init__(self, noise_multiplier):
        self.noise_multiplier = noise_multiplier


class PoissonSampledDpEvent:
    def __init__(self, sampling_probability, event):
        self.sampling_probability, self.event = sampling_probability, event


def test_dp_accountings_event_is_read():
    relation = neighbours_of("add_remove")
    inside = (Event(Gaussian(2)),)
    assert events_of(RepeatAndSelectDpEvent(GaussianDpEvent(2), 4, 1), relation) == [
        Event(RepeatAndSelect(inside, 1, "1/4"))
    ]
    assert events_of(RepeatAndSelectDpEvent(GaussianDpEvent(2), 4, inf), relation) == [
        Event(RepeatAndSelect(inside, mean=4))
    ]
    (half,) = events_of(RepeatAndSelectDpEvent(GaussianDpEvent(2), 4, 0.5), relation)
    assert mean_runs(Fraction(1, 2), half.mechanism.gamma).lower >= 4
    assert events_of(RepeatAndSelectDpEvent(GaussianDpEvent(0), 4, 1), relation) == [Event(NOT_PRIVATE)]
    nested = RepeatAndSelectDpEvent(RepeatAndSelectDpEvent(GaussianDpEvent(2), 4, 1), 4, 1)
    for refused in (nested, PoissonSampledDpEvent(0.5, RepeatAndSelectDpEvent(GaussianDpEvent(2), 4, 1))):
        with pytest.raises(NoTheorem):
            events_of(refused, relation)


def test_what_the_proof_does_not_cover_is_refused():
    mechanism = RepeatAndSelect((Event(Gaussian(1)),), mean=2)
    for scheme in (Poisson("1/2"), BallsInBins(3)):
        with pytest.raises(NoTheorem, match="on a sample"):
            dominating_pairs(Event(mechanism, 1, scheme), "add_remove")
    with pytest.raises(LossError, match="no repeat_and_select themselves"):
        RepeatAndSelect((Event(mechanism),), mean=2)
    with pytest.raises(LossError, match="at least one event"):
        RepeatAndSelect((), mean=2)
