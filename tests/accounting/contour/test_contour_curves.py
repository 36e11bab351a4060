"""Curves of contours: against known digits, each other, and the dual pair."""

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from refdp.accounting.curves import OutOfReach
from refdp.accounting.losses import DiscreteGaussian, DiscreteLaplace, Laplace, Normal, Sampled, composition, response
from refdp.numerics.intervals import Interval
from tests.accounting.contour.laws import curve, curves, holds, narrow, normal, real

F = Fraction


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(40):
        yield


SETS = {
    "1000 sampled Gaussian": [(Sampled(Normal(F(1)), F(1, 100), "remove"), 1000)],
    "four kinds": [
        (Normal(F(200, 2500)), 1),
        (Laplace(F(1, 20)), 100),
        (response("1/10"), 100),
        (Sampled(Normal(F(1)), F(1, 100), "remove"), 200),
    ],
}
TRUTHS = {
    "1000 sampled Gaussian": ("2.124515171120121282370159", "3.914298156037469753789181", "6.361700204079350090580026"),
    "four kinds": ("5.756504468288629128798519", "8.344968355826963991622782", "10.765696907522712562148067"),
}


@pytest.mark.parametrize("name", SETS)
def test_the_known_epsilons_are_met_to_many_digits(name):
    found = curve(SETS[name], "1e-20")
    for size, digits in zip((6, 12, 20), TRUTHS[name], strict=True):
        assert found.delta(F(digits) - F(1, 10**10)).lower > F(1, 10**size)
        assert found.delta(F(digits) + F(1, 10**10)).upper < F(1, 10**size)


def test_each_further_curve_is_narrower_and_meets_the_others():
    found = [c.delta(F(4)) for c in curves(SETS["1000 sampled Gaussian"], "1e-12")]
    assert len(found) == 3
    for wide, fine in pairwise(found):
        assert wide.lower <= fine.upper
        assert fine.lower <= wide.upper
        assert fine.upper - fine.lower < wide.upper - wide.lower
    assert narrow(found[-1], "1e-20")


@pytest.mark.parametrize("count", [20, 100, 10**6])
def test_contours_for_different_deltas_agree(count):
    rate = F(1, 50) if count < 1000 else F(1, 1000)
    first, second = (curve([(Sampled(Normal(F(1)), rate, "remove"), count)], delta) for delta in ("1e-6", "1e-20"))
    for epsilon in (F(1), F(5, 2), F(4)):
        a, b = first.delta(epsilon), second.delta(epsilon)
        assert a.lower <= b.upper
        assert b.lower <= a.upper
        assert narrow(b, "1e-8")


def dual(found, epsilon):
    """1 - e^epsilon + e^epsilon delta(-epsilon), the delta of the pair with P and Q exchanged."""
    there, factor = found.delta(-epsilon), mpmath.exp(real(epsilon))
    low, high = (1 - factor + factor * real(x) for x in (there.lower, there.upper))
    return low, high


BASES = [Normal(F(1)), Normal(F(25)), Laplace(F(1, 2)), DiscreteLaplace(F(1, 2), 2), DiscreteGaussian(F(3), 1)]
PARTS = st.tuples(st.sampled_from(BASES), st.sampled_from([F(1, 100), F(1, 3), F(9, 10)]), st.integers(1, 9))


@settings(max_examples=15)
@given(PARTS, st.sampled_from(["remove", "replace"]), st.sampled_from([F(-1), F(0), F(1, 2), F(2)]))
def test_exchanging_the_laws_turns_remove_into_add_and_replace_into_itself(part, direction, epsilon):
    base, rate, count = part
    other = "add" if direction == "remove" else direction
    here = curve([(Normal(F(1, 2)), 1), (Sampled(base, rate, direction), count)])
    there = curve([(Normal(F(1, 2)), 1), (Sampled(base, rate, other), count)])
    with mp.workdps(60):
        low, high = dual(there, epsilon)
        found = here.delta(epsilon)
        assert real(found.lower) <= high
        assert low <= real(found.upper)
    assert narrow(found, "1e-8")


def test_far_away_what_is_certain_is_still_said():
    found = curve([(Sampled(Normal(F(1)), F(1, 100), "remove"), 100)])
    assert found.delta(F(10**6)).lower == 0
    assert found.delta(F(10**6)).upper < F(1, 10**100)
    low = found.delta(F(-(10**6)))
    assert isinstance(low, Interval)
    assert low.lower > 1 - F(1, 10**30)
    assert low.upper == 1


def test_where_losses_are_bounded_the_bulk_is_served_too():
    """Near the greatest loss the saddle is far out; the epsilons below need contours of their own."""
    found = curve([(Sampled(Normal(F(1)), F(1, 10), "add"), 30)], "1e-9")
    assert all(narrow(found.delta(epsilon), "1e-8") for epsilon in (F(0), F(1, 4), F(1, 2), F(1), F(3, 2)))


def test_a_contour_that_costs_too_much_is_replaced_by_the_first_and_not_tried_again(monkeypatch):
    found = curve([(Normal(F(1)), 1)], "1e-30")
    assert len(found.rungs) > 1
    tried = []

    def refuse(rung):
        tried.append(rung)
        raise OutOfReach("too much")

    monkeypatch.setattr(type(found), "_made", lambda _, rung: refuse(rung))
    for _ in range(2):
        assert holds(found.delta(F(1, 2)), normal(mpmath.mpf(1), mpmath.mpf(1) / 2))
    assert len(tried) == 1


def test_trusted_is_arb():
    assert "Arb" in curve([(Normal(F(1)), 1)]).trusts
    assert composition([(Normal(F(1)), 1)]).parts
