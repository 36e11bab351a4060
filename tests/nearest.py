"""python -m tests.nearest BASE ...: run the tests nearest to what differs from a commit, with these words of pytest.

Nearest to a file of the package are its doctests, the files of tests that bear its name, and those that import it; to
data in it what is nearest to the modules that name the data; to a book of the ledger or a proof the review of the
sentences; to a page what holds of all pages.  A file of tests is nearest to itself, and one that other tests import to
these.  That is what is likely to fail, and no more: `make test` runs all.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
OF_BOOKS = ("tests/proofs/test_sentences.py", "tests/meta/test_changelog.py")
OF_PAGES = ("tests/meta/test_documents.py", "tests/meta/test_words.py", "tests/meta/test_soundness.py")
OF_SOURCES = ("tests/meta/test_layout.py", "tests/meta/test_imports.py")
OF_SETUP = ("tests/meta/test_setup.py", "tests/meta/test_optimised.py")
SETUP = ("Makefile", "pyproject.toml", "constraints.txt", "tests/conftest.py")
LOADED = ("-p", "refdp.mechanisms", "-p", "refdp.transformations")
"""What is registered before pytest reads a file of it for doctests, which would register it a second time."""
NOTHING_RAN = 5
"""The code of pytest where no test was chosen."""


def changed(base: str) -> list[str]:
    """The files that differ from the commit, those that are gone and those that git does not know included.

    SystemExit with git's own sentence where that is no commit.
    """
    commands = (["diff", "--no-renames", "--name-only", "-z", base, "--"],
                ["ls-files", "--others", "--exclude-standard", "-z"])  # fmt: skip
    found = [subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
             for words in commands]  # fmt: skip
    for one in found:
        if one.returncode:
            raise SystemExit(f"BASE must be a commit, got {base}: {one.stderr.strip()}")
    return sorted({name for one in found for name in one.stdout.split("\0") if name})


def nearest(files: Sequence[str]) -> list[str]:
    """The files of tests, and those with doctests, to run for changes in these files."""
    return sorted({test for file in files for test in of_file(PurePosixPath(file)) if (ROOT / test).is_file()})


def of_file(file: PurePosixPath) -> Iterator[str]:
    """The same for one file; some may be gone."""
    name = file.as_posix()
    if name in SETUP:
        yield from OF_SETUP
    if name.startswith("proofs/"):  # refdp/proofs is a link to it
        yield from OF_BOOKS
        file = PurePosixPath("refdp") / file
    if file.suffix == ".py" and file.parts[0] in ("refdp", "tests"):
        yield from importing(file.with_suffix("").as_posix().removesuffix("/__init__").replace("/", "."))
        yield from (test for test in tests() if PurePosixPath(test).name == f"test_{file.stem}.py")
    if name.startswith("tests/") and file.name.startswith("test_"):
        yield name
    elif file.suffix == ".py" and name.startswith("refdp/"):
        yield from (name, *OF_SOURCES)
    elif name.startswith("refdp/ledger/"):
        yield from OF_BOOKS
    elif name.startswith("refdp/"):
        yield from (test for module in naming(file) for test in of_file(module))
    elif file.suffix == ".md":
        yield from OF_PAGES


@cache
def tests() -> tuple[str, ...]:
    """Every file of tests."""
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")))


def naming(data: PurePosixPath) -> list[PurePosixPath]:
    """The modules beside data, or above them, in which the name of the file stands, or that of a folder it is in."""
    folders = data.parents[:-2]  # from its own to that below refdp/
    words = {f'"{data.name}"', *(f'"{folder.name}"' for folder in folders)}
    beside = [path for folder in folders for path in sorted((ROOT / folder).glob("*.py"))]
    found = [path for path in beside if any(word in path.read_text(encoding="utf-8") for word in words)]
    return [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in found]


def importing(module: str) -> list[str]:
    """The files of tests that import the module, or a name of it."""
    return [test for test in tests() if module in imported(test)]


@cache
def imported(test: str) -> frozenset[str]:
    """The modules that a file of tests imports, and the names in them, which may be modules."""
    found = set[str]()
    for node in ast.walk(ast.parse((ROOT / test).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return frozenset(found)


def main(words: Sequence[str]) -> int:
    """Run what is near; 0 where nothing is, or only what takes long."""
    if not words:
        raise SystemExit("usage: python -m tests.nearest BASE [WORDS OF PYTEST]")
    base, *more = words
    files = nearest(changed(base))
    if not files:
        print(f"no test is near to what differs from {base}")
        return 0
    command = [sys.executable, "-m", "pytest", *LOADED, *more, *files]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    return 0 if code == NOTHING_RAN else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
