"""How fast moments decay along the line: the bounds against the moments themselves."""

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb
from mpmath import mp

from refdp.accounting.balls import ball
from refdp.accounting.contour import decay, shift
from refdp.accounting.contour.factors import Line
from refdp.accounting.contour.gaussian import GaussianFactor
from refdp.accounting.curves import Effort
from refdp.numerics.enclosures import precision

F = Fraction
DIRECTIONS = ("remove", "add", "replace")


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(40), precision(160):
        yield


CASES = [("1", "1/10", "2"), ("1", "1/100", "5"), ("2", "4/5", "2"), ("1/3", "1/2", "6"), ("3", "1/50", "1/2")]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("mu", "rate", "order"), CASES)
@pytest.mark.parametrize("cells", [12, 400])
def test_moments_decay_as_the_bounds_say(monkeypatch, direction, mu, rate, order, cells):
    monkeypatch.setattr(decay, "CELLS", cells)
    monkeypatch.setattr(shift, "CELLS", cells)
    event = GaussianFactor(F(mu) ** 2, F(rate), direction)
    count = 120
    line = Line(F(order), F(8, 3), count)
    whole = event.moment(F(order), 80).mid()
    shares = [(value.abs_lower() / whole).lower() for value in event.moments(line, 80, Effort())]
    least = [max(shares[j:]) - arb(2) ** -60 for j in range(count)]
    for bounds in (decay.Layers.of(event, F(order)), shift.Shift.of(event, F(order))):
        sizes = []
        for j in (1, 3, 10, 40, 100):
            sizes.append(bounds.bound(line.step * j))
            assert least[j] <= sizes[-1]
            assert abs(float(sizes[-1].log().mid()) - bounds.estimate(float((line.step * j).mid()))) < 1e-3
        assert all(later <= before for before, later in pairwise(sizes))
        assert sizes[-1] < 1 or direction == "add" or cells == 12
    assert least[1] < 1


def test_layers_lie_below_the_heights_and_are_cut_from_all_of_them():
    heights, ends = [1, 4, 2, 7, 7, 3, 5, 0, 9], [ball(F(i)) for i in range(10)]
    found = decay.layers(heights, ends)
    unit = 1 << decay.DIGITS
    assert sum(height * length for height, length in found) == (9) * unit  # the highest stands alone, behind a gap
    found = decay.layers([1, 4, 2, 7, 7, 3, 5], ends[:8])
    assert found == [(4, 2 * unit), (1, 4 * unit), (1, 6 * unit), (1, 7 * unit)]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("mu", "rate"), [("1", "1/4"), ("4", "1/4"), ("1", "1/1000000000"), ("3", "1/2")])
def test_between_the_ends_of_a_cell_the_weight_falls_and_rises_as_little_as_is_said(direction, mu, rate):
    event, order = GaussianFactor(F(mu) ** 2, F(rate), direction), F(3)
    law, width = event.tilted(order), F(1)
    dip, bulge = decay._dip(event, order, ball(width)), shift._bulge(event, order, width)
    for i in range(-32, 80):
        inner = [law.outcome(ball(F(i, 4) + width * F(n, 16)))[0] for n in range(17)]
        assert all(x >= inner[0].min(inner[-1]) - dip for x in inner[1:-1])
        assert all(x.lower() <= (inner[0].max(inner[-1]) + bulge).upper() for x in inner[1:-1])


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_cells_hold_all_of_the_tilted_law(monkeypatch, direction):
    monkeypatch.setattr(shift, "CELLS", 10)
    event, order, fine = GaussianFactor(F(1, 4), F(1, 10**9), direction), F(2), F(1, 64)
    law, grid = event.tilted(order), event.grid(order, shift.ENOUGH, 0.0)
    first, width = grid.step * grid.first, grid.step * (grid.last - grid.first) / 10
    for i, cell in enumerate(shift.Shift.of(event, order).cells[1:-1]):
        inner = [law.outcome(ball(first + width * (i + F(2 * n + 1, 128))))[0].exp() for n in range(64)]
        mass = sum(inner, arb(0)) * ball(width * fine) / (2 * arb.pi()).sqrt() / event.moment(order, 60)
        assert mass * (1 - arb("1e-2")) <= cell.mass
