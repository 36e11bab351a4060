"""tests.nearest names the tests of a changed file, of its importers and of what it is, and no others."""

import subprocess
import sys

import pytest

from tests import nearest
from tests.meta.repository import ROOT


@pytest.mark.parametrize(
    ("file", "some", "not_there"),
    [
        (
            "refdp/mechanisms/rounded_scaled_student.py",
            {"refdp/mechanisms/rounded_scaled_student.py", "tests/mechanisms/test_rounded_scaled_student.py"},
            "tests/mechanisms/test_laplace.py",
        ),
        (
            "refdp/sampling/far_and_wide.py",
            {"tests/mechanisms/test_rounded_scaled_laplace.py"},
            "tests/test_general.py",
        ),
        (
            "refdp/kernel/theorem.py",
            {"tests/meta/test_layout.py", "tests/kernel/test_theorem.py"},
            "tests/meta/test_words.py",
        ),
        ("refdp/ledger/streams.toml", {"tests/proofs/test_sentences.py"}, "tests/meta/test_words.py"),
        ("docs/limits.md", {"tests/meta/test_documents.py", "tests/meta/test_words.py"}, "tests/proofs/test_ledger.py"),
        ("tests/test_general.py", {"tests/test_general.py"}, "tests/test_docket.py"),
        ("tests/exactness/laws.py", {"tests/exactness/test_perturbed_objective.py"}, "tests/test_docket.py"),
    ],
)
def test_nearest_tests_are_those_of_the_file(file, some, not_there):
    found = nearest.nearest([file])
    assert some <= set(found)
    assert not_there not in found
    assert all((ROOT / one).is_file() for one in found)


@pytest.mark.parametrize("file", ["LICENSE", "refdp/py.typed", "benchmarks/systems.md/none"])
def test_what_no_test_is_near_to_has_none(file):
    assert nearest.nearest([file]) == []
    assert nearest.nearest([]) == []


def test_changed_files_are_those_that_git_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(nearest, "ROOT", tmp_path)

    def git(*words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("1\n", encoding="utf-8")
    git("add", ".")
    git("commit", "-qm", "all")
    assert nearest.changed("HEAD") == []
    (tmp_path / "a.py").write_text("2\n", encoding="utf-8")
    (tmp_path / "b.py").unlink()
    (tmp_path / "new.py").write_text("3\n", encoding="utf-8")
    assert nearest.changed("HEAD") == ["a.py", "new.py"]


@pytest.mark.once
def test_nearest_takes_one_commit():
    done = subprocess.run(
        [sys.executable, "-m", "tests.nearest"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "usage: python -m tests.nearest BASE\n")
