"""The algorithms are what Python and numpy really compute, bit for bit."""

import math
import random
import sys
from fractions import Fraction

import pytest

from refdp.sensitivities.machine.formats import (
    BFLOAT16,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    FORMATS,
    INT8,
    INT64,
    fitted,
    rounded,
    saturating,
)
from refdp.sensitivities.machine.narrow import Narrow, nearest
from refdp.sensitivities.machine.sums import (
    SUMS,
    buffered,
    compensated,
    fsum,
    kahan,
    naive,
    neumaier,
    numpy_sum,
    pairwise,
    python,
    sum_named,
)
from refdp.sensitivities.machine.wholes import Whole

numpy = pytest.importorskip("numpy")
LENGTHS = [
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    15,
    16,
    17,
    64,
    127,
    128,
    129,
    130,
    136,
    200,
    255,
    256,
    257,
    300,
    1000,
    1024,
    1025,
    4097,
]


def table(count, seed, form):
    """Floats of mixed sizes and signs, with cancellation, repeated values, and now and then a zero."""
    rng = random.Random(seed)
    kind = rng.randrange(3)
    spread = 60 if form is FLOAT64 else 8
    draw = [
        lambda: rng.uniform(-1, 1) * 2.0 ** rng.randint(-spread, spread),
        lambda: rng.choice([0.1, 0.2, 0.3, -0.0, 1.0]),
        lambda: 2.0 ** (form.precision - 2) * 1.0 + rng.random() * 2,
    ][kind]
    return [nearest(draw(), form) for _ in range(count)]


def narrow(numbers, form):
    return [Narrow(x, form) for x in numbers], Narrow(0.0, form)


@pytest.mark.parametrize("count", [*LENGTHS, 10_000])
def test_numpy_sum_is_numpys_float64(count):
    for seed in range(4):
        numbers = table(count, f"{count} {seed}", FLOAT64)
        assert repr(numpy_sum(numbers, 0.0)) == repr(float(numpy.sum(numpy.array(numbers))))


@pytest.mark.parametrize("form", [FLOAT32, FLOAT16], ids=lambda f: f.name)
@pytest.mark.parametrize("count", [*LENGTHS, 9_000])
def test_numpy_sum_is_numpys_narrow_floats(count, form):
    numbers = table(count, f"{count} {form.name}", form)
    with numpy.errstate(all="ignore"):
        real = numpy.sum(numpy.array(numbers, dtype=form.name))
    assert repr(numpy_sum(*narrow(numbers, form)).number) == repr(float(real))


def test_numpy_sum_is_ml_dtypes_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for count in (1, 5, 100, 400):
        numbers = table(count, count, BFLOAT16)
        real = numpy.sum(numpy.array(numbers, dtype=ml_dtypes.bfloat16))
        assert numpy_sum(*narrow(numbers, BFLOAT16)).number == float(real)


def test_numpy_sum_of_columns_is_naive_and_of_converted_rows_buffered():
    numbers = table(3_000, 1, FLOAT64)
    columns = numpy.array([numbers, numbers[::-1]]).T.copy()
    assert float(columns.sum(axis=0)[0]) == naive(numbers, 0.0)
    rng = random.Random(4)
    rows = [nearest(rng.uniform(-1, 1) * 2.0 ** rng.randint(-40, 40), FLOAT32) for _ in range(20_000)]
    real = float(numpy.array(rows, dtype="float32").sum(dtype="float64"))
    assert real == buffered(rows, 0.0)
    assert real != numpy_sum(rows, 0.0), "the case must tell the two apart"


@pytest.mark.parametrize("kind", ["int8", "int64", "uint16"])
def test_integers_sum_as_numpys_of_the_same_type(kind):
    form, rng = FORMATS[kind], random.Random(kind)
    numbers = [rng.randint(form.lowest, form.highest) for _ in range(300)]
    real = int(numpy.array(numbers, dtype=kind).sum(dtype=kind))
    wholes = [Whole(x, form) for x in numbers]
    assert numpy_sum(wholes, Whole(0, form)).number == real == pairwise(1)(wholes, Whole(0, form)).number


def test_python_sum_is_the_running_pythons():
    for count in LENGTHS:
        numbers = table(count, count, FLOAT64)
        assert repr(float(python(numbers, 0.0))) == repr(float(sum(numbers)))
    expected = compensated if sys.version_info >= (3, 12) else naive
    case = [1.0, 1e100, 1.0, -1e100]
    assert python(case, 0.0) == expected(case, 0.0) == sum(case)


def test_compensated_keeps_what_the_naive_sum_loses_and_does_not_make_nan():
    assert compensated([1.0, 1e100, 1.0, -1e100], 0.0) == 2.0 == neumaier([1.0, 1e100, 1.0, -1e100], 0.0)
    assert naive([1.0, 1e100, 1.0, -1e100], 0.0) == 0.0
    assert compensated([1e308, 1e308, 1.0], 0.0) == math.inf
    assert math.isnan(neumaier([1e308, 1e308, 1.0], 0.0))


def test_fsum_is_the_exact_sum_rounded_once():
    for form in (FLOAT64, FLOAT32, FLOAT16, BFLOAT16):
        for count in (0, 3, 50):
            numbers = table(count, f"{form.name} {count}", form)
            exactly = rounded(sum(map(Fraction, numbers), Fraction()), form)
            found = fsum(numbers, 0.0) if form is FLOAT64 else fsum(*narrow(numbers, form)).number
            assert Fraction(found) == exactly
    assert fsum([Narrow(65504.0, FLOAT16)] * 2, Narrow(0.0, FLOAT16)).number == math.inf
    with pytest.raises(OverflowError):
        fsum([1.7e308] * 2, 0.0)


def test_kahan_and_pairwise_are_their_definitions():
    """Against the textbook loop on numpy's float32, and against the sum by hand of a tree of four."""
    numbers = table(400, 9, FLOAT32)
    total = lost = numpy.float32(0)
    for x in map(numpy.float32, numbers):
        y = x - lost
        new = total + y
        lost = (new - total) - y
        total = new
    assert kahan(*narrow(numbers, FLOAT32)).number == float(total)
    a, b, c, d, e = table(5, 3, FLOAT64)
    assert pairwise(1)([a, b, c, d, e], 0.0) == (a + b) + (c + (d + e))
    assert pairwise(2)([a, b, c, d, e], 0.0) == (a + b) + (c + (d + e))
    assert pairwise(4)([a, b, c, d, e], 0.0) == (a + b) + ((c + d) + e)
    assert pairwise(8)([a, b, c, d, e], 0.0) == (((a + b) + c) + d) + e


def test_saturating_sums_depend_on_the_order():
    form = saturating(INT8)
    up, down = [Whole(x, form) for x in (100, 100, -100)], [Whole(x, form) for x in (100, -100, 100)]
    assert naive(up, Whole(0, form)).number == 27
    assert naive(down, Whole(0, form)).number == 100


@pytest.mark.parametrize("form", [INT8, INT64, saturating(INT8)], ids=lambda f: f.name)
def test_integer_operators_are_those_of_the_type(form):
    rng = random.Random(form.name)
    kind = form.name.removesuffix("_saturating")
    for _ in range(300):
        a, b = (rng.choice([form.lowest, form.highest, -1, 0, 3, rng.randint(form.lowest, form.highest)]) for _ in "ab")
        x, y = Whole(a, form), Whole(b, form)
        for found, exactly in (
            (x + y, a + b),
            (x - y, a - b),
            (x * y, a * b),
            (-x, -a),
            (abs(x), abs(a)),
            (7 - y, 7 - b),
        ):
            if form.overflow == "wrap":
                assert found.number == int(numpy.array([exactly % 2**64], dtype="uint64").astype(kind)[0])
            else:
                assert found.number == max(form.lowest, min(form.highest, exactly))
        if b:
            assert (x % y).number == a % b
            assert x / y == float(a) / float(b)


@pytest.mark.parametrize("form", [INT8, saturating(INT8)], ids=lambda f: f.name)
def test_integer_powers_are_those_of_python_fitted(form):
    for base in (-128, -3, -2, -1, 0, 1, 2, 3, 127):
        for power in range(40):
            assert (Whole(base, form) ** power).number == fitted(base**power, form)
    huge = {"wrap": pow(-3, 101, 256) - 256 if pow(-3, 101, 256) > 127 else pow(-3, 101, 256), "saturate": -128}
    assert (Whole(-3, form) ** 101).number == huge[form.overflow]


def test_sums_are_named_and_others_refused():
    assert sum_named("numpy") is SUMS["numpy"]
    assert sum_named("pairwise:2")([1.0, 2.0, 4.0], 0.0) == 7.0
    for name, message in (("pairwise:0", "base must be >= 1, got 0"), ("exact", "sum must be one of .*, got exact")):
        with pytest.raises(ValueError, match=message):
            sum_named(name)
