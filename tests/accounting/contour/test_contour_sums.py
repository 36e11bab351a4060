"""Contours against closed forms, finite sums and one quadrature that do not know of them."""

from fractions import Fraction

import mpmath
import pytest
from mpmath import mp

from refdp.accounting.losses import DiscreteGaussian, DiscreteLaplace, Finite, Laplace, Normal, Response, Sampled
from refdp.numerics.exact import Ln
from tests.accounting.contour.laws import curve, holds, narrow, normal, real, with_atoms, with_density

F = Fraction
EPSILONS = [F(x) for x in ("-3", "-1/2", "0", "1/3", "1", "5/2", "4")]


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(40):
        yield


@pytest.mark.parametrize("mu", ["1/100", "1/3", "1", "6", "30"])
def test_a_gaussian_event_has_the_delta_of_balle_and_wang(mu):
    found = curve([(Normal(F(mu) ** 2), 1)], "1e-30")
    for z in (-3, 0, 2, 5, 8, 11):
        epsilon = F(mu) ** 2 / 2 + z * F(mu)
        truth = normal(real(mu), real(epsilon))
        assert holds(found.delta(epsilon), truth)
        assert narrow(found.delta(epsilon), "1e-8") or truth < mpmath.mpf("1e-30") or z < 0


def test_a_response_is_a_mixture_of_shifts_and_infinite_loss_is_added():
    count, delta = 40, F(1, 10**7)
    found = curve([(Normal(F(1, 4)), 1), (Response(Ln("11/10"), delta), count)])
    step, odds, finite = mpmath.log(mpmath.mpf("1.1")), mpmath.mpf(11) / 21, (1 - real(delta)) ** count
    for epsilon in EPSILONS:
        atoms = [
            (finite * mpmath.binomial(count, j) * odds**j * (1 - odds) ** (count - j), (2 * j - count) * step)
            for j in range(count + 1)
        ]
        truth = 1 - finite + with_atoms(mpmath.mpf(1) / 2, atoms, real(epsilon))
        assert holds(found.delta(epsilon), truth)
        assert narrow(found.delta(epsilon), "1e-9")


def test_a_laplace_event_is_two_atoms_and_a_density():
    found = curve([(Normal(F(1)), 1), (Laplace(F(3, 2)), 1)])
    x = mpmath.mpf(3) / 2
    for epsilon in EPSILONS:
        atoms = with_atoms(1, [(mpmath.mpf(1) / 2, x), (mpmath.exp(-x) / 2, -x)], real(epsilon))
        between = with_density(1, lambda u: mpmath.exp((u - x) / 2) / 4, lambda u: u, [-x, 0, x], real(epsilon))
        assert holds(found.delta(epsilon), atoms + between, "1e-25")
        assert narrow(found.delta(epsilon), "1e-9")


def pair_on_integers(base, reach):
    """(P(k), Q(k), P'(k)) of noise on the integers."""
    if isinstance(base, DiscreteLaplace):
        weights = {k: mpmath.exp(-real(base.epsilon) * abs(k)) for k in range(-2 * reach, 2 * reach + 1)}
    else:
        weights = {
            k: mpmath.exp(-mpmath.mpf(k * k) / (2 * real(base.variance))) for k in range(-2 * reach, 2 * reach + 1)
        }
    total = sum(weights.values())
    return [tuple(weights[k - s] / total for s in (base.shift, 0, -base.shift)) for k in range(-reach, reach + 1)]


@pytest.mark.parametrize("base", [DiscreteLaplace(F(1), 3), DiscreteGaussian(F(4), 3), DiscreteGaussian(F(1, 9), 1)])
@pytest.mark.parametrize("direction", ["remove", "add", "replace", None])
def test_an_event_on_the_integers_beside_a_gaussian_one_is_a_sum(base, direction):
    q = mpmath.mpf(1) / 5
    found = curve([(Normal(F(1, 4)), 1), (base if direction is None else Sampled(base, F(1, 5), direction), 1)])
    for epsilon in (F(-1, 2), F(1, 3), F(2)):
        atoms = []
        for moved, still, back in pair_on_integers(base, 80):
            mixed, mirrored = q * moved + (1 - q) * still, q * back + (1 - q) * still
            laws = {"remove": (mixed, still), "add": (still, mixed), "replace": (mixed, mirrored), None: (moved, still)}
            p, other = laws[direction]
            atoms.append((p, mpmath.log(p / other)))
        assert holds(found.delta(epsilon), with_atoms(mpmath.mpf(1) / 2, atoms, real(epsilon)), "1e-25")
        assert narrow(found.delta(epsilon), "1e-9")


def test_a_finite_pair_is_a_sum_and_what_is_impossible_under_one_law_counts():
    pair = Finite(((F(1, 2), F(1, 4)), (F(1, 3), F(1, 4)), (F(1, 6), F(0)), (F(0), F(1, 2))))
    q, mu = mpmath.mpf(1) / 4, mpmath.mpf(1) / 2
    for direction in ("remove", "add"):
        found = curve([(Normal(F(1, 4)), 1), (Sampled(pair, F(1, 4), direction), 1)])
        for epsilon in (F(-1, 2), F(1, 3), F(2)):
            truth = mpmath.mpf(0)
            for moved, still in [(real(p), real(r)) for p, r in pair.outcomes]:
                mixed = q * moved + (1 - q) * still
                p, other = (mixed, still) if direction == "remove" else (still, mixed)
                if p > 0:
                    truth += p * normal(mu, real(epsilon) - mpmath.log(p / other)) if other > 0 else p
            assert holds(found.delta(epsilon), truth)
            assert narrow(found.delta(epsilon), "1e-9")
