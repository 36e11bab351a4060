"""The example of the page, run as its reader would; and pytest's start, which every user pays for."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.meta.repository import ROOT
from tests.testing.projects import PLUGIN

pytestmark = pytest.mark.once
EXAMPLE = ROOT / "examples" / "pytest"
PAGE = ROOT / "docs" / "how_to" / "pytest_plugin.md"
HEAVY = {"z3", "cvc5", "sympy", "mpmath", "flint", "numpy", "sqlite3", "refdp.numerics", "refdp.auditing"}


def run(folder, *command):
    """A finished program in the folder, with this checkout's refdp."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)


def test_example_passes_with_every_mutant_caught(tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "example")
    done = run(folder, "-m", "pytest", *PLUGIN, "-v", "--refdp-strict")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "refdp: 3 statements (3 PASS), alpha spent 1e-09 of 1e-09" in done.stdout
    assert re.findall(r"Mutants caught: (\d) of (\d)", done.stdout) == [("2", "2"), ("1", "1"), ("1", "1")]


@pytest.mark.long
def test_example_fails_where_the_noise_is_wrong(tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "example")
    source = (folder / "noise.py").read_text()
    (folder / "noise.py").write_text(source.replace("discrete_laplace(10 / epsilon", "discrete_laplace(5 / epsilon"))
    done = run(folder, "-m", "pytest", *PLUGIN, "-k", "private")
    assert done.returncode == 1
    assert "FAIL: Claim refuted: epsilon >= 1." in done.stdout


def test_example_on_the_page_is_the_file():
    blocks = re.findall(r"<!-- from: (\S+) -->\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    for name, block in blocks:
        assert block in (ROOT / name).read_text(encoding="utf-8")


def test_example_page_names_every_option():
    from refdp.testing.plugin import OPTIONS

    page = PAGE.read_text(encoding="utf-8")
    assert [name for name, _ in OPTIONS if f"`{name}" not in page] == []


def test_example_of_a_plugin_that_costs_nothing_until_it_is_used(tmp_path):
    """What is loaded on top of pytest."""
    code = (
        "import sys, pytest, fractions, secrets, dataclasses, pathlib, typing\n"
        "before = set(sys.modules)\n"
        "import refdp.testing.plugin\n"
        "print(*set(sys.modules) - before)"
    )
    loaded = set(run(tmp_path, "-c", code).stdout.split())
    assert loaded & HEAVY == set()
    assert {name for name in loaded if name.startswith("refdp")} == {
        "refdp", "refdp.testing", "refdp.testing.plugin", "refdp.testing.settings", "refdp.testing.statement_mark",
    }  # fmt: skip


def test_example_of_an_entry_point():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"refdp": "refdp.testing.plugin"}
