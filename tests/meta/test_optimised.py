"""Under `python -O` the suite still tests: asserts of test modules stay, in every process, and stand nowhere else.

pytest rewrites the asserts of test modules and of conftest.py into `if not ...: raise` before Python compiles them,
so -O, which drops assert statements, finds none to drop.  In any other module it would drop them.
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.repository import ROOT, asserts, offences, python_files

SOURCE = """
import sys
def test_level():
    assert sys.flags.optimize == 1
def test_false():
    assert 1 == 2
"""


def output(folder: Path, *options: str, **environment: str) -> str:
    """What `python -O -m pytest` says about SOURCE, under this repository's settings."""
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    (folder / "test_source.py").write_text(SOURCE)
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-p", "no:cacheprovider"]
    command = [sys.executable, "-O", "-m", "pytest", *settings, *options, str(folder)]
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "PYTHONOPT", "COV"))}
    done = subprocess.run(command, cwd=folder, env=inherited | environment, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_optimised_run_fails_a_false_assert(tmp_path):
    assert "1 failed, 1 passed" in output(tmp_path)


def test_optimised_run_fails_a_false_assert_in_a_worker(tmp_path):
    assert "1 failed, 1 passed" in output(tmp_path, "-n1", PYTHONOPTIMIZE="1")


def test_optimised_run_is_refused_where_it_would_not_reach_the_workers(tmp_path):
    said = output(tmp_path, "-n1", "--max-worker-restart=0")
    assert "a worker must run at optimisation level 1, got 0" in said
    assert "passed" not in said


def test_optimised_run_of_this_process_is_what_make_asked_for():
    assert sys.flags.optimize == int(os.environ.get("PYTHONOPTIMIZE") or 0)


def test_optimised_run_loses_no_assert_of_a_helper():
    """A module that pytest does not rewrite raises instead."""
    rewritten = re.compile(r"(test_.*|conftest)\.py")
    assert offences(asserts, [n for n in python_files("tests/") if not rewritten.fullmatch(Path(n).name)]) == []


def levels(module):
    """The lines that ask at which level of optimisation Python runs."""
    for node in ast.walk(module):
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node).split(".")[-1] in ("__debug__", "optimize"):
            yield node.lineno


def test_optimised_package_is_what_it_is_without_as_nothing_in_it_asks():
    """With no assert in it (test_layout), -O changes nothing: a part of the suite is enough to show that it runs."""
    assert offences(levels, python_files("refdp/", "proofs/")) == []


@pytest.mark.parametrize(
    "line", ["if __debug__:\n    f()", "import sys\nx = sys.flags.optimize", "from sys import flags\nflags.optimize"]
)
def test_optimised_package_that_asks_is_noticed(line):
    assert list(levels(ast.parse(line)))
