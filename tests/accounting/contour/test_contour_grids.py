"""Moments on grids of outcomes and by rules of quadrature so crude that their errors show: the bounds still hold."""

from fractions import Fraction
from math import inf, pi

import mpmath
import pytest
from flint import arb
from mpmath import mp, mpc, mpf

from refdp.accounting.balls import ball
from refdp.accounting.contour.choice import factor
from refdp.accounting.contour.factors import Line
from refdp.accounting.contour.gaussian import GaussianFactor
from refdp.accounting.contour.moments import Grid, theta
from refdp.accounting.contour.pieces import SampledLaplaceFactor
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Normal, Sampled
from refdp.numerics.enclosures import normal_tail, precision
from tests.accounting.contour.laws import at, crude_grid, moment, number, real, tilted

F = Fraction
DIRECTIONS = ("remove", "add", "replace")


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(40), precision(160):
        yield


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("mu", "rate"), [("1", "1/10"), ("2", "4/5")])
def test_moments_are_what_quadrature_says(direction, mu, rate):
    loss = Sampled(Normal(F(mu) ** 2), F(rate), direction)
    line = Line(F(2), F(4), 12)
    found = factor(loss).moments(line, 100, Effort())
    for j in (0, 1, 5, 12):
        truth = moment(loss, mpc(2, mpmath.pi * j / 2))
        for part, true in ((found[j].real, truth.real), (found[j].imag, truth.imag)):
            assert abs(number(part) - true) < mpf("1e-26") * number(found[0].real)
            assert number(part.rad()) < mpf("1e-26") * number(found[0].real)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("mu", "rate"), [("1", "1/10"), ("2", "4/5"), ("1/2", "99/100")])
@pytest.mark.parametrize(
    ("step", "strip", "ends"),
    [
        (F(1, 8), F(1), (-3, 8)),  # the upper tail shows
        (F(1, 8), F(1), (-1, 30)),  # the lower one
        (F(2), F(1), (-20, 30)),  # the step
        (F(1), F(1), (-20, 30)),
        (F(3, 2), F(1, 2), (-20, 30)),
    ],
)
def test_crude_grids_know_how_crude_they_are(monkeypatch, direction, mu, rate, step, strip, ends):
    event, order, reach = GaussianFactor(F(mu) ** 2, F(rate), direction), F(2), arb(1)
    fine = event.cloud(order, 100, arb(1))
    crude_grid(monkeypatch, Grid(step, strip, int(ends[0] / step), int(ends[1] / step)))
    try:
        found = event.cloud(order, 10, reach)
    except OutOfReach:  # so crude that nothing is bounded
        assert step >= 1
        return
    for t in (arb(0), arb(1) / 2, arb(1)):
        assert (at(fine, t) - at(found, t)).abs_lower() <= found.error.abs_upper() + fine.error.abs_upper()


def test_the_error_of_the_step_is_that_of_a_gaussian_where_nearly_nothing_is_sampled(monkeypatch):
    """Then it is 2 e^(-2 pi^2 / step^2) and a little, and the bound with the best strip, 2 pi / step, nearly that."""
    event = GaussianFactor(F(1, 100), F(1, 10**9), "remove")
    truth = event.moment(F(1), 100)
    for step in (F(3, 2), F(2)):
        crude_grid(monkeypatch, Grid(step, F(pi) * 2 / step, -20, 20))
        found = event.cloud(F(1), 10, arb(0))
        off = at(found, arb(0)).real - truth
        assert off <= found.error <= off * arb("1.1")
        monkeypatch.undo()


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rate", ["1/100", "1/2", "3/5", "95/100"])
@pytest.mark.parametrize("reach", [0, 8])
def test_on_the_edge_of_the_strip_the_integrand_grows_no_more_than_is_said(direction, rate, reach):
    order, mu, event = 6, F(3, 4), GaussianFactor(F(9, 16), F(rate), direction)
    for strip in (F(1, 2), F(2)):
        grid = Grid(F(1), strip, -9, 9)
        said = number(event.aliasing(grid, F(order), arb(reach))) * mpmath.expm1(2 * mpmath.pi * real(strip)) / 2
        sizes = []
        for height in (mpf(0), real(strip), -real(strip)):
            loss, s = Sampled(Normal(mu**2), F(rate), direction), mpc(order, reach)
            f = tilted(loss, s)
            sizes.append(sum(abs(f(mpc(mpf(i) / 8, height))) for i in range(-80, 120)))
        plain = tilted(loss, mpf(order))
        whole = sum(plain(mpf(i) / 8) for i in range(-80, 120))
        assert max(sizes) <= said * whole * (1 + mpf("1e-9"))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_tails_bound_what_lies_beyond_the_ends_and_not_much_more(direction):
    event, order, step = GaussianFactor(F(4), F(3, 10), direction), F(2), F(1, 16)
    law, unit = event.tilted(order), ball(step) / (2 * arb.pi()).sqrt()
    for left, right in [(-16, 96), (-32, 128), (-64, 160)]:
        bounds = event.tails(ball(step * left), ball(step * right), order)
        for bound, beyond_end in zip(bounds, (range(left - 400, left), range(right + 1, right + 400)), strict=True):
            weight = sum((unit * law.outcome(ball(step * n))[0].exp() for n in beyond_end), arb(0))
            assert weight <= bound
            assert bound < 100 * weight


def test_tails_are_not_claimed_where_the_weight_may_still_rise():
    for direction, left, right in [("remove", 0, 20), ("remove", -5, 2), ("add", -5, 0), ("replace", -5, 5)]:
        with pytest.raises(OutOfReach):
            GaussianFactor(F(4), F(1, 2), direction).tails(ball(left), ball(right), F(2))


def test_strips_are_not_claimed_beyond_the_zero_of_the_ratio():
    with pytest.raises(OutOfReach):
        GaussianFactor(F(4), F(1, 2), "add").aliasing(Grid(F(1), F(8, 5), -9, 9), F(2), arb(1))


@pytest.mark.parametrize("variance", ["1/50", "1/6", "1/5", "1", "40"])
def test_the_sum_of_a_gaussian_over_the_integers(variance):
    truth = mpmath.nsum(lambda n: mpmath.exp(-n * n / (2 * real(variance))), [-inf, inf])
    found = theta(F(variance))
    assert abs(number(found) - truth) <= number(found.rad()) + mpf("1e-30") * truth
    assert found.rad() < found * arb(2) ** -140
    assert normal_tail(arb(0)).overlaps(arb(1) / 2)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("epsilon", "rate"), [("1", "1/2"), ("4", "9/10")])
def test_crude_rules_of_quadrature_know_how_crude_they_are(monkeypatch, direction, epsilon, rate):
    event, order = SampledLaplaceFactor(F(epsilon), F(rate), direction), F(3)
    fine = event.cloud(order, 100, arb(5))
    shown = 0
    for n in (1, 2, 4, 8):
        monkeypatch.setattr(SampledLaplaceFactor, "rule", lambda *_, n=n: (n, F(3, 2)))
        found = event.cloud(order, 10, arb(5))
        for t in (arb(0), arb(5)):
            off = (at(fine, t) - at(found, t)).abs_lower()
            assert off <= found.error.abs_upper() + fine.error.abs_upper()
            shown += off > arb("1e-6")
    assert shown


def test_ellipses_are_not_claimed_beyond_the_zero_of_the_ratio():
    with pytest.raises(OutOfReach):
        SampledLaplaceFactor(F(2), F(1, 2), "remove").error(4, ball(F(7, 2)), F(2), arb(1))
