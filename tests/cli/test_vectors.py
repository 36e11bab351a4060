"""`refdp vectors`: exit codes, JSON, sentences; the function of the same name; programs that answer lines."""

import json
import sys
from pathlib import Path

import pytest

import refdp
from refdp.cli.app import app
from refdp.test_vectors.subjects import CommandSubject
from tests.command_line import CliRunner

FOLDER = Path(__file__).resolve().parents[2] / "vectors"
ONE = FOLDER / "pmf_randomised_response_test.json"
MODULE = """
from fractions import Fraction
def pmf(algorithm, params, input, output):
    truth = Fraction(params["truth"])
    return truth if input == output else WRONG - truth
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    params = asked["arguments"].get("params", {})
    {body}
    sys.stdout.flush()
"""


def run(*arguments):
    return CliRunner().invoke(app, ["vectors", *map(str, arguments)])


@pytest.fixture
def module(tmp_path):
    def write(text):
        path = tmp_path / "mine.py"
        path.write_text(text)
        return path

    return write


def test_check_of_the_files_passes_with_code_0():
    done = run("check", ONE)
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "33 of 33 cases passed")


def test_check_of_a_changed_file_ends_with_code_1(tmp_path):
    path = tmp_path / "changed_test.json"
    path.write_text(ONE.read_text().replace('"lo": "7.5e-1"', '"lo": "7.4e-1"', 1))
    done = run("check", path)
    assert done.exit_code == 1
    assert "pmf must be" in done.stdout


def test_check_against_a_module_tells_right_from_wrong(module):
    assert run("check", ONE, "--against", module(MODULE.replace("WRONG", "1"))).exit_code == 0
    done = run("check", ONE, "--against", module(MODULE.replace("WRONG", "Fraction(1001, 1000)")), "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["verdict"]) == (1, "REFUTED")
    assert found["failed"] == len(found["files"][0]["findings"]) > 0
    assert found["files"][0]["findings"][0]["asked"].startswith("truth = ")


def test_check_of_functions_that_do_not_fit_ends_with_code_3(module):
    done = run("check", ONE, "--against", module("def stability(**_): return 1"), "--json")
    assert (done.exit_code, json.loads(done.stdout)["verdict"]) == (3, "UNKNOWN")


@pytest.mark.parametrize(
    ("text", "sentence"), [("x = 1", "at least one of the functions"), ("1 / 0", "can be imported")]
)
def test_module_that_cannot_be_used_ends_with_code_2(module, text, sentence):
    done = run("check", ONE, "--against", module(text))
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "nowhere"), ("check", ONE, "--against", "no.such.module"), ("check", ONE, "--type", "Other"),
        ("check", ONE, "--against", "json", "--command", "cat"), ("check", ONE, "--command", "/no/such/program"),
        ("check", ONE, "--command", "'"), ("write", "x", "--type", "Other"), ("import-google", "nowhere", "--out", "x"),
    ],
)  # fmt: skip
def test_bad_usage_ends_with_code_2_and_a_sentence(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_write_of_a_type_is_the_files_of_that_type(tmp_path):
    done = run("write", tmp_path / "out", "--type", "PrivacyProfile", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert found["cases"] == sum(one["cases"] for one in found["files"]) > 100
    for one in found["files"]:
        assert (tmp_path / "out" / one["file"]).read_bytes() == (FOLDER / one["file"]).read_bytes()


def test_function_of_the_same_name_does_the_same():
    found = refdp.vectors.check(ONE)
    assert (found["passed"], found["cases"]) == (33, 33)


def program(tmp_path, body):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.replace("{body}", body))
    return f"{sys.executable} {path}"


RESPONSE = """
    from fractions import Fraction
    given = asked["arguments"]
    truth, same = Fraction(params.get("truth", "0")), given.get("input") == given.get("output")
    known = asked["function"] == "pmf"
    print(json.dumps({"answer": str(truth if same else 1 - truth)} if known else {"unsupported": True}))
"""


@pytest.mark.once
def test_program_in_any_language_is_checked(tmp_path):
    done = run("check", ONE, "--command", program(tmp_path, RESPONSE.strip()))
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "NOT_REFUTED: 33 of 33 cases passed")


@pytest.mark.once
@pytest.mark.parametrize("body", ["print('no')", "print([])", "sys.exit()", "print('{}')"])
def test_program_that_gives_no_answers_fails(tmp_path, body):
    done = run("check", ONE, "--command", program(tmp_path, body))
    assert done.exit_code == 1
    assert "33 failed" in done.stdout


@pytest.mark.once
def test_program_that_hangs_is_ended(tmp_path):
    with CommandSubject(program(tmp_path, "import time; time.sleep(60)"), seconds=1) as subject:
        with pytest.raises(ValueError, match="no answer"):
            subject.ask("pmf", params={})
        with pytest.raises(ValueError, match="has ended"):
            subject.ask("pmf", params={})
