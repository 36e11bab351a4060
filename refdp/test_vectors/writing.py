"""Files of test vectors, written: every expected value is worked out here and now; the same bytes each time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from refdp import __version__
from refdp.test_vectors.kinds.kind import INVALID
from refdp.test_vectors.kinds.registry import filled
from refdp.test_vectors.lists.asked import Case, File
from refdp.test_vectors.notes import note
from refdp.test_vectors.numbers import VectorError
from refdp.test_vectors.schemas import SCHEMAS

Step = Callable[[int, int, str], None]
HEADER = (
    "Written by `refdp vectors write`; every expected value is worked out by refdp, with proved rounding.",
    "Numbers are text: p/q, decimals (rounded outward where lo and hi enclose a real), or floats as C99's %a.",
    "How to read a case, and what each sampler does with its tape: vectors/README.md of refdp.  Licence: Apache-2.0.",
)
HARMLESS = ("NearestFloat", "Underflow", "BoundClaim", "LooseClaim", "BitOrder", "ShortTape")
"""Flags of claims that need not be invalid."""
FIRST = ("tcId", "comment", "flags", "result", "reason", "mutant", "claimed")
"""The order of the first fields of a case."""


MODULES = {
    "Pmf": "pmf",
    "PrivacyProfile": "profiles",
    "Accounting": "accounting",
    "SamplerBitstream": "bitstream",
    "SamplerStatistical": "statistical",
    "StabilityMap": "stability",
}
"""Type of group -> the module with the list of its cases."""


def asked_files(types: Iterable[str] = ()) -> list[File]:
    """The files of these types, or all, as they are asked."""
    return [file for kind in MODULES if kind in types or not types for file in files_of(kind)]


@lru_cache
def files_of(kind: str) -> tuple[File, ...]:
    """The files of one type."""
    return tuple(import_module(f"refdp.test_vectors.lists.{MODULES[kind]}").files())


def document(file: File, version: str = __version__) -> Any:
    """The data of a file."""
    groups, numbers = [], iter(range(1, 1_000_000))
    for place, group in enumerate(file.groups, 1):
        head = {"tgId": place, "type": file.kind, "algorithm": group.algorithm, **group.fields}
        tests = [numbered(number, case) for case, number in zip(_kept(head, group.cases), numbers, strict=False)]
        groups.append(head | {"tests": tests})
    flags = sorted({flag for group in groups for test in group["tests"] for flag in test["flags"]})
    return {
        "schema": SCHEMAS[file.kind],
        "algorithm": file.algorithm,
        "source": {"name": "refdp", "version": version},
        "header": list(HEADER),
        "notes": {flag: note(flag) for flag in flags},
        "numberOfTests": sum(len(group["tests"]) for group in groups),
        "testGroups": groups,
    }


def _kept(head: dict[str, Any], cases: list[Case]) -> Iterator[Case]:
    """The cases with their expected values, but for defects that do no harm there."""
    for case in cases:
        try:
            found = case | filled(head, case)
        except VectorError as error:
            raise VectorError(f"{head['type']} {head['algorithm']} {case}: {error}") from None
        if "mutant" not in case or found["result"] == INVALID or set(case["flags"]) & set(HARMLESS):
            yield found


def numbered(number: int, case: Case) -> Case:
    """The case with its number, the fields in their order."""
    case = {"tcId": number, **case}
    return {key: case[key] for key in (*(k for k in FIRST if k in case), *(k for k in case if k not in FIRST))}


def text_of(data: Any) -> str:
    """The data as JSON: a line for each case, so that files compare well."""
    groups = ",\n".join(_group_text(group) for group in data["testGroups"])
    head = {key: value for key, value in data.items() if key != "testGroups"}
    body = json.dumps(head, indent=1)
    return f'{body[:-2]},\n "testGroups": [\n{groups}\n ]\n}}\n'


def _group_text(group: Any) -> str:
    """A group: its fields on one line, each case on one line."""
    head = json.dumps({key: value for key, value in group.items() if key != "tests"})
    tests = ",\n".join(f"   {json.dumps(test)}" for test in group["tests"])
    return f'  {head[:-1]}, "tests": [\n{tests}\n  ]}}'


def write(folder: Path, step: Step = lambda *_: None, files: Sequence[File] | None = None) -> list[tuple[str, int]]:
    """Write every file into the folder, each whole or not at all; their names and numbers of cases."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen, done = asked_files() if files is None else files, []
    for place, file in enumerate(chosen):
        step(place, len(chosen), file.name)
        data = document(file)
        put(folder / file.name, text_of(data))
        done.append((file.name, int(data["numberOfTests"])))
    return done


def put(path: Path, text: str) -> None:
    """Write a file under another name, then rename it."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="ascii", newline="\n")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


__all__ = ["asked_files", "document", "put", "text_of", "write"]
