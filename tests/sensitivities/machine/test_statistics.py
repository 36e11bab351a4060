"""Means and variances are numpy's bit for bit, or their definition run on numpy's types; runs change nothing."""

import math
import random
import statistics
from fractions import Fraction

import pytest

from refdp.sensitivities.machine import sums
from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, FORMATS, INT64, rounded, saturating
from refdp.sensitivities.machine.narrow import Narrow, nearest
from refdp.sensitivities.machine.quick import QUICK, quick_sum, repeated
from refdp.sensitivities.machine.runs import Runs, runs
from refdp.sensitivities.machine.statistics import (
    fused_dot,
    mean,
    numpy_mean,
    numpy_variance,
    products,
    textbook,
    two_pass,
    variance,
    welford,
)
from refdp.sensitivities.machine.wholes import Whole

numpy = pytest.importorskip("numpy")
KINDS = [FLOAT64, FLOAT32, FLOAT16]


def machine(numbers, form):
    return (numbers, 0.0) if form is FLOAT64 else ([Narrow(x, form) for x in numbers], Narrow(0.0, form))


def value(number):
    return number.number if isinstance(number, Narrow | Whole) else number


def table(count, seed, form, low=-4.0, high=4.0):
    rng = random.Random(seed)
    return [nearest(rng.uniform(low, high), form) for _ in range(count)]


@pytest.mark.parametrize("form", KINDS, ids=lambda f: f.name)
@pytest.mark.parametrize("count", [1, 2, 7, 8, 100, 129, 1025, 9000])
def test_numpy_mean_and_variance_are_numpys(count, form):
    numbers = table(count, count, form, 0, 3)
    array = numpy.array(numbers, dtype=form.name)
    assert value(numpy_mean(*machine(numbers, form))) == float(numpy.mean(array))
    assert value(numpy_variance()(*machine(numbers, form))) == float(numpy.var(array))
    if count > 1:
        assert value(numpy_variance(1)(*machine(numbers, form))) == float(numpy.var(array, ddof=1))


def test_numpy_mean_and_variance_of_integers_are_numpys():
    rng, form = random.Random(1), INT64
    for count in (1, 50, 9000):
        numbers = [rng.randint(-(10**17), 10**17) for _ in range(count)]
        array, wholes = numpy.array(numbers, dtype="int64"), [Whole(x, form) for x in numbers]
        assert numpy_mean(wholes, Whole(0, form)) == float(numpy.mean(array))
        assert numpy_variance()(wholes, Whole(0, form)) == float(numpy.var(array))


def test_numpy_mean_of_nothing_is_nan():
    assert math.isnan(numpy_mean([], 0.0))
    assert math.isnan(numpy_variance(1)([2.0], 0.0))
    with pytest.raises(ZeroDivisionError):
        mean(sums.naive)([], 0.0)


@pytest.mark.parametrize("form", KINDS, ids=lambda f: f.name)
def test_two_pass_textbook_and_welford_are_loops_over_the_real_type(form):
    """The definitions, run on numpy's own numbers."""
    kind = getattr(numpy, form.name)
    for count in (1, 2, 5, 200):
        numbers = table(count, count, form)
        real = [kind(x) for x in numbers]
        first = sum(real, kind(0))
        centre = first / kind(count)
        assert value(two_pass(sums.naive)(*machine(numbers, form))) == sum(
            ((x - centre) * (x - centre) for x in real), kind(0)
        )
        squares = sum((x * x for x in real), kind(0)) - first * first / kind(count)
        assert value(textbook(sums.naive)(*machine(numbers, form))) == squares
        centre, deviations = kind(0), kind(0)
        for n, x in enumerate(real, 1):
            away = x - centre
            centre = centre + away / kind(n)
            deviations = deviations + away * (x - centre)
        assert value(welford(*machine(numbers, form))) == deviations
        assert value(variance(welford)(*machine(numbers, form))) == deviations / kind(count)


def test_all_variances_are_near_the_exact_one():
    numbers = table(500, 4, FLOAT64)
    exactly = float(statistics.pvariance(map(Fraction, numbers)))
    for algorithm in (two_pass(sums.naive), two_pass(sums.pairwise(1)), textbook(sums.kahan), welford):
        assert variance(algorithm)(numbers, 0.0) == pytest.approx(exactly, rel=1e-12)


def test_dot_products_are_rounded_products_summed_or_fused():
    left, right = table(300, 5, FLOAT32), table(300, 6, FLOAT32)
    pairs = [(Narrow(x, FLOAT32), Narrow(y, FLOAT32)) for x, y in zip(left, right, strict=True)]
    a, b = numpy.array(left, dtype="float32"), numpy.array(right, dtype="float32")
    assert products(sums.numpy_sum)(pairs, Narrow(0.0, FLOAT32)).number == float((a * b).sum())
    total = Fraction(0)
    for x, y in zip(left, right, strict=True):
        total = rounded(Fraction(x) * Fraction(y) + total, FLOAT32)
    assert Fraction(fused_dot(pairs, Narrow(0.0, FLOAT32)).number) == total
    tiny = [(1 + 2.0**-30, 1 + 2.0**-30), (1.0, -(1 + 2.0**-29))]
    assert fused_dot(tiny[::-1], 0.0) == 2.0**-60
    assert products(sums.naive)(tiny, 0.0) == 0.0


def random_runs(rng, form):
    """Few runs of values of very different or of close sizes, ties included."""
    big = rng.choice([0, form.precision // 2, form.precision])
    half = 2.0**-form.precision
    pool = [nearest(x, form) for x in (0.0, -0.0, 1.0, -1.0, 0.1, half * 2**big, 3 * half, 2.0**big, -(2.0**big) / 3)]
    return runs((rng.choice(pool), rng.choice([0, 1, 2, 3, 7, 60, 500])) for _ in range(rng.randint(0, 4)))


@pytest.mark.parametrize("form", [*KINDS, BFLOAT16], ids=lambda f: f.name)
def test_sums_of_runs_are_the_sums_row_by_row(form):
    rng = random.Random(form.name)
    for _ in range(60):
        table_ = random_runs(rng, form)
        table_ = table_ if form is FLOAT64 else table_.mapped(lambda x: Narrow(x, form))
        zero = 0.0 if form is FLOAT64 else Narrow(0.0, form)
        for name in [*QUICK, "pairwise:8", "kahan"]:
            assert repr(quick_sum(name)(table_, zero)) == repr(quick_sum(name)(list(table_), zero)), (name, table_)


@pytest.mark.parametrize("form", [FLOAT64, FLOAT16], ids=lambda f: f.name)
def test_long_runs_jump_to_the_sum_of_the_plain_loop(form):
    """Odd sums, ties, both signs, and many binades crossed in both directions."""
    rng = random.Random(5)
    for _ in range(150):
        total = nearest(rng.uniform(-1, 1) * 2.0 ** rng.randint(0, 12), form)
        sizes = [rng.random(), math.ulp(total) / 2, 1.5, 2.0**-9, 3 * 2.0**-11]
        x = nearest(rng.choice([-1, 1]) * rng.choice(sizes), form)
        expected = total
        for _ in range(3000):
            expected = nearest(expected + x, form)
        assert repr(repeated(total, x, 3000, form)) == repr(expected), (total, x)


def test_a_sum_of_many_rows_takes_no_time():
    """2^53 ones reach 2^53, where one more is lost; in float32 that is 2^24."""
    assert repeated(0.0, 1.0, 2**60, FLOAT64) == 2.0**53
    assert repeated(0.0, 1.0, 2**60, FLOAT32) == 2.0**24
    assert repeated(2.0**53, -1.0, 2**53 + 5, FLOAT64) == -5.0
    assert repeated(0.0, 0.1, 10**7, FLOAT64) == pytest.approx(10**6, rel=1e-9)


def test_wholes_of_runs_are_summed_row_by_row():
    rng = random.Random(8)
    for form in (FORMATS["int8"], saturating(FORMATS["int8"]), FORMATS["uint8"]):
        for _ in range(100):
            parts = runs((Whole(rng.randint(form.lowest, form.highest), form), rng.randint(1, 9)) for _ in range(3))
            for name in ("naive", "numpy", "pairwise"):
                assert quick_sum(name)(parts, Whole(0, form)) == quick_sum(name)(list(parts), Whole(0, form))


def test_runs_are_a_table():
    table_ = runs([("a", 2), ("b", 0), ("c", 3)])
    assert table_ == Runs((("a", 2), ("c", 3)))
    assert list(table_) == list("aaccc") == table_.rows()
    assert table_.slice(1, 4) == list("acc")
    with pytest.raises(ValueError, match="rows must be at most"):
        runs([(1.0, 2**40)]).rows()
