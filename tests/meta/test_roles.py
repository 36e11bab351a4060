"""Every file is counted in one role, and a table of another commit is made by the same places."""

import subprocess
import sys

from scripts import roles
from tests.meta.repository import ROOT
from tests.meta.test_generated import tracked


def test_every_file_is_counted_once() -> None:
    there = [p for p in tracked() if p.startswith(("refdp/", "proofs/")) and p.endswith(roles.COUNTED)]
    there = [p for p in there if (ROOT / p).is_file() and not p.startswith("proofs/certificates")]
    found = roles.counted("now")
    assert sum(files for _, files, _ in found.values()) == len(there) > 1000
    assert sum(lines for lines, _, _ in found.values()) == sum((ROOT / p).read_text().count("\n") for p in there)
    assert all(files for _, files, _ in found.values())


def test_a_file_is_in_the_role_of_the_longest_place() -> None:
    assert roles.role_of("refdp/programs/proving/search.py") == "searches"
    assert roles.role_of("refdp/programs/checking/proof.py") == "claims, checkers, certificates"
    assert roles.role_of("refdp/terms/term.py") == "terms, texts, SMT"
    assert roles.role_of("refdp/pipeline.py") == "vectors, plugin, releases, top level, library"
    assert roles.role_of("proofs/composition.py") == "proofs"


def test_a_commit_is_counted_and_one_that_is_none_is_told() -> None:
    tracked("README.md")  # skipped where git does not say
    command = [sys.executable, str(ROOT / "scripts" / "roles.py")]
    said = subprocess.run([*command, "HEAD"], capture_output=True, text=True, check=True).stdout
    assert said.count("\n") == len(roles.ROLES) + 3
    wrong = subprocess.run([*command, "nothing"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("roles: git says ")
    assert "Traceback" not in wrong.stderr
