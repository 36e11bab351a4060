"""Solvers settle tables of few rows as enumeration does, and what they find is run before it is believed."""

import itertools
from fractions import Fraction

import pytest

from refdp.provers.processes import WORKERS
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.machine.adjusted import MachineQuery
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.formats import FLOAT16, INT8, UINT8, IntegerFormat, saturating
from refdp.sensitivities.machine.integer_questions import IntegerQuestion
from refdp.sensitivities.machine.integers import IntegerQuery
from refdp.sensitivities.machine.small_tables import settled
from refdp.sensitivities.machine.user import machine_question
from refdp.sensitivities.records import Number
from refdp.terms.leaves import rational

TINY = IntegerFormat("tiny", 3)
LOOP = parse_source("def f(rows):\n    t = 0.0\n    for x in rows:\n        t += x\n    return t", "f")


def added(form, rows):
    """The sum in a format, by the definition."""
    total = 0
    for x in rows:
        total += x
        total = (total - form.lowest) % (1 << form.bits) + form.lowest if form.overflow == "wrap" else total
        total = min(max(total, form.lowest), form.highest)
    return total


@pytest.mark.parametrize("form", [TINY, saturating(TINY), IntegerFormat("tiny", 3, False)], ids=str)
@pytest.mark.parametrize("kind", ["add_remove", "change_one"])
def test_z3_finds_the_furthest_sums_of_integers_of_three_bits(form, kind):
    low, high = max(form.lowest, -2), min(form.highest, 3)
    grown = kind == "add_remove"
    worst = max(
        abs(added(form, t) - added(form, t[:i] + (() if grown else (x,)) + t[i + 1 :]))
        for t in itertools.product(range(low, high + 1), repeat=2 + grown)
        for i in range(2 + grown)
        for x in range(low, high + 1)
    )
    query = IntegerQuery(form, low, high, kind, 3, "lists")
    for claim, answer in ((worst, "unsat"), (worst - 1, "sat")):
        text = IntegerQuestion(query, 2, Fraction(claim)).text
        assert WORKERS["z3"].ask({"text": text, "engine": "default"}, 20)["answer"] == answer


@pytest.mark.parametrize(("form", "low", "high"), [(INT8, -3, 100), (UINT8, 0, 200)], ids=["int8", "uint8"])
def test_a_wrap_is_found_by_z3_and_run(form, low, high):
    source = parse_source("def f(rows):\n    return sum(rows)", "f")
    given = Declaration(Number(rational(low), rational(high), True))
    asked = machine_question(source, given, machine_arithmetic(form.name, "naive"), "add_remove", rational(high))
    found = settled(IntegerQuery(form, low, high, "add_remove", 4, "lists"), Fraction(high), asked, 20)
    assert found.pair.refutes
    assert found.pair.distance > high
    free = settled(IntegerQuery(form, low, high, "add_remove", 4), Fraction(high), asked, 20)
    assert (free.pair, free.sentence) == (None, "")


def test_a_sum_of_float16_with_too_narrow_a_bound_has_no_violation_for_few_rows():
    pytest.importorskip("bitwuzla")
    given, claim = Declaration(Number(rational(0), rational(1))), Fraction(1027, 1024)
    asked = machine_question(LOOP, given, machine_arithmetic("float16", "naive"), "change_one", rational(claim))
    query = MachineQuery("sum", "naive", FLOAT16, Fraction(0), Fraction(1), "change_one", 2, 0, tables="lists")
    assert settled(query, claim, asked, 30).sentence.startswith("no violation for n <= 2, exactly (bitwuzla")
    tight = machine_question(LOOP, given, machine_arithmetic("float16", "naive"), "change_one", rational(1))
    assert settled(query, Fraction(1), tight, 30).pair.distance > 1
