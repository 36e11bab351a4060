"""rounded_scaled_student: its coin-flip tree against its distribution function, its map, and what is refused."""

import random
from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.rounded_scaled_student import ROUNDED_SCALED_STUDENT
from refdp.pipeline import PipelineError
from refdp.sampling.coins import Coins
from refdp.sampling.far_and_wide import Point, from_one_point
from refdp.sampling.schemes import SCHEMES
from refdp.sampling.tree import law_of
from refdp.spec.samplers import sampler_obligations
from refdp.terms.reading import read
from refdp.terms.term import TermError
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


def test_a_point_is_kept_as_its_digits_and_those_of_v_say():
    """2,000 points and V of 40 digits: V < Y / sqrt(X^2 + Y^2), by their squares."""
    chance, size, met = random.Random(8), 2**40, set()
    for _ in range(2_000):
        x, y, v = (chance.randrange(size) for _ in range(3))
        point = Point(Coins(digits_of(x, y, v).__next__))
        expected = v * v * (x * x + y * y) < size * size * y * y
        assert point.is_kept() is expected
        assert point.size == next(2 ** (k - 1) for k in range(1, 41) if tells(x, y, v, k))
        met.add((expected, point.size > 2))
    assert len(met) == 4


def tells(x, y, v, k):
    """Whether k digits of V and k - 1 of X and of Y say on which side of Y / sqrt(X^2 + Y^2) V lies."""
    (x0, x1), (y0, y1), (v0, v1) = (
        (F(n >> 40 - size, 2**size), F((n >> 40 - size) + 1, 2**size)) for n, size in ((x, k - 1), (y, k - 1), (v, k))
    )
    return v1**2 * (x1**2 + y0**2) <= y0**2 or v0**2 * (x0**2 + y1**2) >= y1**2


def digits_of(x, y, v):
    """The flips that `is_kept` reads: a digit of V, then one of X and one of Y, as long as it asks."""
    for place in range(39, -1, -1):
        yield from (number >> place & 1 for number in (v, x, y))


@pytest.mark.parametrize(("x", "y"), [("00", "01"), ("000", "001")])
def test_rounded_scaled_student_learns_no_digit_more_than_tells(x, y):
    """|Z| < 2 and a twentieth of it is rounded to 0 as soon as Y is known not to be 0."""
    given = iter([0, *(int(digit) for both in zip(x, y, strict=True) for digit in both)])
    coins = Coins(lambda: next(given))
    assert from_one_point(F(0), F(1, 20), F(1), 1, coins) == 0
    assert next(given, None) is None


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
