"""Verdicts on machine sums: never against an exhaustive search, refused where something is not read, replayed anew."""

import dataclasses
import itertools
import json
from dataclasses import replace
from fractions import Fraction

import pytest

from refdp.kernel.certificate import answer_certificate
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.machines import ROUNDING
from refdp.provers.processes import WORKERS, Worker
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.machine import lemmas
from refdp.sensitivities.machine.adjusted import MachineQuery, adjusted_bound, ideal_sensitivity
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.attacks import attacks
from refdp.sensitivities.machine.certificates import asked, believed, restated
from refdp.sensitivities.machine.formats import FLOAT16, FLOAT32, FLOAT64, INT8, INT32, FloatFormat, saturating
from refdp.sensitivities.machine.integers import IntegerQuery
from refdp.sensitivities.machine.judging import judge_function, judge_machine
from refdp.sensitivities.machine.narrow import Narrow
from refdp.sensitivities.machine.pair import distance
from refdp.sensitivities.machine.ranges import NotRecognised
from refdp.sensitivities.machine.recognising import recognised
from refdp.sensitivities.machine.runs import runs
from refdp.sensitivities.machine.summands import NoBound
from refdp.sensitivities.machine.sums import sum_named
from refdp.sensitivities.machine.user_runs import user_run
from refdp.sensitivities.records import Category, Fields, Number
from refdp.terms.leaves import rational
from tests.sensitivities.machine.sum_questions import sum_question

SMALL = Fraction(1, 10**9)
UNIT = Declaration(Number(rational(0), rational(1)))
WIDE = Declaration(Number(rational(-50), rational(200)))
PEOPLE = Declaration(
    Fields((("age", Number(rational(0), rational(120), True)), ("pay", Number(rational(0), rational(10**6))),
            ("sex", Category(("f", "m"))))),
    {"cap": Fraction(50_000)},
)  # fmt: skip


def query(order="naive", kind="sum", neighbours="add_remove", rows=1000, **more):
    least = 0 if kind == "sum" else 1
    return MachineQuery(kind, order, FLOAT64, Fraction(0), Fraction(1), neighbours, rows, least, **more)


@pytest.mark.parametrize("order", ["naive", "pairwise", "numpy", "kahan", "neumaier", "fsum", "python3.12"])
def test_a_claim_with_room_for_rounding_is_proved_and_the_ideal_one_refuted(order):
    assert judge_machine(query(order), 1 + SMALL, 1).verdict == "PROVED"
    refuted = judge_machine(query(order), Fraction(1), 5)
    assert refuted.verdict == "REFUTED"
    assert refuted.pair.distance > 1


@pytest.mark.parametrize("kind", ["mean", "deviations"])
def test_means_and_deviations_are_proved_with_room_and_never_without(kind):
    asked = query("naive", kind, "change_one", 100)
    ideal = ideal_sensitivity(asked)
    assert judge_machine(asked, ideal + SMALL, 1).verdict == "PROVED"
    assert judge_machine(asked, ideal * (1 - SMALL), 0.3).verdict != "PROVED"


def test_without_a_claim_there_is_a_bracket():
    found = judge_machine(query(), None, 0.4)
    assert found.verdict == "PROVED"
    assert 1 <= found.pair.distance <= found.bound < 1 + SMALL
    assert json.loads(json.dumps(found.as_json()))["bound"] == str(found.bound)


def test_half_a_bound_and_one_row_more_than_the_limit_are_not_proved():
    bound = adjusted_bound(query()).bound
    assert judge_machine(query(), bound, 0.2).verdict == "PROVED"
    assert judge_machine(query(), bound - Fraction(1, 10**30), 0.2).verdict == "UNKNOWN"
    assert judge_machine(query(rows=1001), bound, 0.2).verdict == "UNKNOWN"
    assert judge_machine(query(rows=1001), bound, 0.2).reason


def test_integers_are_proved_refuted_or_unknown():
    assert judge_machine(IntegerQuery(INT32, 0, 100, "add_remove", 10**7), Fraction(100), 1).verdict == "PROVED"
    wrapped = judge_machine(IntegerQuery(INT32, 0, 100, "add_remove", 10**8), Fraction(100), 5)
    assert wrapped.verdict == "REFUTED"
    assert wrapped.pair.distance > 2**31
    clipped = saturating(INT8)
    assert judge_machine(IntegerQuery(clipped, -9, 9, "change_one", None, "lists"), Fraction(18), 1).verdict == "PROVED"
    assert judge_machine(IntegerQuery(clipped, -9, 9, "change_one", None), Fraction(18), 0.5).verdict != "PROVED"


def test_a_lemma_that_no_solver_proves_is_unknown_and_says_so(monkeypatch):
    monkeypatch.setattr(lemmas, "_PROVED", set())
    monkeypatch.setitem(WORKERS, "cvc5", Worker("tests.provers.absent_solver", "cvc5", "refdp[check]"))
    found = judge_machine(query(), 1 + SMALL, 0.2)
    assert found.verdict == "UNKNOWN"
    assert "cvc5" in found.reason
    assert found.bound is None


LOOP = "def f(rows):\n    t = 0.0\n    for x in rows:\n        t += min(max(x, 0), 100)\n    return t"
FILTER = """
def f(rows, cap):
    t = 0
    for r in rows:
        if r['sex'] == 'f' and r['age'] >= 18:
            t += min(r['pay'], cap)
    return t
"""
LOCAL = """
def f(rows):
    t = 0
    for x in rows:
        y = x * 2
        t = t + (y if y > 1 else -y)
    return t / len(rows)
"""
READ = {
    "loop": (LOOP, WIDE, ("sum", "naive", 0, 100)),
    "sum": ("def f(rows):\n    return sum(rows)", UNIT, ("sum", "python3.12", 0, 1)),
    "clamp": ("def f(rows):\n    return sum(min(max(x, 0), 100) for x in rows)", WIDE, ("sum", "mixed", 0, 100)),
    "fsum": ("import math\ndef f(rows):\n    return math.fsum([x * x for x in rows])", UNIT, ("sum", "fsum", 0, 1)),
    "mean": ("def f(rows):\n    return sum(rows) / len(rows)", UNIT, ("mean", "python3.12", 0, 1)),
    "filter": (FILTER, PEOPLE, ("sum", "naive", 0, 50_000)),
    "local": (LOCAL, UNIT, ("mean", "naive", -2, 2)),
    "whole": ("def f(rows, cap):\n    return sum(r['age'] for r in rows if r['pay'] < cap)", PEOPLE,
              ("sum", "mixed", 0, 120)),
}  # fmt: skip


@pytest.mark.parametrize(("text", "declaration", "expected"), READ.values(), ids=READ)
def test_sums_over_rows_are_read_with_their_order_and_range(text, declaration, expected):
    found = recognised(parse_source(text, "f"), declaration, FLOAT64, "python3.12")
    assert (found.kind, found.order, found.added.lower, found.added.upper) == expected


REFUSED = [
    "def f(rows):\n    m = 0\n    for x in rows:\n        m = max(m, x)\n    return m",
    "def f(rows):\n    t = 1\n    for x in rows:\n        t += x\n    return t",
    "def f(rows):\n    t = 0\n    for x in rows:\n        t += x * t\n    return t",
    "def f(rows):\n    t = 0\n    for x in rows:\n        t += 1 / x\n    return t",
    "def f(rows):\n    t = 0\n    for x in rows:\n        t += x\n        t += x\n    return t",
    "def f(rows):\n    t = 0\n    for x in rows:\n        t -= x\n    return t",
    "def f(rows, c):\n    t = 0\n    for x in rows:\n        y = c\n        c = x\n        t += y\n    return t",
    "def f(rows, t):\n    t = 0\n    for x in rows:\n        t += t\n    return t",
    "def f(rows):\n    t = 0\n    for x in rows:\n        if 1 / x > 2:\n            t += x\n    return t",
    "def f(rows):\n    t = 0\n    for x in rows:\n        if x < 'a':\n            t += x\n    return t",
    "def f(rows):\n    return sum(rows) / (len(rows) + 1)",
    "def f(rows):\n    return sum(rows[1:])",
    "def f(rows):\n    return sum(x for x in rows for y in rows)",
    "def f(rows):\n    return sum(rows) / len(rows) / len(rows)",
    "def f(rows):\n    return sum(rows, 5)",
    "def f(rows):\n    return sum(x * 1e308 * 1e308 for x in rows)",
    "def f(rows):\n    return sum(round(x) for x in rows)",
    "def f(rows):\n    return sum((y := x) for x in rows)",
    "from numpy import *\ndef f(rows):\n    return sum(rows)",
    "def sum(x):\n    return 0\ndef f(rows):\n    return sum(rows)",
    "def g(min):\n    return 0\ndef f(rows):\n    return sum(min(x, 1) for x in rows)",
    "import cmath as math\ndef f(rows):\n    return math.fsum(rows)",
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_a_sum_over_rows_is_refused(text):
    declared = dataclasses.replace(UNIT, values={"c": Fraction(1), "t": Fraction(1)})
    with pytest.raises(NotRecognised):
        recognised(parse_source(text, "f"), declared, FLOAT64, "python3.12")


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("form", [FLOAT64, FLOAT16], ids=lambda form: form.name)
def test_what_a_user_function_adds_stays_in_the_range_that_was_read(name, form):
    text, declaration, _ = READ[name]
    if declaration is PEOPLE:
        return
    source = parse_source(text, "f")
    if form == FLOAT16 and "fsum" in text:
        with pytest.raises(NotRecognised, match="fsum of a narrow float"):
            recognised(source, declaration, form, "naive")
        return
    found = recognised(source, declaration, form, "naive").added
    run = user_run(source, declaration, machine_arithmetic(form.name, "naive"))
    wide = [Fraction(i, 8) for i in range(-400, 1601, 37)]
    for value in wide if declaration is WIDE else [Fraction(i, 64) for i in range(65)]:
        (number,) = run(runs([(value, 1)])).numbers
        assert found.lower <= number <= found.upper


def test_functions_are_judged_with_their_own_roundings():
    source = parse_source(READ["clamp"][0], "f")
    asked = {"neighbours": "add_remove", "maximum_rows": 1000, "seconds": 2}
    proved = judge_function(source, WIDE, "float64", "python3.12", claim=100 + SMALL * 100, **asked)
    refuted = judge_function(source, WIDE, "float64", "python3.12", claim=Fraction(99), **asked)
    assert (proved.verdict, refuted.verdict) == ("PROVED", "REFUTED")
    assert proved.lemmas


def test_a_function_that_is_no_sum_is_unknown_with_the_reason_or_refuted():
    source = parse_source(REFUSED[0], "f")
    asked = {"neighbours": "add_remove", "maximum_rows": 100, "seconds": 0.5}
    unknown = judge_function(source, UNIT, "float64", "naive", claim=Fraction(1), **asked)
    assert (unknown.verdict, unknown.bound) == ("UNKNOWN", None)
    assert "one sum over the rows" in unknown.reason or "line" in unknown.reason
    assert judge_function(source, UNIT, "float64", "naive", claim=Fraction(1, 2), **asked).verdict == "REFUTED"


def test_a_mean_with_an_empty_table_is_not_proved():
    source = parse_source(READ["mean"][0], "f")
    asked = {"neighbours": "add_remove", "maximum_rows": 100, "seconds": 1, "claim": Fraction(2)}
    assert judge_function(source, UNIT, "float64", "naive", **asked).verdict != "PROVED"
    assert judge_function(source, UNIT, "float64", "naive", minimum_rows=1, **asked).verdict == "PROVED"


def test_a_bound_is_asked_in_either_solver_and_refused_when_changed():
    genuine = sum_question(adjusted_bound(query("kahan")))
    for solver in ("z3", "cvc5"):
        found = asked(genuine, solver, 20.0)
        assert (found.verdict, any(solver in one for one in found.trusts)) == ("PROVED", True)
    assert restated(genuine) == genuine.question
    assert believed(genuine) == (frozenset({ROUNDING}), True)
    changes = {
        "bound": "1", "maximum_rows": "1001", "lower": "-2", "order": "naive", "arithmetic": "float32",
        "minimum_rows": True, "neighbours": "none", "upper": 1.5, "kind": "total", "tables": "sets", "edits": "0",
        "more": "1",
    }  # fmt: skip
    for key, value in (*changes.items(), ("upper", "1e9999"), ("lower", "1/0"), ("bound", "1e-9999"), ("quantum", "0")):
        changed = replace(genuine, question=json.dumps({**json.loads(genuine.question), key: value}))
        with pytest.raises(KernelError):
            answer_certificate(changed, [ROUNDING, "z3"])
    for less in ({"evidence": '{"lemmas": []}'}, {"evidence": "{}"}, {"function": "f"}):
        with pytest.raises(KernelError):
            answer_certificate(replace(genuine, **less), [ROUNDING, "z3"])
    for by in ([], ["z3"], [ROUNDING]):
        with pytest.raises(KernelError, match="must be named"):
            answer_certificate(genuine, by)
    with pytest.raises(KernelError, match="no machine_sum is refuted"):
        answer_certificate(genuine, None)


def test_no_verdict_of_a_small_format_contradicts_enumeration():
    toy = FloatFormat("toy", 5, -2, 9)
    values = [Fraction(i, 8) for i in range(9)]
    for order in ("naive", "pairwise", "neumaier", "fsum"):
        zero, total = Narrow(0.0, toy), sum_named(order)
        tables = [t for n in (2, 3) for t in itertools.product(values, repeat=n)]
        found = {t: Fraction(total([Narrow(float(v), toy) for v in t], zero).number) for t in tables}
        worst = max(abs(found[t] - found[t[:i] + t[i + 1 :]]) for t in tables if len(t) == 3 for i in range(3))
        asked = MachineQuery("sum", order, toy, Fraction(0), Fraction(1), "add_remove", 3, 0)
        assert judge_machine(asked, worst - Fraction(1, 1000), 0.1).verdict != "PROVED"
        bound = adjusted_bound(asked).bound
        assert judge_machine(asked, bound, 0.1).verdict == "PROVED"


def test_float32_sums_too_long_for_the_model_are_still_bounded_or_refused():
    long = MachineQuery("sum", "naive", FLOAT32, Fraction(0), Fraction(1), "add_remove", 10**9, 0)
    assert adjusted_bound(long).bound > 10**9
    assert judge_machine(long, Fraction(2), 0.2).verdict != "PROVED"


FLOAT_KINDS = {"sum": "sum", "mean": "mean", "squared deviations": "deviations"}
FLOAT_ATTACKS = [one for one in attacks() if one.query in FLOAT_KINDS and isinstance(one.format_, FloatFormat)]


@pytest.mark.parametrize("attack", FLOAT_ATTACKS, ids=lambda one: f"{one.family}-{one.function}-{one.format_.name}")
def test_no_attack_exceeds_an_adjusted_bound(attack):
    values = [value for table in (attack.first, attack.second) for value, _ in table.parts]
    rows = sorted((len(attack.first), len(attack.second)))
    asked = MachineQuery(
        FLOAT_KINDS[attack.query], attack.total, attack.format_, min(values), max(values),
        "change_one" if rows[0] == rows[1] else "add_remove", rows[1], rows[0],
    )  # fmt: skip
    moved = distance(attack.run()(attack.first), attack.run()(attack.second))
    if moved is None:
        with pytest.raises(NoBound):
            adjusted_bound(asked)
    else:
        assert attack.ideal < moved <= adjusted_bound(asked).bound


COUNTS = Declaration(Number(rational(-3), rational(100)))


@pytest.mark.parametrize(
    ("text", "arithmetic", "rows", "claim", "verdict"),
    [
        (READ["sum"][0], "int32", 10**7, 100, "PROVED"),
        (READ["sum"][0], "int8", 1, 100, "PROVED"),
        (READ["sum"][0], "int8", 2, 100, "REFUTED"),
        (LOOP.replace("0.0", "0"), "int16", 300, 100, "PROVED"),
        (LOOP.replace("0.0", "0"), "int16", 300, 99, "REFUTED"),
        (READ["sum"][0], "int8_saturating", 10**6, 100, "PROVED"),
        (LOOP, "int16", 300, 100, "UNKNOWN"),
        ("def f(rows):\n    return sum(x * 1000 for x in rows)", "int16", 2, 10**5, "UNKNOWN"),
        ("def f(rows):\n    return sum(abs(x - 50) for x in rows)", "int8", 2, 53, "PROVED"),
        ("def f(rows):\n    return sum(rows) / len(rows)", "int8", 1, 200, "UNKNOWN"),
        ("def f(rows):\n    return sum(x / 2 for x in rows)", "int8", 1, 200, "UNKNOWN"),
    ],
)
def test_functions_are_judged_in_integers(text, arithmetic, rows, claim, verdict):
    source = parse_source(text, "f")
    kind = "change_one" if "len" in text else "add_remove"
    found = judge_function(source, COUNTS, arithmetic, "naive", kind, Fraction(claim), rows, 0.5, tables="lists")
    assert found.verdict == verdict
    assert found.reason or found.verdict != "UNKNOWN"
