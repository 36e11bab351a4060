"""Contours so crude that their errors show, and the bounds still hold; what the sums cost."""

from cmath import exp
from fractions import Fraction
from math import pi

import mpmath
import pytest
from flint import acb, arb
from mpmath import mp, mpf

from refdp.accounting.balls import ball
from refdp.accounting.contour import moments
from refdp.accounting.contour.choice import factor
from refdp.accounting.contour.factors import Cloud, Line, powers
from refdp.accounting.contour.integral import Contour, ceiling
from refdp.accounting.contour.plan import Plan, ladder
from refdp.accounting.contour.saddle import Landscape
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Normal, Sampled, response
from refdp.numerics.enclosures import precision
from tests.accounting.contour.laws import at, curve, normal, number, real

F = Fraction


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(40), precision(160):
        yield


def crude(mu, order, period, count, above):
    """A contour of one Gaussian event."""
    line = Line(F(order), F(period), count)
    event = factor(Normal(F(mu) ** 2))
    decay = event.decay(F(order))
    return Contour.of([(event, 1, 100)], line, [F(x) for x in above], 150, Effort(), [decay.bound(line.reach)])


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


def test_the_error_of_the_weights_is_that_of_each_moment():
    cloud = Cloud([arb(1), arb(2)], [arb(0), arb(1)], arb(1))
    for value in [cloud.moment(), *(x.real for x in cloud.moments(Line(F(1), F(5), 5), Effort()))]:
        assert value.rad() >= 1


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
    with pytest.raises(OutOfReach, match=r"t = .* few smooth events decay too slowly"):
        curve([(Sampled(Normal(F(1)), F(1, 100), "remove"), 2)], "1e-12")


def test_a_plan_reaches_from_the_least_delta_down():
    parts = [(factor(Sampled(Normal(F(1)), F(1, 100), "remove")), 1000)]
    landscape = Landscape(parts)
    rungs = ladder(landscape, -46.0, 1e-9, (14.0, 26.0))
    assert rungs[0].high.epsilon > 6
    assert rungs[-1].low.epsilon < 0
    assert Plan.of(landscape, rungs[0], parts).work() < 10**6
    assert moments.MOST_NODES > 1000
    assert factor(response(F(1))).decay(F(1)) is None
