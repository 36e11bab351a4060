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
        ("refdp/sampling/far_and_wide.py", {"tests/mechanisms/test_rounded_scaled_laplace.py"}, "tests/test_docket.py"),
        (
            "refdp/kernel/theorem.py",
            {"tests/meta/test_layout.py", "tests/kernel/test_theorem.py"},
            "tests/meta/test_words.py",
        ),
        ("refdp/ledger/streams.toml", {"tests/proofs/test_sentences.py"}, "tests/meta/test_words.py"),
        ("refdp/commands/answers_v1.json", {"tests/cli/test_answers.py"}, "tests/meta/test_words.py"),
        ("refdp/docket/entries/uber_flex.toml", {"tests/test_docket.py"}, "tests/meta/test_words.py"),
        ("proofs/lemmas.py", {"tests/proofs/test_sentences.py", "tests/exactness/test_perturbed_objective.py"},
         "tests/test_docket.py"),
        ("docs/limits.md", {"tests/meta/test_documents.py", "tests/meta/test_words.py"}, "tests/proofs/test_ledger.py"),
        ("tests/test_general.py", {"tests/test_general.py"}, "tests/test_docket.py"),
        ("tests/exactness/laws.py", {"tests/exactness/test_perturbed_objective.py"}, "tests/test_docket.py"),
        ("tests/answers.py", {"tests/cli/test_answers.py"}, "tests/test_docket.py"),
        ("Makefile", {"tests/meta/test_setup.py"}, "tests/test_docket.py"),
        ("tests/conftest.py", {"tests/meta/test_setup.py"}, "tests/test_docket.py"),
    ],
)  # fmt: skip
def test_nearest_tests_are_those_of_the_file(file, some, not_there):
    found = nearest.nearest([file])
    assert some <= set(found)
    assert not_there not in found
    assert all((ROOT / one).is_file() for one in found)


def test_importers_of_what_is_gone_are_near():
    """A module that was renamed or removed fails where it is imported."""
    assert nearest.importing("refdp.commands.replay_cost") == ["tests/commands/test_explain.py"]
    assert "tests/test_gone.py" not in nearest.nearest(["tests/test_gone.py"])


@pytest.mark.parametrize("file", ["LICENSE", "refdp/py.typed", "benchmarks/systems.toml"])
def test_what_no_test_is_near_to_has_none(file):
    assert nearest.nearest([file]) == []
    assert nearest.nearest([]) == []


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository with three files."""
    monkeypatch.setattr(nearest, "ROOT", tmp_path)

    def git(*words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("1\n", encoding="utf-8")
    git("add", ".")
    git("commit", "-qm", "all")
    return tmp_path


def test_changed_files_are_those_that_git_tells(checkout):
    assert nearest.changed("HEAD") == []
    (checkout / "a.py").write_text("2\n", encoding="utf-8")
    (checkout / "b.py").rename(checkout / "new one.py")
    (checkout / "été.py").write_text("3\n", encoding="utf-8")
    assert nearest.changed("HEAD") == ["a.py", "b.py", "new one.py", "été.py"]
    with pytest.raises(SystemExit, match="BASE must be a commit, got nonsense: fatal: bad revision"):
        nearest.changed("nonsense")


@pytest.mark.once
@pytest.mark.parametrize(
    ("test", "code", "said"),
    [
        ("def test_one(): pass", 0, "1 passed"),
        ("def test_one(): assert 0", 1, "1 failed"),
        ("import pytest\n@pytest.mark.long\ndef test_one(): pass", 0, "1 deselected"),
    ],
)
def test_nearest_runs_them_whatever_they_are_called(checkout, test, code, said, capfd):
    (checkout / "tests").mkdir()
    (checkout / "tests" / "test_with space é.py").write_text(f"{test}\n", encoding="utf-8")
    (checkout / "pytest.ini").write_text("[pytest]\nmarkers = long: more\n", encoding="utf-8")
    assert nearest.main(["HEAD", "-q", "-m", "not long", "-p", "no:cacheprovider", "-p", "no:refdp"]) == code
    assert said in capfd.readouterr().out


@pytest.mark.once
def test_nearest_takes_a_commit(checkout, capfd):
    done = subprocess.run(
        [sys.executable, "-m", "tests.nearest"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "usage: python -m tests.nearest BASE [WORDS OF PYTEST]\n")
    assert nearest.main(["HEAD"]) == 0
    assert capfd.readouterr().out == "no test is near to what differs from HEAD\n"
