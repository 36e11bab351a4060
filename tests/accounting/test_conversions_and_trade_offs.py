"""Conversions as numbers, against mpmath; trade-off functions and profiles of random laws, each from the other."""

from fractions import Fraction as F
from random import Random

import pytest
from mpmath import mp, mpf

from refdp.accounting.theorems import conversions as convert
from refdp.accounting.theorems.guarantees import HypothesisError, guarantee
from refdp.accounting.theorems.trade_off import Gaussian, PiecewiseLinear, below, of_approximate, of_laws
from refdp.spec.distances import hockey_stick
from tests.examples import few

TINY = mpf(10) ** -17


def known(measure, *loss):
    return guarantee(measure, *loss, neighbours="add_remove")


def to_mp(x):
    return mpf(x.numerator) / x.denominator


def just_above(found, truth):
    """Whether it is rounded up, by at most a part in 10^17."""
    return 0 <= to_mp(found) - truth <= abs(truth) * TINY


def random_law(chance, size, least=0):
    weights = [chance.randint(least, 6) for _ in range(size)]
    weights[chance.randrange(size)] += 1
    return {y: F(w, sum(weights)) for y, w in enumerate(weights)}


def test_conversions_are_the_printed_ones_rounded_up():
    with mp.workdps(40):
        ln3, e = mp.log(3), mpf(1) / 2
        assert just_above(convert.pure_to_concentrated(known("pure", "ln(3)")).loss[0], ln3**2 / 2)
        assert convert.pure_to_concentrated(known("pure", "1/2")).loss == (F(1, 8),)
        assert convert.pure_to_approximate(known("pure", "1/2")).loss == (F(1, 2), 0)
        found = convert.pure_to_approximate(known("pure", "1/2"), "1/4").loss
        assert just_above(found[1], (mp.exp(e) - mp.exp(e / 2)) / (mp.exp(e) + 1))
        a = mpf(7) / 2
        renyi = convert.pure_to_renyi(known("pure", "1/2"), "7/2").loss
        assert just_above(renyi[1], mp.log((mp.exp(a * e) + mp.exp((1 - a) * e)) / (1 + mp.exp(e))) / (a - 1))
        assert convert.concentrated_to_renyi(known("concentrated", "1/10"), 5).loss == (5, F(1, 2))
        assert convert.gaussian_to_concentrated(known("gaussian", "1/4")).loss == (F(1, 8),)
        assert convert.renyi_at_smaller_order(known("renyi", 4, 1), "3/2").loss == (F(3, 2), 1)
        mu = mpf(1) / 2
        delta = mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu)
        assert just_above(convert.gaussian_to_approximate(known("gaussian", "1/4"), "1/2").loss[1], delta)
        d = mpf(10) ** -5
        simple = convert.renyi_to_approximate(known("renyi", 8, 1), "1e-5", "simple").loss[0]
        assert just_above(simple, 1 + mp.log(1 / d) / 7)
        sharp = convert.renyi_to_approximate(known("renyi", 8, 1), "1e-5").loss[0]
        assert just_above(sharp, 1 + mp.log(mpf(7) / 8) - (mp.log(d) + mp.log(8)) / 7)
    assert convert.gaussian_to_approximate(known("gaussian", 0), 1).loss == (1, 0)
    assert convert.renyi_to_approximate(known("renyi", 100, 0), "9/10").loss[0] == 0


@pytest.mark.parametrize("rho", ["1/1000", "1/10", "1", "20"])
@pytest.mark.parametrize("delta", ["1/10", "1e-6", "1e-20"])
def test_concentrated_loss_lies_between_normal_noise_and_the_simple_form(rho, delta):
    epsilon = convert.concentrated_to_approximate(known("concentrated", rho), delta).loss[0]
    with mp.workdps(60):
        r, d, e = to_mp(F(rho)), to_mp(F(delta)), to_mp(epsilon)
        mu = mp.sqrt(2 * r)
        assert e <= (r + 2 * mp.sqrt(r * mp.log(1 / d))) * (1 + TINY)
        assert mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu) <= d
    assert convert.concentrated_to_approximate(known("concentrated", 0), delta).loss[0] == 0


def test_pure_loss_is_gaussian_from_its_least_mu_on():
    with mp.workdps(40):
        least = (2 * mp.sqrt(2) * mp.erfinv(mpf(1) / 2)) ** 2  # 2 Q^-1(1/4)
        above, under = (F(int(least * 10**12) + i, 10**12) for i in (1, 0))
    assert convert.pure_to_gaussian(known("pure", "ln(3)"), above).loss == (above,)
    with pytest.raises(HypothesisError, match="is too small"):
        convert.pure_to_gaussian(known("pure", "ln(3)"), under)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: convert.pure_to_approximate(known("concentrated", 1)), "expected a guarantee under pure DP"),
        (lambda: convert.pure_to_approximate(known("pure", 1), "2"), "epsilon must be from 0 to"),
        (lambda: convert.pure_to_approximate(known("pure", 1), "-1/2"), "epsilon must be from 0 to"),
        (lambda: convert.pure_to_renyi(known("pure", 1), 1), "order must be > 1"),
        (lambda: convert.pure_to_gaussian(known("pure", 1), -1), "mu_squared must be >= 0"),
        (lambda: convert.renyi_at_smaller_order(known("renyi", 2, 1), 3), "order must be at most 2"),
        (lambda: convert.renyi_to_approximate(known("renyi", 2, 1), 0), "strictly between 0 and 1"),
        (lambda: convert.renyi_to_approximate(known("renyi", 2, 1), "1/2", "best"), "form must be"),
        (lambda: convert.concentrated_to_approximate(known("gaussian", 1), "1/2"), "expected a guarantee under"),
        (lambda: convert.concentrated_to_approximate(known("concentrated", 1), 1), "strictly between 0 and 1"),
        (lambda: convert.gaussian_to_approximate(known("gaussian", 1), -1), "epsilon must be >= 0"),
    ],
)
def test_conversion_of_another_measure_or_out_of_range_is_refused(call, sentence):
    with pytest.raises(HypothesisError, match=sentence):
        call()


@pytest.mark.parametrize("seed", range(few(200)))
def test_trade_off_of_laws_has_their_profile_and_is_given_back_by_it(seed):
    chance = Random(f"trade {seed}")
    size = chance.randint(1, 4)
    p, q = random_law(chance, size), random_law(chance, size)
    f = of_laws(p, q)
    factors = sorted({F(0), F(1, 3), F(1), F(2), *(p[y] / q[y] for y in p if q[y])})
    for t in factors:
        assert f.delta(t).upper == f.delta(t).lower == hockey_stick(p, q, t)
    back = below([(t, hockey_stick(p, q, t)) for t in factors])
    for a in (F(1, 7), F(1, 2), F(9, 10), F(1)):
        assert back.at(a).upper == f.at(a).upper
    fewer = below([(t, hockey_stick(p, q, t)) for t in factors[::2]])
    assert all(fewer.at(a).upper <= f.at(a).lower for a in (F(0), F(1, 3), F(2, 3)))


@pytest.mark.parametrize("seed", range(few(100)))
def test_trade_off_of_approximate_dp_is_below_that_of_every_pair(seed):
    chance = Random(f"below {seed}")
    p, q, t = random_law(chance, 3), random_law(chance, 3), F(chance.randint(4, 12), 4)
    delta = max(hockey_stick(p, q, t), hockey_stick(q, p, t))
    bound, exact = of_approximate(t, delta), of_laws(p, q)
    assert all(bound.at(a).upper <= exact.at(a).lower for a in (F(i, 12) for i in range(13)))
    assert bound.delta(t).upper == delta


def test_trade_off_of_normal_laws_is_enclosed_both_ways():
    f = Gaussian(F(9, 4))
    with mp.workdps(40):
        for a in (F(1, 1000), F(1, 10), F(1, 2), F(9, 10)):
            z = -mp.sqrt(2) * mp.erfinv(2 * to_mp(a) - 1)
            found = f.at(a)
            assert to_mp(found.lower) <= mp.ncdf(z - mpf(3) / 2) <= to_mp(found.upper)
            assert found.upper - found.lower < F(1, 10**12)
            for t in (F(1, 2), F(1), F(4)):
                assert 1 - found.upper - t * a <= f.delta(t).upper
        for t in (F(1, 4), F(1), F(3)):
            b = mp.log(to_mp(t)) / mpf("1.5") + mpf("0.75")
            truth = mp.ncdf(mpf("1.5") - b) - to_mp(t) * mp.ncdf(-b)
            assert to_mp(f.delta(t).lower) <= truth <= to_mp(f.delta(t).upper)
    assert (f.at(F(0)).lower, f.at(F(1)).upper, f.delta(F(0)).upper) == (1, 0, 1)
    grid = [(t, f.delta(t).upper) for t in (F(1, 4), F(1, 2), F(1), F(2), F(4))]
    assert all(below(grid).at(a).upper <= f.at(a).upper for a in (F(1, 20), F(1, 3), F(4, 5)))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: PiecewiseLinear(((F(0), F(1)),)), "corners must go from 0"),
        (lambda: PiecewiseLinear(((F(0), F(1)), (F(1), F(1, 2)))), "corners must go from 0"),
        (lambda: PiecewiseLinear(((F(0), F(1)), (F(1, 2), F(1, 2)), (F(1, 2), F(0)), (F(1), F(0)))), "must rise"),
        (lambda: PiecewiseLinear(((F(0), F(1, 2)), (F(1, 2), F(1, 2)), (F(1), F(0)))), "convex"),
        (lambda: PiecewiseLinear(((F(0), F(2)), (F(1), F(0)))), "from 0 to 1 - a"),
        (lambda: of_approximate(F(2), F(0)).at(F(2)), "an error must be from 0 to 1"),
        (lambda: of_approximate(F(2), F(0)).delta(F(-1)), "must be >= 0"),
        (lambda: of_approximate(F(1, 2), F(0)), "must be >= 1"),
        (lambda: Gaussian(F(0)), "mu_squared must be > 0"),
        (lambda: Gaussian(F(1)).at(F(-1)), "an error must be from 0 to 1"),
        (lambda: Gaussian(F(1)).delta(F(-1)), "must be >= 0"),
        (lambda: below([(F(1, 2), F(1, 3))]), "a profile has"),
        (lambda: below([(F(-1), F(1))]), "a profile has"),
        (lambda: below([(F(2), F(3, 2))]), "a profile has"),
    ],
)
def test_what_is_no_trade_off_function_is_refused(call, sentence):
    with pytest.raises(HypothesisError, match=sentence):
        call()
