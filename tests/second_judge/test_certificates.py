"""`refdp check` runs nothing of a user's, unless it is asked to: then the second judge looks at each proof."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import refdp
from refdp.commands import second_judging
from refdp.commands.check import replayed_here
from refdp.second_judge import process
from refdp.terms.leaves import integer

PROGRAM = """from refdp.programs import ONE, claim, laplace
@claim(epsilon='epsilon', adjacency=ONE)
def f(q, epsilon):
    return sum(q) + laplace(1 / epsilon)
"""


def certificate(folder: Path) -> Path:
    """That of a program, which is proved."""
    (folder / "p.py").write_text(PROGRAM)
    return Path(refdp.prove(folder / "p.py", certificates=folder / "c")["certificate"])


def test_check_runs_nothing_unless_it_is_asked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = certificate(tmp_path)
    monkeypatch.setattr(process.subprocess, "run", lambda *_, **__: pytest.fail("a process was started"))
    (found,) = replayed_here([path])["certificates"]
    assert found["verdict"] == "PROVED"
    assert "second_judge" not in found


def test_check_with_run_says_how_many_pairs_counted(tmp_path: Path) -> None:
    (found,) = replayed_here([certificate(tmp_path)], run=True)["certificates"]
    assert (found["verdict"], found["second_judge"]) == ("PROVED", {"pairs": 200, "tried": 200, "agrees": True})


def test_check_with_run_judges_a_query_with_its_parameters(tmp_path: Path) -> None:
    (tmp_path / "q.py").write_text("def f(rows, k, ws):\n    return [sum(rows) for _ in range(k)] + [sum(ws)]\n")
    asked = {"bounds": (0, 1), "set": {"k": 2, "ws": "[1, 2]"}, "claim": 2, "certificates": tmp_path / "c"}
    made = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", **asked)
    assert made["verdict"] == "PROVED"
    (found,) = replayed_here([made["certificate"]], run=True)["certificates"]
    assert (found["verdict"], found["second_judge"]["pairs"]) == ("PROVED", 200)


def test_check_in_a_fresh_process_passes_the_option_on(tmp_path: Path) -> None:
    path = certificate(tmp_path)
    assert "second_judge" in refdp.check(path, run=True)["certificates"][0]
    assert "second_judge" not in refdp.check(path)["certificates"][0]


def test_check_imports_the_second_judge_only_where_it_runs(tmp_path: Path) -> None:
    path = certificate(tmp_path)
    script = (
        "import sys; from refdp.commands.check import replayed_here; replayed_here([sys.argv[1]]); "
        "print([n for n in sys.modules if 'second_judge' in n])"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_certificate_that_running_contradicts_is_an_internal_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = certificate(tmp_path), second_judging.program_question
    monkeypatch.setattr(second_judging, "program_question", lambda found: replace(kept(found), epsilon=integer(0)))
    found = replayed_here([path], run=True)
    assert (found["replayed"], found["unknown"]) == (0, 1)
    assert "the second judge contradicts" in found["certificates"][0]["internal_error"]
