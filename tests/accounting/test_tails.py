"""Tails of the loss and trade-off curves read off curves: the truth of closed forms lies within, and closely."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest
from mpmath import exp, mp, mpf, ncdf

from refdp import work
from refdp.accounting.accounts import Account
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.events import Event, Gaussian, Laplace, Poisson, Profile, RandomisedResponse
from refdp.accounting.tails import best_curve, bounded, hull, tail, trade_off, window
from refdp.accounting.theorems.trade_off import Gaussian as GaussianTradeOff
from refdp.accounting.theorems.trade_off import of_laws

EFFORT = (Fraction(1, 10**6), Fraction(1, 10**9))
MU, COUNT = 2, 5
NOISE = Account("add_remove", (Event(Gaussian(Fraction(2)), 16),))
"""mu = 2."""
BITS = Account("none", (Event(RandomisedResponse(Fraction(3, 4)), COUNT),))
"""Losses (2 k - 5) ln 3."""
SAMPLED = Account("add_remove", (Event(Gaussian(Fraction(1)), 50, Poisson(Fraction(1, 10))),))


def curves(stated):
    return [best_curve(c, Effort(*EFFORT, work.spent() + 20)) for c in stated.compositions.values()]


def real(x):
    return mpf(x.numerator) / x.denominator


@pytest.mark.parametrize("at", [Fraction(k, 4) for k in range(-12, 17, 3)])
def test_tails_of_gaussian_noise_hold_the_truth(at):
    (curve,) = curves(NOISE)
    found = tail(curve, at)
    with mp.workdps(40):
        x, mu = real(at), mpf(MU)
        p, q = ncdf((mu**2 / 2 - x) / mu), ncdf((-(mu**2) / 2 - x) / mu)
        assert real(found.p.lower) <= p <= real(found.p.upper)
        assert real(found.q.lower) <= q <= real(found.q.upper)
    assert found.p.upper - found.p.lower < Fraction(1, 10**5)


@pytest.mark.parametrize("k", range(COUNT + 1))
def test_tails_of_responses_hold_the_truth_between_losses(k):
    """P[loss > l] for l just below the k-th loss is the chance of at least k right answers."""
    (curve,) = curves(BITS)
    with mp.workdps(30):
        at = Fraction(str(mp.nstr((2 * k - COUNT) * mp.log(3) - mpf("0.5"), 20)))
    truth = sum(comb(COUNT, j) * Fraction(3**j, 4**COUNT) for j in range(k, COUNT + 1))
    found = tail(curve, at)
    assert found.p.lower <= truth <= found.p.upper
    assert found.p.upper - found.p.lower < Fraction(1, 1000)


def test_tails_fall_and_windows_hold_nearly_everything():
    for curve in curves(SAMPLED):
        low, high = window(curve, Fraction(1, 100))
        found = [tail(curve, low + (high - low) * i / 20) for i in range(21)]
        assert all(a.p.upper >= b.p.lower and a.q.upper >= b.q.lower for a, b in pairwise(found))
        assert found[0].p.upper > Fraction(98, 100)
        assert found[-1].p.lower < Fraction(2, 100)


def test_delta_is_bounded_by_what_holds_of_any_pair():
    (curve,) = curves(NOISE)
    found = bounded(curve, Fraction(-3))
    with mp.workdps(20):
        assert real(found.lower) >= 1 - exp(-3) - mpf(10) ** -15


@pytest.mark.parametrize("a", [Fraction(k, 20) for k in range(21)])
def test_trade_off_of_gaussian_noise_holds_the_truth(a):
    lower, upper = trade_off(curves(NOISE), 24)
    truth = GaussianTradeOff(Fraction(MU**2)).at(a)
    assert lower.at(a).lower <= truth.upper
    assert truth.lower <= upper.at(a).upper
    assert upper.at(a).upper - lower.at(a).lower < Fraction(1, 50)


def test_trade_off_of_responses_holds_the_truth():
    p = {k: comb(COUNT, k) * Fraction(3**k, 4**COUNT) for k in range(COUNT + 1)}
    exact = of_laws(p, {k: p[COUNT - k] for k in p})
    lower, upper = trade_off(curves(BITS), 40)
    for a in (Fraction(k, 50) for k in range(51)):
        assert lower.at(a).lower <= exact.at(a).lower <= upper.at(a).upper


def test_trade_off_of_two_directions_is_at_most_that_of_either():
    both = trade_off(curves(SAMPLED), 16)
    each = [trade_off([curve], 16) for curve in curves(SAMPLED)]
    for a in (Fraction(k, 10) for k in range(11)):
        assert all(both[0].at(a).lower <= one[1].at(a).upper for one in each)


def test_hull_is_convex_and_below_its_points():
    points = [(Fraction(k, 10), Fraction((10 - k) ** 2 + (-1) ** k, 100)) for k in range(1, 10)]
    found = hull(points)
    assert all(found.at(a).upper <= f for a, f in points)
    slopes = [(g - f) / (b - a) for (a, f), (b, g) in pairwise(found.corners)]
    assert slopes == sorted(slopes)


def test_nothing_is_said_where_nothing_is_known_from_below():
    known = Account("add_remove", (Event(Profile("a curve", lambda epsilon: Fraction(1))),))
    with pytest.raises(OutOfReach, match="nothing is known of the law of the loss"):
        curves(known)


def test_laplace_noise_has_atoms_at_both_ends():
    (curve,) = curves(Account("none", (Event(Laplace(Fraction(1))),)))
    with mp.workdps(30):
        below = tail(curve, Fraction(99, 100)).p
        assert real(below.lower) <= 1 - exp(mpf("-0.005")) / 2 <= real(below.upper)
        assert tail(curve, Fraction(101, 100)).p.upper < Fraction(1, 10**6)
