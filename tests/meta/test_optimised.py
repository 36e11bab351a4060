"""Under `python -O` the suite still tests: asserts of test modules stay, in every process, and stand nowhere else.

pytest rewrites the asserts of test modules and of conftest.py into `if not ...: raise` before Python compiles them,
so -O, which drops assert statements, finds none to drop.  In any other module it would drop them.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.meta.repository import ROOT, asserts, offences, python_files

FALSE = "def test_false():\n    assert 1 == 2\n"
LEVEL = "import sys\ndef test_level():\n    assert sys.flags.optimize == 1\n"
FAILED, REFUSED = 1, 4  # pytest's exit codes


def exit_code(folder: Path, source: str, *options: str, **environment: str) -> int:
    """The exit code of `python -O -m pytest` on one test module, under this repository's settings."""
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    (folder / "test_source.py").write_text(source)
    command = [
        sys.executable,
        "-O",
        "-m",
        "pytest",
        "-c",
        ROOT / "pyproject.toml",
        "--rootdir",
        folder,
        *options,
        folder,
    ]
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "PYTHONOPT", "COV"))}
    return subprocess.run(
        [*map(str, command), "-p", "no:cacheprovider"], cwd=folder, env=inherited | environment, capture_output=True
    ).returncode


def test_optimised_run_fails_a_false_assert(tmp_path):
    assert exit_code(tmp_path, FALSE) == FAILED


def test_optimised_run_fails_a_false_assert_in_a_worker(tmp_path):
    assert exit_code(tmp_path, FALSE, "-n1", PYTHONOPTIMIZE="1") == FAILED


def test_optimised_run_reaches_the_workers(tmp_path):
    assert exit_code(tmp_path, LEVEL, "-n1", PYTHONOPTIMIZE="1") == 0


def test_optimised_run_is_refused_where_it_would_not_reach_the_workers(tmp_path):
    assert exit_code(tmp_path, LEVEL, "-n1") != 0


def test_optimised_run_of_this_process_is_what_make_asked_for():
    assert sys.flags.optimize == int(os.environ.get("PYTHONOPTIMIZE") or 0)


def test_optimised_run_loses_no_assert_of_a_helper():
    """A module that pytest does not rewrite raises instead."""
    rewritten = re.compile(r"(test_.*|conftest)\.py")
    assert offences(asserts, [n for n in python_files("tests/") if not rewritten.fullmatch(Path(n).name)]) == []
