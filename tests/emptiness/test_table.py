"""Each condition over something that may be empty is in table.txt, with the test that asks it about nothing.

A line of the table names a site, the next one a test, or "because it ..." why it cannot be empty.  Whoever adds or
rewords a condition adds it here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.emptiness.sites import sites
from tests.meta.repository import ROOT

TABLE = Path(__file__).with_name("table.txt")
FIRST = "tests/emptiness/test_nothing"
"""The tests whose sites are looked at in every run; the others by `make test-long`."""


def table():
    """Site -> its test, or why it needs none."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return dict(zip(lines[::2], (line.strip() for line in lines[1::2]), strict=True))


def shown():
    """Site -> the test that reaches it with nothing."""
    return {site: said for site, said in table().items() if said.startswith("tests/")}


def test_the_table_has_every_site_once_and_no_other():
    found = sites()
    assert len(set(found)) == len(found)
    assert set(table()) == set(found), sorted(set(table()) ^ set(found))
    assert len(table()) * 2 == len(TABLE.read_text(encoding="utf-8").splitlines())


def test_every_site_has_a_test_or_cannot_be_empty():
    assert [site for site, said in table().items() if not said.startswith(("tests/", "because it "))] == []


def test_every_test_of_the_table_is_there():
    for said in set(shown().values()):
        file, _, function = said.partition("::")
        assert f"def {function.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), said


def insist_that_tests_reach_their_sites(wanted, folder):
    """Run the tests with every site watched; each has asked its sites about nothing."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.emptiness.watching",
        "-n",
        "0",
    ]
    environment = os.environ | {"EMPTINESS_LOG": str(folder / "log.json")}
    done = subprocess.run([*command, *sorted(set(wanted.values()))], cwd=ROOT, env=environment, capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    seen = json.loads((folder / "log.json").read_text(encoding="utf-8"))
    assert [site for site, test in wanted.items() if test not in seen.get(site, ())] == []


@pytest.mark.once
def test_sites_are_reached_with_nothing(tmp_path):
    wanted = {site: test for site, test in shown().items() if test.startswith(FIRST)}
    assert len(wanted) > 100
    insist_that_tests_reach_their_sites(wanted, tmp_path)


@pytest.mark.long
def test_every_site_that_is_shown_is_reached_with_nothing(tmp_path):
    insist_that_tests_reach_their_sites(shown(), tmp_path)


def test_a_condition_is_found_and_watched(tmp_path, monkeypatch):
    """The finder can see: each kind of site in a file of its own."""
    import tests.emptiness.sites as finder

    text = (
        "def f(xs):\n    for x in xs:\n        if x:\n            raise ValueError\n"
        "    for x in xs:\n        print(x)\n"
        "    return all(x > 0 for x in xs), max(xs), set(xs) <= {1}, zip(xs, xs), zip(xs, xs, strict=True)\n"
        "def g(xs):\n    require(any(xs), 'x')\n    insist_all(x for x in xs)\n    return conjunction(*xs)\n"
    )
    (tmp_path / "file.py").write_text(text)
    monkeypatch.setattr(finder, "ROOT", tmp_path)
    _, found = finder.rewritten(tmp_path / "file.py")
    assert sorted(one.removeprefix("file.py:") for one in found) == sorted([
        "f: for x in xs", "f: all((x > 0 for x in xs))", "f: max(xs)", "f: set(xs) <= {1}", "f: zip(xs, xs)",
        "g: any(xs)", "g: insist_all((x for x in xs))", "g: conjunction(*xs)",
    ])  # fmt: skip
