"""An accountant where dp_accounting's is used."""

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refdp
from refdp.accounting.accountant import Accountant
from refdp.accounting.accounts import Account, Limits
from refdp.accounting.events import NOT_PRIVATE, Event, Gaussian, Laplace, NoTheorem, Poisson, RandomisedResponse
from refdp.accounting.losses import LossError


class GaussianDpEvent:
    def __init__(self, noise_multiplier):
        self.noise_multiplier = noise_multiplier


class SelfComposedDpEvent:
    def __init__(self, event, count):
        self.event, self.count = event, count


class UnsupportedDpEvent:
    pass


class REPLACE_ONE:
    name = "REPLACE_ONE"


def test_composing_returns_the_accountant_and_keeps_a_ledger():
    accountant = Accountant("ADD_OR_REMOVE_ONE")
    assert accountant.compose(Gaussian(2), 3).compose(GaussianDpEvent(2.0)) is accountant
    assert accountant.ledger == (Event(Gaussian(2), 3), Event(Gaussian(2), 1))
    assert accountant.neighbours == "add_remove"
    assert accountant.account == Account("add_remove", accountant.ledger)


def test_counts_loops_and_trees_say_the_same():
    loop = Accountant("add_remove")
    for _ in range(6):
        loop.compose(Laplace(2))
    counted = Accountant("add_remove").compose(Laplace(2), 6)
    nested = Accountant("add_remove").compose(Event(Laplace(2), 3), 2)
    tree = Accountant("add_remove").compose(SelfComposedDpEvent(SelfComposedDpEvent(GaussianDpEvent(2), 2), 3))
    answers = [one.epsilon_bounds("1e-3").bounds for one in (loop, counted, nested)]
    assert answers[0] == answers[1] == answers[2]
    flat = Accountant("add_remove").compose(Gaussian(2), 6)
    assert tree.epsilon_bounds("1e-3").bounds == flat.epsilon_bounds("1e-3").bounds


@given(st.integers(min_value=1, max_value=200), st.sampled_from(["1e-3", "1e-6", "1e-12"]))
def test_scalars_are_upper_bounds_rounded_up(count, delta):
    accountant = Accountant("add_remove").compose(Gaussian(10), count)
    answer = accountant.epsilon_bounds(delta).bounds
    epsilon = accountant.get_epsilon(target_delta=delta)
    assert answer.upper <= epsilon < answer.upper * (1 + Fraction(1, 2**50))
    bound = accountant.get_delta(target_epsilon=epsilon)
    assert isinstance(bound, float)
    assert bound >= accountant.delta_bounds(epsilon).bounds.upper
    assert bound <= float(Fraction(delta)) * (1 + 1e-6)


def test_accounts_and_accountants_read_the_same_numbers():
    accountant = refdp.Accountant("add_remove").compose(Gaussian(10), 5)
    assert accountant.account.epsilon_bounds("1e-6").bounds == accountant.epsilon_bounds(Fraction(1, 10**6)).bounds
    assert accountant.account.delta_bounds("1/2", Limits(width="1e-3")).bounds.within(Fraction(1, 1000))


def test_floats_are_taken_as_they_are():
    accountant = Accountant("add_remove").compose(Gaussian(10), 5)
    assert accountant.epsilon_bounds(0.5**20) == accountant.epsilon_bounds(Fraction(1, 2**20))


def test_what_is_infinite_is_infinite():
    accountant = Accountant("add_remove").compose(NOT_PRIVATE)
    assert accountant.get_epsilon("1e-6") == inf
    assert accountant.get_delta(3) == 1.0


def test_the_relation_counts():
    added = Accountant("ADD_OR_REMOVE_ONE").compose(GaussianDpEvent(10.0))
    replaced = Accountant(REPLACE_ONE).compose(GaussianDpEvent(10.0))
    assert replaced.epsilon_bounds("1e-6").bounds == (
        Accountant("change_one").compose(Gaussian(5)).epsilon_bounds("1e-6").bounds
    )
    assert replaced.epsilon_bounds("1e-6").bounds.lower > added.epsilon_bounds("1e-6").bounds.upper


def test_a_refused_event_leaves_the_ledger_as_it_was():
    accountant = Accountant("add_remove").compose(Gaussian(1))
    for event in (UnsupportedDpEvent(), RandomisedResponse("3/4"), [Gaussian(1), UnsupportedDpEvent()]):
        assert not accountant.supports(event)
        with pytest.raises(NoTheorem):
            accountant.compose(event)
    for count in (0, 10**18, 1.5):
        with pytest.raises(LossError, match="count must be a whole number"):
            accountant.compose(Gaussian(1), count)
    assert accountant.ledger == (Event(Gaussian(1)),)
    assert accountant.supports(Event(Gaussian(1), 1, Poisson("1/2")))


def test_an_answer_is_worked_out_again_after_composing():
    accountant = Accountant("add_remove", Limits(width=Fraction(1, 1000))).compose(Gaussian(1))
    before = accountant.epsilon_bounds("1e-6")
    assert accountant.epsilon_bounds("1e-6") is before
    assert accountant.compose(Gaussian(1)).epsilon_bounds("1e-6").bounds.lower > before.bounds.upper
    assert before.bounds.within(Fraction(1, 1000))


@pytest.mark.parametrize("delta", [1, -1, 2, "x", float("nan"), None])
def test_a_bad_delta_gets_one_clear_sentence(delta):
    with pytest.raises(LossError, match="delta must be"):
        Accountant("add_remove").compose(Gaussian(1)).get_epsilon(delta)


def test_the_relation_must_be_named():
    with pytest.raises(LossError, match="neighbours must be one of"):
        Accountant(None)


def test_a_delta_of_0_asks_for_the_greatest_loss():
    assert Accountant("add_remove").compose({"mechanism": "laplace", "scale": 4}, 10).get_epsilon(0) == 2.5
    assert Accountant("add_remove").compose(Gaussian(1)).get_epsilon(0) == float("inf")
