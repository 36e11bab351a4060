"""What OpenDP's maps return, by the name of the measure; the objects here have the shape of OpenDP's."""

from fractions import Fraction

import pytest

from refdp.accounting.accounts import Account
from refdp.accounting.events import Approximate, Concentrated, NoTheorem
from refdp.accounting.inputs.opendp import loss_event, opendp_event
from refdp.accounting.losses import LossError
from refdp.accounting.stated.bounds import ORDERS


class Measurement:
    def __init__(self, measure, loss):
        self.output_measure, self.loss = measure, loss

    def map(self, d_in):
        return self.loss(d_in)


def test_losses_are_read_by_their_measure():
    for measure, loss, mechanism in (
        ("MaxDivergence", 0.5, Approximate("1/2")),
        ("MaxDivergence()", 0.5, Approximate("1/2")),
        ("Approximate<MaxDivergence>", (0.5, 0.25), Approximate("1/2", "1/4")),
        ("FixedSmoothedMaxDivergence", (0.5, 0.25), Approximate("1/2", "1/4")),
        ("ZeroConcentratedDivergence", 0.5, Concentrated("1/2")),
        ("ZeroConcentratedDivergence", 0.0, Approximate(0)),
        ("Approximate<ZeroConcentratedDivergence>", (0.5, 0.0), Concentrated("1/2")),
    ):
        event = loss_event(measure, loss, 3)
        assert (event.mechanism, event.count) == (mechanism, 3)
        assert event.trusts == {"OpenDP's map"}


def test_a_measurement_is_asked_at_its_distance():
    event = opendp_event(Measurement("MaxDivergence", lambda d_in: d_in / 4), 2.0)
    assert event.mechanism == Approximate("1/2")


def test_a_profile_is_asked_at_an_epsilon_no_greater():
    asked = []

    class PrivacyProfile:
        def delta(self, epsilon):
            asked.append(epsilon)
            return 0.25

    profile = loss_event("SmoothedMaxDivergence", PrivacyProfile()).mechanism
    assert profile.upper(Fraction(1, 3)) == Fraction(1, 4)
    assert Fraction(asked[0]) <= Fraction(1, 3)


def test_a_renyi_curve_is_asked_at_exact_orders():
    event = loss_event("RenyiDivergence", lambda order: order / 2)
    assert event.mechanism.bounds == tuple((order, order / 2) for order in ORDERS)


def test_what_is_believed_stands_on_the_answer():
    answer = Account("add_remove", (loss_event("MaxDivergence", 0.5),)).epsilon_bounds(Fraction(1, 10**6))
    assert "OpenDP's map" in answer.trusts
    assert answer.bounds.upper <= Fraction(1, 2)


def test_unknown_measures_are_refused():
    for measure, loss in (("Other", 1.0), ("Approximate<ZeroConcentratedDivergence>", (0.5, 0.25))):
        with pytest.raises(NoTheorem):
            loss_event(measure, loss)


@pytest.mark.parametrize(
    ("measure", "loss", "sentence"),
    [
        ("MaxDivergence", float("inf"), "epsilon must be a number"),
        ("MaxDivergence", -1.0, "epsilon must be >= 0"),
        ("Approximate<MaxDivergence>", 0.5, "the loss must be"),
        ("SmoothedMaxDivergence", 0.5, "must be a PrivacyProfile"),
        ("RenyiDivergence", 0.5, "must be a function of the order"),
    ],
)
def test_bad_losses_get_one_clear_sentence(measure, loss, sentence):
    with pytest.raises(LossError, match=sentence):
        loss_event(measure, loss)


def test_what_is_no_measurement_is_refused():
    with pytest.raises(LossError, match="measurement must have output_measure and map"):
        opendp_event(3, 1)
