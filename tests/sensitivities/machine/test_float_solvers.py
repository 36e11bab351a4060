"""Solvers of floating-point arithmetic say what enumeration of a small format says, and no model is taken on trust."""

import itertools
from fractions import Fraction

import pytest

from refdp.provers.processes import WORKERS, Worker
from refdp.sensitivities.machine.float_questions import FloatQuestion, below, literal, number_of
from refdp.sensitivities.machine.float_solvers import ask_solvers, replayed
from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT64, FloatFormat, representable
from refdp.sensitivities.machine.narrow import Narrow
from refdp.sensitivities.machine.sums import sum_named

TINY = FloatFormat("tiny", 3, -2, 3)


def worst(order, kind, lower, upper, n):
    """The largest move of all tables, rows in order."""
    steps = range(int(lower / TINY.smallest), int(upper / TINY.smallest) + 1)
    values = [i * TINY.smallest for i in steps if representable(i * TINY.smallest, TINY)]
    total, zero = sum_named(order), Narrow(0.0, TINY)
    tables = [t for k in (n, n + 1) for t in itertools.product(values, repeat=k)]
    found = {t: Fraction(total([Narrow(float(v), TINY) for v in t], zero).number) for t in tables}
    moves = []
    for table in tables:
        if len(table) != n + (kind == "add_remove"):
            continue
        for place, row in itertools.product(range(len(table)), values):
            other = table[:place] + (() if kind == "add_remove" else (row,)) + table[place + 1 :]
            moves.append(abs(found[table] - found[other]))
    return max(moves)


@pytest.mark.parametrize(
    ("order", "kind"),
    [
        ("naive", "change_one"),
        ("kahan", "change_one"),
        pytest.param("naive", "add_remove", marks=pytest.mark.long),
    ],
)
def test_z3_finds_the_furthest_pair_of_a_small_format_and_proves_that_it_is(order, kind):
    furthest = worst(order, kind, 0, 1, 2)
    above, under = -below(-furthest, TINY), below(furthest - TINY.smallest / 2, TINY)
    asked = [FloatQuestion(TINY, order, Fraction(0), Fraction(1), kind, 2, claim) for claim in (above, under)]
    proved, refuted = (ask_solvers(question, 60, ("z3",)) for question in asked)
    assert (proved.verdict, refuted.verdict) == ("PROVED", "REFUTED")
    assert under < refuted.pair.distance <= furthest <= above


def test_bitwuzla_refutes_the_ideal_sensitivity_and_proves_one_of_two_rows():
    pytest.importorskip("bitwuzla")
    ideal = FloatQuestion(FLOAT16, "naive", Fraction(0), Fraction(1), "change_one", 2, Fraction(1))
    found = ask_solvers(ideal, 60, ("bitwuzla",))
    assert found.verdict == "REFUTED"
    assert found.pair.refutes
    assert found.pair.rows == 2
    wider = FloatQuestion(FLOAT16, "naive", Fraction(0), Fraction(1), "change_one", 2, Fraction(1027, 1024))
    assert ask_solvers(wider, 60, ("bitwuzla",)).verdict == "PROVED"


def test_what_is_missing_or_too_slow_is_unknown_with_a_reason(monkeypatch):
    monkeypatch.setitem(WORKERS, "bitwuzla", Worker("tests.provers.absent_solver", "bitwuzla", "refdp[check]"))
    question = FloatQuestion(FLOAT64, "naive", Fraction(0), Fraction(1), "change_one", 3, Fraction(1))
    found = ask_solvers(question, 0.3)
    assert found.verdict == "UNKNOWN"
    assert "refdp[check]" in found.reason
    assert "z3: " in found.reason


def test_a_model_that_is_no_pair_is_not_believed():
    question = FloatQuestion(FLOAT16, "naive", Fraction(0), Fraction(1), "change_one", 2, Fraction(1))
    assert replayed(question, {"row0": "0", "row1": "0", "edited": "0"}) is None
    outside = {"row0": "0", "row1": "0", "edited": str(0b0_10000_0000000000)}
    assert number_of(int(outside["edited"]), FLOAT16) == 2
    assert replayed(question, outside) is None


@pytest.mark.parametrize("form", [TINY, FLOAT16, BFLOAT16], ids=lambda form: form.name)
def test_bits_of_a_float_are_read_as_they_are_written(form):
    for value in (0, 1, -1, Fraction(5, 4), form.smallest, -form.smallest_normal, form.largest, 3 * form.smallest):
        written = literal(Fraction(value), form)[4:-1].replace("#b", "").replace(" ", "")
        assert number_of(int(written, 2), form) == value


def test_a_claim_that_is_no_float_is_taken_as_the_one_below():
    assert below(Fraction(11, 10), TINY) == 1
    assert below(Fraction(-11, 10), TINY) == Fraction(-5, 4)


def test_questions_that_cannot_be_written_are_refused():
    with pytest.raises(ValueError, match="sum must be"):
        FloatQuestion(FLOAT16, "neumaier", Fraction(0), Fraction(1), "change_one", 2, Fraction(1))
    with pytest.raises(ValueError, match="rows must be"):
        FloatQuestion(FLOAT16, "naive", Fraction(0), Fraction(1), "change_one", 0, Fraction(1))
    with pytest.raises(ValueError, match="claim must be"):
        FloatQuestion(FLOAT16, "naive", Fraction(0), Fraction(1), "change_one", 2, Fraction(-1))
    with pytest.raises(ValueError, match="bounds must be"):
        FloatQuestion(FLOAT16, "naive", Fraction(0), Fraction(10**6), "change_one", 2, Fraction(1))
