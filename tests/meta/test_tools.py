"""The tools of the trade find nothing: ruff (rules and format), `mypy --strict`, and the import rules of the layers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

BIN = Path(sys.executable).parent


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(cwd), "NO_COLOR": "1"}
    return subprocess.run(
        [*map(str, command)], cwd=cwd, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


@pytest.mark.parametrize(
    "command",
    [
        (sys.executable, "-m", "ruff", "check", "--quiet", "--output-format", "concise", "."),
        (sys.executable, "-m", "ruff", "format", "--check", "."),
        (sys.executable, "-m", "mypy"),
        (BIN / "lint-imports",),
    ],
    ids=["ruff", "format", "mypy", "imports"],
)
def test_tools_find_nothing(command):
    done = run(*command)
    assert done.returncode == 0, done.stdout
