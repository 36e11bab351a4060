"""Histories of Opacus: the accountant, its state_dict and the list itself say the same."""

from fractions import Fraction

import pytest

from refdp.accounting.events import Event, Gaussian, Poisson, unmasked
from refdp.accounting.inputs.anything import events_of
from refdp.accounting.inputs.opacus import read_history
from refdp.accounting.inputs.relations import Relation
from refdp.accounting.losses import LossError

HISTORY = [(1.25, 0.25, 100), (2.0, 0.5, 7)]
READ = [Event(Gaussian("5/4"), 100, Poisson("1/4")), Event(Gaussian(2), 7, Poisson("1/2"))]
ADD = Relation("add_remove")


class RDPAccountant:
    history = HISTORY


def test_a_history_is_gaussian_noise_on_poisson_samples():
    assert read_history(HISTORY, ADD) == READ
    for whole in (RDPAccountant(), {"history": HISTORY, "mechanism": "rdp"}, {"history": HISTORY}):
        assert events_of(whole, ADD) == READ
        assert events_of(whole, Relation("change_one")) == READ


def test_rates_and_noise_at_the_ends():
    assert read_history([(1.0, 0.0, 5)], ADD) == []
    assert read_history([(1.0, 1.0, 5)], ADD) == [Event(Gaussian(1), 5, Poisson(1))]
    assert read_history([(0.0, 0.5, 5)], ADD) == [Event(unmasked(Fraction(1, 2), "add_remove"), 5)]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"history": 3}, "history must be a list"),
        ({"mechanism": "rdp", "history": [(1, 2)]}, "a row of a history must be"),
        ([(1.0, 2.0, 3)], "sample_rate must be between 0 and 1"),
        ([(1.0, Fraction(-1), 3)], "sample_rate must be between 0 and 1"),
        ([(-1.0, 0.5, 3)], "noise_multiplier must be >= 0"),
        ([(float("nan"), 0.5, 3)], "noise_multiplier must be a number"),
        ([(1.0, 0.5, 0)], "steps must be a whole number"),
        ([(1.0, 0.5, 2.5)], "steps must be a whole number"),
    ],
)
def test_a_bad_history_gets_one_clear_sentence(wrong, sentence):
    with pytest.raises(LossError, match=sentence):
        read_history(wrong, ADD)


def test_a_history_speaks_of_tables():
    with pytest.raises(LossError, match="neighbours must be add_remove or change_one"):
        read_history(HISTORY, Relation("none"))
