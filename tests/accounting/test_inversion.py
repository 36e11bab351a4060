"""Reading a curve backwards: what is said holds of the curve, and is as narrow as the curve allows."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.accounting.inversion import LARGEST_EPSILON, Bounds, delta_bounds, epsilon_bounds
from refdp.numerics.elementary import Undecided, exp_bounds
from refdp.numerics.intervals import Interval

WIDTH = Fraction(1, 10**9)


@dataclass
class Exponential:
    """delta(epsilon) = floor + (1 - floor) e^(-rate epsilon), enclosed up to a factor; counts its evaluations."""

    rate: Fraction = Fraction(1)
    factor: Fraction = Fraction(1)
    floor: Fraction = Fraction(0)
    engine: str = "exponential"
    trusts: frozenset[str] = frozenset()
    asked: list[Fraction] = field(default_factory=list)

    def delta(self, epsilon):
        self.asked.append(epsilon)
        if self.rate * epsilon > 20000:
            raise Undecided("too far out")
        lower, upper = exp_bounds(-self.rate * epsilon, 256)
        shifted = (self.floor + (1 - self.floor) * bound for bound in (lower, upper))
        low, high = shifted
        return Interval(low / self.factor, min(Fraction(1), high * self.factor))

    def truth(self, delta):
        return log((1 - float(self.floor)) / (float(delta) - float(self.floor))) / float(self.rate)


def assert_certified(curve, delta, bounds):
    """The curve itself shows both bounds."""
    assert bounds.lower == 0 or curve.delta(bounds.lower).lower > delta
    assert bounds.upper is None or curve.delta(bounds.upper).upper <= delta


@given(
    st.fractions(min_value="1/1000", max_value=50, max_denominator=1000),
    st.integers(min_value=1, max_value=250),
    st.integers(min_value=1, max_value=25),
)
def test_bounds_hold_the_truth_and_are_narrow(rate, exponent, digits):
    curve, delta, width = Exponential(rate), Fraction(1, 10**exponent), Fraction(1, 10**digits)
    bounds = epsilon_bounds(curve, delta, width)
    assert_certified(curve, delta, bounds)
    assert bounds.within(width)
    assert float(bounds.lower) <= curve.truth(delta) * (1 + 1e-12)
    assert curve.truth(delta) * (1 - 1e-12) <= float(bounds.upper)
    assert len(curve.asked) <= 50


@pytest.mark.parametrize("seed", range(10))
def test_that_it_is_at_most_what_another_direction_costs_is_enough(seed):
    """1,000 random curves: one evaluation where it is so, and else bounds as narrow as ever; both hold the truth."""
    random = Random(seed)
    for _ in range(100):
        rate, delta = Fraction(random.randint(1, 5000), 1000), Fraction(1, 10 ** random.randint(1, 60))
        curve, factor = Exponential(rate), Fraction(random.choice([1, 1, 1001]), random.choice([1, 1000]))
        truth = curve.truth(delta)
        enough = Fraction(truth) * random.choice([Fraction(1, 2), Fraction(999, 1000), Fraction(1001, 1000), 3])
        curve.factor = max(factor, Fraction(1))
        known = Bounds(Fraction(0), random.choice([None, 2 * enough, 4 * Fraction(truth) + 1]))
        bounds = epsilon_bounds(curve, delta, WIDTH, known, enough=enough)
        count = len(curve.asked)
        assert float(bounds.lower) <= truth * (1 + 1e-9)
        assert truth * (1 - 1e-9) <= float(bounds.upper)
        if curve.factor == 1:
            assert (bounds.upper == enough and count == 1) if enough > truth else bounds.within(WIDTH)
        assert count <= 60


def test_a_few_evaluations_suffice():
    curve = Exponential()
    epsilon_bounds(curve, Fraction(1, 10**6), WIDTH)
    assert len(curve.asked) <= 14


@given(st.fractions(min_value="1001/1000", max_value=4, max_denominator=1000), st.integers(min_value=1, max_value=30))
def test_wide_enclosures_give_bounds_as_wide_as_they_are(factor, exponent):
    curve, delta = Exponential(factor=factor), Fraction(1, 10**exponent)
    bounds = epsilon_bounds(curve, delta, WIDTH)
    assert_certified(curve, delta, bounds)
    gap = 2 * log(factor) if float(delta) * float(factor) < 1 else log(1 / delta) + log(factor)
    assert float(bounds.width) <= gap + 1e-9


def test_no_epsilon_is_needed_where_delta_at_0_suffices():
    curve = Exponential(factor=Fraction(1, 1), floor=Fraction(0))
    assert epsilon_bounds(curve, Fraction(1), WIDTH) == Bounds(Fraction(0), Fraction(0))


def test_the_upper_bound_is_infinite_below_the_floor_of_the_curve():
    curve, delta = Exponential(floor=Fraction(1, 100)), Fraction(1, 200)
    bounds = epsilon_bounds(curve, delta, WIDTH)
    assert bounds.upper is None
    assert bounds.lower > 10000  # as far as the curve can be asked
    assert_certified(curve, delta, bounds)


def test_a_delta_just_above_the_floor_is_found():
    curve, delta = Exponential(floor=Fraction(1, 100)), Fraction(1, 100) + Fraction(1, 10**40)
    bounds = epsilon_bounds(curve, delta, WIDTH)
    assert bounds.within(WIDTH)
    assert abs(float(bounds.lower) - 40 * log(10) - log(0.99)) < 1e-6


def test_an_epsilon_beyond_the_largest_is_not_looked_for():
    curve = Exponential(rate=Fraction(1, 10**9))
    bounds = epsilon_bounds(curve, Fraction(1, 10**6), WIDTH)
    assert bounds == Bounds(Fraction(LARGEST_EPSILON), None)


def test_what_is_known_is_kept_and_used():
    curve, delta = Exponential(factor=Fraction(2)), Fraction(1, 10**6)
    truth = Fraction(log(10**6))
    known = Bounds(truth - Fraction(1, 1000), truth + Fraction(1, 1000))
    assert epsilon_bounds(curve, delta, WIDTH, known) == known  # the curve says less
    narrow = Bounds(truth - Fraction(1, 10**10), truth + Fraction(1, 10**10))
    curve.asked.clear()
    assert epsilon_bounds(curve, delta, WIDTH, narrow) == narrow
    assert curve.asked == []
    assert epsilon_bounds(curve, delta, WIDTH, Bounds(None, None)) == Bounds(None, None)


class Step:
    """delta falls from 1/2 to 1/10^9 at epsilon = 3: randomised response and its like."""

    engine, trusts = "step", frozenset()

    def delta(self, epsilon):
        value = Fraction(1, 2) if epsilon < 3 else Fraction(1, 10**9)
        return Interval(value, value)


def test_a_jump_is_found_from_both_sides():
    bounds = epsilon_bounds(Step(), Fraction(1, 10**6), WIDTH)
    assert bounds.within(WIDTH)
    assert bounds.lower < 3 <= bounds.upper


def test_a_curve_that_reaches_0_is_read():
    class Line:
        engine, trusts = "line", frozenset()

        def delta(self, epsilon):
            value = max(Fraction(0), Fraction(1, 2) - epsilon)
            return Interval(value, value)

    bounds = epsilon_bounds(Line(), Fraction(1, 10**30), WIDTH)
    assert bounds.within(WIDTH)
    assert bounds.lower < Fraction(1, 2) - Fraction(1, 10**30) <= bounds.upper


def test_nothing_is_known_from_below_without_lower_bounds():
    class Upper(Exponential):
        def delta(self, epsilon):
            return Interval(Fraction(0), super().delta(epsilon).upper)

    bounds = epsilon_bounds(Upper(), Fraction(1, 10**6), WIDTH)
    assert bounds.lower == 0
    assert 0 <= float(bounds.upper) - log(10**6) < 1e-9


def test_delta_is_a_probability():
    class Wide:
        engine, trusts = "wide", frozenset()

        def delta(self, epsilon):
            return Interval(Fraction(-1), Fraction(2))

    assert delta_bounds(Wide(), Fraction(1)) == Bounds(Fraction(0), Fraction(1))
    found = delta_bounds(Exponential(), Fraction(2))
    assert float(found.lower) == pytest.approx(exp(-2))


def test_bounds_meet_and_the_greater_of_two_numbers_is_bounded():
    one, infinite = Fraction(1), None
    assert Bounds(one, infinite).meet(Bounds(Fraction(0), one * 3)) == Bounds(one, one * 3)
    assert Bounds(one, one * 3).meet(Bounds(Fraction(2), infinite)) == Bounds(one * 2, one * 3)
    assert Bounds(one, one * 2).greatest(Bounds(Fraction(0), one * 3)) == Bounds(one, one * 3)
    assert Bounds(one, one * 2).greatest(Bounds(None, None)) == Bounds(None, None)
    assert Bounds(None, None).width == 0
    assert Bounds(one, None).width is None
    assert not Bounds(one, None).within(one)
    assert Bounds(one, one * 2).within(one)
    assert not Bounds(one, one * 3).within(one)
