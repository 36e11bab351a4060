"""rounded_scaled_laplace: its coin-flip tree against the exponential function, its map, and what is refused."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.rounded_scaled_laplace import ROUNDED_SCALED_LAPLACE
from refdp.pipeline import PipelineError
from refdp.sampling.coins import Coins
from refdp.sampling.far_and_wide import digits_of_exponential
from refdp.sampling.schemes import SCHEMES
from refdp.sampling.tree import law_of
from refdp.spec.samplers import KeptPointOfDisc, PointOfDisc, sampler_obligations
from refdp.terms.term import TermError
from tests.exactness.entering import entered
from tests.mechanisms.checks import MP, real

DEPTH = 15


def below(y, value, width):
    """P[value + width Z < y], Z standard Laplace noise."""
    z = (real(y) - real(value)) / real(width)
    return MP.exp(z) / 2 if z < 0 else 1 - MP.exp(-z) / 2


def mass(k, value, width, step):
    """P[k is the nearest multiple of the step]."""
    return below(k + step / 2, value, width) - below(k - step / 2, value, width)


@pytest.mark.parametrize(
    ("value", "width", "step"),
    [(F(0), F(1), F(2)), (F(1, 3), F(1, 2), F(1)), (F(-5), F(3), F(7)), (F(1, 2), F(1, 10), F(1)), (F(0), F(2), F(1))],
)
def test_rounded_scaled_laplace_draws_have_the_law(value, width, step):
    """What the walked paths give each outcome is at most its mass, and what is cut off is all that is missing."""
    found = law_of(lambda bits: digits_of_exponential(value, width, step, Coins(bits)), DEPTH)
    missing = real(found.unresolved)
    assert missing < 0.35
    for k, p in found.masses.items():
        assert (k / step).denominator == 1
        expected = mass(k, value, width, step)
        assert real(p) <= expected <= real(p) + missing
    assert len(found.masses) > 1


def test_rounded_scaled_laplace_has_the_tail_of_its_law_statistically():
    """10,000 draws: the share at 0, one and three widths and more, up to 0.036.

    By Hoeffding's inequality one of them is farther off but once in 10^9: 6 exp(-2 * 10,000 * 0.036^2) < 10^-10.
    """
    draw = refdp.rounded_scaled_laplace(scale=1)
    found = [draw((F(1, 2), F(1))) for _ in range(10_000)]
    for widths in (0, 1, 3):
        share = F(sum(y >= widths + 1 for y in found), 10_000)
        assert abs(real(share) - MP.exp(-widths) / 2) < 0.036


def test_rounded_scaled_laplace_without_a_bound_is_the_rounded_value():
    assert refdp.rounded_scaled_laplace(1, granularity=5)((13, 0)) == 15


def test_rounded_scaled_laplace_map_rounds_up():
    m = refdp.rounded_scaled_laplace(scale=2)
    epsilon, delta = m.map("527/500")
    assert epsilon == 1
    assert m.check("527/500", (1, delta))
    assert not m.check("527/500", (1, delta * F(999, 1000)))
    assert not m.check("527/500", ("999/1000", delta))
    claim = refdp.theorem(m, "527/500").claim
    assert (claim.measure, [t.rational for t in claim.d_out]) == ("approximate", [1, delta])
    assert refdp.rounded_scaled_laplace(scale=2, epsilon=3).map("527/500")[1] < delta


def test_rounded_scaled_laplace_after_a_median_has_a_theorem():
    noisy = refdp.median_with_smooth_bound(0, 10, "527/500") >> refdp.rounded_scaled_laplace(2, "1/8")
    assert noisy.check(1, (1, "1/1000000"))
    found = refdp.theorem(noisy, 1)
    assert (found.trusts, found.claim.measure) == (frozenset(), "approximate")
    assert found.claim.d_out[1].rational <= F(1, 10**6)
    assert (8 * noisy([1, 2, 3])).denominator == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0,), "scale must be > 0"),
        ((1, 0), "granularity must be > 0"),
        ((2, 1, "1/3"), "epsilon must be >= 1 / scale = 1/2, got 1/3"),
        ((2, 1, -1), "epsilon must be >= 1 / scale = 1/2, got -1"),
        ((2, 1, 0.5), "epsilon must be"),
        (("one",), "scale must be"),
    ],
)
def test_rounded_scaled_laplace_refuses_other_parameters(arguments, said):
    with pytest.raises(ValueError, match=said):
        refdp.rounded_scaled_laplace(*arguments)


@pytest.mark.parametrize("x", [1, (1,), (1, -1), (1, 2, 3), ("a", 1), None])
def test_rounded_scaled_laplace_refuses_what_is_no_pair(x):
    with pytest.raises(PipelineError):
        refdp.rounded_scaled_laplace(1)(x)


def test_rounded_scaled_laplace_refuses_growth_that_its_map_says_nothing_of():
    for growth in (1, "1/2", 0, -1):
        with pytest.raises(PipelineError, match="1 < d_in must hold, got"):
            refdp.rounded_scaled_laplace(2).map(growth)
    with pytest.raises(PipelineError, match=r"ln\(d_in\) \+ 1 / \(2 \* d_in\) <= 1 must hold, got 3"):
        refdp.rounded_scaled_laplace(2).map(3)
    for growth in ("1/2", 1, 3):
        with pytest.raises((KernelError, ValueError)):
            refdp.theorem(refdp.rounded_scaled_laplace(2), growth)
    with pytest.raises(PipelineError):
        refdp.median_with_smooth_bound(0, 10, 3) >> refdp.rounded_scaled_laplace(2)
    with pytest.raises(PipelineError, match="the output domain"):
        refdp.median_with_distance(0, 1, 2) >> refdp.rounded_scaled_laplace(2)


def test_the_scheme_draws_from_laplace_noise_alone():
    assert set(sampler_obligations("rounded_scaled_laplace")) == {"draws_have_the_weights"}
    for scheme in (PointOfDisc(), KeptPointOfDisc()):
        kind = replace(ROUNDED_SCALED_LAPLACE, stem="m")
        with entered(kind, schemes={"m": scheme}), pytest.raises(TermError, match="does not draw from"):
            sampler_obligations("m")
    for stem in ("rounded_scaled_cauchy", "rounded_scaled_student"):
        with (
            entered(schemes={stem: SCHEMES["rounded_scaled_laplace"]}),
            pytest.raises(TermError, match="does not draw from"),
        ):
            sampler_obligations(stem)
