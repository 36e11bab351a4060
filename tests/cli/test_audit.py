"""`refdp audit` in a terminal: exit codes, what is printed at each width, files written whole or not at all."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import refdp
from refdp.cli.app import app
from refdp.report import audit_tables
from tests.command_line import CliRunner

LAWS = """
[[target]]
name = "{name}"
kind = "exact"
{expected}
tables = {{ a = {{ yes = "3/4", no = "1/4" }}, b = {{ yes = "1/4", no = "3/4" }} }}
pairs = [["a", "b"]]
claim = {{ epsilon = "{epsilon}" }}
"""
TRUE, FALSE = (
    LAWS.format(name="true", epsilon="ln(3)", expected=""),
    LAWS.format(name="false", epsilon="1", expected=""),
)
FOUND = LAWS.format(name="found", epsilon="1", expected='expected = "REFUTED"')
MISSED = LAWS.format(name="missed", epsilon="ln(3)", expected='expected = "REFUTED"')
NEVER = TRUE.replace('"true"', '"never"').replace('"exact"', '"stability"').split("tables")[0] + (
    'function = "nowhere:f"\nspace = { number = { whole = [0, 1] } }\n'
    'claim = { input = "absolute", d_in = 1, output = "absolute", d_out = 1 }\n'
)


def run(*words, stdin=""):
    return CliRunner().invoke(app, ["audit", *map(str, words)], input=stdin)


@pytest.mark.parametrize(
    ("text", "code"),
    [(TRUE + FOUND, 0), (TRUE + FALSE, 1), (MISSED, 1), (TRUE + NEVER, 3), (FALSE + NEVER, 1), ("x = 1", 2)],
)
def test_the_exit_code_says_whether_all_is_as_expected(text, code):
    assert run("-", "--workers", 1, stdin=text).exit_code == code


def test_a_table_and_the_surprises_in_words_are_printed():
    said = " ".join(run("-", "--workers", 1, stdin=TRUE + FALSE + NEVER).stdout.split())
    assert "target claim verdict witness seconds" in said
    assert "false: REFUTED" in said
    assert "never: UNKNOWN: the target cannot be loaded" in said
    assert "3 targets: 1 PROVED, 1 REFUTED, 1 UNKNOWN; 1 as expected, 1 surprise;" in said


def test_json_is_one_object_and_equals_what_python_gives(tmp_path):
    (tmp_path / "c.toml").write_text(TRUE + FOUND, encoding="utf-8")
    printed = json.loads(run(tmp_path / "c.toml", "--workers", 1, "--json").stdout)
    given = refdp.audit(str(tmp_path / "c.toml"), workers=1)
    assert [one["record"] for one in printed["targets"]] == [one["record"] for one in given["targets"]]
    assert [one["verdict"] for one in printed["targets"]] == ["PROVED", "REFUTED"]


def test_only_chooses_targets_by_name():
    found = json.loads(run("-", "--only", "f*", "--json", "--workers", 1, stdin=TRUE + FALSE + FOUND).stdout)
    assert [one["target"] for one in found["targets"]] == ["false", "found"]
    refused = run("-", "--only", "z*", stdin=TRUE)
    assert (refused.exit_code, refused.stderr) == (2, "refdp: only must match the name of a target, got z*\n")


def test_only_may_be_repeated_and_all_of_them_are_taken():
    words = ("-", "--only", "f*", "--only", "true", "--json", "--workers", 1)
    found = json.loads(run(*words, stdin=TRUE + FALSE + FOUND).stdout)
    assert [one["target"] for one in found["targets"]] == ["true", "false", "found"]
    refused = run("-", "--only", "true", "--only", "z*", stdin=TRUE)
    assert (refused.exit_code, refused.stderr) == (2, "refdp: only must match the name of a target, got z*\n")


def test_only_knows_targets_by_the_names_that_tables_show(tmp_path):
    first, second, page = tmp_path / "one.toml", tmp_path / "two.toml", tmp_path / "r.html"
    first.write_text(TRUE, encoding="utf-8")
    second.write_text(TRUE, encoding="utf-8")
    assert "two: true" in run(first, second, "--html", page, "--workers", 1).stdout
    for words in ([first, second, "--workers", 1], ["--replay", page]):
        found = json.loads(run(*words, "--only", "two: true", "--json").stdout)
        assert [(one["target"]) for one in found["targets"]] == ["true"]


def test_reports_hold_the_json_and_replay(tmp_path):
    page, log = tmp_path / "r.html", tmp_path / "r.sarif"
    assert run("-", "--html", page, "--sarif", log, "--workers", 1, stdin=TRUE + FALSE).exit_code == 1
    assert [one["ruleId"] for one in json.loads(log.read_text(encoding="utf-8"))["runs"][0]["results"]]
    assert "audit --replay r.html --only false" in page.read_text(encoding="utf-8")
    again = run("--replay", page)
    assert again.exit_code == 0
    assert "2 targets: 1 PROVED, 1 REFUTED; 2 reproduced, 0 not reproduced" in again.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "r.sarif"]


BESIDE = """
[[target]]
name = "mine"
kind = "privacy"
function = "mine:f"
pairs = [[0, 1]]
claim = { input = "discrete", d_in = 1, epsilon = "1" }
"""


def test_a_module_that_is_not_found_is_told_with_where_it_is_sought_and_what_was_claimed(tmp_path):
    (tmp_path / "c.toml").write_text(BESIDE, encoding="utf-8")
    done = run(tmp_path / "c.toml", "--json", "--workers", 1)
    (one,) = json.loads(done.stdout)["targets"]
    assert (done.exit_code, one["verdict"]) == (3, "UNKNOWN")
    assert one["reason"].endswith("sought beside the file, or in the folders of `search`")
    assert "(epsilon = 1, delta = 0)" in one["claim"]


def test_a_module_beside_the_file_is_found_and_one_target_is_counted_as_one(tmp_path):
    (tmp_path / "c.toml").write_text(BESIDE, encoding="utf-8")
    (tmp_path / "mine.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    done = run(tmp_path / "c.toml", "--workers", 1)
    assert done.exit_code == 1
    assert "1 target: 1 REFUTED; 0 as expected, 1 surprise;" in " ".join(done.stdout.split())


REFUSED = [
    ((), "paths must name a file or a folder, such as examples/audits, got none"),
    (("nothing.toml",), "No such file"),
    (("-", "--out", "no/where/r.json"), "must be a file in a folder that can be written to"),
    (("-", "--html", "no/where/r.html"), "must be a file in a folder that can be written to"),
    (("-", "--workers", "2", "--scheduler", "tcp://x:1"), "only one of workers, scheduler and executor"),
    (("-", "--replay", "r.json"), "replay takes one report and no paths"),
    (("--replay", "r.json"), "No such file"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED, ids=range(len(REFUSED)))
def test_bad_input_is_one_sentence_and_leaves_no_file(words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*words, stdin=TRUE)
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


WIDTHS = (80, 160)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_table_fits_terminals(width, monkeypatch):
    from rich.console import Console

    long = {
        "campaign": "c", "target": "OD-2945 private lazyframe with Margin(max_length)", "verdict": "NOT_REFUTED",
        "claim": "symmetric 6 -> approximate the library's map = 1", "expected": None, "reason": "", "power": "",
        "witness": "[0]*30 / [10]*3 + [0]*27: an event of 271 of 1000 against 0 of 1000", "seconds": "59.99",
    }  # fmt: skip
    console = Console(width=width)
    with console.capture() as caught:
        console.print(audit_tables.audit_table([long], width))
    lines = caught.get().splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) <= {80: 9, 160: 4}[width]
    assert "NOT_REFUTED" in caught.get()
    assert "59.99" in caught.get()


def test_the_help_names_every_word_of_the_function():
    import inspect

    names = set(inspect.signature(refdp.audit).parameters) - {"paths", "executor", "watch", "step"}
    said = run("--help").stdout
    assert {f"--{name}" for name in names} <= {word.strip(",") for word in said.split()}


@pytest.mark.once
def test_a_terminated_campaign_tells_what_it_has(tmp_path):
    text = TRUE + NEVER.replace("never", "endless").replace("nowhere:f", "time:sleep").replace("[0, 1]", "[5, 6]")
    (tmp_path / "c.toml").write_text(text, encoding="utf-8")
    line = [sys.executable, "-m", "refdp", "audit", str(tmp_path / "c.toml"), "--workers", "1", "--store", "s"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(line, cwd=tmp_path, env=environment, **pipes) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(4)
        process.terminate()
        out, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "endless: UNKNOWN: the campaign was interrupted" in out
    assert said == "refdp: interrupted; what was decided by then is told, and kept in s\n"
