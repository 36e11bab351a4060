"""`pytest -p tests.emptiness.watching`: writes which test asked which condition about nothing, to EMPTINESS_LOG.

The audited files are loaded with each site watched; nothing else about them changes.  What is watched is handed on: of
a list is seen that it is empty, of an iterator that it ends at once.
"""

from __future__ import annotations

import builtins
import json
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from tests.emptiness.sites import files, rewritten

MOST_TESTS = 40
"""How many tests are written for a site."""
SEEN: dict[str, list[str]] = {}
"""Site -> tests that asked it about nothing."""
RUNNING = ["collection"]


def watched(site: str, found: Any) -> Any:
    """What was given; it is noted if nothing is in it."""
    if hasattr(found, "__len__"):
        if len(found) == 0:
            note(site)
        return found
    return passed_on(site, found)


def passed_on(site: str, found: Any) -> Iterator[Any]:
    """The elements of an iterator."""
    is_empty = True
    for one in found:
        is_empty = False
        yield one
    if is_empty:
        note(site)


def note(site: str) -> None:
    """Write down that the running test asked this site about nothing."""
    tests = SEEN.setdefault(site, [])
    if len(tests) < MOST_TESTS and RUNNING[-1] not in tests:
        tests.append(RUNNING[-1])
        if len(tests) == 1:  # whoever is interrupted has what was seen by then
            write()


class Loader(SourceFileLoader):
    """Loads an audited file with its sites watched; no bytecode is read or written."""

    def get_code(self, fullname: str) -> CodeType:
        return compile(rewritten(Path(self.path).resolve())[0], self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)


class Finder(MetaPathFinder):
    """Finds the audited files before anybody else does."""

    def __init__(self) -> None:
        self.watched = {str(path) for path in files()}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith("refdp"):
            return None
        found = PathFinder.find_spec(fullname, path, target)
        if found and found.origin and str(Path(found.origin).resolve()) in self.watched:
            found.loader = Loader(fullname, found.origin)
        return found


def start() -> None:
    """From here on audited files are watched; RuntimeError where some are loaded already."""
    if early := [name for name in sys.modules if name.split(".")[0] == "refdp"]:
        raise RuntimeError(f"watching starts before refdp is loaded, got {', '.join(early)}")
    vars(builtins)["__watched__"] = watched
    sys.meta_path.insert(0, Finder())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart(nodeid: str, location: object) -> None:
    RUNNING[-1] = nodeid


def pytest_sessionfinish(session: object) -> None:
    write()


def write() -> None:
    """Write down what was seen."""
    if log := os.environ.get("EMPTINESS_LOG"):
        Path(log).write_text(json.dumps(SEEN, indent=1, sort_keys=True), encoding="utf-8")


if "EMPTINESS_LOG" in os.environ:
    start()
