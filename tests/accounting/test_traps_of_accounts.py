"""Statements that were false once: each trap with the number that shows it."""

from fractions import Fraction

import pytest

import refdp
from refdp.accounting.accountant import Accountant
from refdp.accounting.inputs.callables import profile_event
from refdp.accounting.theorems.composition import parallel, sequential
from refdp.accounting.theorems.filters import privacy_filter
from refdp.accounting.theorems.guarantees import HypothesisError, guarantee
from refdp.accounting.theorems.odometers import odometer


@pytest.mark.parametrize(("neighbours", "steps"), [("add_remove", 1), ("change_one", 3)])
def test_opacus_without_noise_is_not_infinite_where_a_row_is_seldom_sampled(neighbours, steps):
    """A row that is in no sample tells nothing: delta is 1 - (1 - rate)^steps at every epsilon, not 1."""
    found = refdp.account({"history": [(0, "1/1000", steps)]}, neighbours=neighbours, epsilon=0, delta="1/100")
    delta = next(answer["delta"] for answer in found["answers"] if "delta" in answer)
    epsilon = next(answer["epsilon"] for answer in found["answers"] if "epsilon" in answer)
    assert Fraction(delta["lower"]) <= 1 - Fraction(999, 1000) ** steps <= Fraction(delta["upper"])
    assert epsilon == {"lower": "0", "upper": "0"}


def test_an_accountant_says_what_is_believed_of_its_events():
    event = profile_event(lambda epsilon: Fraction(1, 100), "mine", exact=True)
    found = Accountant("add_remove").compose(event, 2).delta_bounds(1)
    assert "assumption: mine bounds delta" in found.trusts


def test_a_filter_of_a_part_admits_nothing_that_reads_more():
    """Two filters of disjoint parts that let mechanisms on all rows pass would halve the loss of those."""
    part = guarantee("pure", 1, neighbours="add_remove", reads="a")
    one = privacy_filter(part)
    for event in (guarantee("pure", 1, neighbours="add_remove"), guarantee("pure", 1, neighbours="add_remove", reads="b")):
        assert not one.admits(event)
    assert one.admits(part)
    assert parallel([one.budget, guarantee("pure", 1, neighbours="add_remove", reads="b")], disjoint=True).loss == (1,)


@pytest.mark.parametrize("measure", ["pure", "concentrated"])
def test_an_odometer_reads_what_was_chosen_adaptively(measure):
    """After a cheap outcome an interaction may stop, after another go on: its cheap reading is no loss of the whole."""
    meter = odometer(measure, "add_remove", **({} if measure == "pure" else {"delta": "1/100"}))
    for reading in (meter.reading, meter.spend(guarantee(measure, 1, neighbours="add_remove")).reading):
        with pytest.raises(HypothesisError, match="chosen adaptively"):
            sequential([reading, reading])
