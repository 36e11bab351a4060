"""python -m tests.nearest BASE: the tests nearest to what differs from a commit, a path each; `make quick` runs them.

Nearest to a file of the package are its doctests, the files of tests that bear its name, and those that import it; to
a book of the ledger the review of its sentences; to a page what holds of all pages.  A file of tests is nearest to
itself, and one that other tests import to these.  That is what is likely to fail, and no more: `make test` runs all.
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


def changed(base: str) -> list[str]:
    """The files that differ from the commit, those that git does not know included, and are there."""
    commands = (["diff", "--name-only", base, "--"], ["ls-files", "--others", "--exclude-standard"])
    found = [
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        for words in commands
    ]
    return sorted({name for names in found for name in names if (ROOT / name).is_file()})


def nearest(files: Sequence[str]) -> list[str]:
    """The files of tests, and those with doctests, to run for changes in these files."""
    return sorted({test for file in files for test in of_file(PurePosixPath(file))})


def of_file(file: PurePosixPath) -> Iterator[str]:
    """The same for one file."""
    name = file.as_posix()
    if file.suffix == ".py" and name.startswith(("refdp/", "tests/")):
        yield from importing(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    if name.startswith("tests/") and file.name.startswith("test_"):
        yield name
    elif file.suffix == ".py" and name.startswith("refdp/"):
        yield name
        yield from OF_SOURCES
        yield from (test for test in tests() if PurePosixPath(test).name == f"test_{file.stem}.py")
    elif name.startswith("refdp/ledger/"):
        yield from OF_BOOKS
    elif file.suffix == ".md":
        yield from OF_PAGES


@cache
def tests() -> tuple[str, ...]:
    """Every file of tests."""
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")))


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


def main(words: Sequence[str]) -> None:
    """Print the paths, a line each."""
    if len(words) != 1:
        raise SystemExit("usage: python -m tests.nearest BASE")
    print("\n".join(nearest(changed(words[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
