"""The second judge contradicts false bounds, and nothing that is true."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import refdp
from refdp.commands import second_judging
from refdp.commands.second_judging import question_of
from refdp.second_judge.opinion import Opinion
from refdp.second_judge.queries import INTERPRETER, Pair, Question, judged, note, refuted
from refdp.sensitivities.campaign import read_campaign
from refdp.sensitivities.judgement import Judgement
from refdp.sensitivities.judging import Case, claim_of
from refdp.terms.expressions import read_number
from refdp.terms.leaves import integer, rational, variable
from tests.examples import few
from tests.meta.repository import ROOT

SILENT = {INTERPRETER: lambda rows, arguments: None}
"""No first judge says anything, so that CPython alone is compared with the bound."""
SUM = "def f(rows):\n    return sum(min(max(r, 0), 10) for r in rows)\n"


def asked(
    source: str, claim: object, record: str = "0..10", neighbours: str = "add_remove", **more: object
) -> Question:
    known = {"n": variable("n", "Int"), **{str(one.value): one for one in more.get("symbols", ())}}  # type: ignore[attr-defined]
    term = read_number(str(claim), known, "claim")
    given = {"norm": "L1", "edits": 1, "in_any_order": True, **more}
    return Question(source, "f", record, neighbours, claim=term, **given)  # type: ignore[arg-type]


def test_a_true_bound_is_confirmed_by_every_pair() -> None:
    found = judged(asked(SUM, 10, "numbers"), SILENT)
    assert (found.counted, found.tried, found.contradiction, found.nothing) == (200, 200, "", "")


def test_a_bound_that_is_a_thousandth_too_small_is_contradicted() -> None:
    assert "10 apart, and 999/100 was proved" in judged(asked(SUM, "999/100", "numbers"), SILENT).contradiction


@pytest.mark.parametrize(
    ("module", "answer"),
    [
        ("W = {'a': 1}\nW['a'] = 100\n", "W['a']"),
        ("W = [1]\nW.append(100)\n", "W[-1]"),
        ("W = [1, 100]\nW.sort(reverse=True)\n", "W[0]"),
        ("W = [1, 100]\ndel W[0]\n", "W[0]"),
        ("W = [1]\nV = W\nV[0] = 100\n", "W[0]"),
        ("W = [1]\nfor i in range(1):\n    W[i] = 100\n", "W[0]"),
        ("W = [1]\ndef change():\n    W[0] = 100\nchange()\n", "W[0]"),
        ("W = [1]\nclass C:\n    W[0] = 100\n", "W[0]"),
        ("W = 1\ndef g(x=(W := 100)):\n    return x\n", "W"),
        ("W = 1\nmatch 100:\n    case W:\n        pass\n", "W"),
        ("W = 1\ntry:\n    1 / 0\nexcept ZeroDivisionError as W:\n    pass\nfinally:\n    W = 100\n", "W"),
        ("import math\nmath.floor = lambda x: 100\n", "math.floor(1)"),
        ("def g(x, y=1):\n    return y\nW = [g]\ng = lambda x: 100\n", "g(0)"),
    ],
)
def test_what_the_file_changes_after_it_was_bound_is_seen(module: str, answer: str) -> None:
    source = f"{module}def f(rows):\n    return sum({answer} for r in rows)\n"
    assert "100 apart, and 1 was proved" in judged(asked(source, 1), SILENT).contradiction


@pytest.mark.parametrize("length", [7, 23, 60])
def test_a_length_that_the_text_names_is_tried(length: int) -> None:
    source = f"def f(rows):\n    return 5 if len(rows) == {length} else 0\n"
    assert judged(asked(source, 1), SILENT).contradiction
    assert not judged(asked(source, 5), SILENT).contradiction


@pytest.mark.parametrize("length", [121, 500, 1000])
def test_some_long_tables_are_tried(length: int) -> None:
    source = f"def f(rows):\n    return 5 if len(rows) >= {length} else 0\n"
    assert judged(asked(source, 1), SILENT).contradiction
    found = judged(asked(source, 5), SILENT)
    assert (found.contradiction, found.counted, found.tried) == ("", 200, 200)


def test_a_number_that_the_text_names_is_tried() -> None:
    source = "def f(rows):\n    return sum(1 if r != 3.14159 else 50 for r in rows)\n"
    assert judged(asked(source, 1), SILENT).contradiction
    assert not judged(asked(source, 50), SILENT).contradiction


def test_another_order_of_keys_is_another_answer() -> None:
    fill = "for r in rows:\n        d[r] = 0\n    for k in 'ab':\n        d[k] = 0"
    source = f"def f(rows):\n    d = {{}}\n    {fill}\n    return d\n"
    assert "infinitely far apart" in judged(asked(source, 1, "a | b"), SILENT).contradiction


def test_a_function_that_raises_on_every_table_is_proved_nothing() -> None:
    found = judged(asked("def f(rows):\n    return rows[0]['incme']\n", 0, "0..10", "change_one"), SILENT)
    assert "on each table with rows" in found.nothing
    assert not found.contradiction


def test_an_answer_that_the_first_judge_reads_otherwise_is_contradicted() -> None:
    found = judged(asked("def f(rows):\n    return 2\n", 5), {INTERPRETER: lambda rows, arguments: {(): Fraction(1)}})
    assert "CPython answers 2, and refdp's interpreter 1" in found.contradiction


def test_a_file_that_is_not_run_is_still_read_twice() -> None:
    others = {INTERPRETER: lambda rows, arguments: {(): Fraction(1)}, "refdp's reading": lambda *_: {"": Fraction(2)}}
    found = judged(asked(SUM, 10), others, run=False)
    assert "refdp's interpreter answers 1, and refdp's reading 2" in found.contradiction


def test_a_text_that_neither_cpython_nor_the_interpreter_answers_on_is_proved_nothing() -> None:
    found = judged(asked(SUM, 10), SILENT, run=False)
    assert found.counted == 0
    assert "neither CPython nor" in found.nothing


def test_division_is_exact() -> None:
    source = "def f(rows):\n    return len(rows) / 3 * 3 + 0.1 + 0.2\n"
    assert not judged(asked(source, 1), {INTERPRETER: lambda rows, _: {(): len(rows) + Fraction(3, 10)}}).contradiction


def test_conditions_hold_of_every_pair_that_counts() -> None:
    low, high, size = variable("low", "Real"), variable("high", "Real"), variable("n", "Int")
    source = "def f(rows, low, high):\n    assert low <= high and len(rows) >= 2\n    return sum(rows) / len(rows)\n"
    from refdp.terms.operations import at_most, conjunction

    question = asked(
        source, "(high - low) / n", "low..high", "change_one", symbols=(low, high),
        assumption=conjunction(at_most(low, high), at_most(integer(2), size)),
    )  # fmt: skip
    found = judged(question, SILENT)
    assert found.counted == found.tried > 100
    assert not found.contradiction
    assert judged(replace(question, claim=rational(Fraction(0))), SILENT).contradiction


def test_two_edits_move_twice_as_far() -> None:
    assert not judged(asked(SUM, 20, edits=2), SILENT).contradiction
    assert judged(asked(SUM, 19, edits=2), SILENT).contradiction


def test_a_bound_for_lists_is_none_for_multisets() -> None:
    source = "def f(rows):\n    return rows[0] if rows else 0\n"
    assert not judged(asked(source, 10, "-10..0", "change_one", in_any_order=False), SILENT).contradiction
    order = "def f(rows):\n    return sum(abs(a - b) for a, b in zip(rows, rows[1:]))\n"
    assert not judged(asked(order, 20, "0..10", "change_one", in_any_order=False), SILENT).contradiction
    assert judged(asked(order, 20, "0..10", "change_one"), SILENT).contradiction


def test_an_irrational_root_is_rounded_by_less_than_any_move() -> None:
    source = "import math\ndef f(rows):\n    return [math.sqrt(2) * sum(1 for r in rows), 0]\n"
    assert not judged(asked(source, "sqrt(2)", norm="L2"), SILENT).contradiction
    assert judged(asked(source, "sqrt(2) * 999 / 1000", norm="L2"), SILENT).contradiction


def test_a_refutation_that_cpython_does_not_confirm_is_contradicted() -> None:
    pair = Pair([], [Fraction(10)], {}, Fraction(9))
    assert not refuted(asked(SUM, 9), pair).contradiction
    assert "10 apart, no more than 10" in refuted(asked(SUM, 10), replace(pair, claim=Fraction(10))).contradiction


@pytest.mark.parametrize("campaign", ["queries.toml", "library.toml", "penguins.toml"])
def test_every_proved_bound_of_the_corpora_is_confirmed(campaign: str) -> None:
    questions = [q for q in read_campaign(ROOT / "examples" / "sensitivity" / campaign) if q.expected == "PROVED"]
    assert questions
    for one in questions[:: len(questions) // few(len(questions))]:  # `make judge-long` asks all, on 10,000 pairs
        case = Case.of(one, 1.0)
        if one.claim is None:
            continue
        tables = one.tables or "multisets"
        proof = Judgement("PROVED", one, case.source, case.given, tables, bound=claim_of(one, case.given))  # type: ignore[arg-type]
        found = judged(question_of(proof), SILENT, pairs=30)
        assert (found.counted, found.contradiction, found.nothing) == (30, "", ""), one


def test_a_proof_that_running_contradicts_is_an_internal_error(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "q.py"
    path.write_text("W = {'a': 1, 'b': 90}\ndef f(rows):\n    return sum(W[r] for r in rows)\n")

    def another(found: Judgement) -> Question:
        """What the first judge once did: it took a file for another than it is."""
        asked = question_of(found)
        return replace(asked, source=asked.source.replace("def f", "W['a'] = 100\ndef f"))

    monkeypatch.setattr(second_judging, "question_of", another)
    found = refdp.sensitivity(f"{path}:f", "add_remove", records="a | b", claim=90, certificates=tmp_path / "c")
    assert found["verdict"] == "UNKNOWN"
    assert found["internal_error"].startswith("the second judge contradicts the verdict: on [")
    assert not (tmp_path / "c").exists()


def test_the_verdict_says_how_many_pairs_counted(tmp_path: Path) -> None:
    path = tmp_path / "q.py"
    path.write_text(SUM)
    found = refdp.sensitivity(f"{path}:f", "add_remove", records="numbers", claim=10)
    assert found["verdict"] == "PROVED"
    assert found["second_judge"] == {"pairs": 200, "tried": 200, "agrees": True}


def test_a_verdict_without_a_run_says_so(tmp_path: Path) -> None:
    path = tmp_path / "q.py"
    path.write_text(SUM)
    found = refdp.sensitivity(f"{path}:f", "add_remove", records="numbers", claim=10, run=False)
    assert found["verdict"] == "PROVED"
    assert found["second_judge"] == {"pairs": 0, "tried": 200, "agrees": None, "reason": "it was not to be run"}


def test_a_function_that_raises_on_every_table_with_rows_is_not_proved(tmp_path: Path) -> None:
    path = tmp_path / "q.py"
    path.write_text("def f(rows):\n    return sum(r['incme'] for r in rows)\n")
    found = refdp.sensitivity(f"{path}:f", "change_one", column={"income": "0..1"}, claim=0)
    assert found["verdict"] == "UNKNOWN"
    assert "raises KeyError on each table with rows" in found["reason"]


def test_rounded_answers_are_answers():
    """A function that raises on some tables and has no rational answer on the others does not raise on each."""
    found = Opinion()
    note(found, [1], "ZeroDivisionError")
    note(found, [], {(): 1})
    assert (found.answered, found.raised) == (False, "ZeroDivisionError")
    note(found, [2], {(): 1.4142})
    note(found, [3], None)
    assert (found.answered, found.raised) == (True, "ZeroDivisionError")
