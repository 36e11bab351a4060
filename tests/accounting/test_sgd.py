"""DP-SGD: the scheme and the relation are said, and mean what they say."""

from fractions import Fraction

import pytest

from refdp.accounting.events import Event, FixedSize, Gaussian, NoTheorem, Poisson
from refdp.accounting.losses import LossError, Sampled
from refdp.accounting.sgd import sgd_account

MNIST = {"rows": 60000, "batch": 256, "noise_multiplier": "1.1"}


def test_poisson_batches_are_moved_by_a_row_added():
    for neighbours in ("add_remove", "change_one"):
        account = sgd_account(**MNIST, sampling="poisson", neighbours=neighbours, epochs=15)
        assert account.events == (Event(Gaussian("1.1"), 3516, Poisson(Fraction(256, 60000))),)
    ((loss, _),) = account.compositions["replace"].parts
    assert isinstance(loss, Sampled)
    assert loss.direction == "replace"


def test_fixed_batches_are_moved_by_a_row_replaced():
    account = sgd_account(**MNIST, sampling="fixed_size", neighbours="change_one", steps=100)
    assert account.events == (Event(Gaussian("1.1", 2), 100, FixedSize(60000, 256)),)
    with pytest.raises(NoTheorem, match="fixed size"):
        sgd_account(**MNIST, sampling="fixed_size", neighbours="add_remove", steps=100)


def test_shuffled_batches_are_refused():
    with pytest.raises(NoTheorem, match="not independent samples"):
        sgd_account(**MNIST, sampling="shuffle", neighbours="add_remove", epochs=1)


def test_epochs_are_rounded_up_to_steps():
    def steps(**length):
        return sgd_account(rows=10, batch=3, noise_multiplier=1, sampling="poisson", neighbours="add_remove", **length)

    assert steps(epochs=1).events[0].count == 4
    assert steps(epochs="3/10").events[0].count == 1
    assert steps(steps=4) == steps(epochs="1")


@pytest.mark.parametrize(("neighbours", "known"), [("add_remove", "1.1339132"), ("change_one", "1.9287490")])
def test_a_known_run_costs_what_it_costs(neighbours, known):
    """15 epochs of MNIST at delta = 1e-5: dp_accounting 0.6.0 says `known` on a grid of 1e-4, a little too much."""
    account = sgd_account(**MNIST, sampling="poisson", neighbours=neighbours, epochs=15)
    bounds = account.epsilon_bounds(Fraction(1, 10**5)).bounds
    assert Fraction(known) - Fraction(1, 10**3) < bounds.lower <= bounds.upper < Fraction(known)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"sampling": "random"}, "sampling must be one of poisson, fixed_size, shuffle, got 'random'"),
        ({"neighbours": "both"}, "neighbours must be one of"),
        ({"batch": 60001}, "batch must be a whole number from 1 to 60000, got 60001"),
        ({"rows": 0}, "rows must be a whole number"),
        ({"noise_multiplier": 0}, "noise_multiplier must be > 0"),
        ({"epochs": None}, "one of epochs and steps must be given, got neither"),
        ({"steps": 3}, "one of epochs and steps must be given, got both"),
        ({"epochs": 0}, "epochs must be > 0"),
        ({"epochs": 10**9}, "steps must be a whole number from 1 to 1000000000"),
    ],
)
def test_a_bad_run_gets_one_clear_sentence(changes, sentence):
    run = {**MNIST, "sampling": "poisson", "neighbours": "add_remove", "epochs": 1} | changes
    with pytest.raises(LossError, match=sentence):
        sgd_account(**run)
