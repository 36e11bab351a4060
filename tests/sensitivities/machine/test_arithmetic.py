"""A user's function runs as the machine would run it: against the real Python and numpy on the same text."""

import functools
import itertools
import math
import operator
import random
import sys
from fractions import Fraction

import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.formats import FORMATS
from refdp.sensitivities.machine.narrow import Narrow, nearest
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.machine.user_runs import user_run
from refdp.sensitivities.records import Number

numpy = pytest.importorskip("numpy")
TEXT = """
import math
import statistics
import numpy as np

def clamped(rows, low=-1.0, high=2.5):
    total = 0.0
    for x in rows:
        total += min(max(x, low), high)
    return total

def mean(rows):
    return sum(rows) / len(rows)

def deviations(rows):
    m = sum(rows) / len(rows)
    return sum((x - m) ** 2 for x in rows)

def mixed(rows):
    n = 0
    s = 0.1
    for x in rows:
        if x > 0.3:
            n += 1
            s = s * 0.5 + x / 3 - n // 2
    return s, n, abs(-s), s // 0.3, s % 0.7

def average(rows):
    ema = 0.0
    for x in rows:
        ema = 0.9 * ema + 0.1 * x
    return ema

def exact_sum(rows):
    return math.fsum(rows), math.sqrt(abs(rows[0])), math.floor(rows[0] * 10), round(rows[0], 2), round(rows[0])

def ready_made(rows):
    return statistics.fmean(rows), statistics.mean(rows), statistics.median(rows), statistics.pvariance(rows)

def of_numpy(rows):
    return np.sum(rows), np.mean(rows), np.var(rows), np.median(rows), np.max(rows)

def whole(rows):
    total = 0
    for x in rows:
        total += x * 3 - 1
    return total, abs(total), -total, total // 7, total % 7, total ** 2

def halves(rows):
    return sum(rows) / len(rows)
"""


def really(name, rows):
    """What the running Python returns for the same text."""
    scope = {}
    exec(TEXT, scope)
    with numpy.errstate(all="ignore"):
        found = scope[name](rows)
    return found if isinstance(found, tuple) else (found,)


def interpreted(name, rows, arithmetic, is_integer=False):
    found = answer_of(
        parse_source(TEXT, name), [Fraction(x) for x in rows], None, arithmetic, 10**6, Number(is_integer=is_integer)
    )
    return found.exception or tuple(value for _, value in found.values)


def table(seed, form=None):
    rng = random.Random(seed)
    numbers = [rng.uniform(-3, 3) * 2.0 ** rng.randint(-6, 6) for _ in range(rng.choice([1, 2, 3, 10, 130]))]
    return [nearest(x, form) for x in numbers] if form else numbers


def measured(value):
    return Fraction(int(value)) if isinstance(value, int | numpy.integer) else Fraction(float(value))


@pytest.mark.parametrize(
    "name", ["clamped", "mean", "deviations", "mixed", "average", "exact_sum", "ready_made", "of_numpy"]
)
def test_float64_is_the_running_python(name):
    for seed in range(12):
        rows = table(f"{name} {seed}")
        real = tuple(map(measured, really(name, rows)))
        assert interpreted(name, rows, machine_arithmetic("float64")) == real


@pytest.mark.parametrize("form", ["float32", "float16"])
@pytest.mark.parametrize("name", ["clamped", "mean", "mixed", "average", "deviations"])
def test_narrow_floats_are_numpys_scalars(name, form):
    """Python's `sum` adds numpy's scalars from left to right in every version."""
    kind = getattr(numpy, form)
    for seed in range(8):
        rows = table(f"{name} {seed}", FORMATS[form])
        scope_rows = [kind(x) for x in rows]
        text = TEXT.replace("total = 0.0", f"total = np.{form}(0)").replace("ema = 0.0", f"ema = np.{form}(0)")
        text = text.replace("s = 0.1", f"s = np.{form}(0.1)")
        scope = {}
        exec(text, scope)
        with numpy.errstate(all="ignore"):
            real = scope[name](scope_rows)
        real = real if isinstance(real, tuple) else (real,)
        if not all(math.isfinite(float(x)) for x in real):
            continue
        assert interpreted(name, rows, machine_arithmetic(form)) == tuple(map(measured, real))


@pytest.mark.parametrize("form", ["int8", "int32", "uint16"])
def test_integers_are_numpys_scalars(form):
    kind, form_ = getattr(numpy, form), FORMATS[form]
    for seed in range(20):
        rng = random.Random(seed)
        rows = [rng.randint(form_.lowest, form_.highest) for _ in range(5)]
        scope = {}
        exec(TEXT.replace("total = 0\n", f"total = np.{form}(0)\n"), scope)
        with numpy.errstate(all="ignore"):
            real = scope["whole"]([kind(x) for x in rows])
        found = interpreted("whole", rows, machine_arithmetic(form), True)
        assert found == tuple(map(measured, real))


def test_integer_mean_is_a_float_of_the_wrapped_sum():
    rows = [100, 100]
    assert interpreted("halves", rows, machine_arithmetic("int8"), True) == (Fraction(-28),)
    assert interpreted("halves", rows, machine_arithmetic("int8_saturating"), True) == (Fraction(127, 2),)
    assert interpreted("halves", rows, machine_arithmetic("int32"), True) == (Fraction(100),)


@pytest.mark.parametrize("name", ["float64", "float16", "int8"])
def test_division_by_zero_raises(name):
    source = parse_source("def f(rows):\n    return sum(rows) / len(rows)\n", "f")
    assert answer_of(source, [], None, machine_arithmetic(name), 1000, Number()).exception == "ZeroDivisionError"


def test_sum_is_the_one_that_is_named():
    rows = [2.0**53, 1.0, 1.0, -(2.0**53)]
    found = {name: interpreted("halves", rows, machine_arithmetic("float64", name))[0] * 4 for name in
             ("naive", "pairwise", "kahan", "neumaier", "fsum", "numpy", "python3.11", "python3.12")}  # fmt: skip
    assert found == {
        "naive": 0, "pairwise": 1, "kahan": 2, "neumaier": 2, "fsum": 2, "numpy": 0, "python3.11": 0, "python3.12": 2
    }  # fmt: skip
    with pytest.raises(ValueError, match="sum must be one of"):
        machine_arithmetic("float64", "best")


def numbers_beside_ints(seed):
    """Ints and floats about the places where floats have no room for every int."""
    rng = random.Random(seed)
    found = list[int | float]()
    for _ in range(rng.randrange(9)):
        size = rng.choice([1, 2**52, 2**53, 2**60, 2**62, 2**63, 2**66])
        whole = rng.choice([1, -1]) * (size + rng.randrange(9))
        found.append(whole if rng.random() < 0.5 else float(whole) + rng.choice([0, 0.5, 0.25, 1e-9, 1e300]))
    return found


@pytest.mark.parametrize(("name", "values"), [
    ("max", ([2**53 + 1, 0.5],)), ("min", ([-(2**53) - 1, 0.5],)), ("maximum", (2**53 + 1, 0.5)),
    ("minimum", (-(2**53) - 1, 0.5)), ("clip", (2**53 + 1, 0.5, 2**60)), ("clip", (2**53 + 1, 0, 2.0**60)),
    ("floor", (math.inf,)), ("ceil", (-math.inf,)), ("square", (3037000499,)), ("abs", (-(2**63) + 1,)),
    ("max", ([2**63 - 1, 3],)), ("mean", ([2**49 - i * i % 977 for i in range(9000)],)),
    ("var", ([2**49 - i * i % 977 for i in range(9000)],)), ("sum", ([2**53, 1, 1, 0.5],)),
    ("sum", ([2**62, 5],)),
])  # fmt: skip
def test_numpys_functions_of_ints_are_numpys(name, values):
    found, real = machine_arithmetic("float64").calls[f"numpy.{name}"](*values), getattr(numpy, name)(*values)
    assert isinstance(found, float) == isinstance(real, float)
    assert (found if isinstance(found, float) else int(found)) == real


@pytest.mark.parametrize("form", ["float32", "float16"])
def test_an_int_to_the_power_of_a_narrow_float_is_numpys(form):
    kind, one = getattr(numpy, form), machine_arithmetic(form)
    for base, power in itertools.product((0, 1, 2, 7, 100), (0.0, 0.5, 1.5, 3.0)):
        found = one.operate("**", base, one.number(Fraction(power), False))
        with numpy.errstate(all="ignore"):
            real = base ** kind(power)
        assert float(found) == float(real)


@pytest.mark.parametrize("base", [0, 3, -2, 1.5])
def test_a_number_to_the_power_of_an_integer_of_a_format_is_numpys(base):
    one = machine_arithmetic("int8")
    for power in (0, 1, 3, 9):
        with numpy.errstate(all="ignore"):
            real = base ** numpy.int8(power)
        assert float(one.operate("**", base, one.number(Fraction(power), True))) == float(real)


def test_truth_values_of_narrow_numbers_are_not_added():
    """numpy.float32(1) > 0.25 and its like add as "or" does: the answers are 0 and True."""
    text = "def f(rows):\n    return (sum(rows) > 0.25) + (sum(rows) > 0.5)\n"
    scope = {}
    exec(text, scope)
    assert scope["f"]([numpy.float32(1)]) == 1
    for form, count in (("float32", None), ("float64", 2)):
        source = parse_source(text, "f")
        if count is None:
            with pytest.raises(NoOutcome, match="truth values"):
                answer_of(source, [Fraction(1)], {}, machine_arithmetic(form), 1000, Number())
        else:
            assert answer_of(source, [Fraction(1)], {}, machine_arithmetic(form), 1000, Number()).values[0][1] == count


@pytest.mark.parametrize(("first", "is_read"), [("sum(rows)", True), ("numpy.sum(rows)", False)])
def test_truth_values_of_numpy_are_not_added(first, is_read):
    """(numpy.sum(rows) > 0.5) + (len(rows) > 0) answers True where both hold, and Python's ints would be 2."""
    text = f"import numpy\n\ndef f(rows):\n    return ({first} > 0.5) + (len(rows) > 0)\n"
    scope = {}
    exec(text, scope)
    assert scope["f"]([1.0]) == (2 if is_read else 1)
    text = text.removeprefix("import numpy\n\n") if is_read else text
    run = user_run(parse_source(text, "f"), Declaration(Number()), machine_arithmetic("float64"))
    if is_read:
        assert run(Runs(((Fraction(1), 1),))).numbers == (2,)
    else:
        with pytest.raises(NoOutcome, match="truth values"):
            run(Runs(((Fraction(1), 1),)))


@pytest.mark.parametrize("form", ["int8", "uint64", "int16_saturating"])
def test_fsum_of_integers_of_a_format_is_a_float(form):
    one = machine_arithmetic(form, "fsum")
    numbers = [one.number(Fraction(x), True) for x in (100, 100, 7)]
    assert [repr(one.calls[name](numbers)) for name in ("math.fsum", "sum")] == ["207.0", "207.0"]


def test_the_root_of_no_rows_is_no_exception():
    source = parse_source("def f(rows):\n    return sum(rows) ** 0.5\n", "f")
    assert answer_of(source, [], {}, machine_arithmetic("float32"), 1000, Number()).values == (((), Fraction(0)),)


def test_fsum_makes_a_float_of_each_int():
    """So that ints beside 2^53 that are the same float move it by nothing."""
    calls = machine_arithmetic("float64").calls
    for rows in itertools.product((2**53, 2**53 + 1), repeat=3):
        assert calls["math.fsum"](rows) == math.fsum(rows) == 3 * 2.0**53


def test_ints_of_numpy_wrap_where_they_are_kept():
    text = "import numpy as np\ndef f(rows):\n    return sum(np.abs(r) * 4294967296 * 2 for r in rows)\n"
    scope = {}
    exec(text, scope)
    with numpy.errstate(all="ignore"):
        real = scope["f"]([2**31])
    found = answer_of(parse_source(text, "f"), [Fraction(2**31)], {}, machine_arithmetic("float64"), 1000,
                      Number(is_integer=True))  # fmt: skip
    assert found.values == (((), Fraction(int(real))),)
    assert real == 0


@pytest.mark.parametrize(("name", "values"), [
    ("square", (3037000500,)), ("square", (2**32,)), ("abs", (-(2**63),)), ("max", ([2**64, 1],)),
    ("max", ([2**63, -1],)), ("minimum", (2**63, -1)), ("sum", ([2**62, 2**62],)), ("floor", (2**53 + 1,)),
    ("clip", (2**64, 0, 1)),
])  # fmt: skip
def test_ints_that_int64_has_no_room_for_are_refused_by_numpys_functions(name, values):
    """numpy wraps some of these, and makes others into other types."""
    with pytest.raises(NoOutcome):
        machine_arithmetic("float64").calls[f"numpy.{name}"](*values)


def test_an_array_of_ints_and_narrow_floats_is_refused():
    """numpy makes it one of float64."""
    assert numpy.array([numpy.float32(1), 3]).dtype == numpy.float64
    with pytest.raises(NoOutcome, match="float64"):
        machine_arithmetic("float32").calls["numpy.sum"]([Narrow(1.0, FORMATS["float32"]), 3])


def test_ints_are_added_exactly_until_a_float_comes():
    """As a loop and as Python's own sum add them."""
    own = "python3.12" if sys.version_info >= (3, 12) else "python3.11"
    for seed in range(2000):
        rows = numbers_beside_ints(seed)
        for name, real in ((own, sum(rows)), ("naive", functools.reduce(operator.add, rows, 0))):
            found = machine_arithmetic("float64", name).calls["sum"](rows)
            assert (type(found), repr(found)) == (type(real), repr(real)), rows


@pytest.mark.parametrize(("rows", "expected"), [
    ([2**53, 1, 1, 0.5], float(2**53 + 2)),
    ([0.5, 2.0**53, 1, -(2.0**53)], 0.5),
    ([0.5, 2.0**53, 1.0, -(2.0**53)], 1.5),
    ([-3377699720527872, 2**63 + 3, -9.223372036854776e18, -1e300, 2251799813685248, 1e300], 0.0),
    ([1.0, 2.0**60, 2**64, -(2.0**60), 1.0, -(2.0**64)], 0.0),
])  # fmt: skip
def test_ints_beside_floats_are_not_compensated(rows, expected):
    """The values are those of CPython 3.12.1 and 3.13.0."""
    assert machine_arithmetic("float64", "python3.12").calls["sum"](rows) == expected


def test_name_says_which_sum_python_has():
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    kind = "compensated" if sys.version_info >= (3, 12) else "naive"
    assert machine_arithmetic("float64").name == f"float64, sum: python {version} ({kind})"
    assert machine_arithmetic("float32", "numpy").name == "float32, sum: numpy"


def test_infinities_and_nan_are_answers():
    source = parse_source("def f(rows):\n    x = rows[0] * rows[0]\n    return x, x - x\n", "f")
    found = answer_of(source, [Fraction(10**200)], None, machine_arithmetic("float64"), 1000, Number())
    assert [value for _, value in found.values] == ["inf", "nan"]


def test_integer_powers_in_float_arithmetic_are_bounded():
    source = parse_source("def f(rows):\n    n = 10\n    return n ** n ** n\n", "f")
    with pytest.raises(NoOutcome):
        answer_of(source, [], None, machine_arithmetic("float64"), 1000)
