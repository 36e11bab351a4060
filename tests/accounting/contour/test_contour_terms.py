"""Each error term alone: contours, grids and rules so crude that their errors show, and the bounds still hold."""

from cmath import exp
from fractions import Fraction
from itertools import pairwise
from math import inf, pi

import mpmath
import pytest
from flint import acb, arb
from mpmath import mp, mpc, mpf

from refdp.accounting.contour import decay, gaussian, shift
from refdp.accounting.contour.choice import factor
from refdp.accounting.contour.factors import Cloud, Line, ball, powers
from refdp.accounting.contour.gaussian import GaussianFactor, Grid, beyond, theta
from refdp.accounting.contour.integral import Contour, ceiling
from refdp.accounting.contour.pieces import SampledLaplaceFactor
from refdp.accounting.contour.plan import Plan, ladder
from refdp.accounting.contour.saddle import Landscape
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Laplace, Normal, Sampled
from refdp.numerics.enclosures import precision
from tests.accounting.contour.laws import normal, real

F = Fraction
DIRECTIONS = ("remove", "add", "replace")


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(40), precision(160):
        yield


def at(cloud, t):
    """The sum of a cloud at t, without its error."""
    pairs = zip(cloud.weights, cloud.losses, strict=True)
    return sum((weight * acb(0, t * loss).exp() for weight, loss in pairs), acb(0))


def number(x):
    """An exact ball, or the middle of one, in mpmath."""
    mantissa, exponent = x.mid().man_exp()
    return mpf(int(mantissa)) * mpf(2) ** int(exponent)


def crude(mu, order, period, count, above):
    """A contour of one Gaussian event."""
    line = Line(F(order), F(period), count)
    return Contour.of([(factor(Normal(F(mu) ** 2)), 1, 100)], line, [F(x) for x in above], 150, Effort())


@pytest.mark.parametrize(
    ("order", "period", "count", "above"),
    [
        (F(1, 4), 6, 60, [4]),  # what lies to the left shows
        (4, 3, 60, [5, 7]),  # what lies to the right shows
        (2, 40, 12, [4]),  # what is cut off shows, with both signs
        (2, 40, 25, [4]),
        (3, F(5, 2), 4, [4, 6]),  # all of it
    ],
)
def test_crude_contours_hold_the_truth_and_know_how_crude_they_are(order, period, count, above):
    found, off = crude(1, order, period, count, above), []
    for i in range(-8, 25):
        epsilon = F(i, 6)
        truth = normal(mpf(1), real(epsilon))
        low, high = found.delta(epsilon)
        assert number(low) <= truth <= number(high)
        off.append(max((number(high) - truth) / truth, (truth - number(low)) / truth))
    assert max(off) > mpf("1e-3")


def test_a_contour_without_cut_is_an_upper_bound_by_its_aliases():
    """S - delta is the sum over n != 0 of delta(epsilon + n R) e^(c n R), not only at most the bound."""
    found = crude(1, 2, 4, 200, [3, 5])
    for epsilon in (F(0), F(1), F(2)):
        aliases = sum(normal(mpf(1), real(epsilon) + 4 * n) * mpmath.exp(mpf(8) * n) for n in range(-12, 13) if n != 0)
        high = number(found.delta(epsilon)[1])
        assert abs(high - normal(mpf(1), real(epsilon)) - aliases) < mpf("1e-20")
        assert aliases <= number(found._aliases(ball(epsilon)).upper()) < 500 * aliases


def test_what_is_cut_off_is_bounded_and_not_by_much():
    """Where the moments hardly decay, nearly 1 / (pi T)."""
    order, period, count = 0.1, 200, 160
    found, step = crude(F(1, 100), F(1, 10), period, count, [1]), 2 * pi / period
    left_out = 0.0
    for j in range(count + 1, 40000):
        s = complex(order, step * j)
        left_out += 2 / period * abs(exp(s * (s + 1) / 20000) / (s * (s + 1)))
    assert 0.9 * float(found.tail.mid()) < left_out < float(found.tail.mid())


def test_ceilings_are_powers_of_moments():
    parts = [(factor(Normal(F(1, 2))), 1, 50), (factor(Sampled(Normal(F(1)), F(1, 5), "remove")), 30, 50)]
    truth = parts[0][0].moment(F(3), 100) * parts[1][0].moment(F(3), 100) ** 30
    assert truth <= ceiling(parts, F(3)) < truth * (1 + arb("1e-3"))


def crude_grid(monkeypatch, grid):
    """Grids as they are given."""
    monkeypatch.setattr(GaussianFactor, "grid", lambda *_: grid)


def moment(loss, s):
    """M(s) of a sampled Gaussian event by quadrature, in mpmath."""
    nu, q = mpmath.sqrt(real(loss.base.mu_squared)), real(loss.rate)

    def ratio(x):
        return 1 - q + q * mpmath.exp(nu * x - nu * nu / 2)

    def tilted(x):
        powers_ = {"remove": (s + 1, 0), "add": (-s, 0), "replace": (s + 1, -s)}[loss.direction]
        return mpmath.npdf(x) * mpmath.exp(powers_[0] * mpmath.log(ratio(x)) + powers_[1] * mpmath.log(ratio(-x)))

    return mpmath.quad(tilted, [-14, -8, -4, -2, 0, 2, 4, 8, 14, 20])


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
    assert beyond(arb(0)).overlaps(arb(1) / 2)


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
@pytest.mark.parametrize("mu", ["1", "4"])
def test_between_the_ends_of_a_cell_the_weight_falls_and_rises_as_little_as_is_said(direction, mu):
    event, order = GaussianFactor(F(mu) ** 2, F(1, 4), direction), F(3)
    law, width = event.tilted(order), F(1)
    dip, bulge = decay._dip(event, order, ball(width)), shift._bulge(event, order, width)
    for left in range(-8, 20):
        inner = [law.outcome(ball(left + width * F(i, 16)))[0] for i in range(17)]
        assert all(x >= inner[0].min(inner[-1]) - dip for x in inner[1:-1])
        assert all(x <= inner[0].max(inner[-1]) + bulge for x in inner[1:-1])


def test_matrices_make_the_same_sums_as_terms_one_by_one(monkeypatch):
    monkeypatch.setattr("refdp.accounting.contour.factors.BLOCK", 3)
    cloud = Cloud([ball(F(i, 7)) for i in range(1, 9)], [ball(F(i * i, 5) - 2) for i in range(8)], arb(0))
    line = Line(F(1), F(5), 30)
    for j, value in enumerate(cloud.moments(line, Effort())):
        truth = at(cloud, line.step * j)
        assert value.overlaps(truth)
        assert value.real.rad() < arb("1e-40")
    assert [row[0].real for row in powers([acb(2)], 9)] == [arb(2) ** j for j in range(9)]


def test_work_is_bounded_before_it_begins():
    cloud = Cloud([arb(1)] * 1000, [arb(1)] * 1000, arb(0))
    for effort in (Effort(memory=1000), Effort(end=0.0)):
        with pytest.raises(OutOfReach, match=r"exponentials|time"):
            cloud.moments(Line(F(1), F(5), 400), effort)


def test_few_sampled_events_are_out_of_reach_with_the_reason_in_numbers():
    from tests.accounting.contour.laws import curve

    with pytest.raises(OutOfReach, match=r"t = .* few smooth events decay too slowly"):
        curve([(Sampled(Normal(F(1)), F(1, 100), "remove"), 2)], "1e-12")


def test_a_plan_reaches_from_the_least_delta_down():
    landscape = Landscape([(factor(Sampled(Normal(F(1)), F(1, 100), "remove")), 1000)])
    rungs = ladder(landscape, -46.0, 1e-9, (14.0, 26.0))
    assert rungs[0].high.epsilon > 6
    assert rungs[-1].low.epsilon < 0
    assert Plan.of(landscape, rungs[0]).work() < 10**6
    assert gaussian.MOST_NODES > 1000
    assert factor(Laplace(F(1))).decay(F(1)) is None
