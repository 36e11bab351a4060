"""Heights at the points of a grid from wide balls: upper ends on the upper side, lower ends on the lower one."""

from fractions import Fraction as F
from itertools import pairwise
from math import exp

from flint import arb, fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from refdp.accounting.grids.chords import ceiling, floor, second_differences, upper_heights
from refdp.accounting.grids.curve import sums
from refdp.accounting.grids.measures import Measure
from refdp.accounting.grids.tails import Event, Tails, best, point
from refdp.accounting.grids.tangents import lower_heights
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.enclosures import precision

WORK = 30


def ball(middle, radius):
    return arb(middle, radius)


def test_floors_and_ceilings_are_those_of_the_whole_ball():
    with precision(100):
        for middle, radius in ((2.5, 1.25), (-3.0, 0.5), (7.0, 0.0)):
            assert floor(ball(middle, radius)) <= middle - radius
            assert ceiling(ball(middle, radius)) >= middle + radius
            assert floor(ball(middle, radius)) > middle - radius - 2


def test_upper_heights_are_those_of_the_upper_ends():
    """P(E) - x Q(E) + slack with radii, clipped to [0, 1]."""
    with precision(100):
        x, event = arb(2), Event(ball(0.5, 0.0625), ball(0.125, 0.03125))
        plain, slack, zero, one = upper_heights(
            [x] * 4,
            [
                Tails(event),
                Tails(event, ball(0.0625, 0.03125)),
                Tails(Event(arb(0), arb(1))),
                Tails(Event(arb(3), arb(0))),
            ],
            WORK,
        )
    assert plain >= (0.5625 - 2 * 0.09375) * 2**WORK
    assert slack >= (0.5625 - 2 * 0.09375 + 0.09375) * 2**WORK
    assert (zero, one) == (0, 1 << WORK)


def test_what_is_not_told_apart_counts_as_slack():
    """The event that comes first gives the line, the best one bounds delta."""
    with precision(100):
        x = arb(1)
        found = best([Event(arb(0), arb(0)), Event(arb(0.25), arb(0.125)), Event(arb(0), arb(0.5))], x)
        assert found.event == Event(arb(0), arb(0))
        assert found.slack >= 0.125
        assert best([Event(arb(1), arb(0.5)), Event(arb(0.25), arb(0))], x).slack <= 0


EVENTS = st.lists(st.tuples(st.integers(0, 64), st.integers(0, 64)), min_size=2, max_size=7)


@given(EVENTS, st.integers(0, 16), st.sampled_from([0, 2]), st.integers(-9, 4))
def test_chords_of_lower_heights_are_below_a_line(numbers, infinite, radius, start):
    """Whatever the lines are: in each cell, before the first point and at the last one."""
    units = [(start + i) * (1 << 126) for i in range(len(numbers))]
    lines = [Event(arb(p / 64, radius / 64), arb(q / 64, radius / 64)) for p, q in numbers[1:]]
    p, q = numbers[0]
    with precision(160):
        points = [point(u).exp() for u in units]
        last = Event(arb(infinite / 64), arb(0))
        mass, top, heights = lower_heights(points, lines, Event(arb(p / 64), arb(q / 64)), last, WORK)
    assert mass == infinite * 2**WORK // 64
    assert len(heights) == len(units)
    assert heights[-1] == 0
    xs = [exp((start + i) / 4) for i in range(len(numbers))]
    lowest = [((a - radius) / 64, (b + radius) / 64) for a, b in numbers[1:]] + [(infinite / 64, 0.0)]
    for i in range(len(xs) - 1):
        assert any(all(below(line, xs[j], heights[j], mass) for j in (i, i + 1)) for line in lowest), i
    fronts = [(1.0, 1.0), (p / 64, q / 64), *lowest]
    assert any(below(line, xs[0], heights[0], mass) and top + mass <= line[0] * 2**WORK + 2 for line in fronts)


def below(line, x, height, mass):
    """Whether the height, the infinite mass added, is at most the line at x (floats: up to 2^-20)."""
    return height + mass <= (line[0] - x * line[1]) * 2**WORK + 2**10


def test_the_chord_to_the_end_is_below_a_line():
    """A line that is negative at the end is not used there: the last height is 0."""
    units = [0, 1 << 126, 1 << 127]
    with precision(160):
        points = [point(u).exp() for u in units]
        lines = [Event(arb(F(1, 2).numerator) / 2, arb(0)), Event(arb(0.5), arb(0.45))]
        _, _, heights = lower_heights(points, lines, Event(arb(1), arb(1)), Event(arb(0), arb(0)), WORK)
    assert heights[1] == heights[2] == 0


STEP = 1 << 125


@given(st.lists(st.integers(0, 2**300), min_size=1, max_size=6).map(lambda h: [*sorted(h, reverse=True), 0]))
def test_masses_of_long_heights_are_on_their_side(heights):
    """So long that the digits of w = 1 / (e^step - 1) that are left out count."""
    top, (low, high) = 2**301, (1 / (e - 1) for e in exp_bounds(F(1, 8), 600)[::-1])
    assert high - low < F(1, 2**500)
    with precision(500):
        upper, lower = (second_differences(heights, top, STEP, side) for side in ("upper", "lower"))
    falls = [top - heights[0], *(a - b for a, b in pairwise(heights)), 0]
    for i, height in enumerate(heights):
        before = F(falls[i])
        bend = heights[i + 1] - height if i + 1 < len(heights) else 0
        exact = bend * low + before * (low + 1 if i else 1)
        assert lower[i] <= exact + 1
        assert exact - 1 <= upper[i]
        assert upper[i] - lower[i] <= 2**176


@given(st.lists(st.integers(2**280, 2**300), min_size=2, max_size=9), st.fractions(0, 1))
def test_sums_of_long_masses_are_on_their_side(masses, share):
    """So long that the digits of e^-step that are left out count; epsilon below all points."""
    upper, lower = (Measure(side, 300, 0, STEP, fmpz_poly(masses), 0) for side in ("upper", "lower"))
    with precision(500):
        high, low = (sums(one).delta(-share) for one in (upper, lower))
    exact = sum((m * (1 - exp_bounds(-share - F(i, 8), 600)[0]) for i, m in enumerate(masses)), F(0)) / 2**300
    assert low <= exact <= high
    assert high - low < F(len(masses), 2**120)
