"""One sampled event beside a Gaussian one: contours against quadrature over the outcomes, in mpmath."""

from fractions import Fraction

import mpmath
import pytest
from mpmath import mp

from refdp.accounting.losses import Laplace, Normal, Sampled
from tests.accounting.contour.laws import (
    curve,
    holds,
    narrow,
    real,
    sampled_normal,
    with_density,
    with_smooth_density,
)

F = Fraction


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(30):
        yield


@pytest.mark.parametrize("direction", ["remove", "add", "replace"])
@pytest.mark.parametrize(("nu", "rate"), [("1", "1/10"), ("1/2", "9/10"), ("3", "1/100")])
def test_one_sampled_gaussian_event_beside_a_gaussian_one_is_an_integral(nu, rate, direction):
    found = curve([(Normal(F(1, 4)), 1), (Sampled(Normal(F(nu) ** 2), F(rate), direction), 1)], "1e-9")
    density, loss = sampled_normal(real(nu), real(rate), direction)
    for epsilon in (F(-1, 2), F(2)):
        truth = with_smooth_density(mpmath.mpf(1) / 2, density, loss, real(epsilon))
        assert holds(found.delta(epsilon), truth, "1e-20")
        assert narrow(found.delta(epsilon), "1e-8")


@pytest.mark.parametrize("direction", ["remove", "add", "replace"])
def test_one_sampled_laplace_event_beside_a_gaussian_one_is_an_integral(direction):
    found = curve([(Normal(F(1, 4)), 1), (Sampled(Laplace(F(2)), F(1, 3), direction), 1)], "1e-9")

    def mixture(x, centre):
        return mpmath.exp(-abs(x - centre)) / 6 + mpmath.exp(-abs(x)) / 3

    laws = {"remove": (2, None), "add": (None, 2), "replace": (2, -2)}[direction]
    p, q = ((lambda x, c=c: mpmath.exp(-abs(x)) / 2 if c is None else mixture(x, c)) for c in laws)
    for epsilon in (F(-1), F(2)):
        ends = [-90, -20, -2, 0, 2, 20, 90]
        truth = with_density(mpmath.mpf(1) / 2, p, lambda x: mpmath.log(p(x) / q(x)), ends, real(epsilon))
        assert holds(found.delta(epsilon), truth, "1e-20")
        assert narrow(found.delta(epsilon), "1e-8")
