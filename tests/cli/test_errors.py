"""Errors end a command with one sentence and the exit code that belongs to them, those that nobody foresaw too."""

import json

import pytest

from refdp.cli.app import app
from refdp.cli.errors import ending, sentences
from refdp.kernel.judgements import KernelError
from refdp.logic.internal_errors import HEAD
from refdp.pipeline import PipelineError
from refdp.provers.lemmas import NotProved
from refdp.releases.errors import BudgetExceeded, InputError
from tests.command_line import CliRunner

run = CliRunner().invoke


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("scale must be > 0,\ngot 0"), 2),
        (PipelineError("x"), 2),
        (FileNotFoundError("x"), 2),
        (BudgetExceeded("x"), 1),
        (KernelError("x"), 3),
        (NotProved("x"), 3),
        (KeyboardInterrupt(), 130),
    ],
)
def test_an_expected_error_is_one_sentence(error, code, capsys):
    with pytest.raises(SystemExit) as ended, sentences():
        raise error
    assert ended.value.code == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("refdp: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("error", [KeyError("x"), ZeroDivisionError(), AssertionError("a\nb"), RecursionError("deep")])
def test_an_error_that_nobody_foresaw_is_one_sentence_and_refutes_nothing(error, capsys):
    with pytest.raises(SystemExit) as ended, sentences():
        raise error
    printed = capsys.readouterr()
    assert ended.value.code == 4
    assert printed.out == ""
    assert printed.err.startswith(f"refdp: {HEAD}: {type(error).__name__}")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("refuted", "internal", "unknown", "code"),
    [
        (True, False, False, 1), (True, False, True, 1), (True, True, True, 1), (True, True, False, 1),
        (False, True, False, 4), (False, True, True, 4), (False, False, True, 3),
    ],
)  # fmt: skip
def test_exit_codes_put_refuted_before_internal_errors_before_unknown(refuted, internal, unknown, code):
    with pytest.raises(SystemExit) as ended:
        ending(refuted=refuted, unknown=unknown, internal=internal)
    assert ended.value.code == code


def test_exit_code_is_0_where_all_is_as_claimed():
    assert ending(refuted=False, unknown=False) is None


@pytest.mark.parametrize("command", ["verify", "check", "explain", "release"])
def test_every_command_has_help_with_an_example(command):
    done = run(app, [command, "--help"])
    assert done.exit_code == 0
    assert f"Example: refdp {command}" in done.stdout
    assert "--json" in done.stdout
    assert "--timeout" in done.stdout


@pytest.mark.parametrize("bounds", [["--bounds", "-1", "10"], ["--bounds", "-1,10"], ["--bounds=-1,10"]])
def test_two_values_of_an_option_may_have_a_comma_between_them(bounds, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "query.py").write_text("def total(rows):\n    return sum(rows)\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["sensitivity", "query.py:total", *bounds, "--neighbours", "add_remove", "--json"])
    assert (done.exit_code, json.loads(done.stdout)["bound"]) == (0, "10")


def test_sensitivity_without_a_target_says_what_must_be_given():
    done = CliRunner().invoke(app, ["sensitivity"])
    said = "refdp: target must be FILE.py:FUNCTION or a campaign FILE.toml, got nothing\n"
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", said)


def test_usage_errors_exit_2():
    assert run(app, ["verify", "--no-such-option"]).exit_code == 2
    assert run(app, ["release"]).exit_code == 2
    assert run(app, ["--version"]).stdout.startswith("refdp ")
