"""One pair at a time: chords and tangents enclose the profile that its definition gives, and close in on it."""

from fractions import Fraction as F

import pytest
from mpmath import mpf

from refdp.accounting.losses import (
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    FixedSize,
    Laplace,
    Normal,
    Sampled,
    response,
)
from tests.accounting.grid_examples import grid_curve
from tests.accounting.profiles_by_hand import delta, real

pytestmark = pytest.mark.usefixtures("forty_digits")

NORMAL, LAPLACE = Normal(F(1)), Laplace(F(1))
RESPONSE = response("ln(3)", F(1, 1000))
FINITE = Finite(((F(1, 2), F(1, 4)), (F(1, 3), F(1, 3)), (F(1, 6), F(1, 4)), (F(0), F(1, 6))))
LOSSY = Finite(((F(1, 100), F(0)), (F(1, 2), F(1, 4)), (F(49, 100), F(3, 4))))
INTEGERS = [
    DiscreteLaplace(F(1, 3), 1),
    DiscreteLaplace(F(1, 4), 3),
    DiscreteGaussian(F(2), 1),
    DiscreteGaussian(F(5), 2),
]
BASES = [NORMAL, Normal(F(1, 50)), Normal(F(9)), LAPLACE, Laplace(F(1, 20)), RESPONSE, FINITE, LOSSY, *INTEGERS]
SAMPLED = [Sampled(base, rate, way) for base in BASES for rate in (F(1, 10),) for way in ("remove", "add")]
SAMPLED += [Sampled(NORMAL, F(1, 1000), way) for way in ("remove", "add", "replace")]
REPLACED = [Sampled(base, F(1, 5), "replace") for base in (NORMAL, LAPLACE, *INTEGERS)]
FIXED = [FixedSize(base, F(1, 5)) for base in (NORMAL, LAPLACE, RESPONSE, FINITE, LOSSY, INTEGERS[1], INTEGERS[2])]
PAIRS = [*BASES, *SAMPLED, *REPLACED, *FIXED]
EPSILONS = [F(k, 7) for k in (-40, -15, -9, -3, -1, 0, 1, 2, 5, 9, 15, 40)]
NEAR = [F(-1, 9), F(-1, 10), F(1, 11), F(1, 9), F(1, 100), F(-1, 1000)]
SLACK = mpf(10) ** -37


@pytest.mark.parametrize("loss", PAIRS, ids=str)
@pytest.mark.parametrize("step", [0.31, 0.01])
def test_the_profile_is_enclosed(loss, step):
    """At points of the grid and between them, and beside the sharp bend of a sampled law at ln(1 - rate)."""
    curve = grid_curve([(loss, 1)], step)
    for epsilon in asked(loss):
        truth, found = delta(loss, epsilon), curve.delta(epsilon)
        assert real(found.lower) <= truth + SLACK, (epsilon, truth)
        assert truth <= real(found.upper) + SLACK, (epsilon, truth)


@pytest.mark.parametrize("loss", [loss for loss in PAIRS if "1000)" not in str(loss)], ids=str)
def test_the_enclosure_is_narrow(loss):
    """By about the square of the step on both sides; by about the step where there are atoms between the points."""
    step = 0.005
    curve = grid_curve([(loss, 1)], step)
    for epsilon in [epsilon for epsilon in asked(loss) if epsilon in EPSILONS]:
        found, truth = curve.delta(epsilon), delta(loss, epsilon)
        wrong = max(real(found.upper) - truth, truth - real(found.lower))
        assert wrong <= (step / 2 if aside(loss) else 2 * step**2), epsilon


def asked(loss):
    """Fewer where the truth takes long: two mixtures of noise that is not on a grid."""
    slow = isinstance(loss, Sampled) and loss.direction == "replace" and isinstance(loss.base, Normal | Laplace)
    return (EPSILONS + NEAR)[::5] if slow else EPSILONS + NEAR


def aside(loss):
    """Whether atoms lie between the points."""
    base = getattr(loss, "base", loss)
    return isinstance(base, Finite) or base is not loss and isinstance(base, DiscreteLaplace | DiscreteGaussian)


def test_pure_privacy_ends_in_exact_zeros():
    """Past the greatest loss nothing is left: no rounding puts mass at infinity."""
    for loss, end in [
        (LAPLACE, F(1)),
        (Laplace(F(1, 20)), F(1, 20)),
        (response(F(1, 3)), F(1, 3)),
        (INTEGERS[1], F(3, 4)),
    ]:
        for count in (1, 5):
            curve = grid_curve([(loss, count)], 0.01)
            assert curve.delta(count * end + F(1, 10**6)).upper == 0
            assert curve.delta(count * end - F(1, 50)).lower > 0


def test_infinite_losses_stay():
    """delta never falls below the mass of infinite losses, which is found to all digits."""
    found = grid_curve([(RESPONSE, 3)], 0.01).delta(F(50))
    truth = 1 - (1 - F(1, 1000)) ** 3
    assert found.lower <= truth <= found.upper < truth + F(1, 10**15)
    assert truth - found.lower < F(1, 10**15)
