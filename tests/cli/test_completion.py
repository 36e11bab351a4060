"""Shells complete commands, options, claims and words, fast, and without loading a prover."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from refdp.claims import ledger, matching, programs
from refdp.cli import completing
from refdp.cli.app import app
from refdp.commands.sample_requests import constructors

pytestmark = pytest.mark.once
ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"z3", "cvc5", "sympy", "mpmath", "flint", "numpy", "matplotlib"}
ASK = """
import sys
sys.argv = ["refdp"]
from refdp.cli import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def environment_of(shell, line):
    """What a shell sets when the user asks at the end of the line."""
    return {"_REFDP_COMPLETE": f"complete_{shell}", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")),
            "_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}  # fmt: skip


def asked(line):
    """What bash is told by a process of its own, and the modules that were loaded."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment_of("bash", line)}
    return subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("refdp ver", {"verify"}),
        ("refdp verify --time", {"--timeout"}),
        ("refdp vectors import", {"import-google"}),
        ("refdp explain discrete_laplace.p", {"discrete_laplace.pure", "discrete_laplace.pure_vector"}),
        ("refdp verify discrete_lap", {"discrete_laplace.*"}),
        ("refdp sample discrete_", {"discrete_laplace", "discrete_gaussian"}),
        ("refdp check x --solver ", {"z3", "cvc5", "both"}),
        ("refdp prove x --adjacency L", {"L1", "L2"}),
        ("refdp sensitivity x --neighbours ", {"add_remove", "change_one"}),
        ("refdp sensitivity x --norm ", {"L1", "L2", "Linf"}),
        ("refdp sensitivity x --arithmetic float", {"float64", "float32", "float16"}),
        ("refdp sensitivity x --sum n", {"naive", "neumaier", "numpy"}),
        ("refdp account x --calibrate s", {"sigma", "scale", "sensitivity"}),
        ("refdp release x --query h", {"histogram"}),
        ("refdp vectors write x --type P", {"PrivacyProfile", "Pmf"}),
    ],
)
def test_shells_complete(shell, line, words, monkeypatch, capsys):
    for key, value in environment_of(shell, line).items():
        monkeypatch.setenv(key, value)
    with pytest.raises(SystemExit) as ended:
        app(prog_name="refdp", args=[])
    said = capsys.readouterr().out
    assert ended.value.code == 0
    assert words <= set(said.replace('"', " ").replace(":", " ").split()), said


@pytest.mark.parametrize("line", ["refdp explain ", "refdp sample "])
def test_completion_is_fast_and_loads_no_prover(line):
    assert min(_seconds(line) for _ in range(2)) < 0.5
    assert not HEAVY & set(asked(line).stderr.split())


def _seconds(line):
    """Seconds of processor time; another process on the machine must not count."""
    before = os.times()
    asked(line)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_completed_mechanisms_are_those_with_a_sampler():
    assert set(completing.mechanisms("")) == set(constructors())


def test_completed_claims_are_those_of_the_ledger():
    explained = {claim.identifier for claim in ledger()}
    assert set(completing.claims("")) == explained
    assert set(completing.identifiers()) == explained | {claim.identifier for claim in programs()}
    assert set(completing.identifiers(general=True)) == {claim.identifier for claim in matching("*")}
    assert {name.removesuffix(".*") for name in completing.patterns("")} == {
        name.partition(".")[0] for name in completing.identifiers(general=True)
    }


@pytest.mark.parametrize(("shell", "file"), [("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", ".config/fish")])
def test_completion_is_installed(shell, file, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    environment["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "yes"
    done = subprocess.run(
        [sys.executable, "-m", "refdp", "--install-completion", shell], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, "refdp" in done.stdout) == (0, True)
    assert (tmp_path / file).exists()
