"""Statements that were false once: each trap with the number that shows it."""

from fractions import Fraction
from math import isqrt

import pytest

import refdp
from refdp.accounting.accountant import Accountant
from refdp.accounting.inputs.callables import profile_event
from refdp.accounting.inputs.opendp import opendp_event
from refdp.accounting.theorems.composition import parallel, sequential
from refdp.accounting.theorems.filters import privacy_filter
from refdp.accounting.theorems.guarantees import HypothesisError, guarantee
from refdp.accounting.theorems.odometers import odometer
from refdp.accounting.theorems.trade_off import Gaussian
from tests.counting import counted


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
    for event in (
        guarantee("pure", 1, neighbours="add_remove"),
        guarantee("pure", 1, neighbours="add_remove", reads="b"),
    ):
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


MANY = 2000
"""Different events, or points of a profile."""


def _each_its_own(mechanism, parameter, values):
    return [{"mechanism": mechanism, parameter: str(value)} for value in values]


@pytest.mark.parametrize(
    ("neighbours", "events"),
    [
        ("add_remove", _each_its_own("laplace", "scale", (Fraction(9000 + i, 100) for i in range(MANY)))),
        ("change_one", _each_its_own("randomised_response", "truth", (Fraction(9001 + i, 18001) for i in range(MANY)))),
        ("add_remove", [{"mechanism": "profile", "points": [[str(i), f"1/{i + 2}"] for i in range(MANY)], "count": 9}]),
    ],
)
def test_thousands_of_different_events_end_in_time(neighbours, events):
    """Grids were prepared, and lattices looked for, without a look at the time: minutes where a second was allowed."""
    with counted() as calls:
        refdp.account({"neighbours": neighbours, "events": events}, delta="1e-6", timeout=1)
    assert calls.number < 4000 * MANY


def test_an_opendp_measurement_says_by_which_distance_neighbours_are():
    """A map asked at SymmetricDistance 1 speaks of a row more or less, not of a row replaced, which is 2 away."""

    class Measurement:
        input_metric, output_measure = "SymmetricDistance()", "MaxDivergence"

        def map(self, d_in):
            return d_in / 2

    trusts = Accountant("change_one").compose(opendp_event(Measurement(), 1)).epsilon_bounds("1e-6").trusts
    assert "assumption: neighbours are at most 1 apart by SymmetricDistance()" in trusts


def test_a_width_of_many_digits_ends_in_time():
    """Reading a curve backwards did not look at the time."""
    event = {"mechanism": "gaussian", "sigma": "1", "count": 1000, "sampling": {"scheme": "poisson", "rate": "1/100"}}
    with counted() as calls:
        refdp.account({"neighbours": "add_remove", "events": [event]}, delta="1e-6", width="1e-300", timeout=1)
    assert calls.number < 20_000_000


def test_a_gaussian_trade_off_ends_beside_one():
    """Its quantile was looked for without end where 1 - a is below the last digit."""
    a = Fraction(1, 2**200)
    found = Gaussian(Fraction(1)).at(1 - a)
    assert 0 <= found.lower <= found.upper < Fraction(1, 10**30)
    near, mirrored = Gaussian(Fraction(1)).at(Fraction(1, 10)), Gaussian(Fraction(1)).at(Fraction(9, 10))
    assert near.lower > Fraction(6, 10)  # Phi(0.2816) = 0.6109
    assert mirrored.upper < Fraction(12, 1000)  # Phi(-2.2816) = 0.0113


@pytest.mark.parametrize(
    ("event", "asked"),
    [
        ({"mechanism": "pure", "epsilon": "1e30"}, {"delta": "1e-6"}),
        ({"mechanism": "laplace", "scale": "1000", "sensitivity": "1e30", "count": 10**9}, {"epsilon": "1e6"}),
    ],
)
def test_numbers_that_no_memory_holds_cost_bounds_and_not_the_process(event, asked):
    """Arb ends the process where it makes integers of them."""
    found = refdp.account({"neighbours": "add_remove", "events": [event]}, timeout=2, **asked)
    assert "a number exceeds 2^2097152" in found["answers"][0]["reason"]


@pytest.mark.parametrize("sigma", ["1e-16", "1e-30"])
def test_a_sigma_beyond_the_floats_of_a_contour_is_answered_by_others(sigma):
    """It ended as bad input, with a sentence of Python's about NaN."""
    events = [{"mechanism": "gaussian", "sigma": sigma}]
    found = refdp.account({"neighbours": "add_remove", "events": events}, delta="1e-6", timeout=2)
    assert float(found["answers"][0]["epsilon"]["lower"]) > 10**5


def test_the_sum_of_many_gaussians_is_a_number_too_long_to_be_written():
    """Python writes none of more than 4,300 digits; this ended as bad input, with its sentence about that."""
    sigmas = [Fraction(10**9 + 7 * k * k, 10**6 + 3) for k in range(600)]
    merged = sum(1 / sigma**2 for sigma in sigmas)
    assert merged.denominator > 10**4300
    events = [{"mechanism": "gaussian", "sigma": str(sigma)} for sigma in sigmas]
    found = refdp.account({"neighbours": "add_remove", "events": events}, delta="1e-6")["answers"][0]["epsilon"]
    unit = 10**40
    root = Fraction(isqrt(merged.numerator * unit**2 // merged.denominator), unit)
    one = {"mechanism": "gaussian", "sigma": "1", "sensitivity": str(root)}  # with nearly as much in all
    beside = refdp.account({"neighbours": "add_remove", "events": [one]}, delta="1e-6")["answers"][0]["epsilon"]
    for end in ("lower", "upper"):
        assert abs(Fraction(found[end]) - Fraction(beside[end])) < Fraction(1, 10**9)
