"""Calibration: one side provably meets the target, the other provably does not."""

from fractions import Fraction
from random import Random

import pytest

import refdp
from refdp.accounting import calibrating
from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.calibrating import calibrate, filled, free_parameter
from refdp.accounting.inputs.spec import read_spec
from refdp.accounting.losses import LossError
from refdp.numerics.calibration import analytic_sigma
from tests.examples import few

DELTA = Fraction(1, 10**6)


def spec(**parameters):
    return {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", **parameters}]}


def side(stated, value, epsilon):
    """Whether the account at the value meets the target: asked anew."""
    found = read_spec(filled(stated, value))
    (answer,) = Account(found.neighbours, found.events).answers([Question(epsilon=epsilon)])
    return answer.bounds.upper <= DELTA, answer.bounds.lower > DELTA


@pytest.mark.parametrize(
    ("stated", "unit", "falling"),
    [
        (spec(sigma="?"), 4, True),
        (spec(sigma="?", count=1000), 4, True),
        (spec(sigma=50, count="?"), None, False),
        (spec(sigma=50, sensitivity="?"), 4, False),
        (spec(sigma=1, count=1000, sampling={"scheme": "poisson", "rate": "?"}), 2, False),
        ({"neighbours": "add_remove", "events": [{"mechanism": "laplace", "scale": "?", "count": 30}]}, 4, True),
        ({"neighbours": "add_remove", "events": [{"mechanism": "pure", "epsilon": "?", "count": 30}]}, 4, False),
    ],
)
def test_both_sides_are_certified_and_next_to_each_other(stated, unit, falling):
    found = calibrate(stated, Fraction(1), DELTA, digits=unit or 4)
    assert found.reason is None
    assert (found.meets > found.fails) == falling
    gap = abs(found.meets - found.fails)
    assert gap <= (1 if unit is None else min(found.meets, found.fails) / 10 ** (unit - 1))
    whole = found.parameter == "count"
    assert side(stated, int(found.meets) if whole else found.meets, Fraction(1)) == (True, False)
    assert side(stated, int(found.fails) if whole else found.fails, Fraction(1)) == (False, True)


def test_one_gaussian_is_that_of_the_analytic_calibration():
    found = refdp.calibrate(spec(sigma="?"), "1", "1e-6", digits=8)
    least = analytic_sigma(1, DELTA)
    assert found.fails <= least <= found.meets * (1 + Fraction(1, 10**10))


def test_a_target_that_is_always_met_or_never_is_said_so():
    always = calibrate(spec(sigma=10**9, sensitivity=1, count="?"), Fraction(1), Fraction(9, 10))
    assert (always.meets, always.fails) == (Fraction(10**9), None)
    never = calibrate(spec(sigma="1e-6", count="?"), Fraction(1), DELTA)
    assert (never.meets, never.fails) == (None, Fraction(1))
    rate = calibrate(spec(sigma=100, sampling={"scheme": "poisson", "rate": "?"}), Fraction(1), DELTA)
    assert (rate.meets, rate.fails) == (Fraction(1), None)


def test_one_mark_may_stand_more_than_once():
    both = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "?"}] * 2}
    found, twice = calibrate(both, Fraction(1), DELTA), calibrate(spec(sigma="?", count=2), Fraction(1), DELTA)
    assert (found.meets, found.fails) == (twice.meets, twice.fails)


@pytest.mark.parametrize(
    ("stated", "epsilon", "meets", "fails"),
    [
        ({"mechanism": "laplace", "scale": "?", "count": 30}, 1, Fraction(30), Fraction("29.99")),
        ({"mechanism": "laplace", "scale": 3, "count": "?"}, 1, Fraction(3), Fraction(4)),
        ({"mechanism": "pure", "epsilon": "?", "count": 3}, 1, Fraction("0.3333"), Fraction("0.3334")),
        (
            {"mechanism": "laplace", "scale": 1, "sampling": {"scheme": "poisson", "rate": "?"}},
            "1/2",
            "0.3775",
            "0.3776",
        ),
        ({"mechanism": "gaussian", "sigma": "?"}, 1, None, Fraction(10**12)),
        ({"mechanism": "approximate", "epsilon": 1, "delta": "1e-9", "count": "?"}, 2, None, Fraction(1)),
        ({"mechanism": "laplace", "scale": "?"}, 0, None, Fraction(10**12)),
    ],
)
def test_at_delta_0_the_greatest_loss_decides(stated, epsilon, meets, fails):
    """ln(1 + rate (e - 1)) = 1/2 at rate 0.37754; Gaussian noise never does, and Laplace noise never at epsilon 0."""
    found = calibrate({"neighbours": "add_remove", "events": [stated]}, epsilon, 0)
    assert (found.meets, found.fails) == (None if meets is None else Fraction(meets), Fraction(fails))
    assert found.reason is None


def random_spec(random):
    """A spec whose count is looked for, at times beside other events, and its target."""
    sampled = {"scheme": "poisson", "rate": f"1/{random.randrange(20, 60)}"}
    one = random.choice(
        [
            {"mechanism": "gaussian", "sigma": random.randrange(5, 200)},
            {"mechanism": "laplace", "scale": random.randrange(10, 60)},
            {"mechanism": "discrete_laplace", "scale": random.randrange(10, 60)},
            {"mechanism": "pure", "epsilon": f"1/{random.randrange(5, 60)}"},
            {"mechanism": "approximate", "epsilon": f"1/{random.randrange(5, 90)}", "delta": "1e-9"},
            {"mechanism": "finite", "outcomes": [["1/2", "49/100"], ["1/2", "51/100"]]},
            {"mechanism": "gaussian", "sigma": random.randrange(2, 5), "sampling": sampled},
        ]
    )
    beside = [{"mechanism": "gaussian", "sigma": 3}] if random.random() < 0.2 else []
    if beside and one["mechanism"] != "gaussian":
        beside = []
    relation = "none" if one["mechanism"] == "finite" else "add_remove"
    return {"neighbours": relation, "events": [{**one, "count": "?"}, *beside]}, random.randrange(1, 5)


@pytest.mark.parametrize("seed", range(few(30)))
def test_a_count_is_that_of_a_search_from_one_on_with_fewer_accounts(seed, monkeypatch):
    stated, epsilon = random_spec(Random(seed))
    made, answers = [], Account.answers

    def counted(self, *rest, **limits):
        made.append(self)
        return answers(self, *rest, **limits)

    monkeypatch.setattr(calibrating.Account, "answers", counted)
    found = calibrate(stated, epsilon, DELTA)
    few_accounts = len(made)
    monkeypatch.setattr(calibrating._Search, "_estimate", lambda self: None)
    assert calibrate(stated, epsilon, DELTA) == found
    assert found.meets is None or found.fails == found.meets + 1
    assert few_accounts <= min(9, len(made) - few_accounts + 2)


def test_a_count_whose_neighbourhood_is_not_decided_is_bracketed_from_farther_off(monkeypatch):
    unknown = {"neighbours": "add_remove", "events": [{"mechanism": "zcdp", "rho": "1/1000", "count": "?"}]}
    found = calibrate(unknown, 3, DELTA)
    assert found.meets < 205 < found.fails
    assert found.reason.startswith("at count = ")
    monkeypatch.setattr(calibrating._Search, "_estimate", lambda self: None)
    assert calibrate(unknown, 3, DELTA) == found


def test_a_wrong_estimate_costs_accounts_and_no_more(monkeypatch):
    stated = spec(sigma=50, count="?")
    found = calibrate(stated, 1, DELTA)
    for first in (1, 17, 10**6, 10**9):
        monkeypatch.setattr(calibrating.Estimate, "count_at", lambda self, height, first=first: first)
        assert calibrate(stated, 1, DELTA) == found


def test_what_is_not_decided_is_said(monkeypatch):
    unknown = {"neighbours": "add_remove", "events": [{"mechanism": "profile", "points": [[0, 1]], "count": "?"}]}
    found = calibrate(unknown, Fraction(1), DELTA)
    assert (found.meets, found.fails) == (None, None)
    assert found.reason.startswith("at count = 1 it is not decided: ")
    found = calibrate(spec(sigma="?"), Fraction(1), DELTA, limits=Limits(timeout=1e-9))
    assert found.reason == "the work that --timeout allows is done"


def test_an_interrupt_keeps_what_is_decided(monkeypatch):
    asked = []
    answers = Account.answers

    def interrupted(self, *rest, partial):
        asked.append(self)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return answers(self, *rest, partial=partial)

    monkeypatch.setattr(calibrating.Account, "answers", interrupted)
    found = calibrate(spec(sigma="?"), Fraction(1), DELTA)
    assert found.reason == "interrupted"
    assert found.fails is not None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (spec(sigma=1), 'spec must be one with "[?]" for one parameter, got none'),
        (spec(sigma="?", count="?"), "got count and sigma"),
        (spec(sigma="?", extra=1), "no keys but"),
        ({"neighbours": "?", "events": []}, 'the parameter with "[?]" must be one of sigma, scale, count'),
    ],
)
def test_a_bad_spec_gets_one_clear_sentence(wrong, sentence):
    with pytest.raises(LossError, match=sentence):
        calibrate(wrong, Fraction(1), DELTA)


def test_a_bad_target_gets_one_clear_sentence():
    for epsilon, delta, digits, sentence in (
        (Fraction(-1), DELTA, 4, "epsilon must be between"),
        (Fraction(1), Fraction(1), 4, "delta must be strictly between"),
        (Fraction(1), Fraction(-1), 4, "delta must be strictly between"),
        (Fraction(-1), Fraction(0), 4, "epsilon must be between"),
        (Fraction(1), DELTA, 0, "digits must be 1 to 12, got 0"),
    ):
        with pytest.raises(LossError, match=sentence):
            calibrate(spec(sigma="?"), epsilon, delta, digits=digits)


def test_the_free_parameter_is_found_wherever_it_stands():
    assert free_parameter(spec(sigma=1, sampling={"scheme": "poisson", "rate": "?"})) == "rate"
