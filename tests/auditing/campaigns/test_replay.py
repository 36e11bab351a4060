"""Reports replay alone: verdicts from their records, witnesses in fresh processes, without the campaign's folder."""

import json
import shutil
from pathlib import Path

import pytest

import refdp
from refdp.auditing.judges.task import TaskError

pytestmark = pytest.mark.once

CODE = "def doubled(x):\n    return 2 * x\n\n\ndef same(x):\n    return x\n"
TARGET = """
[[target]]
name = "{name}"
kind = "stability"
search = ["code"]
function = "mine:{name}"
space = {{ number = {{ whole = [0, 9] }} }}
claim = {{ input = "absolute", d_in = 1, output = "absolute", d_out = 1 }}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report whose campaign is gone."""
    folder = tmp_path_factory.mktemp("campaign")
    (folder / "code").mkdir()
    (folder / "code" / "mine.py").write_text(CODE, encoding="utf-8")
    (folder / "c.toml").write_text(TARGET.format(name="doubled") + TARGET.format(name="same"), encoding="utf-8")
    path = tmp_path_factory.mktemp("report") / "r.json"
    refdp.audit(folder / "c.toml", out=path, workers=1)
    shutil.rmtree(folder)
    return path


def changed(report, tmp_path, change):
    data = json.loads(report.read_text(encoding="utf-8"))
    change(data["targets"][0])
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    return refdp.audit(replay=tmp_path / "r.json", only="doubled")


def test_a_report_says_what_was_found_and_holds_no_path_of_the_machine(report):
    text = report.read_text(encoding="utf-8")
    first, second = json.loads(text)["targets"]
    assert (first["verdict"], first["witness"]) == ("REFUTED", "0 / 1: 2 > 1")
    assert (second["verdict"], second["error"]) == ("NOT_REFUTED", "0")
    assert first["replay"].endswith("r.json --only doubled")
    data = json.loads(text)
    del data["campaign"]["file"]
    assert str(Path.cwd()) not in json.dumps(data)
    assert str(report.parents[1]) not in json.dumps(data)


def test_a_report_replays_from_its_records_in_fresh_processes_and_anew(report):
    found = refdp.audit(replay=report, fresh=True)
    assert [(one["recomputed"], one["again"]) for one in found["targets"]] == [
        ("the same", "confirmed"),
        ("the same", ""),
    ]
    assert [one["fresh"].split(":")[0] for one in found["targets"]] == ["REFUTED", "NOT_REFUTED"]
    assert (found["surprises"], found["unknown"]) == ([], [])


def test_a_page_that_holds_the_json_replays_as_well(report, tmp_path):
    text = report.read_text(encoding="utf-8").replace("<", "\\u003c")
    page = f'<!doctype html><script type="application/json" id="refdp-audit">{text}</script>'
    (tmp_path / "r.html").write_text(page, encoding="utf-8")
    found = refdp.audit(replay=tmp_path / "r.html", only="d*")
    assert [one["again"] for one in found["targets"]] == ["confirmed"]


def test_a_verdict_that_its_record_does_not_give_is_a_surprise(report, tmp_path):
    def lie(one):
        one["verdict"] = "NOT_REFUTED"

    found = changed(report, tmp_path, lie)
    assert found["surprises"] == ["doubled"]
    assert found["targets"][0]["recomputed"] == "REFUTED, not NOT_REFUTED"


@pytest.mark.parametrize(
    ("part", "value", "says"),
    [
        ("outcomes", {"kind": "value", "value": {"int": "1"}, "text": ""}, "the recorded outputs are within 1"),
        ("rows", {"ints": "5"}, "the recorded inputs are not within 1 under absolute"),
    ],
)
def test_a_record_whose_witness_does_not_refute_is_not_believed(report, tmp_path, part, value, says):
    def forge(one):
        one["record"]["opening"]["witness"][part][1] = value

    found = changed(report, tmp_path, forge)
    assert found["surprises"] == ["doubled"]
    assert found["targets"][0]["recomputed"] == f"UNKNOWN, not REFUTED: {says}"


def test_a_record_that_the_target_does_not_confirm_is_a_surprise(report, tmp_path):
    def forge(one):
        one["record"]["task"]["sources"]["mine.py"] = CODE.replace("2 * x", "x")

    found = changed(report, tmp_path, forge)
    assert found["surprises"] == ["doubled"]
    assert found["targets"][0]["again"].startswith("the outputs differ from run to run")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "format must be refdp-audit/1"),
        ("nothing", "must be a report of refdp audit"),
        ('<html>{"format": 1}</html>', "must be a report of refdp audit"),
        ('{"format": "refdp-audit/1", "targets": [{"target": "a"}]}', "target 'a' must have the record of a task"),
        ('{"format": "refdp-audit/1", "targets": []}', "only must match the name of a target"),
    ],
)
def test_what_is_no_report_is_refused_in_one_sentence(tmp_path, text, says):
    (tmp_path / "r.json").write_text(text, encoding="utf-8")
    with pytest.raises(TaskError, match=says):
        refdp.audit(replay=tmp_path / "r.json")
