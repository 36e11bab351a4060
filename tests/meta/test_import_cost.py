"""`import refdp` is cheap and loads nothing heavy: measured in fresh processes, over and above an empty interpreter."""

import os
import subprocess
import sys

import pytest

from tests.meta.repository import ROOT

pytestmark = pytest.mark.once

HEAVY = {"z3", "cvc5", "sympy", "mpmath", "flint", "numpy", "matplotlib", "rich", "typer"}
SECONDS = "import time\nbefore = time.process_time()\nimport refdp\nprint(time.process_time() - before)"
LOADED = "import sys\nimport refdp\nprint(*sys.modules)"


@pytest.fixture
def answer(tmp_path):
    """What a fresh process prints; its bytecode is kept, as it is after an installation."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(tmp_path)}

    def run(code: str) -> str:
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    return run


def test_import_takes_under_100_ms_of_cpu(answer):
    answer("import refdp")
    # The least of seven: other processes on the machine can only add to what the import itself takes.
    assert min(float(answer(SECONDS)) for _ in range(7)) < 0.1


def test_import_loads_nothing_heavy(answer):
    assert HEAVY & set(answer(LOADED).split()) == set()


def test_import_of_something_heavy_is_noticed(answer):
    assert "mpmath" in answer(LOADED.replace("import refdp", "import mpmath")).split()
