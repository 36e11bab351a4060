"""Enclosures of variances hold the sums of the definition, by mpmath with 60 digits, and are narrow."""

from fractions import Fraction as F

import pytest
from mpmath import mp, mpf, nsum

from refdp.sampling import variances
from refdp.sampling.potentials import Potential
from refdp.sampling.variances import MOST_TERMS, variance
from tests.sampling.noises import gaussian, laplace

LAWS = {
    "laplace 1/3": laplace("1/3"),
    "laplace 22/7": laplace("22/7"),
    "laplace 10^6": laplace(10**6),
    "gaussian 1/3": gaussian("1/3"),
    "gaussian 1": gaussian(1),
    "gaussian just below the root of 2": gaussian("1414/1000"),
    "gaussian just above the root of 2": gaussian("1415/1000"),
    "gaussian 3": gaussian(3),
    "gaussian 30": gaussian(30),
    "both": Potential((F(1, 7), F(1, 50))),
    "fourth power": Potential((F(0), F(0), F(0), F(1, 500))),
    "steep": Potential((F(1), F(1))),
}


def by_definition(q):
    """sum of k^2 w / sum of w, as far as 60 digits see."""
    rates = [mpf(c.numerator) / c.denominator for c in q.coefficients]
    if len(rates) == 1:  # the sum of the geometric series, differentiated twice
        return 1 / (2 * mp.sinh(rates[0] / 2) ** 2)
    reach = next(k for k in range(1, 10**6) if q(k) > 170)
    weights = [mp.exp(-sum(c * mpf(k) ** i for i, c in enumerate(rates, 1))) for k in range(reach)]
    return 2 * mp.fsum(k * k * w for k, w in enumerate(weights)) / (2 * mp.fsum(weights) - 1)


@pytest.mark.parametrize("name", LAWS)
def test_variance_holds_the_sum_of_the_definition(name):
    with mp.workdps(60):
        truth, found = by_definition(LAWS[name]), variance(LAWS[name])
        lower, upper = (mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        assert lower <= truth * (1 + mpf(10) ** -55)
        assert truth * (1 - mpf(10) ** -55) <= upper
        assert upper - lower <= truth / 10**13


@pytest.mark.parametrize("name", ["gaussian 1", "both", "fourth power"])
def test_variance_bounds_the_tail_that_is_not_added_up(name, monkeypatch):
    """Where weights are added up to e^-2 only, the bound of the rest keeps the truth inside."""
    monkeypatch.setattr(variances, "NEGLIGIBLE", 2)
    with mp.workdps(60):
        truth, found = by_definition(LAWS[name]), variance(LAWS[name])
        lower, upper = (mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        assert lower * (1 + mpf(10) ** -6) < truth < upper * (1 - mpf(10) ** -6)


def test_variance_of_a_wide_gaussian_is_a_hair_below_sigma_squared():
    found = variance(gaussian(10**9))
    assert found.upper == 10**18
    assert 1 - found.lower / found.upper < F(1, 10**15)


def test_variance_of_the_series_is_the_closed_form():
    with mp.workdps(30):
        square, one = (nsum(lambda k, p=p: k**p * mp.exp(-2 * k), [1, mp.inf]) for p in (2, 0))
        series = 2 * square / (1 + 2 * one)
        assert abs(series - by_definition(laplace("1/2"))) < mpf(10) ** -20


def test_variance_is_not_given_where_none_is_at_hand():
    assert variance(Potential((F(1, 3),), two_sided=False)) is None
    assert variance(Potential((F(0), F(0), F(1, MOST_TERMS**4)))) is None


@pytest.mark.parametrize("name", ["gaussian 1", "both", "fourth power", "steep"])
def test_the_bound_of_the_tail_is_that_of_a_geometric_sum(name, monkeypatch):
    """2 w(K) (K + 1)^2 (1 + r) / (1 - r)^3, r = w(K + 1) / w(K), is added to squares and to weights, and no more."""
    monkeypatch.setattr(variances, "NEGLIGIBLE", 2)
    q, found = LAWS[name], variance(LAWS[name])
    with mp.workdps(40):
        w = [mp.exp(-mpf(q(k).numerator) / q(k).denominator) for k in range(40)]
        end = next(k for k in range(2, 40) if q(k) > 2)
        weights, squares = 1 + 2 * mp.fsum(w[1:end]), 2 * mp.fsum(k * k * w[k] for k in range(1, end))
        r = w[end + 1] / w[end]
        tail = 2 * w[end] * (end + 1) ** 2 * (1 + r) / (1 - r) ** 3
        for side, wanted in ((found.lower, squares / (weights + tail)), (found.upper, (squares + tail) / weights)):
            assert abs(mpf(side.numerator) / side.denominator / wanted - 1) < mpf(10) ** -12


@pytest.mark.parametrize("scale", [10**6, 2**50])
def test_variance_of_wide_laplace_noise_is_as_narrow_as_others(scale):
    """Of 1 - e^-rate as many digits are lost as 1 / rate has, and twice."""
    found = variance(laplace(scale))
    assert found.upper - found.lower <= found.lower / 2**60
    assert found.lower < 2 * scale**2 < found.upper * (1 + F(1, scale))
