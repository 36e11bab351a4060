"""ln M(c) in floats, by which contours are chosen, is near the moments that are enclosed; decays are kept."""

from fractions import Fraction as F
from random import Random

import pytest

from refdp.accounting.contour.closed import LaplaceFactor
from refdp.accounting.contour.gaussian import GaussianFactor
from refdp.accounting.contour.saddle import ACCURACY, MOST_KEPT, Landscape, growth_of
from refdp.accounting.contour.shift import MOVES, Shift
from refdp.accounting.curves import OutOfReach
from refdp.numerics.enclosures import precision
from tests.examples import few

DIRECTIONS = ("remove", "add", "replace")


def factors(count):
    """Random sampled Gaussian events, with an order for each."""
    random = Random(5)
    for _ in range(count):
        mu, rate = F(random.randint(1, 400), 100), F(random.randint(1, 100), 100)
        direction = "remove" if rate == 1 else random.choice(DIRECTIONS)
        variance = random.choice((None, None, F(random.randint(1, 50), 7)))
        yield GaussianFactor(mu**2, rate, direction, variance), F(random.randint(1, 4000), 100)


def test_growth_in_floats_is_that_of_the_moments():
    seen = 0
    with precision(96):
        for factor, order in factors(few(300)):
            try:
                wanted = float(factor.moment(order, ACCURACY).log().mid())
            except OutOfReach:
                continue
            seen += 1
            assert abs(growth_of(factor, order) - wanted) < 1e-8 * (1 + abs(wanted))
        laplace = LaplaceFactor(F(1, 2))
        assert growth_of(laplace, F(3)) == float(laplace.moment(F(3), ACCURACY).log().mid())
    assert seen > few(300) / 2


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_move_that_is_searched_for_is_nearly_the_best(direction):
    with precision(96):
        shift = Shift.of(GaussianFactor(F(1), F(1, 10), direction), F(5))
        for t in (0.1, 1.0, 5.0, 20.0, 80.0, 300.0, 2000.0):
            best = min(shift._estimate(t, y) for y in MOVES)
            assert shift._estimate(t, MOVES[shift._best(t)]) <= best + 0.05 * (1 + abs(best))


def test_decays_are_kept_for_the_line_that_was_asked_about_last():
    with precision(96):
        parts = [(GaussianFactor(F(1), F(1, 10), "add"), 3), (LaplaceFactor(F(1, 2)), 1)]
        landscape = Landscape(parts)
        first = landscape.decays(F(2))
        assert landscape.decays(F(2)) is first
        assert first[1] is None
        assert landscape.decays(F(3)) is not first
        assert len(landscape.latest) == 1
        many = Landscape([(LaplaceFactor(F(1, 2)), 1)] * (MOST_KEPT + 1))
        many.decays(F(2))
        assert not many.latest
