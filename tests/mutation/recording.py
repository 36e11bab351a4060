"""Which tests reach which line of the files, and how long each takes: one run of all of them under coverage."""

from __future__ import annotations

import functools
import json
import os
import sys
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol

IMPORTED = ""
"""The context of what runs while the package and the tests are imported."""
FIXTURE = "fixture "


@dataclass(frozen=True)
class Record:
    """The seconds of each test that passes, and by file and line the contexts that reach it."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]
    """A context is a test's name, a fixture's, or empty for what is run by importing."""
    digests: dict[str, str] = field(default_factory=dict)
    """Of each file, and of the files of the tests, as it was when this was recorded."""

    def reaching(self, file: str, first: int, last: int) -> set[str]:
        """The contexts that reach one of the lines."""
        lines = self.lines.get(file, {})
        return {context for line in range(first, last + 1) for context in lines.get(line, ())}


def written(record: Record, path: Path) -> None:
    """Writes a record."""
    path.write_text(json.dumps({"seconds": record.seconds, "lines": record.lines, "digests": record.digests}))


def read(path: Path) -> Record:
    """Reads a record."""
    found = json.loads(path.read_text())
    lines = {file: {int(line): contexts for line, contexts in one.items()} for file, one in found["lines"].items()}
    return Record(found["seconds"], lines, found.get("digests", {}))


def digest(path: Path) -> str:
    """What tells a file from an earlier one of that name; of one that is gone, nothing."""
    return sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""


def file_of(test: str) -> str:
    """The file that a test is in."""
    return test.partition("::")[0]


def still_true(known: Record, root: Path) -> Record:
    """The part of a record that no file has changed under: tests that reach a file that has are to be run again."""
    changed = {file for file in known.lines if known.digests.get(file) != digest(root / file)}
    anew = {context for file in changed for contexts in known.lines[file].values() for context in contexts}
    anew |= {test for test in known.seconds if known.digests.get(file_of(test)) != digest(root / file_of(test))}
    return Record(
        {test: seconds for test, seconds in known.seconds.items() if test not in anew},
        {file: lines for file, lines in known.lines.items() if file not in changed},
        known.digests,
    )


def fixtures_of(item: Any) -> set[str]:
    """The contexts of the fixtures that a test shares with others."""
    definitions = item._fixtureinfo.name2fixturedefs if hasattr(item, "_fixtureinfo") else {}
    return {fixture_context(one) for many in definitions.values() for one in many if one.scope != "function"}


def fixture_context(definition: Any) -> str:
    """The context in which a shared fixture is set up."""
    return f"{FIXTURE}{definition.baseid} {definition.argname}"


def shares_caches(item: Any) -> bool:
    """Whether the test's file keeps in mind what one test found for the next."""
    values = vars(item.module).values() if hasattr(item, "module") else ()
    return any(isinstance(one, functools._lru_cache_wrapper) and one.__module__.startswith("tests.") for one in values)


def processor_seconds() -> float:
    """What this process has used, and those that it started and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


class Recorder:
    """A plugin of pytest that runs every test once that is not in the record, or no longer, and writes it."""

    def __init__(self, files: list[str], root: Path, path: Path) -> None:
        self.known = still_true(read(path), root) if path.exists() else Record({}, {})
        self.files, self.root, self.path = files, root, path
        names = [str(root / file) for file in files]
        self.coverage = coverage.Coverage(data_file=None, include=names, config_file=False, messages=False)
        self.seconds: dict[str, float] = {}
        self.context = IMPORTED
        self.coverage.start()

    def switch(self, context: str) -> str:
        """What is run from now on counts for the context; the one before."""
        before, self.context = self.context, context
        self.coverage.switch_context(context)
        return before

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        if fixturedef.scope == "function":
            return (yield)
        before = self.switch(fixture_context(fixturedef))
        try:
            return (yield)
        finally:
            self.switch(before)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        failed = []
        items = [item for item in session.items if item.nodeid not in self.known.seconds]
        for item, following in zip(items, [*items[1:], None], strict=False):  # of none, none follows
            self.switch(item.nodeid)
            start = processor_seconds()
            reports = runtestprotocol(item, nextitem=following, log=False)
            if all(one.outcome == "passed" for one in reports):
                self.seconds[item.nodeid] = round(processor_seconds() - start, 4)
            elif any(one.outcome == "failed" for one in reports):
                failed.append(item.nodeid)
        self.coverage.stop()
        print(f"{len(self.seconds)} tests pass in {sum(self.seconds.values()):.0f} s", file=sys.stderr)
        print(*(f"not used, as it fails: {one}" for one in failed), sep="\n", file=sys.stderr)
        self.write()
        return True

    def write(self) -> None:
        """Writes what was found, with what was known."""
        data = self.coverage.get_data()
        lines: dict[str, dict[int, list[str]]] = {}
        for file in self.files:
            known = self.known.lines.get(file, {})
            found = data.contexts_by_lineno(str(self.root / file))
            lines[file] = {k: sorted({*known.get(k, ()), *found.get(k, ())}) for k in {*known, *found}}
        seconds = self.known.seconds | self.seconds
        named = {*self.files, *map(file_of, seconds)}
        written(Record(seconds, lines, {one: digest(self.root / one) for one in sorted(named)}), self.path)
