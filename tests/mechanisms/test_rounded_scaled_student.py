"""rounded_scaled_student: its coin-flip tree against its distribution function, its map, and what is refused."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.rounded_scaled_student import ROUNDED_SCALED_STUDENT
from refdp.pipeline import PipelineError
from refdp.sampling.coins import Coins
from refdp.sampling.far_and_wide import from_one_point
from refdp.sampling.schemes import SCHEMES
from refdp.sampling.tree import law_of
from refdp.spec.samplers import sampler_obligations
from refdp.spec.terms import TermError, read
from tests.exactness.entering import entered
from tests.mechanisms.checks import MP, real

DEPTH = 15


def upper(t, degrees):
    """P[Z >= t], Z of Student's t law: half of the regularised incomplete beta function, for t >= 0."""
    if t < 0:
        return 1 - upper(-t, degrees)
    n = MP.mpf(degrees)
    return MP.betainc(n / 2, MP.mpf(1) / 2, 0, n / (n + t**2), regularized=True) / 2


def mass(k, value, width, step, degrees):
    """P[k is the nearest multiple of the step]."""
    ends = ((real(k + side * step / 2) - real(value)) / real(width) for side in (-1, 1))
    low, high = (upper(t, degrees) for t in ends)
    return low - high


def share_kept(degrees):
    """How often one point of the square is in the disc and kept: pi / 4 times the mean of cos(a)^(degrees - 1)."""
    n = MP.mpf(degrees)
    return MP.pi / 4 * MP.gamma(n / 2) / (MP.sqrt(MP.pi) * MP.gamma((n + 1) / 2))


@pytest.mark.parametrize("degrees", [1, 2, 3])
@pytest.mark.parametrize(
    ("value", "width", "step"), [(F(0), F(1), F(3)), (F(1, 3), F(1, 2), F(2)), (F(-5), F(3), F(7))]
)
def test_rounded_scaled_student_draws_have_the_law(value, width, step, degrees):
    """What the walked paths of one point give each outcome is at most its share, and what is cut off is what lacks."""
    found = law_of(lambda bits: from_one_point(value, width, step, degrees, Coins(bits)), DEPTH)
    missing, kept = real(found.unresolved), share_kept(degrees)
    assert missing < (0.2, 0.3, 0.4)[degrees - 1]
    assert real(found.masses[None]) <= 1 - kept <= real(found.masses[None]) + missing
    for k, p in found.masses.items():
        if k is not None:
            assert (k / step).denominator == 1
            expected = kept * mass(k, value, width, step, degrees)
            assert real(p) <= expected <= real(p) + missing
    assert len(found.masses) > 3


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 8])
def test_rounded_scaled_student_has_the_tail_of_its_law_statistically(degrees):
    """10,000 draws: the share at 0, one and two widths and more, up to 0.036.

    By Hoeffding's inequality one of the 15 is farther off but once in 10^9: 30 exp(-2 * 10,000 * 0.036^2) < 10^-9.
    """
    draw = refdp.rounded_scaled_student(scale=1, degrees=degrees)
    found = [draw((F(1, 2), F(1))) for _ in range(10_000)]
    for widths in (0, 1, 2):
        share = F(sum(y >= widths + 1 for y in found), 10_000)
        assert abs(real(share) - upper(MP.mpf(widths), degrees)) < 0.036


def test_rounded_scaled_student_without_a_bound_is_the_rounded_value():
    assert refdp.rounded_scaled_student(1, 3, granularity=5)((13, 0)) == 15


def test_rounded_scaled_student_map_rounds_up():
    m = refdp.rounded_scaled_student("3/2", 3)
    assert m.check("61/50", 1)
    assert not m.check("123/100", 1)
    assert m.map("61/50") <= 1
    assert refdp.theorem(m, "61/50").claim.d_out[0].rational == m.map("61/50")
    noisy = refdp.median_with_smooth_bound(0, 10, "61/50") >> refdp.rounded_scaled_student("3/2", 3, "1/8")
    found = refdp.theorem(noisy, 1)
    assert (found.trusts, found.claim.measure) == (frozenset(), "pure")
    assert (8 * noisy([1, 2, 3])).denominator == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0, 3), "scale must be > 0"),
        ((1, 0), "degrees must be >= 1"),
        ((1, -3), "degrees must be >= 1"),
        ((1, "5/2"), "degrees must be a whole number"),
        ((1, 3, 0), "granularity must be > 0"),
        ((1, 2.0), "degrees must be"),
    ],
)
def test_rounded_scaled_student_refuses_other_parameters(arguments, said):
    with pytest.raises(ValueError, match=said):
        refdp.rounded_scaled_student(*arguments)


@pytest.mark.parametrize("x", [1, (1,), (1, -1), (1, 2, 3), ("a", 1), None])
def test_rounded_scaled_student_refuses_what_is_no_pair(x):
    with pytest.raises(PipelineError):
        refdp.rounded_scaled_student(1, 3)(x)


def test_rounded_scaled_student_refuses_growth_below_1():
    for growth in ("1/2", 0, -1):
        with pytest.raises(PipelineError, match="1 <= d_in must hold, got"):
            refdp.rounded_scaled_student(1, 3).map(growth)
    with pytest.raises(KernelError, match="does not hold"):
        refdp.theorem(refdp.rounded_scaled_student(1, 3), "1/2")


def test_degrees_that_are_not_whole_have_no_sampler():
    conditions = tuple(c for c in ROUNDED_SCALED_STUDENT.conditions if c != read("integer(degrees)"))
    kind = replace(ROUNDED_SCALED_STUDENT, stem="m", conditions=conditions)
    with (
        entered(kind, schemes={"m": SCHEMES["rounded_scaled_student"]}),
        pytest.raises(TermError, match=r"must have the condition integer\(degrees\)"),
    ):
        sampler_obligations("m")
    with pytest.raises(TermError, match="has no sampler"):
        sampler_obligations("scaled_student")
