"""The tools of the trade find nothing: ruff (rules and format), `mypy --strict`, and the import rules of the layers."""

import os
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


@pytest.mark.parametrize("tool", COMMANDS)
def test_tools_find_nothing(tool):
    done = run(*COMMANDS[tool])
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("tool", "name", "line"),
    [
        ("ruff", "refdp/spec/wrong.py", "import os"),
        ("ruff", "refdp/kernel/wrong.py", "assert len('a') == 1"),
        ("format", "proofs/wrong.py", "HALF =  1"),
        ("mypy", "proofs/wrong.py", "HALF: int = 'half'"),
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
    copy = copy_of_checkout(tmp_path / "copy")
    (copy / name).write_text(f'"""A file that breaks a rule."""\n\n{line}\n')
    done = run(*COMMANDS[tool], cwd=copy)
    assert done.returncode != 0
    assert Path(name).stem in done.stdout
