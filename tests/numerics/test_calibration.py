"""Sigmas and the frontier: every number is good on one side and bad on the other, by the definition of delta."""

from fractions import Fraction

import mpmath
import pytest

from refdp.numerics.calibration import analytic_sigma, classical_holds, floor_log10, frontier
from refdp.numerics.exact import Ln, Undecided


def delta(sigma, d_in, epsilon):
    """The greatest P(S) - e^epsilon Q(S) for normal laws: the integral of the positive part of p - e^epsilon q."""
    s, d, t = mpmath.mpf(sigma.numerator) / sigma.denominator, mpmath.mpf(str(d_in)), mpmath.exp(epsilon)
    density = lambda z: mpmath.exp(-z * z / (2 * s * s)) / (s * mpmath.sqrt(2 * mpmath.pi))  # noqa: E731
    start = mpmath.findroot(lambda z: (z * z - (z - d) ** 2) / (2 * s * s) - epsilon, d)
    ends = [start + s * k for k in (0, 1, 2, 4, 8, 16, 32)]
    return mpmath.quad(lambda z: density(z - d) - t * density(z), ends)


@pytest.mark.parametrize(
    ("epsilon", "limit", "d_in"), [("1", "1e-6", "1"), ("0.1", "1e-3", "2"), ("8", "1e-9", "1/4"), ("0", "1/10", "1"),
                                ("6", "1e-6", "1"), ("30", "1/100", "1")]
)  # fmt: skip
def test_analytic_sigma_suffices_and_a_unit_less_does_not(epsilon, limit, d_in):
    found, unit = analytic_sigma(epsilon, limit, d_in, digits=6), None
    with mpmath.workdps(30):
        e, most = mpmath.mpf(epsilon), mpmath.mpf(Fraction(limit).numerator) / Fraction(limit).denominator
        distance = mpmath.mpf(Fraction(d_in).numerator) / Fraction(d_in).denominator
        assert delta(found, distance, e) <= most
        unit = Fraction(10) ** (floor_log10(found) - 5)
        assert delta(found - unit, distance, e) > most


def test_analytic_sigma_grows_with_the_distance_alone():
    assert analytic_sigma(1, "1e-6", 3, digits=8) / 3 - analytic_sigma(1, "1e-6", digits=8) < Fraction(1, 10**6)
    assert analytic_sigma(Ln(3), "1e-5") < analytic_sigma(1, "1e-5")


@pytest.mark.parametrize("wrong", [(-1, "1/2"), (1, 0), (1, 1), (1, "1/2", 0), (1, "1/2", 1, 0)])
def test_analytic_sigma_of_what_it_is_not_for_is_refused(wrong):
    with pytest.raises(ValueError, match="are needed"):
        analytic_sigma(*wrong)


def test_frontier_lies_between_an_epsilon_that_holds_and_one_that_does_not():
    deltas = ["1e-20", "1e-5", "1/10", "1/2", "9/10", "999/1000"]
    found = frontier(deltas)
    assert [d for d, _, _ in found] == [Fraction(d) for d in deltas]
    for d, lower, upper in found:
        assert 0 < upper - lower <= Fraction(1, 1000)
        assert (upper - lower).numerator == 1  # halves of a distance between two powers of 2, the nearest ones
        with mpmath.workdps(40):
            c = mpmath.sqrt(2 * mpmath.log(mpmath.mpf(5) / 4 / mpmath.mpf(d.numerator) * d.denominator))
            for epsilon, good in ((lower, True), (upper, False)):
                e = mpmath.mpf(epsilon.numerator) / epsilon.denominator
                a, b = c - e / (2 * c), c + e / (2 * c)
                tails = [mpmath.erfc(x / mpmath.sqrt(2)) / 2 for x in (a, b)]
                assert (tails[0] - mpmath.exp(e) * tails[1] <= mpmath.mpf(d.numerator) / d.denominator) is good


def test_frontier_agrees_with_the_regions_that_are_proved():
    half, small = frontier(["1/2", "1e-5"], "1/10000")
    assert Fraction(893, 200) <= half[2]
    assert half[1] < Fraction(2233, 500)
    assert small[1] > 8


@pytest.mark.parametrize("delta_", ["0", "1", "-1/2", "2"])
def test_frontier_is_for_deltas_below_1(delta_):
    with pytest.raises(ValueError, match="delta must be in"):
        frontier([delta_])


def test_frontier_does_not_guess(monkeypatch):
    monkeypatch.setattr("refdp.numerics.calibration.LARGEST_EPSILON", Fraction(4))
    with pytest.raises(Undecided, match="the theorem holds at epsilon = 4"):
        frontier(["1/2"])
    monkeypatch.setattr("refdp.numerics.calibration.classical_holds", lambda *_: False)
    with pytest.raises(Undecided, match="the theorem fails at epsilon = 1"):
        frontier(["1/2"])


def test_the_smaller_constant_holds_at_small_epsilon_and_fails_at_large():
    assert classical_holds(Fraction(1), Fraction(1, 2), Fraction(6, 5))
    assert not classical_holds(Fraction(22, 5), Fraction(1, 2), Fraction(6, 5))
    assert classical_holds(Fraction(22, 5), Fraction(1, 2))


@pytest.mark.parametrize(("largest", "last"), [(4, 4), (7, 4), (8, 8)])
def test_frontier_is_looked_for_up_to_the_largest_epsilon(monkeypatch, largest, last):
    monkeypatch.setattr("refdp.numerics.calibration.LARGEST_EPSILON", Fraction(largest))
    monkeypatch.setattr("refdp.numerics.calibration.classical_holds", lambda *_: True)
    with pytest.raises(Undecided, match=f"the theorem holds at epsilon = {last} and"):
        frontier(["1/2"])


@pytest.mark.parametrize("width", [0, -1])
def test_a_frontier_has_a_width(width):
    """It was bisected without end."""
    with pytest.raises(ValueError, match="width must be > 0"):
        frontier(["1e-5"], width)
