"""Rounding is IEEE 754's: against native floats, numpy and ml_dtypes, on random and edge numbers, bit for bit."""

import math
import operator
import random
import struct
from fractions import Fraction

import pytest

from refdp.sensitivities.machine.formats import (
    BFLOAT16,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    FLOATS,
    FORMATS,
    INT8,
    INT64,
    UINT8,
    exact,
    fitted,
    format_named,
    representable,
    rounded,
    saturating,
    spacing,
)
from refdp.sensitivities.machine.narrow import Narrow, fused, machine_float, nearest

numpy = pytest.importorskip("numpy")
TYPES = {FLOAT64.name: numpy.float64, FLOAT32.name: numpy.float32, FLOAT16.name: numpy.float16}
try:
    import ml_dtypes

    TYPES[BFLOAT16.name] = ml_dtypes.bfloat16
except ImportError:
    pass


def floats64(count, seed):
    """Python floats of every kind: random bits, subnormals, ties of narrow formats, zeros, infinities, NaN."""
    rng = random.Random(seed)
    found = [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 2.0**-1022, 1.7976931348623157e308]
    for form in FLOATS[1:]:
        largest, smallest = float(form.largest), float(form.smallest)
        edge = float(form.largest + Fraction(2) ** (form.emax - form.precision))
        found += [largest, edge, math.nextafter(edge, 0), smallest / 2, math.nextafter(smallest / 2, 1), 1.5 * smallest]
    while len(found) < count:
        kind = rng.randrange(4)
        if kind == 0:
            found.append(struct.unpack("<d", rng.randbytes(8))[0])
        elif kind == 1:  # near the ties of a narrow format
            form = rng.choice(FLOATS[1:])
            step = rng.randint(0, 1 << form.precision + 1) * 2.0 ** rng.randint(form.emin - form.precision, form.emax)
            found.append(math.nextafter(step, rng.choice([-1e300, 1e300])) if rng.random() < 0.3 else step)
        elif kind == 2:
            found.append(rng.uniform(-2, 2) * 2.0 ** rng.randint(-150, 130))
        else:
            found.append(float(rng.randint(-70000, 70000)))
    return found


def bits(number, kind):
    return "nan" if numpy.isnan(kind(number)) else kind(number).tobytes()


@pytest.mark.parametrize("form", FLOATS, ids=lambda f: f.name)
def test_parameters_are_those_of_the_real_type(form):
    kind = TYPES.get(form.name)
    if kind is None:
        pytest.skip("ml_dtypes is not installed")
    info = ml_dtypes.finfo(kind) if form is BFLOAT16 else numpy.finfo(kind)
    assert form.largest == Fraction(float(info.max))
    assert form.smallest_normal == Fraction(float(info.smallest_normal))
    assert form.smallest == Fraction(float(info.smallest_subnormal))
    assert 2 * form.unit == Fraction(float(info.eps))


@pytest.mark.parametrize("form", FLOATS[1:], ids=lambda f: f.name)
def test_nearest_is_the_exact_rounding_and_the_real_conversion(form):
    kind = TYPES.get(form.name)
    for number in floats64(8_000, form.name):
        found = nearest(number, form)
        if math.isfinite(number):
            assert exact(found) == rounded(Fraction(number), form), number
        # ml_dtypes goes from float64 to bfloat16 by way of float32, and so rounds twice
        if kind is not None and (form is not BFLOAT16 or nearest(number, FLOAT32) == number):
            with numpy.errstate(all="ignore"):
                assert bits(found, kind) == bits(number, kind), number


@pytest.mark.parametrize("form", FLOATS, ids=lambda f: f.name)
def test_operations_are_the_exact_result_rounded_once(form):
    """+ - * / of the carried floats, of exact rationals, and of the real type agree."""
    kind, pool = TYPES.get(form.name), [nearest(x, form) for x in floats64(2_500, 7)]
    rng = random.Random(form.name)
    for _ in range(2_500):
        a, b = rng.choice(pool), rng.choice(pool)
        if rng.random() < 0.4:
            b = nearest(a * rng.choice([1.0, -1.0, 0.5, 3.0, 1.001, -0.999]), form)
        for act in (operator.add, operator.sub, operator.mul, operator.truediv):
            if act is operator.truediv and b == 0:
                continue
            found = act(a, b) if form is FLOAT64 else act(Narrow(a, form), Narrow(b, form)).number
            if math.isfinite(a) and math.isfinite(b):
                assert exact(found) == rounded(act(Fraction(a), Fraction(b)), form), (act, a, b)
            if kind is not None and form is not FLOAT64:
                with numpy.errstate(all="ignore"):
                    assert bits(found, kind) == bits(act(kind(a), kind(b)), kind), (act, a, b)


def test_rounding_to_float64_is_pythons():
    rng = random.Random(3)
    for _ in range(8_000):
        value = Fraction(rng.randint(-(10**40), 10**40), rng.randint(1, 10 ** rng.choice([1, 20, 60, 350])))
        assert machine_float(value, FLOAT64) == value.numerator / value.denominator
    assert rounded(FLOAT64.largest + Fraction(2) ** 969, FLOAT64) == FLOAT64.largest
    assert rounded(FLOAT64.largest + Fraction(2) ** 970, FLOAT64) == "inf"
    assert rounded(-FLOAT64.largest - Fraction(2) ** 970, FLOAT64) == "-inf"


def test_spacing_is_the_unit_in_the_last_place():
    for number in floats64(3_000, 11):
        if math.isfinite(number):
            assert spacing(Fraction(number), FLOAT64) == Fraction(math.ulp(number)), number


def test_floor_division_and_remainder_are_float32s():
    pool, rng = [nearest(x, FLOAT32) for x in floats64(2_000, 5)], random.Random(5)
    for _ in range(4_000):
        a, b = rng.choice(pool), rng.choice(pool)
        if not (math.isfinite(a) and math.isfinite(b)) or b == 0:
            continue
        with numpy.errstate(all="ignore"):
            quotient, remainder = divmod(numpy.float32(a), numpy.float32(b))
        found = Narrow(a, FLOAT32)
        assert bits((found // b).number, numpy.float32) == bits(quotient, numpy.float32), (a, b)
        assert bits((found % b).number, numpy.float32) == bits(remainder, numpy.float32), (a, b)


def test_fused_multiplication_is_rounded_once():
    a = 1.0 + 2.0**-30
    assert fused(a, a, -(a * a), FLOAT64) == 2.0**-60
    assert a * a - a * a == 0
    assert (
        math.copysign(1, fused(5e-324, 5e-324, -0.0, FLOAT64)) == 1 == math.copysign(1, fused(1.0, -1.0, 1.0, FLOAT64))
    )
    assert math.isnan(fused(math.inf, 0.0, 1.0, FLOAT64))


@pytest.mark.parametrize(("form", "kind"), [(INT8, "int8"), (UINT8, "uint8"), (INT64, "int64")])
def test_integers_wrap_as_the_real_type(form, kind):
    rng = random.Random(kind)
    for value in [rng.randint(-(2**70), 2**70) for _ in range(500)] + [form.lowest - 1, form.highest + 1, 0]:
        real = numpy.array([value % 2**64], dtype=numpy.uint64).astype(kind)
        assert fitted(value, form) == int(real[0])
        assert fitted(value, saturating(form)) == max(form.lowest, min(form.highest, value))


def test_representable_numbers_are_those_of_the_format():
    held = [(255, BFLOAT16), (Fraction(2049, 2), FLOAT32), (-128, INT8)]
    lost = [(257, BFLOAT16), (Fraction(2049, 2), FLOAT16), (Fraction(1, 2), INT8), (128, INT8)]
    assert all(representable(Fraction(value), form) for value, form in held)
    assert not any(representable(Fraction(value), form) for value, form in lost)


def test_format_names_are_all_known_and_others_refused():
    assert {"float64", "float32", "float16", "bfloat16", "int8", "uint64", "int32_saturating"} <= set(FORMATS)
    with pytest.raises(ValueError, match=r"arithmetic must be one of .*, got float8"):
        format_named("float8")
