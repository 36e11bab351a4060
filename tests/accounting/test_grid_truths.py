"""Compositions of continuous pairs and of profiles: against integrals, and against digits worked out elsewhere."""

from fractions import Fraction as F

import pytest
from mpmath import exp, log, mp, mpf, quad

from refdp.accounting.curves import Effort
from refdp.accounting.grids import Grids
from refdp.accounting.losses import (
    Composition,
    DiscreteGaussian,
    DiscreteLaplace,
    Laplace,
    Normal,
    Profile,
    Response,
    Sampled,
    composition,
    response,
)
from refdp.numerics.elementary import exp_bounds
from tests.accounting.grid_examples import grid_curve
from tests.accounting.profiles_by_hand import delta, delta_at, real, tail

pytestmark = pytest.mark.usefixtures("forty_digits")


def twice(loss, density, losses, points, epsilon):
    """delta of two equal pairs: the integral under P of the profile of one at epsilon less the loss of the other."""

    def inside(y):
        return density(y) * delta_at(loss, epsilon - losses(y))

    return quad(inside, points)


@pytest.mark.parametrize("way", ["remove", "add"])
def test_two_sampled_gaussians_are_enclosed(way):
    """Against the double integral; the step is near the width of the bend at ln(1 - rate), and far from it."""
    q, loss = F(1, 4), Sampled(Normal(F(1)), F(1, 4), way)
    rate = real(q)
    with mp.workdps(25):
        sign = 1 if way == "remove" else -1

        def ratio(y):
            return sign * log(1 - rate + rate * exp(y - mpf(1) / 2))

        def density(y):
            plain = exp(-y * y / 2) / mp.sqrt(2 * mp.pi)
            return plain * (1 - rate + rate * exp(y - mpf(1) / 2)) if way == "remove" else plain

        for epsilon in (F(-1, 5), F(1, 5), F(3, 2)):
            truth = twice(loss, density, ratio, [-11, -3, 0, 2, 4, 12], real(epsilon))
            for step in (0.5, 0.05, 0.01):
                found = grid_curve([(loss, 2)], step).delta(epsilon)
                assert real(found.lower) <= truth + mpf(10) ** -15
                assert truth - mpf(10) ** -15 <= real(found.upper)
            assert real(found.upper - found.lower) <= 2e-4


DELTAS = (F(1, 10**6), F(1, 10**12), F(1, 10**20))
HUNDREDTH = Sampled(Normal(F(1)), F(1, 100), "remove")
TRUTHS = [
    ([(Normal(F(2, 5)), 1)], 0.002, ("2.921600590427045861", "4.424474305283804621", "5.870004178542142239")),
    ([(Laplace(F(1, 20)), 500)], 0.005, ("5.473901879664653122", "8.023515491212126252", "10.444463982197816991")),
    ([(HUNDREDTH, 1000)], 0.002, ("2.124515171120121282", "3.914298156037469753", "6.361700204079350090")),
    ([(response(F(1, 10)), 100)], 0.1, ("4.774567588107986153", "6.891377199770608309", "8.664980361991343867")),
    (
        [(Normal(F(2, 25)), 1), (Laplace(F(1, 20)), 100), (response(F(1, 10)), 100), (HUNDREDTH, 200)],
        0.005,
        ("5.756504468288629128", "8.344968355826963991", "10.765696907522712562"),
    ),
    ([(DiscreteGaussian(F(100)), 100)], 0.01, ("4.886570745861785729", "7.238480416489105635", "9.510892016662346663")),
]
"""Closed forms, residues, contours and binomial sums of 50 digits; none of them is code of this package."""
GAPS = (2e-4, 1e-3, 6e-2, 1e-9, 6e-2, 1e-9)


@pytest.mark.parametrize(
    ("parts", "step", "digits", "gap"), [(*row, gap) for row, gap in zip(TRUTHS, GAPS, strict=True)]
)
def test_the_truth_lies_between_the_bounds(parts, step, digits, gap):
    """delta is enclosed at the true epsilon, and the bounds of epsilon are about as near as the step says."""
    curve = grid_curve(parts, step)
    for target, text in zip(DELTAS, digits, strict=True):
        truth = F(text)
        assert curve.delta(truth).lower <= target * (1 + F(1, 10**15))
        assert target * (1 - F(1, 10**15)) <= curve.delta(truth).upper
        assert curve.delta(truth + F(gap)).upper <= target
        assert curve.delta(truth - F(gap)).lower > target


def gaussian(epsilon, up):
    """The profile of N(1, 1) against N(0, 1), rounded by hand."""
    e = real(epsilon)
    value = tail(e - mpf(1) / 2) - exp(e) * tail(e + mpf(1) / 2)
    return F(int(value * 10**30) + (1 if up else 0), 10**30)


KNOWN = Profile("Gaussian", lambda e: gaussian(e, True), lambda e: gaussian(e, False))


@pytest.mark.parametrize("step", [0.2, 0.02])
def test_a_profile_composes_as_the_pair_it_belongs_to(step):
    """Four Gaussian profiles against N(2, 1); from below by about one step each."""
    curve, above = (grid_curve([(loss, 4)], step) for loss in (KNOWN, Profile("upper", KNOWN.upper)))
    for epsilon in (F(-1), F(0), F(1), F(3), F(7)):
        truth = delta(Normal(F(4)), epsilon)
        found = curve.delta(epsilon)
        assert real(found.lower) <= truth <= real(found.upper)
        assert above.delta(epsilon).upper == found.upper
        assert above.delta(epsilon).lower == (0 if epsilon >= 0 else above.delta(epsilon).lower)
    assert real(found.upper) <= truth * (1 + 20 * step)
    assert real(found.lower) >= truth * (1 - 20 * step)


def test_a_profile_and_a_pair_compose():
    """The lower side leaves out what is not known from below."""
    one = Profile("one", lambda e: max(F(0), (1 - e) / 10))
    both, alone = grid_curve([(one, 1), (Laplace(F(1)), 2)], 0.01), grid_curve([(Laplace(F(1)), 2)], 0.01)
    for epsilon in (F(0), F(1, 2), F(1)):
        assert both.delta(epsilon).lower == alone.delta(epsilon).lower
        assert both.delta(epsilon).upper > alone.delta(epsilon).upper


@pytest.mark.parametrize("way", ["remove", "add", "replace"])
def test_finer_grids_agree_with_coarser_ones(way):
    """Every two enclosures intersect, and they become narrower."""
    kinds = [(Sampled(Normal(F(1)), F(1, 20), way), 30), (Sampled(Laplace(F(1)), F(1, 20), way), 10)]
    kinds += [(Sampled(DiscreteLaplace(F(1), 2), F(1, 20), way), 5)]
    curves = [grid_curve(kinds, step) for step in (0.04, 0.02, 0.01, 0.003)]
    for epsilon in (F(0), F(1, 2), F(1), F(2)):
        found = [curve.delta(epsilon) for curve in curves]
        assert max(one.lower for one in found) <= min(one.upper for one in found)
        assert found[-1].upper - found[-1].lower < (found[0].upper - found[0].lower) / 2


def test_replacement_equals_its_reflection():
    """(P, P') and (P', P) have one profile: delta(x) = 1 - x + x delta(1 / x), three times over."""
    for base in (Normal(F(1)), Laplace(F(1))):
        curve = grid_curve([(Sampled(base, F(1, 5), "replace"), 3)], 0.02)
        for epsilon in (F(1, 10), F(1)):
            found, other = curve.delta(epsilon), curve.delta(-epsilon)
            low, high = exp_bounds(-epsilon, 100)
            assert 1 - high + low * found.lower <= other.upper
            assert other.lower <= 1 - low + high * found.upper


def test_removing_and_adding_a_row_are_dual():
    """delta of (Q, P) at x is 1 - x + x delta of (P, Q) at 1 / x, for compositions too."""
    there, back = (grid_curve([(Sampled(Normal(F(1)), F(1, 10), way), 7)], 0.01) for way in ("remove", "add"))
    for epsilon in (F(-1), F(-1, 5), F(1, 10), F(1, 2)):
        found, other = there.delta(epsilon), back.delta(-epsilon)
        low, high = exp_bounds(-epsilon, 100)
        assert 1 - high + low * found.lower <= other.upper
        assert other.lower <= 1 - low + high * found.upper


def test_the_engine_refines_until_the_width_is_attained():
    """Twenty sampled Gaussians, both directions: 1e-4 in epsilon at 1e-20."""
    for way in ("remove", "add"):
        one = composition([(Sampled(Normal(F(1)), F(1, 100), way), 20)])
        curves = list(Grids().curves(one, Effort(width=F(1, 10**4), delta=DELTAS[2])))
        assert len(curves) <= 4
        steps = [curve.upper.measure.step for curve in curves]
        assert steps == sorted(steps, reverse=True)


def test_responses_with_any_epsilon_are_exact():
    one = composition([(Response(response("1/2 + ln(3)").epsilon, F(1, 10)), 4)])
    assert isinstance(one, Composition)
    least, most = binomial(F(1, 2), F(1, 10), 4)
    found = grid_curve(one.parts, 0.05).delta(F(1, 2))
    assert real(found.lower) <= most
    assert least <= real(found.upper)
    assert real(found.upper - found.lower) < mpf(10) ** -15


def binomial(epsilon, d, count):
    """delta of `count` responses with e^epsilon_0 = 3 sqrt(e), the binomial sum."""
    e, t = mpf(1) / 2 + log(mpf(3)), 3 * exp(mpf(1) / 2) / (1 + 3 * exp(mpf(1) / 2))
    total = mpf(0)
    for j in range(count + 1):
        mass = mp.binomial(count, j) * t**j * (1 - t) ** (count - j)
        total += mass * max(mpf(0), 1 - exp(real(epsilon) - (2 * j - count) * e))
    stays = (1 - real(d)) ** count
    found = 1 - stays + stays * total
    return found - mpf(10) ** -35, found + mpf(10) ** -35
