"""ln M(c) in floats, by which contours are chosen, is near the moments that are enclosed; decays are kept."""

from fractions import Fraction as F
from random import Random

import pytest

from refdp.accounting.contour import saddle
from refdp.accounting.contour.choice import factor
from refdp.accounting.contour.closed import LaplaceFactor
from refdp.accounting.contour.decay import Layers
from refdp.accounting.contour.gaussian import GaussianFactor
from refdp.accounting.contour.ladder import Ladder
from refdp.accounting.contour.plan import Plan
from refdp.accounting.contour.saddle import ACCURACY, Landscape, grouped, growth_of
from refdp.accounting.contour.shift import MOVES, Shift
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Laplace, Normal, Sampled, composition, response
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
        parts = [(GaussianFactor(F(1), F(1, 10), "add"), 3), (factor(response(F(1, 2))), 1)]
        landscape = Landscape(parts)
        first = landscape.decays(F(2))
        assert landscape.decays(F(2)) is first
        assert first[1] is None
        assert landscape.decays(F(3)) is not first
        assert len(landscape.latest) == 1


def schedule(count):
    """Different sampled Gaussian events, and Laplace noise."""
    random = Random(11)
    rows = [(F(random.randint(100, 130), 100), F(random.randint(10**4, 2 * 10**4), 10**6)) for _ in range(count)]
    return [*((Sampled(Normal(1 / sigma**2), rate, "remove"), 60) for sigma, rate in rows), (Laplace(F(1, 50)), 3)]


def test_floats_look_at_groups_of_like_events_and_the_bounds_are_the_same(monkeypatch):
    parts = composition(schedule(14))
    plain = Ladder.of(parts, Effort(), F(1, 10**9))
    monkeypatch.setattr(saddle, "BANDS", 3)
    found = Ladder.of(parts, Effort(), F(1, 10**9))
    assert not plain.landscape.stands
    assert len(found.landscape.stands) > 4
    assert len(found.landscape.parts) < 12
    for epsilon in (F(0), F(1), F(2), F(5)):
        one, other = plain.delta(epsilon), found.delta(epsilon)
        assert max(one.lower, other.lower) <= min(one.upper, other.upper)
        assert other.upper - other.lower < F(1, 10**9) * other.upper


def test_a_line_is_longer_where_decays_are_slower_than_those_it_was_planned_with(monkeypatch):
    monkeypatch.setattr(saddle, "BANDS", 3)
    found = Ladder.of(composition(schedule(14)), Effort(), F(1, 10**9))
    with precision(96):
        plan = Plan.of(found.landscape, found.rungs[0], found.parts)
        shares = plan.shares()
        slow = plan.part([share and share.sqrt() for share in shares])
        assert plan.part(shares) is None
        assert slow is not None
        assert 0.3 < slow < 0.7
        assert Plan.of(found.landscape, found.rungs[0], found.parts, slow).line.reach > plan.line.reach


def test_ten_thousand_events_are_planned_as_a_hundred_and_decays_are_made_one_by_one():
    parts = [(factor(loss), count) for loss, count in schedule(10_000)]
    kept, stands = grouped(parts)
    assert len(kept) <= 101
    assert sum(count for _, count in kept) == sum(count for _, count in parts)
    assert {f for f, _ in parts} <= {f for f, _ in kept} | set(stands)
    with precision(96):
        order, decays = F(2), Landscape(kept, stands=stands).decays(F(2))
        for (like, _), decay in zip(kept, decays, strict=True):
            own = next((f for f, stand in stands.items() if stand == like), None)
            if own is not None and decay is not None:
                assert decay.of(own, 20.0) in (Layers.of(own, order), Shift.of(own, order))
                break
        else:
            raise AssertionError("no event stands for others")
