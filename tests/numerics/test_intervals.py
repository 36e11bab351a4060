"""Interval arithmetic: what it says of a number is true of it, at every precision and magnitude."""

import operator
from fractions import Fraction
from itertools import product
from random import Random

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.elementary import (
    LARGEST_ARGUMENT,
    LARGEST_EXPONENT,
    Undecided,
    artanh_bounds,
    down,
    exp_bounds,
    exp_series,
    ln2_bounds,
    ln_bounds,
    up,
)
from refdp.numerics.intervals import Interval
from refdp.terms.evaluation import COMPARE
from refdp.terms.term import TermError
from tests.numerics.oracle import FUNCTIONS, MANY, SOME, agrees, fraction, number, rationals

BITS = st.sampled_from([8, 24, 64, 128, 300])


@st.composite
def members(draw: st.DrawFn) -> tuple[Interval, Fraction]:
    """An interval and a number in it, often one of its ends."""
    a, b = sorted((draw(rationals()), draw(rationals())))
    share = draw(st.fractions(0, 1, max_denominator=8))
    return Interval(a, b, draw(BITS)), a + (b - a) * share


def digits(x: Fraction) -> int:
    """The binary digits of a dyadic number, leading and trailing zeros left out."""
    assert x.denominator & (x.denominator - 1) == 0
    n = abs(x.numerator)
    return n.bit_length() - ((n & -n).bit_length() - 1) if n else 0


@MANY
@given(rationals(exponents=300), BITS)
def test_rounding_brackets_the_number_within_its_digits(x: Fraction, bits: int) -> None:
    low, high = down(x.numerator, x.denominator, bits), up(x.numerator, x.denominator, bits)
    assert low <= x <= high
    assert high - low <= abs(x) / 2 ** (bits - 2)
    assert max(digits(low), digits(high)) <= bits + 1
    if x.denominator & (x.denominator - 1) == 0 and digits(x) <= bits:
        assert low == x == high


@MANY
@given(members(), members(), st.sampled_from(["add", "sub", "mul", "truediv"]))
def test_arithmetic_holds_the_exact_result(a: tuple[Interval, Fraction], b: tuple[Interval, Fraction], op: str) -> None:
    (x_interval, x), (y_interval, y), apply = a, b, getattr(operator, op)
    if op == "truediv" and 0 in y_interval:
        with pytest.raises(Undecided):
            apply(x_interval, y_interval)
        return
    found = apply(x_interval, y_interval)
    assert apply(x, y) in found
    assert max(digits(found.lower), digits(found.upper)) <= found.bits + 1


@MANY
@given(members(), st.integers(0, 9), members())
def test_powers_signs_and_extremes_hold_the_exact_result(
    a: tuple[Interval, Fraction], exponent: int, b: tuple[Interval, Fraction]
) -> None:
    (interval, x), (other, y), arithmetic = a, b, Intervals(64)
    assert x**exponent in interval**exponent
    assert exponent % 2 == 1 or (interval**exponent).lower >= 0
    assert abs(x) in abs(interval)
    assert -x in -interval
    assert min(x, y) in arithmetic.function("min", interval, other)
    assert max(x, y) in arithmetic.function("max", interval, other)


@MANY
@given(rationals(exponents=20), BITS)
@example(Fraction(10**6), 128)
@example(Fraction(-(10**6)), 128)
@example(Fraction(LARGEST_ARGUMENT), 64)
@example(Fraction(-LARGEST_ARGUMENT), 64)
@example(Fraction(0), 64)
@example(Fraction(1, 2**1000), 64)
@example(Fraction(-1, 2**1000), 64)
def test_exp_agrees_with_mpmath(x: Fraction, bits: int) -> None:
    if abs(x) > LARGEST_ARGUMENT:
        x %= LARGEST_ARGUMENT
    found = Intervals(bits).function("exp", Interval(x, x))
    assert agrees(found, "exp", x)
    assert found.upper - found.lower <= found.upper / 2 ** (bits - 4)


@MANY
@given(rationals(exponents=4000, positive=True), BITS)
@example(Fraction(10**400), 128)
@example(Fraction(1, 10**400), 128)
@example(1 + Fraction(1, 2**2000), 64)
@example(1 - Fraction(1, 2**2000), 64)
@example(Fraction(2), 128)
@example(Fraction(2**200 - 1, 2**200), 64)
def test_ln_agrees_with_mpmath(x: Fraction, bits: int) -> None:
    found = Intervals(bits).function("ln", Interval(x, x))
    with mpmath.workdps(900):  # so many that ln(1 + 2^-2000) has 290 digits
        point = fraction(mpmath.log(number(x)))
        assert agrees(found, "ln", x)
    assert found.upper - found.lower <= abs(point) / 2 ** (bits - 4)


@pytest.mark.parametrize("exponent", [10**6, -(10**6)])
def test_ln_agrees_with_mpmath_at_powers_of_a_million(exponent: int) -> None:
    found = Intervals(64).function("ln", Interval(3 * Fraction(2) ** exponent, 3 * Fraction(2) ** exponent))
    point = fraction(mpmath.log(3) + exponent * mpmath.log(2))
    assert found.lower < point < found.upper
    assert found.upper - found.lower <= abs(point) / 2**60


@MANY
@given(rationals(exponents=4000, positive=True), BITS)
def test_sqrt_brackets_by_its_definition(x: Fraction, bits: int) -> None:
    found = Intervals(bits).function("sqrt", Interval(x, x))
    assert 0 <= found.lower
    assert found.lower**2 <= x <= found.upper**2
    assert found.upper - found.lower <= found.upper / 2 ** (bits - 4)
    root = Fraction(x.numerator % 15)
    assert Intervals(bits).function("sqrt", Interval(root**2, root**2)) == Interval(root, root)


@SOME
@given(members(), st.sampled_from(["exp", "ln", "sqrt"]))
def test_functions_of_wide_intervals_hold_every_value(a: tuple[Interval, Fraction], function: str) -> None:
    interval, x = a
    if function != "exp":
        interval, x = abs(interval) + Interval(Fraction(1, 9), Fraction(1, 9)), abs(x) + Fraction(1, 9)
    else:
        least = interval.lower % 50
        interval, x = Interval(least, least + 9), least + 9 / (1 + x**2)
    assert agrees(Intervals(64).function(function, interval), function, x)


def test_exp_ln_and_sqrt_agree_with_mpmath_at_thousands_of_values() -> None:
    random, intervals = Random(1), Intervals(128)
    for _ in range(2000):
        x = Fraction(random.getrandbits(80) + 1, random.getrandbits(80) | 2**79) * Fraction(2) ** random.randint(-30, 4)
        for function, argument in (("exp", x), ("exp", -x), ("ln", x), ("sqrt", x)):
            found = intervals.function(function, Interval(argument, argument))
            with mpmath.workdps(60):
                point = fraction(getattr(mpmath, FUNCTIONS[function])(number(argument)))
            assert found.lower < point < found.upper


@pytest.mark.parametrize("w", [40, 41, 64, 104, 168, 333, 1000, 4136])
def test_ln2_lies_between_its_bounds(w: int) -> None:
    with mpmath.workprec(w + 200):
        exact = fraction(mpmath.ln(2)) * 2**w
    low, high = ln2_bounds(w)
    assert high == low + 2
    assert low < exact < high


@MANY
@given(st.integers(0, 2**60), st.integers(1, 2**62), st.sampled_from([40, 64, 168, 500]))
def test_artanh_lies_between_its_bounds(n: int, d: int, w: int) -> None:
    n %= d // 3 + 1
    s, error = artanh_bounds(n, d, w)
    with mpmath.workprec(w + 300):
        exact = fraction(mpmath.atanh(mpmath.mpf(n) / d)) * 2**w
    assert s - Fraction(1, 2**200) <= exact <= s + error


@pytest.mark.parametrize("bits", [2, 8, 64, 4096])
def test_exp_and_ln_agree_at_every_precision(bits: int) -> None:
    for x in (Fraction(1), Fraction(1, 3), Fraction(22, 7), Fraction(-5, 2), Fraction(700)):
        found = Intervals(bits).function("exp", Interval(x, x))
        with mpmath.workprec(bits + 500):
            assert found.lower < fraction(mpmath.exp(number(x))) < found.upper
            if x > 0 and x != 1:
                assert ln_bounds(x, bits)[0] < fraction(mpmath.log(number(x))) < ln_bounds(x, bits)[1]


@MANY
@given(st.integers(0, 2**40), st.sampled_from([20, 40, 64, 168, 500]))
def test_the_exponential_series_lies_between_its_bounds(share: int, w: int) -> None:
    r = share * (7 * 2**w // 10) >> 40
    s, error = exp_series(r, w)
    with mpmath.workprec(w + 300):
        exact = fraction(mpmath.exp(mpmath.mpf(r) / 2**w)) * 2**w
    assert s - Fraction(1, 2**200) <= exact <= s + error


@pytest.mark.parametrize("guard", [8, 10, 12, 20])
def test_the_bounds_do_not_lean_on_the_guard_digits(guard: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few guard digits the accumulated error shows in the result, which must hold the value all the same."""
    monkeypatch.setattr("refdp.numerics.elementary.GUARD", guard)
    random = Random(guard)
    ln2_bounds.cache_clear()
    for n in range(400):
        x = Fraction(random.randint(-(2**50), 2**50), 2 ** random.choice([30, 36, 42, 50]))
        for found, function, argument in (
            (exp_bounds(x, 64), mpmath.exp, x),
            (ln_bounds(abs(x) + 1, 64), mpmath.log, abs(x) + 1),
            (ln_bounds(abs(x) * 2**n + 2, 64), mpmath.log, abs(x) * 2**n + 2),
        ):
            assert found[0] < fraction(function(number(argument))) < found[1]
    ln2_bounds.cache_clear()


def test_too_few_guard_digits_are_undecided_and_not_a_wrong_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refdp.numerics.elementary.GUARD", 4)
    ln2_bounds.cache_clear()
    with pytest.raises(Undecided, match="ln 2 to 100 bits"):
        ln2_bounds(100)
    ln2_bounds.cache_clear()


def test_exp_beyond_its_cap_is_undecided_above_and_tiny_below() -> None:
    exp = Intervals(64).function
    for x in (Fraction(LARGEST_ARGUMENT) + 1, Fraction(10**30), Fraction(2**4000)):
        with pytest.raises(Undecided):
            exp("exp", Interval(x, x))
        tiny = exp("exp", Interval(-x, -x))
        assert tiny == Interval(Fraction(0), Fraction(1, 2**LARGEST_ARGUMENT))
    below = exp("exp", Interval(Fraction(-LARGEST_ARGUMENT), Fraction(-LARGEST_ARGUMENT)))
    assert below.upper < tiny.upper  # the bound beyond the cap is no smaller than what stands at the cap


def test_endpoints_stay_within_the_largest_exponent() -> None:
    huge = Interval(Fraction(2**LARGEST_EXPONENT // 4), Fraction(2**LARGEST_EXPONENT // 2))
    tiny = Interval(Fraction(1), Fraction(1)) / huge
    with pytest.raises(Undecided):
        huge * huge
    assert (tiny * tiny) == Interval(Fraction(0), Fraction(1, 2**LARGEST_EXPONENT))
    assert (-tiny * tiny) == Interval(Fraction(-1, 2**LARGEST_EXPONENT), Fraction(0))
    with pytest.raises(Undecided):
        Interval(Fraction(3), Fraction(3)) ** 10**9
    assert (Interval(Fraction(1, 3), Fraction(1, 2)) ** 10**9).lower == 0


@MANY
@given(members(), members(), st.sampled_from(["<=", "<", "==", "!="]), st.booleans())
def test_a_comparison_holds_only_if_it_does_for_all_members(
    a: tuple[Interval, Fraction], b: tuple[Interval, Fraction], comparison: str, points: bool
) -> None:
    x, y = (Interval(a[1], a[1]), Interval(b[1], b[1])) if points else (a[0], b[0])
    corners = {COMPARE[comparison](p, q) for p, q in product((x.lower, x.upper), (y.lower, y.upper))}
    overlap = x.lower <= y.upper and y.lower <= x.upper and (x.lower < x.upper or y.lower < y.upper)
    try:
        found = Intervals(64).holds(comparison, x, y)
    except Undecided:
        assert len(corners) == 2 or overlap
    else:
        assert corners == {found}
        assert not overlap or comparison in ("<=", "<")


@pytest.mark.parametrize(
    ("comparison", "outcomes"), [("<=", [True, False]), ("<", [False, True]), ("==", [True]), ("!=", [False])]
)
def test_equal_points_decide_every_comparison(comparison: str, outcomes: list[bool]) -> None:
    one = Interval(Fraction(1), Fraction(1))
    assert Intervals(64).holds(comparison, one, one) is outcomes[0]


def test_touching_intervals_decide_only_what_is_certain() -> None:
    low, high = Interval(Fraction(0), Fraction(1)), Interval(Fraction(1), Fraction(2))
    holds = Intervals(64).holds
    assert holds("<=", low, high)
    assert not holds("<", high, low)
    for comparison, a, b in (("<", low, high), ("<=", high, low), ("==", low, high), ("!=", low, high)):
        with pytest.raises(Undecided):
            holds(comparison, a, b)


def test_arguments_outside_the_domain_are_refused() -> None:
    function = Intervals(64).function
    for name, upper in (("ln", 0), ("ln", -1), ("sqrt", -1)):
        with pytest.raises(TermError, match=f"{name} has no value"):
            function(name, Interval(Fraction(-2), Fraction(upper)))
    for name, lower, upper in (("ln", 0, 1), ("ln", -1, 1), ("sqrt", -1, 0)):
        with pytest.raises(Undecided):
            function(name, Interval(Fraction(lower), Fraction(upper)))
    assert function("sqrt", Interval(Fraction(0), Fraction(4))) == Interval(Fraction(0), Fraction(2))
    with pytest.raises(TermError, match="no enclosure"):
        function("sin", Interval(Fraction(0), Fraction(4)))
    with pytest.raises(TermError, match="no enclosure"):
        function("exp", *[Interval(Fraction(0), Fraction(4))] * 2)


@pytest.mark.parametrize("ends", [(0.5, 1.0), (0, 1), (Fraction(0), None)])
def test_an_interval_of_anything_but_fractions_is_refused(ends: tuple[object, object]) -> None:
    with pytest.raises(TypeError, match="endpoints must be Fraction"):
        Interval(*ends)  # type: ignore[arg-type]


@pytest.mark.parametrize(("lower", "upper"), [(0, 0), (0, 1), (-1, 0), (-1, 1)])
def test_a_divisor_that_may_be_zero_is_undecided(lower: int, upper: int) -> None:
    with pytest.raises(Undecided, match="may be 0"):
        Interval(Fraction(1), Fraction(2)) / Interval(Fraction(lower), Fraction(upper))


def test_an_interval_whose_ends_are_swapped_and_a_negative_power_are_refused() -> None:
    with pytest.raises(ValueError, match="lower must be <= upper"):
        Interval(Fraction(1), Fraction(0))
    with pytest.raises(ValueError, match="exponent must be >= 0, got -1"):
        Interval(Fraction(1), Fraction(2)) ** -1
