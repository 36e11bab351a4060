"""One command sets everything up, with the interpreter that is asked for, and does so once."""

import os
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from tests.meta.repository import copy_of_checkout

pytestmark = pytest.mark.once

ALONE = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
OLD = '#!/bin/sh\ncase "$2" in *exit*) exit 1 ;; *) echo 3.10.9 ;; esac\n'


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`make` in the folder, untouched by the settings of a `make` that runs this suite."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "PYTHON"))}
    command = ["make", "-C", str(folder), "--no-print-directory", *arguments]
    return subprocess.run(command, env=inherited, capture_output=True, text=True)


def interpreters() -> list[str]:
    """The interpreters on this machine that refdp supports, one of each version."""
    found = filter(None, (shutil.which(f"python3.{minor}") for minor in (11, 12, 13, 14)))
    return [p for p in found if subprocess.run([p, "--version"], capture_output=True).returncode == 0]


def test_setup_refuses_an_old_python_in_one_sentence(tmp_path):
    folder, old = copy_of_checkout(tmp_path / "refdp"), tmp_path / "old"
    old.write_text(OLD)
    old.chmod(0o755)
    done = make(folder, "verify", f"PYTHON={old}")
    assert done.stderr.splitlines()[0] == (
        f"refdp needs Python 3.11 or newer, got 3.10.9 from {old}; set PYTHON to one."
    )
    assert done.returncode == 2
    assert not (folder / ".venv").exists()


def test_setup_is_explained_by_make_alone(tmp_path):
    done = make(copy_of_checkout(tmp_path / "refdp"))
    assert [line.split()[1] for line in done.stdout.splitlines()] == [
        "help", "verify", "lock", "test", "quick", "test-long", "judge-long", "forge", "busy", "benchmark", "reports",
        "roles", "systems", "rocq", "rocq-questions", "rocq-programs", "rocq-lock", "rocq-forge", "fuzz", "mutants",
        "unsound",
        "test-docs", "check", "format", "pages", "docs", "dist", "audit-envs", "clean",
    ]  # fmt: skip


@pytest.mark.parametrize("there", ["a file", "nothing"])
def test_setup_makes_the_link_to_the_proofs_where_git_made_none(tmp_path, there):
    """Where core.symlinks is false git leaves a file with the text of the link; the source distribution has nothing."""
    folder = copy_of_checkout(tmp_path / "refdp")
    link = folder / "refdp" / "proofs"
    link.unlink()
    if there == "a file":
        link.write_text("../proofs")
    said = subprocess.run([sys.executable, "-c", "import refdp"], cwd=folder, env=ALONE, capture_output=True, text=True)
    assert said.stderr.splitlines()[-1].startswith("ImportError: refdp/proofs must be a link to ../proofs: make it one")
    assert make(folder, "refdp/proofs/__init__.py").returncode == 0
    assert link.is_symlink()
    assert link.samefile(folder / "proofs")
    subprocess.run([sys.executable, "-c", "import refdp.proofs"], cwd=folder, env=ALONE, check=True)


def test_setup_says_that_no_link_can_be_made(tmp_path):
    folder = copy_of_checkout(tmp_path / "refdp")
    (folder / "refdp" / "proofs").unlink()
    (tmp_path / "ln").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "ln").chmod(0o755)
    done = make(folder, "refdp/proofs/__init__.py", f"PATH={tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "refdp/proofs must be a link to ../proofs, and no link can be made here."


@pytest.mark.long
@pytest.mark.parametrize("python", interpreters())
def test_setup_verifies_with_every_interpreter_and_installs_once(tmp_path, python):
    folder = copy_of_checkout(tmp_path / "refdp")
    first = make(folder, "verify", f"PYTHON={python}")
    again = make(folder, "verify", f"PYTHON={python}")
    assert (first.returncode, again.returncode) == (0, 0), first.stderr + again.stderr
    assert "pip install" in first.stdout
    assert "pip install" not in again.stdout


@pytest.mark.long
def test_setup_starts_anew_in_a_copied_checkout(tmp_path):
    folder = copy_of_checkout(tmp_path / "refdp")
    assert make(folder, "verify").returncode == 0
    shutil.copytree(folder, tmp_path / "copy", symlinks=True)
    assert "pip install" in make(tmp_path / "copy", "verify").stdout


OLDEST = shutil.which("python3.11")
USES = [
    ["sample", "discrete_laplace", "--scale", "2", "-n", "1000", "--out", "x.npy"],
    ["plot", "laplace.pure", "--out", "x.svg"],
    ["audit", "examples/audits", "--html", "x.html"],
    ["vectors", "check", "vectors"],
    ["check", "proofs/certificates/discrete_laplace.pure.json", "--solver", "both"],
]
"""What needs a library of an extra."""


@pytest.mark.long
@pytest.mark.skipif(OLDEST is None, reason="the lowest versions have built packages for Python 3.11")
def test_setup_verifies_with_the_lowest_versions_that_are_allowed(tmp_path):
    folder = copy_of_checkout(tmp_path / "refdp")
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (project["optional-dependencies"][extra] for extra in ("audit", "bulk", "check", "report"))
    lowest = [*project["dependencies"], *chain.from_iterable(extras)]
    (folder / "constraints.txt").write_text("\n".join(lowest).replace(">=", "=="))
    done = make(folder, "verify", f"PYTHON={OLDEST}")
    assert done.returncode == 0, done.stderr
    assert "z3 4.14.0 and cvc5 1.2.0" in done.stdout
    for words in USES:
        used = subprocess.run([".venv/bin/refdp", *words], cwd=folder, env=ALONE, capture_output=True, text=True)
        assert used.returncode == 0, used.stderr
