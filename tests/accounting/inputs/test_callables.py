"""Functions of users: asked on the safe side, believed by name."""

from fractions import Fraction
from itertools import pairwise
from math import exp, nan

import pytest

from refdp.accounting.inputs.callables import grid, profile_event, trade_off_event
from refdp.accounting.losses import LossError


def test_a_profile_of_floats_is_asked_below_and_taken_as_it_is():
    event = profile_event(lambda epsilon: exp(-epsilon), "mine", count=2)
    assert event.count == 2
    assert event.trusts == {"assumption: mine bounds delta"}
    assert event.mechanism.upper(Fraction(1, 3)) == Fraction(exp(-(1 / 3)))
    assert event.mechanism.upper(Fraction(10**400)) == 0
    assert profile_event(lambda epsilon: 2).mechanism.upper(Fraction(1)) == 1


def test_an_exact_profile_is_asked_exactly():
    event = profile_event(lambda epsilon: 1 / (1 + epsilon), exact=True)
    assert event.mechanism.upper(Fraction(1, 3)) == Fraction(3, 4)


@pytest.mark.parametrize("value", [nan, -1, "x", None])
def test_a_value_that_is_none_is_refused(value):
    with pytest.raises(LossError, match="the value of a profile must be"):
        profile_event(lambda epsilon: value).mechanism.upper(Fraction(1))
    with pytest.raises(LossError, match="the value of a trade-off must be"):
        trade_off_event(lambda alpha: value)


def test_functions_must_be_callable():
    for make in (profile_event, trade_off_event):
        with pytest.raises(LossError, match="function must be callable, got 3"):
            make(3)


def test_levels_are_floats_between_0_and_1():
    levels = grid(512)
    assert levels[0] == 0
    assert levels[-1] == 1
    assert levels == sorted(set(levels))
    assert all(Fraction(float(level)) == level for level in levels)
    assert len(levels) > 400
    assert max(b - a for a, b in pairwise(levels)) <= Fraction(1, 16)


def hockey_stick(loss, x):
    return sum((max(p - x * q, Fraction(0)) for p, q in loss.outcomes), Fraction(0))


def test_a_trade_off_is_bounded_from_the_safe_side_and_closely():
    """Randomised response with odds 3: 1 - 3 alpha up to 1/4, then (1 - alpha) / 3."""

    def error(alpha):
        return max(1 - 3 * alpha, (1 - alpha) / 3)

    losses = [trade_off_event(error, pieces=pieces, exact=True).mechanism.loss() for pieces in (64, 512)]
    for x, truth in ((Fraction(1), Fraction(1, 2)), (Fraction(2), Fraction(1, 4)), (Fraction(3), Fraction(0))):
        for loss in losses:
            assert hockey_stick(loss, x) >= truth
        assert hockey_stick(losses[1], x) <= truth + Fraction(1, 4)
    assert sum(p for p, _ in losses[0].outcomes) == 1
