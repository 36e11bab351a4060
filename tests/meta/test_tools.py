"""The tools of the trade find nothing: ruff (rules and format), `mypy --strict`, and the import rules of the layers."""

import os
import shutil
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


def test_tools_mypy_finds_nothing_and_then_what_is_wrong(tmp_path):
    """One test, because the second run need not read again what the first one has found right."""
    done = run(*COMMANDS["mypy"])
    assert done.returncode == 0, done.stdout
    copy = with_wrong_file(tmp_path, "proofs/wrong.py", "HALF: int = 'half'")
    shutil.copytree(ROOT / ".mypy_cache", copy / ".mypy_cache")
    done = run(*COMMANDS["mypy"], cwd=copy)
    assert done.returncode != 0
    assert "Found 1 error in 1 file" in done.stdout
    assert "wrong.py" in done.stdout


def with_wrong_file(folder, name, line):
    """A copy of the checkout with one more file."""
    copy = copy_of_checkout(folder / "copy")
    (copy / name).write_text(f'"""A file that breaks a rule."""\n\n{line}\n')
    return copy


@pytest.mark.parametrize(
    ("tool", "name", "line"),
    [
        ("ruff", "refdp/spec/wrong.py", "import os"),
        ("ruff", "refdp/kernel/wrong.py", "assert len('a') == 1"),
        ("format", "proofs/wrong.py", "HALF =  1"),
        ("imports", "refdp/kernel/wrong.py", "import refdp.mechanisms"),
        ("imports", "refdp/kernel/wrong.py", "import refdp.numerics.enclosures"),
        ("imports", "refdp/mechanisms/wrong.py", "import refdp.kernel"),
        ("imports", "refdp/spec/wrong.py", "import refdp.numerics"),
        ("imports", "refdp/provers/symbolic/wrong.py", "import z3"),
        ("imports", "refdp/provers/smt/wrong.py", "import sympy"),
        ("imports", "refdp/mechanisms/wrong.py", "def f() -> None:\n    import flint"),
        ("imports", "proofs/wrong.py", "import rich"),
        ("imports", "refdp/unplaced.py", "X = 1"),
    ],
)
def test_tools_find_what_is_wrong(tool, name, line, tmp_path):
    done = run(*COMMANDS[tool], cwd=with_wrong_file(tmp_path, name, line))
    assert done.returncode != 0
    assert Path(name).stem in done.stdout
