"""Scripts of pairs run without this package, and say what the pair says."""

import contextlib
import io
import random
from fractions import Fraction
from importlib.util import find_spec

import pytest

import refdp
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import read_source
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, INT8, saturating
from refdp.sensitivities.machine.pair import machine_run, nearest_number
from refdp.sensitivities.machine.quick import quick_sum
from refdp.sensitivities.machine.runs import runs
from refdp.sensitivities.machine.scripts import script, table_text
from refdp.sensitivities.machine.search import find_machine_pair
from refdp.sensitivities.machine.user import machine_question
from refdp.sensitivities.machine.user_scripts import user_script
from refdp.sensitivities.records import Category, Fields, Number
from refdp.terms.leaves import integer, rational
from tests.sensitivities.thinning import mostly_long

pytest.importorskip("numpy")


def printed(text):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "pair.py", "exec"), {"__name__": "__main__"})
    return out.getvalue()


@pytest.mark.parametrize("form", [FLOAT64, FLOAT32, FLOAT16, BFLOAT16, INT8, saturating(INT8)], ids=lambda f: f.name)
def test_scripts_of_sums_print_the_exact_answers(form):
    if form is BFLOAT16:
        pytest.importorskip("ml_dtypes")
    rng, whole = random.Random(form.name), "int" in form.name
    names = (
        ["naive"]
        if whole
        else ["naive", "pairwise", "pairwise:8", "kahan", "neumaier", "numpy", "python", "python3.12"]
    )
    for total in names:
        values = [rng.randint(-128, 127) if whole else rng.uniform(-9, 9) for _ in range(6)]
        parts = [(nearest_number(Fraction(x), form), rng.randint(1, 9)) for x in values]
        first, second = runs(parts), runs(parts[1:])
        run = machine_run(quick_sum(total), form)
        answers = [run(table).numbers[0] for table in (first, second)]
        assert printed(script("sum", total, form, first, second)).split()[:2] == [str(a) for a in answers]


def test_tables_are_written_so_that_they_are_read_back_exactly():
    table = runs([(Fraction(0.1), 3), (Fraction(2) ** -1074, 1), (Fraction(2**60 + 2**9), 2)])
    assert [Fraction(x) for x in eval(table_text(table, FLOAT64))] == list(table)
    assert eval(table_text(runs([(Fraction(-128), 2), (Fraction(7), 1)]), INT8)) == [-128, -128, 7]
    assert eval(table_text(runs([]), FLOAT64)) == []


TEXT = """
def total(rows, scale=1.0):
    return sum(rows) * scale

def average(rows):
    return sum(rows) / len(rows)

def by_label(rows):
    found = {"a": 0.0, "b": 0.0}
    for row in rows:
        found[row["k"]] += row["x"]
    return found

def count(rows):
    found = 0
    for x in rows:
        found = x + found
    return found
"""
UNIT = Number(rational(Fraction(0)), rational(Fraction(1)))
LABELLED = Fields((("k", Category(("a", "b"))), ("x", UNIT)))
WHOLE = Number(integer(0), integer(100), True)


@pytest.mark.parametrize(
    ("name", "record", "values", "form", "total"),
    [
        ("total", UNIT, {}, "float64", "python"),
        ("total", UNIT, {"scale": Fraction(1, 2)}, "float64", "pairwise:2"),
        ("total", UNIT, {}, "float32", "naive"),
        ("total", UNIT, {}, "float32", "kahan"),
        ("by_label", LABELLED, {}, "float64", "python"),
        ("count", WHOLE, {}, "int8", "python"),
    ],
)
def test_script_of_a_user_function_prints_the_distance_found(tmp_path, name, record, values, form, total):
    path = tmp_path / "query.py"
    path.write_text(TEXT)
    source, arithmetic = read_source(f"{path}:{name}"), machine_arithmetic(form, total)
    claim = Fraction(100) if form == "int8" else Fraction(1, 2) if values else Fraction(1)
    asked = machine_question(source, Declaration(record, values), arithmetic, "add_remove", rational(claim))
    pair = find_machine_pair(asked, 10)
    assert pair is not None
    text = user_script(source, record, values, arithmetic, pair)
    assert "import refdp" not in text
    assert "from refdp" not in text
    differences = printed(text).splitlines()[-1].removeprefix("differences: ").split()
    assert sum(map(Fraction, differences)) == pair.distance > claim


def test_script_of_an_exception_prints_its_name(tmp_path):
    path = tmp_path / "query.py"
    path.write_text(TEXT)
    source, arithmetic = read_source(f"{path}:average"), machine_arithmetic("float64")
    asked = machine_question(source, Declaration(UNIT), arithmetic, "add_remove", rational(1))
    pair = find_machine_pair(asked, 5)
    out = printed(user_script(source, UNIT, {}, arithmetic, pair))
    assert "first:  ZeroDivisionError" in out
    assert "differences: infinite" in out


def test_saturating_integers_have_no_script(tmp_path):
    path = tmp_path / "query.py"
    path.write_text(TEXT)
    source, arithmetic = read_source(f"{path}:count"), machine_arithmetic("int8_saturating")
    asked = machine_question(source, Declaration(WHOLE), arithmetic, "add_remove", rational(50))
    assert user_script(source, WHOLE, {}, arithmetic, find_machine_pair(asked, 5)) == ""


@pytest.mark.parametrize("form", ["float64", "float32"])
def test_a_clamped_sum_lets_nan_through_where_rows_may_be_nan(tmp_path, form):
    """max(nan, 0.0) is nan, and so is the sum of one table; within declared bounds there is no NaN."""
    path = tmp_path / "query.py"
    path.write_text("def total(rows):\n    return sum(min(max(x, 0.0), 1.0) for x in rows)\n")
    source, arithmetic = read_source(f"{path}:total"), machine_arithmetic(form)
    for specials in (False, True):
        asked = machine_question(source, Declaration(UNIT), arithmetic, "change_one", rational(2), specials=specials)
        pair = find_machine_pair(asked, 2 if specials else 0.3)
        assert (pair is not None) is specials
    assert (pair.rows, pair.distance) == (1, None)
    text = user_script(source, UNIT, {}, arithmetic, pair)
    assert "nan" in text
    assert "differences: infinite" in printed(text)


BODIES = {
    "literals that clamp": "sum(min(max(x, 0.1), 0.7) for x in rows)",
    "a literal that is returned": "0.7 if rows else 0",
    "literals that are added": "sum(0.1 for x in rows)",
    "a quotient of literals": "sum(x * (0.1 / 0.3) for x in rows)",
    "a number that is made": "sum(float(1) * x + float('0.1') for x in rows)",
    "a default": "sum(min(x, cap) for x in rows)",
}
OF_MATH = ("fsum(rows)", "sqrt(sum(rows))", "exp(sum(rows))", "fabs(sum(rows))", "hypot(sum(rows), 1.0)")


@pytest.mark.parametrize("form", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_script_prints_what_the_verdict_says_of_numbers_that_the_source_writes(body, form, tmp_path):
    """In a narrow format they were of the format for the verdict, and Python's own for the script."""
    (tmp_path / "q.py").write_text(f"def f(rows, cap=0.7):\n    return {body}\n")
    asked = {"bounds": (0, 1), "arithmetic": form, "sum": "naive", "claim": "1/1000", "rows_at_most": 4, "timeout": 5}
    found = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", certificates=tmp_path, **asked)
    assert found["verdict"] == "REFUTED"
    if form == "bfloat16" and find_spec("ml_dtypes") is None:
        return
    differences = printed(found["pair"]["script"]).splitlines()[-1].removeprefix("differences: ")
    assert differences == found["pair"]["distance"]


@pytest.mark.parametrize("case", mostly_long([(body, form) for form in ("float32", "float16") for body in OF_MATH], 4))
def test_what_math_makes_of_narrow_floats_is_not_judged(case, tmp_path):
    """It is a float64: math.fsum of float32 was REFUTED for a rounding that Python does not make."""
    body, form = case
    (tmp_path / "q.py").write_text(f"import math\ndef f(rows):\n    return math.{body}\n")
    asked = {"bounds": (0, 60000), "arithmetic": form, "sum": "naive", "rows_at_most": 3, "timeout": 5}
    for claim in ("0", "60000"):
        found = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", certificates=tmp_path, claim=claim, **asked)
        assert (found["verdict"], found["pair"]) == ("UNKNOWN", None)
