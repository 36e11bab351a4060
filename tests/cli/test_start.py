"""`refdp` alone says what to do next, and each command's help has an example: all of them run in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from refdp.cli.app import app
from refdp.cli.starting import WELCOME
from tests.cli.small_files import BIT
from tests.cli.test_words import COMMANDS, NAMES, command_of
from tests.command_line import CliRunner

ROOT = Path(__file__).resolve().parents[2]
WIDTHS = (80, 120)


def text_of(*words, width=80):
    return CliRunner().invoke(app, list(words), env={"COLUMNS": str(width), "TERMINAL_WIDTH": ""}).stdout


def commands_of(page):
    """What can be pasted, lines that go on joined."""
    return re.findall(r"^  (\S.*)$", page.replace("\\\n", ""), re.MULTILINE)


@pytest.fixture
def shell(tmp_path):
    """Runs lines in an empty folder, with `refdp` on the path and nothing of the checkout but the package."""
    program, empty = tmp_path / "bin" / "refdp", tmp_path / "empty"
    program.parent.mkdir()
    empty.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m refdp "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def run(line):
        return subprocess.run(["bash", "-c", line], cwd=empty, env=environment, capture_output=True, text=True)

    return run


def test_refdp_alone_says_what_to_do_next():
    done = CliRunner().invoke(app, [])
    assert (done.exit_code, done.stdout, done.stderr) == (0, WELCOME, "")
    for reader in ("An auditor", "A researcher", "An engineer"):
        assert reader in done.stdout
    assert max(map(len, WELCOME.splitlines())) <= 80


def test_first_page_has_a_command_for_each_reader():
    tried = {line.split()[1] for line in commands_of(WELCOME) if line.startswith("refdp ")}
    assert tried <= COMMANDS.keys()
    assert len(commands_of(WELCOME)) >= 12
    assert {"verify", "check", "explain", "prove", "account", "sample", "audit", "sensitivity"} <= tried


@pytest.mark.long  # of make test-docs
@pytest.mark.once
def test_every_command_of_the_first_page_runs_in_an_empty_folder(shell):
    for line in commands_of(WELCOME):
        if line != "refdp prove":  # judged as a whole by tests/programs
            done = shell(line)
            assert (done.returncode, done.stderr) == (0, ""), line
    done = shell("refdp prove --timeout 0.1 | tail -n 1")
    assert done.stdout.startswith("66 claims: ")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_list_of_commands_has_whole_sentences(width):
    said = " ".join(text_of("--help", width=width).split())
    for name in COMMANDS:
        first = " ".join((COMMANDS[name].help or "").partition("\n\n")[0].split())
        assert f"{name} {first}" in said
    assert "..." not in said


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_help_has_a_sentence_what_is_printed_exit_codes_and_an_example(name, width):
    page = text_of(*name.split(), "--help", width=width)
    said = " ".join(page.split())
    assert page.startswith(f"Usage: root {name} ")
    assert " Prints " in said
    assert re.search(r" Exits 0 .*2 for bad input", said)
    assert f"Example: refdp {name} " in page
    lines = [line for line in page.splitlines() if not line.startswith("Example: ")]
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("name", ["", "vectors"])
def test_help_of_several_commands_has_an_example_below_their_list(name):
    above, _, below = text_of(*name.split(), "--help").partition("\nCommands:\n")
    assert "Example: " not in above
    example = below.strip().splitlines()[-1]
    assert example.startswith(f"Example: refdp {name}")
    assert example.removeprefix(f"Example: refdp {name}".strip()).split()[0] in {one.split()[-1] for one in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_list_of_options_ends_with_timeout_json_and_help(name):
    section = text_of(*name.split(), "--help").partition("\nOptions:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  (?:-., )?(--[\w-]+)", section, re.MULTILINE)[-3:] == ["--timeout", "--json", "--help"]


def test_help_of_sensitivity_begins_with_what_matters_first():
    page = text_of("sensitivity", "--help")
    places = [page.index(word) for word in ("\nOptions:", "--neighbours", "--bounds", "--column", "--claim",
              "--certificates", "--timeout", "--json", "\nMore of the question:", "--norm", "\nAt one table:",
              "\nScores:", "\nOn a machine:", "--attacks", "\nExample: ")]  # fmt: skip
    assert places == sorted(places)


LIBRARY = (ROOT / "refdp" / "programs" / "library" / "sparse_vector.py").read_text(encoding="utf-8")
SPEC = '{"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": 50}]}'
FILES = {
    "query.py": "def mean_income(rows):\n    return sum(rows) / max(len(rows), 1)\n",
    "sparse_vector.py": LIBRARY,
    "training.json": SPEC,
    "t.csv": "island\nA\nB\n",
    "table.csv": "age,income\n" + "".join(f"{20 + i},{1000 * i}\n" for i in range(40)),
    "campaign.toml": BIT,
    "mylibrary/refdp_vectors.py": "def delta(**_):\n    return 1\n",
    "differential-privacy/proto/testing/none.textproto": "",
}
"""The files that examples name and the reader has."""
FIRST = {
    "check": "refdp verify 'count.*' --certificates certificates",
    "vectors check": "refdp vectors write vectors --type PrivacyProfile",
}
"""What is run before an example."""
CODES = {"vectors check": (0, 1, 3)}
"""Exit codes of examples that judge something of the reader's own."""


@pytest.mark.long  # of make test-docs
@pytest.mark.once
@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_each_command_runs(name, shell, tmp_path):
    example = command_of(name).help.partition("Example: ")[2].strip()
    for path, text in FILES.items():
        (tmp_path / "empty" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "empty" / path).write_text(text, encoding="utf-8")
    assert name not in FIRST or shell(FIRST[name]).returncode == 0
    done = shell(example)
    assert done.returncode in CODES.get(name, (0,)), done.stderr
    assert "Traceback" not in done.stderr
