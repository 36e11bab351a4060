"""The tools of the trade find nothing: ruff (rules and format), `mypy --strict`, and the import rules of the layers."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.repository import ROOT, copy_of_checkout

pytestmark = pytest.mark.once

BIN = Path(sys.executable).parent


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(cwd), "NO_COLOR": "1"}
    return subprocess.run(
        [*map(str, command)], cwd=cwd, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


COMMANDS: dict[str, tuple[str | Path, ...]] = {
    "ruff": (sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise", "."),
    "format": (sys.executable, "-m", "ruff", "format", "--no-cache", "--check", "."),
    "mypy": (sys.executable, "-m", "mypy"),
    "imports": (BIN / "lint-imports",),
}


@pytest.mark.parametrize("tool", [tool for tool in COMMANDS if tool != "mypy"])
def test_tools_find_nothing(tool):
    done = run(*COMMANDS[tool])
    assert done.returncode == 0, done.stdout


def test_tools_mypy_finds_what_is_wrong_and_nothing_else(tmp_path):
    """One run over the checkout and one more file, because a first run of mypy reads everything."""
    copy = with_wrong_files(tmp_path, {"proofs/wrong.py": "HALF: int = 'half'"})
    done = run(*COMMANDS["mypy"], "--cache-dir", ROOT / ".mypy_cache", cwd=copy)
    assert done.returncode != 0
    assert "Found 1 error in 1 file" in done.stdout, done.stdout
    assert re.search(r"^\S*proofs/wrong.py:3: error: ", done.stdout, re.MULTILINE)


def with_wrong_files(folder, lines):
    """A copy of the checkout with one more file for each line, by its name."""
    copy = copy_of_checkout(folder / "copy")
    for name, line in lines.items():
        (copy / name).write_text(f'"""A file that breaks a rule."""\n\n{line}\n')
    return copy


WRONG: dict[str, dict[str, tuple[str, str]]] = {
    "ruff": {
        "refdp/spec/wrong.py": ("import os", "refdp/spec/wrong.py:3:8: F401"),
        "refdp/kernel/wrong.py": ("assert len('a') == 1", "refdp/kernel/wrong.py:3:1: S101"),
    },
    "format": {"proofs/wrong.py": ("HALF =  1", "proofs/wrong.py")},
    "imports": {
        "refdp/kernel/wrong.py": ("import refdp.mechanisms", "refdp.kernel.wrong -> refdp.mechanisms"),
        "refdp/kernel/wrong_too.py": (
            "import refdp.numerics.enclosures", "refdp.kernel.wrong_too -> refdp.numerics.enclosures"
        ),
        "refdp/mechanisms/wrong.py": ("import refdp.kernel", "refdp.mechanisms.wrong -> refdp.kernel"),
        "refdp/spec/wrong.py": ("import refdp.numerics", "refdp.spec.wrong -> refdp.numerics"),
        "refdp/provers/symbolic/wrong.py": ("import z3", "refdp.provers.symbolic.wrong -> z3"),
        "refdp/provers/smt/wrong.py": ("import sympy", "refdp.provers.smt.wrong -> sympy"),
        "refdp/mechanisms/wrong_too.py": (
            "def f() -> None:\n    import flint", "refdp.mechanisms.wrong_too -> flint"
        ),
        "proofs/wrong.py": ("import rich", "refdp.proofs.wrong -> rich"),
        "refdp/unplaced.py": ("X = 1", "refdp.unplaced"),
    },
}  # fmt: skip
"""Tool -> files that break a rule: each with its line, and what the tool must say of it."""


@pytest.mark.parametrize("tool", WRONG)
def test_tools_find_what_is_wrong(tool, tmp_path):
    """Each of the files is named with what is wrong in it, all of them in one run."""
    copy = with_wrong_files(tmp_path, {name: line for name, (line, _) in WRONG[tool].items()})
    done = run(*COMMANDS[tool], cwd=copy)
    assert done.returncode != 0
    assert [said for _, said in WRONG[tool].values() if said not in done.stdout] == [], done.stdout
