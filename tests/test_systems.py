"""`make systems` asks about claims, programs and queries that exist, and tells what was not expected."""

import ast
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from benchmarks import systems as table
from benchmarks.systems import Question, Row, each_judged, judged, systems
from refdp.claims import ledger, programs
from refdp.docket import VERDICTS, entries
from tests.meta.repository import ROOT

ASKED = [question for questions in systems().values() for question in questions]
EXPECTED = {"PROVED", "REFUTED", "UNKNOWN", "NOT_REFUTED", "MEASURED", table.AS_THE_LEDGER}


def test_every_question_has_a_verdict_that_is_expected():
    assert {one.expected for one in ASKED if not one.each} <= EXPECTED
    assert all(one.name for one in ASKED if one.each)
    commands = [one.command for one in ASKED]
    assert len(commands) == len(set(commands)) > 80


def test_every_pattern_is_of_claims_of_the_ledger():
    identifiers = [c.identifier for c in (*ledger(), *programs())]
    patterns = [one.command.split("'")[1] for one in ASKED if one.command.startswith("verify ")]
    assert [p for p in patterns if not any(fnmatchcase(i, p) for i in identifiers)] == []


@pytest.mark.parametrize("name", ["programs.py", "queries.py"])
def test_every_example_is_asked_about(name):
    body = ast.parse((ROOT / "examples/systems" / name).read_text(encoding="utf-8")).body
    functions = {one.name for one in body if isinstance(one, ast.FunctionDef)}
    words = [word for one in ASKED for word in one.command.split()]
    asked = {word.rpartition(":")[2] for word in words if word.startswith(f"examples/systems/{name}")}
    assert functions - {"any_bits", "shares", "places"} == asked


def test_every_entry_of_the_docket_has_a_verdict_that_is_expected():
    expected = table.tomllib.loads(table.QUESTIONS.read_text(encoding="utf-8"))["docket"]["entries"]
    assert set(expected) == {one.slug for one in entries()}
    assert set(expected.values()) <= set(VERDICTS)


def claims(*verdicts, surprises=0):
    return {"claims": [{"verdict": one} for one in verdicts], "surprises": surprises}


def test_claims_are_as_expected_only_where_there_are_some_and_none_is_a_surprise():
    assert judged(claims("PROVED", "REFUTED", "PROVED"), table.AS_THE_LEDGER) == ("2 PROVED, 1 REFUTED", True)
    assert judged(claims("PROVED", surprises=1), table.AS_THE_LEDGER) == ("1 PROVED", False)
    assert judged(claims(), table.AS_THE_LEDGER) == ("no claim", False)
    assert judged({"verdict": "UNKNOWN"}, "PROVED") == ("UNKNOWN", False)
    assert judged({"verdict": "UNKNOWN"}, "UNKNOWN") == ("UNKNOWN", True)


def test_each_judgement_is_a_row_and_no_judgement_is_not_expected():
    question = Question("a loop", "train --variants", "", "variants", "name")
    found = [
        {"name": "small_noise", "verdict": "REFUTED", "expected": "REFUTED"},
        {"name": "twin", "verdict": "UNKNOWN", "expected": "PROVED", "reason": "time"},
    ]
    first, second = each_judged(question, found, "refdp train --variants", 1.0)
    assert (first.asks, first.expected, first.seconds) == ("a loop: small noise", True, 1.0)
    assert (second.expected, second.seconds, second.reason) == (False, None, "time")
    assert second.cells[2] == "**UNKNOWN**, not expected: time"
    (nothing,) = each_judged(question, [], "refdp train --variants", 1.0)
    assert not nothing.expected


def test_a_command_that_is_refused_is_not_expected(tmp_path):
    (row,) = table.asked(Question("nothing", "prove nowhere.py:f", "UNKNOWN"), Path(tmp_path))
    assert not row.expected
    assert row.verdict.startswith("exit code 2: refdp: ")


def test_a_cell_breaks_no_row():
    assert Row("a | b", "c", "PROVED", True, 0.5).cells == ["a \\| b", "`c`", "PROVED", "0.50"]
