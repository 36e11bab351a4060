"""refdp's own measurements as events."""

from fractions import Fraction

import pytest

import refdp
from refdp.accounting.accounts import Account
from refdp.accounting.events import (
    Approximate,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    KAryRandomisedResponse,
    NoTheorem,
)
from refdp.accounting.inputs.measurements import measurement_event
from refdp.accounting.losses import LossError


def read(measurement, d_in, neighbours="none"):
    return measurement_event(measurement, d_in, neighbours).mechanism


def test_noise_is_read_exactly():
    assert read(refdp.discrete_laplace(6), 2) == DiscreteLaplace(6, 2, 1)
    assert read(refdp.discrete_laplace(6, granularity="1/2"), 2) == DiscreteLaplace(6, 2, "1/2")
    assert read(refdp.discrete_gaussian(6), 2) == DiscreteGaussian(6, 2, 1)


def test_a_chain_moves_its_noise_by_what_its_map_says():
    query = refdp.clamped_sum(0, 12) >> refdp.discrete_laplace(25)
    assert read(query, 1, "add_remove") == DiscreteLaplace(25, 12, 1)
    query = refdp.clamped_sum(0, 12) >> refdp.discrete_gaussian(25)
    assert read(query, 1, "add_remove") == DiscreteGaussian(25, 12, 1)


def test_vectors_of_noise():
    assert read(refdp.discrete_laplace(6, dimension=3), 2) == DiscreteLaplace(6, 2, 1)
    assert read(refdp.discrete_gaussian(6, dimension=3), 2) == Concentrated(Fraction(1, 18))


def test_randomised_response_is_read_exactly():
    assert read(refdp.k_ary_randomised_response(3, "1/2"), 1) == KAryRandomisedResponse(3, "1/2")
    assert read(refdp.randomised_response("3/4"), 1) == Approximate("ln(3)")


def test_others_are_read_by_their_map():
    selection = refdp.exponential(2)
    assert read(selection, 1) == Approximate(selection.map(1))


def test_the_relation_must_be_that_of_the_tables():
    query = refdp.clamped_sum(0, 12) >> refdp.discrete_laplace(25)
    with pytest.raises(LossError, match="neighbours must be add_remove, as the measurement reads symmetric"):
        read(query, 1, "change_one")
    with pytest.raises(LossError, match="d_in must be > 0"):
        read(query, 0, "add_remove")


def test_the_bounds_are_within_what_the_map_says():
    query = refdp.clamped_sum(0, 12) >> refdp.discrete_laplace(25)
    event = measurement_event(query, 1, "add_remove", 3)
    answer = Account("add_remove", (event,)).epsilon_bounds(Fraction(1, 10**30))
    assert answer.bounds.upper <= 3 * query.map(1) + Fraction(1, 10**9)
    assert answer.bounds.lower > 3 * query.map(1) - Fraction(1, 100)


def test_measurements_without_a_distance_are_refused_with_the_function_that_makes_events():
    with pytest.raises(NoTheorem, match=r"make one by .*measurement_event"):
        refdp.Accountant("add_remove").compose(refdp.discrete_laplace(scale=2))


def test_measurement_events_have_a_name_in_the_package_of_inputs():
    from refdp.accounting import inputs

    assert inputs.measurement_event is measurement_event
    assert all(callable(getattr(inputs, name)) for name in inputs.HOME)
    with pytest.raises(AttributeError, match="has no 'other'"):
        inputs.other  # noqa: B018
