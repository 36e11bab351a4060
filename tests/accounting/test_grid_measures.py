"""The integers of a grid against exact rational arithmetic: convolution, ends cut off, heights and masses."""

from fractions import Fraction as F
from itertools import pairwise
from math import exp

import pytest
from flint import fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.grids.chords import carried, second_differences
from refdp.accounting.grids.curve import sums
from refdp.accounting.grids.hull import NOISE, convex
from refdp.accounting.grids.measures import Measure, Spare, joined, power, product, trimmed
from refdp.accounting.grids.tails import LOSS_UNIT
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.enclosures import precision

BITS = 20
STEP = LOSS_UNIT // 10
SIDES = st.sampled_from(["upper", "lower"])


def measure(side, masses, start=0, infinite=0):
    return Measure(side, BITS, start * STEP, STEP, fmpz_poly(masses), infinite)


MASSES = st.lists(st.integers(0, 2**17), min_size=1, max_size=8)
MEASURES = st.builds(lambda m, s, i: (m, s, i), MASSES, st.integers(-9, 9), st.integers(0, 2**12))


def convolved(a, b):
    """The product of two lists, by the definition."""
    found = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[i + j] += x * y
    return found


@given(MEASURES, MEASURES)
def test_a_product_is_the_convolution_rounded_to_its_side(a, b):
    exact = convolved(a[0], b[0])
    total, other = sum(a[0]), sum(b[0])
    infinite = a[2] * (other + b[2]) + total * b[2]
    unit = 2**BITS
    lower, upper = (product(measure(s, *a), measure(s, *b)) for s in ("lower", "upper"))
    assert lower.start == upper.start == (a[1] + b[1]) * STEP
    for i, mass in enumerate(exact):
        assert int(lower.masses[i]) == mass // unit
        assert int(upper.masses[i]) == -(-mass // unit)
    assert lower.infinite == infinite // unit
    assert upper.infinite == -(-infinite // unit)


def profile(one, x):
    """The sum of m (1 - x e^-loss)_+ and the infinite mass, in floats of enough digits for its use here."""
    losses = ((one.start + i * one.step) / LOSS_UNIT for i in range(one.masses.length()))
    return one.infinite + sum(
        int(m) * max(0.0, 1 - x * exp(-t)) for m, t in zip(one.masses.coeffs(), losses, strict=True)
    )


@given(SIDES, MEASURES, st.integers(0, 2**17), st.integers(0, 2**17))
def test_what_is_cut_off_keeps_the_side(side, a, left, right):
    whole = measure(side, *a)
    kept = trimmed(whole, Spare(left, right))
    for x in (0.0, 0.3, 0.6, 0.9, 1.0, 1.2, 2.0, 5.0):
        before, after = profile(whole, x), profile(kept, x)
        assert after >= before - 1e-6 if side == "upper" else after <= before + 1e-6
    assert abs(profile(kept, 0.0) - profile(whole, 0.0)) <= (0 if side == "upper" else max(left, right) + right) + 1e-6


@given(SIDES, MASSES)
def test_ends_are_cut_off_up_to_the_spare_mass(side, masses):
    kept = trimmed(measure(side, [1, 2, *masses, 3, 2**18, 1, 1]), Spare(2, 2))
    lost = kept.masses.coeffs()
    assert int(lost[-1]) == 2**18
    assert kept.infinite == (2 if side == "upper" else 0)
    assert kept.start == STEP
    assert int(lost[0]) == (3 if side == "upper" else 2)


def test_more_is_cut_off_where_the_loss_is_negative():
    """The first two points are at losses below 0."""
    kept = trimmed(measure("lower", [5, 5, 5, 5, 100, 5], start=-2), Spare(1000, 7))
    assert kept.start == 0
    assert [int(c) for c in kept.masses.coeffs()] == [5, 5, 100]


@given(SIDES, MASSES, st.integers(1, 9))
def test_a_power_is_a_product_of_equals(side, masses, count):
    """Nothing cut off: all roundings are within one unit each of the exact convolution."""
    exact, unit = masses, 2**BITS
    for _ in range(count - 1):
        exact = [F(m) / unit for m in convolved(exact, masses)]
    found = power(measure(side, masses, 2), count, Spare(0, 0), Effort())
    shift = (found.start - 2 * count * STEP) // STEP
    for i, mass in enumerate(exact):
        got = int(found.masses[i - shift]) if i >= shift else 0
        assert got <= mass if side == "lower" else got >= mass
        assert abs(got - mass) <= 8 * 9 * 9


def test_joining_is_bounded_in_memory_and_time():
    many = [measure("upper", [1] * 5000) for _ in range(3)]
    with pytest.raises(OutOfReach, match="memory"):
        joined(many, Spare(0, 0), Effort(memory=1000))
    with pytest.raises(OutOfReach, match="time"):
        power(many[0], 100, Spare(0, 0), Effort(end=0.0))


HEIGHTS = st.lists(st.integers(0, 2**60), min_size=2, max_size=12).map(lambda h: [*sorted(h, reverse=True), 0])


@given(HEIGHTS, SIDES)
def test_masses_give_back_the_heights(heights, side):
    """The function with these corners is the profile of these masses, up to the rounding and on its side."""
    top = 2**61
    with precision(192):
        masses = second_differences(heights, top, STEP, side)
    xs = [exp_bounds(F(i, 10), 300)[0] for i in range(len(heights))]
    for x, height in [(F(0), top), *zip(xs, heights, strict=True)]:
        again = sum((m * max(F(0), 1 - x / y) for m, y in zip(masses, xs, strict=True)), F(0))
        rounding = F(len(heights) * 3)
        assert height - rounding <= again <= height if side == "lower" else height <= again <= height + rounding


@given(st.lists(st.integers(-(2**10), 2**12), min_size=1, max_size=12))
def test_masses_that_are_carried_have_a_lower_profile(masses):
    """x_i = (3/2)^i stands for any growing points."""
    found = carried(masses)
    assert all(mass >= 0 for mass in found)
    points = [F(3, 2) ** i for i in range(len(masses))]
    for x in [F(0), F(1, 2), *points, *(a * F(5, 4) for a in points)]:
        signed, kept = (
            sum((m * max(F(0), 1 - x / y) for m, y in zip(ms, points, strict=True)), F(0)) for ms in (masses, found)
        )
        assert kept <= signed or not any(found)
    if all(mass >= 0 for mass in masses):
        assert found == masses


@given(st.lists(st.integers(0, 2**60), min_size=3, max_size=20).map(lambda h: [*h, 0]))
def test_the_hull_is_no_higher_and_nearly_convex(heights):
    with precision(192):
        masses = second_differences(heights, 2**61, STEP, "lower")
        lowered = convex(heights, masses, STEP)
        bends = second_differences(lowered, 2**61, STEP, "lower")
    assert all(low <= high for low, high in zip(lowered, heights, strict=True))
    assert min(bends[1:]) >= -NOISE - 2**61 * 11 * 2**-40
    assert lowered[0] == heights[0]
    assert lowered[-1] == 0


@given(SIDES, MEASURES, st.fractions(-3, 3, max_denominator=1000))
def test_sums_from_each_point_on_give_delta(side, a, epsilon):
    """At any epsilon, between points, on them and outside the grid."""
    one = measure(side, *a)
    with precision(192):
        made = sums(one)
        found = made.delta(epsilon)
        on = [made.delta(F(one.start + i * STEP, LOSS_UNIT)) for i in range(-1, len(a[0]) + 1)]
    low, high = exp_bounds(epsilon, 200)
    truths = [F(a[2]), F(a[2])]
    for i, mass in enumerate(a[0]):
        shrink = exp_bounds(-F(a[1] * STEP + i * STEP, LOSS_UNIT), 200)
        truths[0] += mass * max(F(0), 1 - high * shrink[1])
        truths[1] += mass * max(F(0), 1 - low * shrink[0])
    unit, rounding = 2**BITS, 10
    if side == "upper":
        assert truths[0] <= found * unit <= truths[1] + rounding
    else:
        assert truths[0] - rounding <= found * unit <= truths[1]
    assert all(b <= a for a, b in pairwise(on))
