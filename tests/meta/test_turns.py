"""Dear tests take turns: on each day a part is run, on so many days in a row all are, and nothing else waits."""

import os
import subprocess
import sys

import pytest

from tests.conftest import TURNS, has_turn
from tests.meta.repository import ROOT
from tests.turns import LEAST, LIST, dear, may_wait

SOURCE = """
import pytest
@pytest.mark.parametrize("n", range(40))
def test_dear(n):
    pass
def test_cheap():
    pass
"""


def run_on(folder, *options):
    """The tests of SOURCE that pytest runs, under this repository's settings."""
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    (folder / "turns.txt").write_text("test_source.py::test_dear\n")
    (folder / "test_source.py").write_text(SOURCE)
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-p", "no:cacheprovider", "-v"]
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV"))}
    command = [sys.executable, "-m", "pytest", *settings, *options, str(folder)]
    done = subprocess.run(command, cwd=folder, env=inherited, capture_output=True, text=True)
    return {line.split()[0].split("::")[-1] for line in done.stdout.splitlines() if " PASSED" in line}


@pytest.mark.once
def test_on_so_many_days_each_dear_test_is_run_once_and_others_each_day(tmp_path):
    found = [run_on(tmp_path, f"--turn={day}") for day in range(20_000, 20_000 + TURNS)]
    assert all("test_cheap" in one and 1 <= len(one) < 25 for one in found)
    assert sum(len(one - {"test_cheap"}) for one in found) == 40
    assert set().union(*found) == run_on(tmp_path)
    assert len(run_on(tmp_path)) == 41


@pytest.mark.parametrize("day", range(TURNS))
def test_a_test_has_its_turn_again_after_so_many_days(day):
    names = [f"tests/a.py::test_{n}" for n in range(100)]
    assert [has_turn(name, day) for name in names] == [has_turn(name, day + TURNS) for name in names]
    assert sum(has_turn(names[0], day + k) for k in range(TURNS)) == 1


def test_what_takes_turns_is_there_and_may_wait():
    found = LIST.read_text(encoding="utf-8").split()
    assert found == sorted(set(found))
    assert [test for test in found if not may_wait(test)] == []
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in {test.partition("::")[0] for test in found}}
    assert [t for t in found if f"def {t.rpartition('::')[2]}(" not in texts[t.partition("::")[0]]] == []


def test_what_takes_a_second_in_all_its_parameters_takes_turns():
    lines = [
        f"{LEAST * 0.6} tests/a/test_b.py::test_long[1]",
        f"{LEAST * 0.6} tests/a/test_b.py::test_long[2]",
        f"{LEAST * 0.9} tests/a/test_b.py::test_short",
        f"{LEAST * 2} tests/a/test_b.py::test_a_wrong_claim_is_refuted",
        f"{LEAST * 2} tests/kernel/test_b.py::test_long",
        f"{LEAST * 2} refdp/a.py::refdp.a.function",
    ]
    assert dear(lines) == ["tests/a/test_b.py::test_long"]
