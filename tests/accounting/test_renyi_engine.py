"""Bounds by Renyi divergences: never below exact enumeration, reached where a lemma is tight, moments as integrals."""

from fractions import Fraction as F
from itertools import product
from math import prod
from random import Random

import pytest
from mpmath import mp, mpf

from refdp import work
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import (
    Composition,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    FixedSize,
    Laplace,
    Normal,
    Profile,
    Renyi,
    Response,
    Sampled,
    composition,
)
from refdp.accounting.masses import one_mass
from refdp.accounting.theorems.renyi_engine import ENGINE, RenyiEngine
from refdp.accounting.theorems.renyi_moments import log_moment
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.exact import Ln, exact_real
from tests.examples import few

PLAIN = RenyiEngine()


def moment(loss, order):
    """The moment's logarithm as an interval of mpmath numbers."""
    with precision(160):
        found = interval(log_moment(loss, F(order)), 160)
    return to_mp(found.lower), to_mp(found.upper)


def to_mp(x):
    return mpf(x.numerator) / x.denominator


def curves(parts, engine=PLAIN):
    return list(engine.curves(composition(parts), Effort()))


def excess(pairs, factor):
    """The hockey-stick divergence of the product of finite pairs, by its definition."""
    total = F(0)
    for outcome in product(*(pair.outcomes for pair in pairs)):
        p, q = (prod(masses) for masses in zip(*outcome, strict=True))
        total += max(p - factor * q, F(0))
    return total


def random_pair(chance, size):
    laws = []
    for _ in "PQ":
        weights = [chance.randint(0, 6) for _ in range(size)]
        weights[chance.randrange(size)] += 1
        laws.append([F(w, sum(weights)) for w in weights])
    return Finite(tuple(zip(*laws, strict=True)))


def log_of(factor):
    """A rational number a little below ln(factor), so that e^epsilon <= factor."""
    with mp.workdps(30):
        return F(int(mp.floor(mp.log(to_mp(factor)) * 10**12)), 10**12)


@pytest.mark.parametrize("seed", range(few(300)))
def test_upper_bound_is_never_below_enumeration(seed):
    """Products of two or three random finite pairs, some with outcomes that only one of the laws allows."""
    chance = Random(f"renyi {seed}")
    pairs = [random_pair(chance, chance.randint(2, 3)) for _ in range(chance.choice([1, 2, 2, 3]))]
    factor = chance.choice([F(1, 2), F(1), F(3, 2), F(3), F(10)])
    found_curves = PLAIN.curves(composition([(pair, 1) for pair in pairs]), Effort())
    if not all(any(p and q for p, q in pair.outcomes) for pair in pairs):
        with pytest.raises(OutOfReach, match="no outcome is possible under both laws"):
            next(found_curves)
        return
    curve = next(found_curves)
    found = curve.delta(log_of(factor))
    assert found.upper >= excess(pairs, factor)
    assert found.lower <= excess(pairs, factor) + F(1, 10**9)


@pytest.mark.parametrize("order", [2, 3, 8])
@pytest.mark.parametrize("factor", [F(2), F(5)])
def test_upper_bound_is_reached_where_the_ratio_is_just_right(order, factor):
    """P is certain of an outcome of ratio h = factor a / (a - 1): (h - factor)+ / h = 1 / a."""
    h = factor * F(order, order - 1)
    pair = Finite(((F(1), 1 / h), (F(0), 1 - 1 / h)))
    assert excess([pair], factor) == F(1, order)
    found = curves([(pair, 1)])[-1].delta(log_of(factor)).upper
    assert F(1, order) <= found <= F(1, order) * F(10001, 10000)


def test_upper_bound_counts_impossible_outcomes_once_and_the_rest_by_their_moments():
    t, d = F(3), F(1, 10)
    pair = Response(exact_real(Ln(3)), d)
    law = Finite(
        ((d, F(0)), ((1 - d) * t / (1 + t), (1 - d) / (1 + t)), ((1 - d) / (1 + t), (1 - d) * t / (1 + t)), (F(0), d))
    )
    assert one_mass(pair) == one_mass(law) == d
    for order in (F(3, 2), F(2), F(7)):
        with mp.workdps(30):
            assert abs(moment(pair, order)[1] - moment(law, order)[1]) < mpf(10) ** -20
    for k in (1, 2, 5):
        failing = 1 - (1 - d) ** k
        found = curves([(pair, k)])[-1].delta(F(40)).upper
        assert failing < found < failing + F(1, 10**6)


def test_a_million_failures_are_bounded_at_once():
    """As an exact rational number, their probability has 27 million binary digits."""
    found = curves([(Response(exact_real(F(1, 10**6)), F(1, 10**8)), 10**6), (Concentrated(F(1, 100)), 1)])[0]
    tenth, _ = exp_bounds(-F(1, 100), 64)
    assert 1 - tenth < found.failing < F(1, 100)


def integral(density, moved, order, ends):
    """The integral of p^order q^(1 - order), p the density moved."""
    return mp.quad(lambda z: density(z - moved) ** order * density(z) ** (1 - order), ends)


def test_moments_are_the_integrals():
    with mp.workdps(25):
        for e, a in ((F(1, 3), F(3, 2)), (F(2), F(5))):
            x, b = to_mp(e), to_mp(a)
            value = integral(lambda z: mp.exp(-abs(z)) / 2, x, b, [-mp.inf, 0, x, mp.inf])
            low, high = moment(Laplace(e), a)
            assert low - mpf(10) ** -15 <= mp.log(value) <= high + mpf(10) ** -15
        for loss, a in ((DiscreteLaplace(F(1, 2), 1), F(2)), (DiscreteLaplace(F(1, 3), 4), F(7, 2))):
            x, b = to_mp(loss.epsilon), to_mp(a)
            weights = {k: mp.exp(-x * abs(k)) for k in range(-400, 401)}
            total = sum(weights.values())
            value = sum(
                weights.get(k - loss.shift, mp.exp(-x * abs(k - loss.shift))) ** b * w ** (1 - b)
                for k, w in weights.items()
            )
            low, high = moment(loss, a)
            assert low - mpf(10) ** -15 <= mp.log(value / total) <= high + mpf(10) ** -15
        for m, a in ((F(1, 4), F(3)), (F(2), F(9, 4))):
            mu, b = mp.sqrt(to_mp(m)), to_mp(a)
            value = integral(mp.npdf, mu, b, mp.linspace(-12, 20, 9))
            assert abs(mp.log(value) - moment(Normal(m), a)[1]) < mpf(10) ** -12


def test_moment_of_discrete_normal_noise_is_at_most_that_of_normal_noise():
    with mp.workdps(25):
        for v, s, a in ((F(1), 1, 2), (F(9, 4), 2, 3)):
            weights = {k: mp.exp(-mpf(k * k) / (2 * to_mp(v))) for k in range(-60, 61)}
            total = sum(weights.values())
            value = sum(mp.exp(-mpf((k - s) ** 2) / (2 * to_mp(v))) ** a * w ** (1 - a) for k, w in weights.items())
            assert mp.log(value / total) <= moment(DiscreteGaussian(v, s), a)[1] + mpf(10) ** -15


@pytest.mark.parametrize("base", [Normal(F(1)), Laplace(F(1)), Response(exact_real(1))], ids=lambda b: type(b).__name__)
def test_moments_of_a_sampled_pair_are_those_of_the_mixture(base):
    """Removed: the moment itself.  Added: no more than that (Lemma 6.9), and often less."""
    rate = F(1, 5)
    for order in (2, 3, 6):
        low, high = moment(Sampled(base, rate, "remove"), order)
        removed, added = mixture_moments(base, to_mp(rate), order)
        with mp.workdps(25):
            assert low - mpf(10) ** -12 <= mp.log(removed) <= high + mpf(10) ** -12
            assert mp.log(added) < mp.log(removed)
            assert mp.log(added) <= moment(Sampled(base, rate, "add"), order)[1]


def mixture_moments(base, rate, order):
    """Both moments by integration or summation."""
    with mp.workdps(25):
        if isinstance(base, Response):
            t = mp.e
            pairs = [(t / (1 + t), 1 / (1 + t)), (1 / (1 + t), t / (1 + t))]
            mixed = [(rate * p + (1 - rate) * q, q) for p, q in pairs]
            return sum(m**order * q ** (1 - order) for m, q in mixed), sum(
                q**order * m ** (1 - order) for m, q in mixed
            )
        density = mp.npdf if isinstance(base, Normal) else lambda z: mp.exp(-abs(z)) / 2

        def mixed(z):
            return rate * density(z - 1) + (1 - rate) * density(z)

        ends = [-80, -20, -8, -3, 0, 1, 3, 8, 20, 80]
        removed = mp.quad(lambda z: mixed(z) ** order * density(z) ** (1 - order), ends)
        return removed, mp.quad(lambda z: density(z) ** order * mixed(z) ** (1 - order), ends)


def test_sampled_finite_pairs_are_mixed_outcome_by_outcome():
    base = Finite(((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))))
    for direction in ("remove", "add"):
        both = [(F(1, 2), F(1, 4)), (F(1, 2), F(3, 4))]
        plain = Finite(tuple(both if direction == "remove" else [(q, p) for p, q in both]))
        assert moment(Sampled(base, F(1, 2), direction), F(5, 2)) == moment(plain, F(5, 2))


def test_renyi_bounds_lie_on_the_chords():
    """Between orders by the chord, from 1 to the first by monotony, beyond the last not at all."""
    loss = Renyi(((F(2), F(1)), (F(4), F(2))))
    assert moment(loss, 2)[1] == 1
    assert moment(loss, 4)[1] == 6
    assert moment(loss, 3)[1] == mpf("3.5")
    assert moment(loss, F(3, 2))[1] == mpf("0.5")
    loose = Renyi(((F(2), F(9)), (F(4), F(2))))
    assert moment(loose, 2)[1] == 2  # by the chord from 1 to 4
    with pytest.raises(OutOfReach, match="no Renyi divergence of an order >= 5"):
        moment(loss, 5)


def test_concentrated_bounds_hold_what_normal_noise_reaches():
    """rho-zCDP is at least the profile of N(mu, 1), mu^2 = 2 rho, and at most rho + 2 sqrt(rho ln(1/delta))."""
    for rho, epsilon in ((F(1, 10), F(1)), (F(1, 2), F(3)), (F(1, 100), F(1, 2))):
        with mp.workdps(25):
            mu, e = mp.sqrt(2 * to_mp(rho)), to_mp(epsilon)
            truth = mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu)
            simple = mp.exp(-((e - to_mp(rho)) ** 2) / (4 * to_mp(rho)))
        for curve in curves([(Concentrated(rho), 1)], ENGINE):
            found = curve.delta(epsilon)
            assert to_mp(found.lower) <= truth * (1 + mpf(10) ** -9)
            assert truth <= to_mp(found.upper) < simple
        assert to_mp(found.lower) >= truth * (1 - mpf(10) ** -9)
        assert curves([(Concentrated(rho), 1)])[-1].delta(epsilon).lower == 0


def test_curves_get_narrower_and_losses_add_up():
    parts = [(Concentrated(F(1, 20)), 2), (Laplace(F(1, 4)), 3)]
    found = [curve.delta(F(1)).upper for curve in curves(parts)]
    assert found == sorted(found, reverse=True)
    assert curves([(Concentrated(F(1, 20)), 3), (Laplace(F(1, 4)), 3)])[-1].delta(F(1)).upper > found[-1]
    twice = curves([(Concentrated(F(1, 10)), 1), (Laplace(F(1, 4)), 3)])[-1].delta(F(1)).upper
    assert abs(twice - found[-1]) < F(1, 10**20)


def test_delta_at_negative_epsilon_is_at_least_one_minus_its_exponential():
    found = curves([(Concentrated(F(1, 10)), 1)])[-1].delta(F(-1))
    with mp.workdps(25):
        assert abs(to_mp(found.lower) - (1 - mp.exp(-1))) < mpf(10) ** -20
    assert found.upper <= 1
    assert curves([(Concentrated(F(9)), 1)])[-1].delta(F(0)).upper <= 1


@pytest.mark.parametrize(
    ("loss", "sentence"),
    [
        (Profile("p", lambda e: F(1)), "no Renyi divergence is known of Profile"),
        (FixedSize(Normal(F(1)), F(1, 2)), "no Renyi divergence is known of FixedSize"),
        (Sampled(Normal(F(1)), F(1, 2), "replace"), "under replacement is not bounded"),
        (Sampled(Response(exact_real(1), F(1, 10)), F(1, 2), "add"), "noise around a centre"),
    ],
)
def test_what_has_no_renyi_divergence_is_refused(loss, sentence):
    parts = Composition(((loss, 1),))
    assert sentence in PLAIN.why_not(parts)
    with pytest.raises(OutOfReach, match=sentence):
        next(PLAIN.curves(parts, Effort()))


def test_work_ends_with_its_time():
    with pytest.raises(OutOfReach, match="the work that --timeout allows is done"):
        next(PLAIN.curves(composition([(Laplace(F(1)), 1)]), Effort(end=-1)))


@pytest.mark.parametrize("seed", range(few(50)))
def test_moments_of_sampled_responses_are_what_two_outcomes_say(seed):
    """1,000 random rates, responses and orders, in fractions: a row removed attains the sum, one added is below it."""
    chance = Random(seed)
    for _ in range(20):
        ratio, n = F(chance.randint(2, 400), chance.randint(1, 2)), chance.choice([2, 3, 5, 17, chance.randint(2, 256)])
        rate = F(chance.randint(1, 10**6), 10**6 + 1) ** chance.choice([1, 1, 3])
        truth = ratio / (1 + ratio)
        outcomes = [(truth, 1 - truth), (1 - truth, truth)]
        mixed = [(rate * p + (1 - rate) * q, q) for p, q in outcomes]
        removed, added = (sum(p**n / q ** (n - 1) for p, q in law) for law in (mixed, [(q, p) for p, q in mixed]))
        with precision(128):
            ends = interval(log_moment(Sampled(Response(Ln(ratio)), rate, "remove"), F(n)).exp(), 128)
        assert ends.lower <= removed <= ends.upper
        assert ends.upper >= added
        assert ends.upper - ends.lower <= removed / 2**80


def test_the_first_orders_are_a_bound_where_there_is_no_work_for_all():
    """What is left out makes the bound weaker, never false; the engine then says that its work is done."""
    parts = [(Sampled(Laplace(F(1, 3)), F(1, 20), "remove"), 40)]
    whole = curves(parts)[0]
    short = ENGINE.curves(composition(parts), Effort(end=work.until(0.05)))
    first = next(short)
    assert 1 < len(first.orders) < len(whole.orders)
    assert first.orders == whole.orders[: len(first.orders)] == tuple(F(2 + i) for i in range(len(first.orders)))
    for epsilon in (F(0), F(1, 2), F(2)):
        assert first.delta(epsilon).upper >= whole.delta(epsilon).upper
    with pytest.raises(OutOfReach, match="the work that --timeout allows is done"):
        next(short)
    with pytest.raises(OutOfReach, match="the work that --timeout allows is done"):
        next(ENGINE.curves(composition(parts), Effort(end=work.until(0.0))))
