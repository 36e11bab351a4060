"""Enclosures on Arb: they hold what mpmath finds, meet the rational intervals, and do not depend on other threads."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Thread

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from refdp.numerics import exact
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.elementary import LARGEST_EXPONENT, Undecided
from refdp.numerics.enclosures import Balls, enclose, finite, geometric, interval, log_concave_sum, precision
from refdp.numerics.intervals import Interval
from refdp.terms.evaluation import COMPARE
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, exp, ln, name, number, term
from tests.numerics.oracle import MANY, SOME, agrees, fraction, rationals
from tests.numerics.oracle import number as real


def meet(a: Interval, b: Interval) -> bool:
    """Whether the intervals have a number in common."""
    return a.lower <= b.upper and b.lower <= a.upper


@MANY
@given(rationals(exponents=15), st.sampled_from(["exp", "ln", "sqrt"]), st.sampled_from([30, 64, 200]))
def test_functions_agree_with_mpmath_and_the_rational_intervals(x: Fraction, function: str, bits: int) -> None:
    x = x % 100_000 if function == "exp" else abs(x)
    found = enclose(Term(function, (name("x"),)), {"x": x}, bits)
    assert agrees(found, function, x)
    assert meet(found, Intervals(bits).function(function, Interval(x, x)))
    spread = 4 + max(0, x.numerator.bit_length() - x.denominator.bit_length())  # exp stretches by x what rounds x
    assert function == "ln" or found.upper - found.lower <= found.upper / 2 ** (bits - spread)


@MANY
@given(rationals(), rationals(), st.sampled_from(["+", "-", "*", "/", "min", "max"]))
def test_arithmetic_holds_the_exact_result(x: Fraction, y: Fraction, op: str) -> None:
    t, values = Term(op, (exp(name("z")) * name("x"), name("y"))), {"x": x, "y": y, "z": Fraction(1)}
    found = enclose(t, values, 90)
    e = fraction(mpmath.e)
    expected = {
        "+": e * x + y,
        "-": e * x - y,
        "*": e * x * y,
        "/": e * x / y,
        "min": min(e * x, y),
        "max": max(e * x, y),
    }
    slack = (abs(e * x) + abs(y)) / Fraction(10) ** 150
    assert found.lower - slack <= expected[op] <= found.upper + slack
    assert meet(found, exact.enclose(term(1) * Term(op, (exp(1) * number(x), number(y))), 90))


@SOME
@given(rationals(), rationals(), st.integers(0, 40), st.sampled_from(["<=", "<", "==", "!="]))
def test_a_comparison_of_balls_is_a_fact(x: Fraction, y: Fraction, radius: int, comparison: str) -> None:
    balls = Balls(64)
    a, b = balls.number(x), balls.number(y)
    wide = a + arb(0, 1) / 2**radius
    for left, right, truths in ((a, b, {COMPARE[comparison](x, y)}), (wide, b, None)):
        try:
            found = balls.holds(comparison, left, right)
        except Undecided:
            continue
        if truths is None:
            ends = interval(wide, 200)
            truths = {COMPARE[comparison](end, y) for end in (ends.lower, ends.upper)}
        assert truths == {found}


def test_balls_decide_equality_of_points_and_leave_overlaps_open() -> None:
    balls, three = Balls(64), arb(3)
    assert balls.holds("==", three, arb(3))
    assert not balls.holds("!=", three, arb(3))
    assert balls.holds("<=", three, arb(3))
    assert not balls.holds("<", three, arb(3))
    for comparison in ("<=", "<", "==", "!="):
        with pytest.raises(Undecided):
            balls.holds(comparison, arb(3, 1), arb(3, 1))
        with pytest.raises(Undecided):
            balls.holds(comparison, arb("nan"), three)


def test_balls_that_touch_are_equal_at_one_number_and_ordered_at_the_others() -> None:
    ball = arb(0, 1)
    end = ball.rad()  # 1, rounded up: the greatest number of the ball
    assert end.is_exact()
    assert Balls(64).holds("<=", ball, end)
    assert not Balls(64).holds("<", end, ball)
    for comparison, left, right in (("<=", end, ball), ("<", ball, end), ("==", end, ball), ("!=", end, ball)):
        with pytest.raises(Undecided):
            Balls(64).holds(comparison, left, right)


@MANY
@given(rationals(exponents=300), rationals(exponents=300, positive=True), st.sampled_from([10, 64, 400]))
def test_a_ball_becomes_an_interval_that_holds_it(middle: Fraction, radius: Fraction, bits: int) -> None:
    with precision(500):
        ball = arb(fmpq(middle.numerator, middle.denominator), fmpq(radius.numerator, radius.denominator))
    found = interval(ball, bits)
    assert found.lower <= middle - radius
    assert middle + radius <= found.upper
    assert found.upper - found.lower <= 2 * radius + (abs(middle) + radius) * Fraction(5, 2**bits) + radius / 2**20


def test_extreme_and_infinite_balls_are_bounded_or_undecided() -> None:
    tiny = enclose(exp(name("x")), {"x": Fraction(-(10**12))})
    assert tiny.lower <= 0 < tiny.upper <= Fraction(4, 2**LARGEST_EXPONENT)
    assert enclose(-exp(name("x")), {"x": Fraction(-(10**12))}).lower >= -Fraction(4, 2**LARGEST_EXPONENT)
    for text in ("exp(1000000000000)", "1/(exp(1) - exp(1))", "ln(exp(1) - exp(1))", "ln(-1)", "sqrt(-exp(1))"):
        with pytest.raises(Undecided):
            enclose(read(text), {})
    for ball in (arb("nan"), arb("inf"), arb(0, "inf")):
        with pytest.raises(Undecided):
            finite(ball)
        with pytest.raises(Undecided):
            interval(ball)


def test_terms_without_an_enclosure_are_refused() -> None:
    with pytest.raises(TermError, match="y has no value"):
        enclose(read("x + exp(y)"), {"x": Fraction(1)})
    with pytest.raises(TermError, match="no enclosure"):
        Balls().function("sin", arb(1))
    with pytest.raises(TermError, match="no numerical value"):
        enclose(read("f(x)"), {"x": Fraction(1)})


def test_an_indicator_of_equal_rationals_is_one() -> None:
    found = enclose(read("indicator(x <= 1/3) * exp(1)"), {"x": Fraction(1, 3)})
    assert found.lower < fraction(mpmath.e) < found.upper


def test_pi_is_enclosed() -> None:
    found = interval(Balls(100).function("pi"), 100)
    assert found.lower < fraction(mpmath.pi + 0) < found.upper
    assert found.upper - found.lower < Fraction(1, 2**90)


# Precision


def test_precision_is_restored_also_after_an_error() -> None:
    before = ctx.prec
    with precision(300):
        assert ctx.prec == 300
        with precision(77):
            assert ctx.prec == 77
        assert ctx.prec == 300
    with pytest.raises(Undecided):
        enclose(read("ln(-1)"), {}, 200)
    with pytest.raises(TermError):
        enclose(read("exp(1) + f(x)"), {"x": Fraction(1)}, 200)
    assert ctx.prec == before


def test_a_precision_holds_until_it_is_left_whatever_other_threads_want() -> None:
    seen: list[int] = []

    def other() -> None:
        with precision(50):
            seen.append(ctx.prec)

    thread = Thread(target=other)
    with precision(100):
        thread.start()
        thread.join(timeout=0.05)
        assert thread.is_alive()
        assert (ctx.prec, seen) == (100, [])
    thread.join()
    assert seen == [50]


def test_threads_with_different_precisions_do_not_disturb_each_other() -> None:
    t = read("exp(x) / (1 + ln(2 + x)) - exp(1/2 * x) + sqrt(x + 1/3)")
    tasks = [(Fraction(i, 7), 40 + 37 * (i % 11)) for i in range(400)]
    before, expected = ctx.prec, [enclose(t, {"x": x}, bits) for x, bits in tasks]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda task: enclose(t, {"x": task[0]}, task[1]), tasks))
    assert found == expected
    assert ctx.prec == before


# Sums


@pytest.mark.parametrize("ratio", [Fraction(1, 2), Fraction(1, 1000), Fraction(9, 10), Fraction(39, 40)])
@pytest.mark.parametrize("bits", [32, 64, 128])
def test_a_geometric_sum_is_enclosed(ratio: Fraction, bits: int) -> None:
    exact_sum = (1 + ratio) / (1 - ratio)
    for weight in (lambda k: Intervals(bits + 40).number(ratio**k), lambda k: Balls(bits + 40).number(ratio**k)):
        found = log_concave_sum(weight, bits)
        assert found.lower <= exact_sum <= found.upper
        assert found.upper - found.lower <= exact_sum / 2 ** (bits - 4)


@pytest.mark.parametrize("sigma", ["1/10", "1/2", "1", "7/3", "10", "50"])
def test_the_normaliser_of_the_discrete_gaussian_is_a_theta_function(sigma: str) -> None:
    s = Fraction(sigma)
    found = log_concave_sum(lambda k: Balls(128).function("exp", Balls(128).number(-(k**2) / (2 * s**2))), 64)
    with mpmath.workdps(60):
        theta = fraction(mpmath.jtheta(3, 0, mpmath.exp(-1 / (2 * real(s) ** 2))))
    assert found.lower < theta < found.upper or s < Fraction(1, 5) and abs(theta - found.lower) < Fraction(1, 10**50)
    assert found.upper - found.lower <= theta / 2**60


def test_the_tail_is_not_left_out() -> None:
    """At 8 bits the tail is a visible part of the sum: without it the upper end would be too low."""
    ratio = Fraction(39, 40)
    found = log_concave_sum(lambda k: Balls(64).number(ratio**k), 8)
    assert found.lower < (1 + ratio) / (1 - ratio) <= found.upper
    assert found.upper - found.lower >= (1 + ratio) / (1 - ratio) / 2**10


def test_weights_that_rise_before_they_fall_are_summed() -> None:
    ratio = Fraction(9, 10)
    found = log_concave_sum(lambda k: Balls(100).number((k + 1) * ratio**k))
    assert found.lower < 2 / (1 - ratio) ** 2 - 1 < found.upper


def test_weights_that_are_not_log_concave_are_refused() -> None:
    with pytest.raises(ValueError, match=r"log-concave, got weight\(2\)"):
        log_concave_sum(lambda k: Balls(64).number(Fraction(1, (1, 2, 8, 9, 10)[min(k, 4)])))


def test_a_sum_that_does_not_end_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refdp.numerics.enclosures.MOST_SUMMANDS", 1000)
    for weight in (lambda k: arb(1), lambda k: arb(0, 1), lambda k: Interval(Fraction(0), Fraction(1))):
        with pytest.raises(Undecided, match="more than 1000 summands"):
            log_concave_sum(weight)


def test_a_logarithm_of_an_enclosed_sum_can_be_taken() -> None:
    found = enclose(ln(name("x") + exp(name("x"))), {"x": Fraction(1)})
    assert found.lower < fraction(mpmath.log(1 + mpmath.e)) < found.upper


def test_a_geometric_sum_whose_ratio_may_be_1_ends_only_with_its_terms():
    ratio = arb(1).union(arb("0.9"))
    assert not geometric(arb(2), ratio).upper().is_finite()
    few = geometric(arb(2), ratio, 3)
    assert few.upper() >= 6
    assert few.upper().is_finite()
    half = geometric(arb(2), arb("0.5"), 3)
    assert half.overlaps(arb("1.75"))
    assert geometric(arb(2), arb("0.5")).overlaps(arb(2))
