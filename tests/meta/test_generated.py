"""No tracked file is made of others, but for those that are named here; what is made is made once for its sources."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from refdp.claims import ledger
from refdp.kernel.rules.engines import ENGINES
from scripts import made_once
from scripts.docs_site.figures import FILLED
from scripts.made_once import EXAMPLES, FACES, PRODUCTS, key, make, proving, put, remove, stamped
from tests.made import certificate_of, certificates, pages
from tests.meta.repository import ROOT
from tests.report.test_trust_page import files_of, imported

TRACKED = {"constraints.txt", "proofs/certificates.lock", "refdp/__init__.pyi", *EXAMPLES}
"""What is made of the sources, or of what they need, and tracked all the same, beside vectors/."""


def tracked(*which: str) -> set[str]:
    """The files that git tracks, or which of them."""
    if not (ROOT / ".git").exists():
        pytest.skip("a source distribution is no checkout: nothing says what git tracks")
    done = subprocess.run(["git", "ls-files", "-z", *which], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(filter(None, done.stdout.split("\0")))


def test_no_tracked_file_is_generated_but_for_a_few():
    made = {path.relative_to(ROOT).as_posix() for path in certificates()}
    shown = {path.relative_to(ROOT).as_posix() for path in pages()}
    assert len(made) > 600
    assert len(shown) > 900
    assert (made | shown) & tracked() == set()
    assert shown & set(EXAMPLES) == set()


HERE = {
    ".ci", ".gitattributes", ".gitignore", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile",
    "README.md", "SECURITY.md", "audits", "benchmarks", "constraints.txt", "docs", "examples", "mkdocs.yml", "proofs",
    "pyproject.toml", "refdp", "scripts", "tests", "vectors",
}  # fmt: skip
"""What stands in the checkout."""


def test_the_checkout_has_these_entries_and_no_other():
    """A folder of certificates that an example of a page had written was once taken for a part of it."""
    assert {name.partition("/")[0] for name in tracked()} == HERE


def test_nothing_that_git_ignores_is_tracked():
    """Such as the certificate of a new claim, added by force or before it was ignored."""
    assert tracked("--cached", "--ignored", "--exclude-standard") == set()


def test_tracked_files_that_are_generated_are_there():
    assert {name for name in TRACKED if not (ROOT / name).is_file()} == set()
    assert tracked() >= TRACKED


@pytest.mark.parametrize("name", FILLED)
def test_no_tracked_page_holds_its_figures(name):
    """The site has them; in git stands a sentence that says so."""
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    inside = page.partition("<!-- begin of the generated ")[2].partition("<!-- end of the generated ")[0]
    assert inside.splitlines()[1:] in [
        [f"*The site that `make docs` builds has the {what} here.*"] for what in ("table", "figures")
    ]
    assert FILLED[name](page) != page


def test_everything_that_proves_is_among_what_certificates_are_made_of():
    """What proofs and verify import, and what that imports: a change of any other file changes no certificate."""
    todo = {"refdp/commands/verify.py", *(p.relative_to(ROOT).as_posix() for p in (ROOT / "proofs").glob("*.py"))}
    seen: set[str] = set()
    while todo:
        seen |= todo
        found = {f for name in todo for module in imported(name) for f in files_of(module)}
        todo = {f.replace("refdp/proofs/", "proofs/") for f in found} - seen
    keyed = {path.relative_to(ROOT).as_posix() for path in proving(ROOT)}
    assert seen - keyed == set()
    assert {f"refdp/ledger/{p.name}" for p in (ROOT / "refdp/ledger").glob("*.toml")} <= keyed
    assert {p for p in keyed if p.startswith(("refdp/cli/", "refdp/report/"))} == set()


def test_no_certificate_of_the_ledger_rests_on_an_engine_that_is_not_among_them():
    """Engines are imported by name, which the test above does not follow."""
    rules = {step["rule"] for c in ledger() for step in certificate_of(c.identifier)["steps"]}
    engines = {ENGINES[name].split(".")[1] for name in rules & ENGINES.keys()}
    assert engines & set(FACES) == set()
    assert {name.split(".")[0] for name in ENGINES.values()} == {"refdp"}


COMMAND = "import sys, pathlib as p; p.Path(sys.argv[1], 'a.json').write_text(p.Path('source.py').read_text())"


@pytest.fixture
def product(tmp_path, monkeypatch):
    """A product of one file, made by copying its source; each making leaves a line in a file."""
    code = f"{COMMAND}; p.Path('runs').open('a').write('run\\n')"
    one = made_once.Product("made", lambda root: iter([root / "source.py"]), ("refdp",), ("-c", code))
    monkeypatch.setattr(made_once, "PRODUCTS", {"one": one})
    (tmp_path / "source.py").write_text("1")
    return tmp_path


def runs(folder: Path) -> int:
    return len((folder / "runs").read_text().splitlines())


def test_what_is_made_is_made_once_for_its_sources(product):
    assert make("one", product) == make("one", product) == [product / "made" / "a.json"]
    assert runs(product) == 1
    (product / "source.py").write_text("2")
    make("one", product)
    assert (runs(product), (product / "made" / "a.json").read_text()) == (2, "2")
    make("one", product, anew=True)
    assert runs(product) == 3


@pytest.mark.parametrize("harm", ["changed", "removed"])
def test_what_is_no_more_as_it_was_made_is_made_again(product, harm):
    (path,) = make("one", product)
    path.unlink() if harm == "removed" else path.write_text("another")
    make("one", product)
    assert (runs(product), path.read_text()) == (2, "1")


def test_what_is_made_is_removed_and_nothing_beside_it(product):
    make("one", product)
    (product / "made" / "own.json").write_text("mine")
    remove("one", product)
    assert [path.name for path in (product / "made").iterdir()] == ["own.json"]


def test_what_is_no_longer_made_is_removed(product):
    make("one", product)
    new = product / made_once.STAMPS / "other"
    new.mkdir()
    (new / "b.json").write_text("b")
    put("one", product, new, key("one", product), False)
    assert [path.name for path in (product / "made").iterdir()] == ["b.json"]
    assert list(stamped("one", product)["files"]) == ["made/b.json"]


def test_what_cannot_be_made_is_said_and_leaves_what_was_there(product, monkeypatch):
    make("one", product)
    broken = made_once.Product("made", lambda root: iter([root / "runs"]), (), ("-c", "raise SystemExit(3)"))
    monkeypatch.setattr(made_once, "PRODUCTS", {"one": broken})
    with pytest.raises(made_once.NotMade, match=r"one could not be made: .* ended with 3"):
        make("one", product)
    assert (product / "made" / "a.json").read_text() == "1"


def test_what_is_made_of_sources_that_change_meanwhile_is_not_taken_for_theirs(product, monkeypatch):
    code = f"{COMMAND}; p.Path('source.py').write_text('2')"
    one = made_once.Product("made", lambda root: iter([root / "source.py"]), (), ("-c", code))
    monkeypatch.setattr(made_once, "PRODUCTS", {"one": one})
    with pytest.raises(made_once.NotMade, match="one were made of sources that changed meanwhile"):
        make("one", product)


@pytest.mark.once
def test_processes_that_ask_at_once_share_one_run(tmp_path):
    """Four of them, of a copy of the script whose certificates are made by a slow command."""
    (tmp_path / "scripts").mkdir()
    for name in (*made_once.MODULES, *(f"commands/{name}" for name in made_once.COMMANDS)):
        (tmp_path / "refdp" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "refdp" / name).write_text("")
    shutil.copy(ROOT / "scripts" / "made_once.py", tmp_path / "scripts")
    slow = "import sys, time, pathlib as p\np.Path('runs').open('a').write('run\\n')\ntime.sleep(1)\n"
    wrote = "p.Path(sys.argv[-2], 'a.json').write_text('1')\np.Path(sys.argv[-1]).write_text('{}')\n"
    (tmp_path / "scripts" / "prove_ledger.py").write_text(slow + wrote)
    command = [sys.executable, str(tmp_path / "scripts" / "made_once.py"), "certificates"]
    started = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(4)]
    assert [one.wait(60) for one in started] == [0] * 4
    assert runs(tmp_path) == 1
    stamp = json.loads((tmp_path / made_once.STAMPS / "certificates.json").read_text())
    assert list(stamp["files"]) == ["proofs/certificates/a.json", f"build/made/{made_once.VERDICTS}"]
    assert set(PRODUCTS) == {"certificates", "pages"}
