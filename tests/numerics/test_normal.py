"""pi and the normal tail: rational bounds that hold what mpmath finds, narrow at every magnitude and precision."""

from fractions import Fraction
from random import Random

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refdp.numerics import enclosures
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.elementary import LARGEST_ARGUMENT, exp_bounds
from refdp.numerics.exact import Undecided, decide, enclose, exact_number, lower_bound, upper_bound
from refdp.numerics.intervals import Interval
from refdp.numerics.normal import arctan_bounds, density, mills_bounds, normal_tail_bounds, pi_bounds, series_bounds
from refdp.terms.reading import read
from refdp.terms.term import normal_tail, term
from tests.numerics.oracle import MANY, fraction, number, rationals

BITS = st.sampled_from([8, 24, 64, 128, 300])


def tail(x: Fraction, bits: int) -> Fraction:
    """P[N(0, 1) > x] by mpmath's erfc, with more digits than are asked for."""
    lost = int(x * x) if abs(x) < 40 else 2000
    with mpmath.workprec(bits + lost + 60):
        return fraction(mpmath.erfc(number(x) / mpmath.sqrt(2)) / 2)


@pytest.mark.parametrize("bits", [1, 2, 8, 64, 333, 4096])
def test_pi_lies_between_its_bounds(bits: int) -> None:
    low, high = pi_bounds(bits)
    with mpmath.workprec(bits + 200):
        assert low < fraction(+mpmath.pi) < high
    assert high - low <= Fraction(8, 2**bits)
    found = Intervals(bits).function("pi")
    assert (found.lower, found.upper) == (low, high)


@pytest.mark.parametrize("n", [2, 3, 5, 239, 10**6])
@pytest.mark.parametrize("w", [4, 40, 168, 1000])
def test_arctan_lies_between_its_bounds(n: int, w: int) -> None:
    s, e = arctan_bounds(n, w)
    with mpmath.workprec(w + 200):
        exact = fraction(mpmath.atan(mpmath.mpf(1) / n)) * 2**w
    assert s - e < exact < s + e
    assert e <= w


@MANY
@given(rationals(exponents=5), BITS)
@example(Fraction(0), 64)
@example(Fraction(1, 2**1000), 64)
@example(Fraction(-1, 2**1000), 64)
@example(Fraction(1448), 64)
@example(Fraction(-1448), 64)
@example(Fraction(10), 60)
@example(Fraction(21, 2), 70)
def test_normal_tail_agrees_with_mpmath(x: Fraction, bits: int) -> None:
    x = x if abs(x) <= 1448 else x % 1448
    low, high = normal_tail_bounds(x, bits)
    assert low <= tail(x, bits) <= high
    assert high - low <= high / 2 ** (bits - 5)


@pytest.mark.parametrize("bits", [2, 8, 64, 500, 1500])
def test_normal_tail_agrees_with_mpmath_where_the_methods_meet(bits: int) -> None:
    """The series serves up to x^2 = bits + 40, the continued fraction beyond."""
    root = Fraction(int(mpmath.sqrt(bits + 40) * 1000), 1000)
    for x in (root - Fraction(1, 7), root, root + Fraction(1, 500), root + Fraction(1, 3)):
        low, high = normal_tail_bounds(x, bits)
        assert low < tail(x, bits) < high
        assert high - low <= high / 2 ** (bits - 5)


def test_normal_tail_agrees_with_mpmath_at_a_thousand_points() -> None:
    random = Random(7)
    for _ in range(1000):
        x = Fraction(random.randint(-(2**40), 2**40), 2 ** random.randint(30, 44)) % 9
        x = x if random.randrange(3) else -x
        found = Intervals(64).function("normal_tail", Interval(x, x))
        assert found.lower < tail(x, 64) < found.upper


@pytest.mark.parametrize("guard", [1, 4, 12])
def test_the_bounds_do_not_lean_on_the_guard_digits(guard: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refdp.numerics.normal.GUARD", guard)
    pi_bounds.cache_clear()
    for n in range(-60, 200):
        x = Fraction(n, 13)
        low, high = normal_tail_bounds(x, 48)
        assert low < tail(x, 48) < high or x == 0 and low <= Fraction(1, 2) <= high
    pi_bounds.cache_clear()


@MANY
@given(rationals(exponents=8, positive=True), st.sampled_from([40, 64, 168]))
def test_the_parts_hold_their_values(x: Fraction, bits: int) -> None:
    small, large = x % 12, 1 + x % 300
    with mpmath.workprec(4 * bits + 1000):
        t = number(small)
        phi = mpmath.exp(-t * t / 2) / mpmath.sqrt(2 * mpmath.pi)
        within(density(small, bits), phi)
        within(series_bounds(small, bits), (mpmath.mpf(1) / 2 - mpmath.erfc(t / mpmath.sqrt(2)) / 2) / phi)
        t = number(large)
        ratio = mpmath.erfc(t / mpmath.sqrt(2)) / 2 * mpmath.exp(t * t / 2) * mpmath.sqrt(2 * mpmath.pi)
        within(mills_bounds(large, bits), ratio)


def within(found: Interval, value: mpmath.mpf) -> None:
    slack = abs(fraction(value)) / 2**400
    assert found.lower - slack <= fraction(value) <= found.upper + slack


def test_normal_tail_far_out_is_tiny_and_not_negative() -> None:
    for x in (Fraction(1449), Fraction(10**30), Fraction(2**4000) + Fraction(1, 3)):
        low, high = normal_tail_bounds(x, 64)
        assert low == 0
        assert 0 < high <= Fraction(1, 2**LARGEST_ARGUMENT)
        low, high = normal_tail_bounds(-x, 64)
        assert low < 1 <= high
        assert 1 - low < Fraction(1, 2**60)
    at_the_cap = normal_tail_bounds(Fraction(1448), 64)
    assert 0 < at_the_cap[0] < exp_bounds(Fraction(-1448), 64)[1]


def test_normal_tail_of_an_interval_falls() -> None:
    found = Intervals(64).function("normal_tail", Interval(Fraction(-1), Fraction(2)))
    assert found.lower <= tail(Fraction(2), 64) < tail(Fraction(-1), 64) <= found.upper
    assert found.lower > tail(Fraction(21, 10), 64)
    assert found.upper < tail(Fraction(-11, 10), 64)


@MANY
@given(rationals(exponents=4), BITS)
def test_the_balls_meet_the_rational_bounds(x: Fraction, bits: int) -> None:
    x = x % 30 - 10
    ball, ours = enclosures.enclose(normal_tail(x), {}, bits), Intervals(bits).function("normal_tail", Interval(x, x))
    assert ball.lower <= ours.upper
    assert ours.lower <= ball.upper
    with mpmath.workprec(bits + 2000):
        assert ball.lower <= tail(x, bits) <= ball.upper


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("normal_tail(0) == 1/2", True),
        ("normal_tail(1) < 1586552539315/10000000000000", True),
        ("1586552539314/10000000000000 < normal_tail(1)", True),
        ("normal_tail(sqrt(2 * ln(5/2))) <= 1/10", True),
        ("normal_tail(-3) <= normal_tail(-3)", True),
        ("normal_tail(ln(2)) - normal_tail(ln(4) - ln(2)) <= 0", False),
        ("355/113 <= pi()", False),
        ("pi() == pi()", True),
        ("sqrt(2 * pi()) * normal_tail(1/2) < 4/5", True),
        ("0 < normal_tail(1000)", True),
    ],
)
def test_closed_terms_are_decided(statement: str, expected: bool) -> None:
    if "ln(4)" in statement:  # a tie that no cancellation sees
        with pytest.raises(Undecided):
            decide(read(statement))
        return
    assert decide(read(statement)) is expected


def test_a_normal_tail_is_bounded_by_decimals_and_is_no_exact_number() -> None:
    t = normal_tail(term(Fraction(4)))
    low, high = lower_bound(t, 10), upper_bound(t, 10)
    assert low < tail(Fraction(4), 64) < high
    assert high - low == Fraction(1, 10**14)
    assert exact_number(read("normal_tail(1 - 1)")) == Fraction(1, 2)
    with pytest.raises(ValueError, match="not worked out exactly"):
        exact_number(t)
    assert enclose(t, 100).upper - enclose(t, 100).lower < Fraction(1, 2**100)
