"""rounded_scaled_cauchy: its coin-flip tree against the arctangent, its map, and what is refused."""

from fractions import Fraction as F

import pytest

import refdp
from refdp.kernel.judgements import KernelError
from refdp.pipeline import PipelineError
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import point_of_disc
from refdp.sampling.tree import law_of
from tests.mechanisms.checks import MP, real

DEPTH = 13


def mass(k, value, width, step):
    """P[k is the nearest multiple of the step], by the arctangent."""
    low, high = ((k - real(step) / 2 - real(value)) / real(width), (k + real(step) / 2 - real(value)) / real(width))
    return (MP.atan(high) - MP.atan(low)) / MP.pi


@pytest.mark.parametrize(
    ("value", "width", "step"),
    [(F(0), F(1), F(2)), (F(1, 3), F(1, 2), F(1)), (F(-5), F(3), F(7)), (F(1, 2), F(1, 10), F(1))],
)
def test_rounded_scaled_cauchy_draws_have_the_law(value, width, step):
    """What the walked paths give each outcome is at most its mass, and what is cut off is all that is missing."""
    found = law_of(lambda bits: point_of_disc(value, width, step, Coins(bits)), DEPTH)
    missing = real(found.unresolved)
    assert missing < 0.4
    for k, p in found.masses.items():
        assert (k / step).denominator == 1
        expected = mass(real(k), value, width, step)
        assert real(p) <= expected <= real(p) + missing
    assert len(found.masses) > 3


def test_rounded_scaled_cauchy_has_the_tail_of_its_law_statistically():
    """20,000 draws: the share beyond three widths is 1 - 2 atan(3) / pi, 0.2048, up to 0.024.

    By Hoeffding's inequality it is farther off but once in 10^9.  Of a point of the square it would be 1/6.
    """
    draw = refdp.rounded_scaled_cauchy(scale=1, granularity="1/1000")
    far = sum(abs(draw((F(2), F(3))) - 2) >= 9 for _ in range(20_000))
    assert abs(real(F(far, 20_000)) - (1 - 2 * MP.atan(3) / MP.pi)) < 0.024


def test_rounded_scaled_cauchy_without_a_bound_is_the_rounded_value():
    assert refdp.rounded_scaled_cauchy(1, granularity=5)((13, 0)) == 15


def test_rounded_scaled_cauchy_map_rounds_up():
    m = refdp.rounded_scaled_cauchy(scale="24/25")
    assert m.check("417/200", 1)
    assert not m.check("541/250", 1)
    assert m.map("417/200") <= 1
    assert refdp.theorem(m, "417/200").claim.d_out[0].rational == m.map("417/200")


@pytest.mark.parametrize(("arguments", "said"), [((0,), "scale must be > 0"), ((1, 0), "granularity must be > 0")])
def test_rounded_scaled_cauchy_refuses_other_parameters(arguments, said):
    with pytest.raises(ValueError, match=said):
        refdp.rounded_scaled_cauchy(*arguments)


@pytest.mark.parametrize("x", [1, (1,), (1, -1), (1, 2, 3), ("a", 1), None])
def test_rounded_scaled_cauchy_refuses_what_is_no_pair(x):
    with pytest.raises(PipelineError):
        refdp.rounded_scaled_cauchy(1)(x)


def test_rounded_scaled_cauchy_refuses_growth_below_1():
    for growth in ("1/2", 0, -1):
        with pytest.raises(PipelineError, match="1 <= d_in must hold, got"):
            refdp.rounded_scaled_cauchy(1).map(growth)
    with pytest.raises(KernelError, match="does not hold"):
        refdp.theorem(refdp.rounded_scaled_cauchy(1), "1/2")
