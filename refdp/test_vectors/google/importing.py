"""Files of Google's cases, read from a user's copy, and written as files of ours; what fits no type is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from refdp.logic.files import files_inside, opened
from refdp.test_vectors.google.cases import Imported, Unfit, imported, of_message
from refdp.test_vectors.google.textproto import LARGEST, read
from refdp.test_vectors.kinds.registry import filled
from refdp.test_vectors.lists.asked import File, Group
from refdp.test_vectors.numbers import VectorError
from refdp.test_vectors.writing import document, put, text_of

HEADER = (
    "Parameters taken from a local copy of proto/testing of google/differential-privacy, licence Apache-2.0.",
    "Every expected value is worked out by refdp.  Privacy of noise is read as for one coordinate of that sensitivity.",
)
FIELDS: dict[str, dict[str, str]] = {"PrivacyProfile": {"looseness": "1000001/1000000"}, "StabilityMap": {}}
MOST_FILES = 100
Step = Callable[[int, int, str], None]


def texts(path: Path) -> list[Path]:
    """The file, or the files *.textproto of the folder; VectorError where there are none."""
    if path.is_file():
        return [path]
    found = files_inside(path, "*.textproto") if path.is_dir() else []
    if not 1 <= len(found) <= MOST_FILES:
        raise VectorError(f"path must be a file, or a folder with 1 to {MOST_FILES} files *.textproto, got {path}")
    return found


def content(path: Path) -> str:
    """The text of a file; VectorError where it is large or no UTF-8."""
    with opened(path) as file:
        found = file.read(LARGEST + 1)
    if len(found) > LARGEST:
        raise VectorError(f"{path.name} must have at most {LARGEST} bytes, got more")
    try:
        return found.decode()
    except UnicodeDecodeError:
        raise VectorError(f"{path.name} must be UTF-8 text, got other bytes") from None


def import_files(path: Path, folder: Path, step: Step = lambda *_: None) -> dict[str, Any]:
    """Write what fits into the folder; the numbers of cases read and fitted, the files, and why others do not fit."""
    found: list[Imported] = []
    reasons: Counter[str] = Counter()
    paths, total = texts(path), 0
    for place, one in enumerate(paths):
        step(place, len(paths), one.name)
        try:
            cases = list(of_message(read(content(one))))
        except VectorError as error:
            raise VectorError(f"{one.name}: {error}") from None
        total += len(cases)
        for kind, message in cases:
            try:
                fitting = [case for case in imported(kind, message) if worked_out(case)]
                found += fitting
            except (Unfit, VectorError) as error:
                reasons[f"{kind}: {error}"] += 1
    written = _written(found, folder)
    return {
        "read": total,
        "fitted": total - sum(reasons.values()),
        "files": written,
        "unfit": [{"reason": reason, "cases": count} for reason, count in sorted(reasons.items())],
    }


def worked_out(one: Imported) -> bool:
    """True; VectorError where the case has no expected value."""
    filled({"type": one.kind, "algorithm": one.algorithm, **FIELDS[one.kind]}, one.asked)
    return True


def _written(found: list[Imported], folder: Path) -> list[dict[str, Any]]:
    """A file for each type and algorithm."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind, algorithm in sorted({(one.kind, one.algorithm) for one in found}):
        cases = [one.asked for one in found if (one.kind, one.algorithm) == (kind, algorithm)]
        file = File(kind, algorithm, [Group(algorithm, cases, FIELDS[kind])])
        data = document(file) | {"header": list(HEADER)}
        put(folder / f"google_{file.name}", text_of(data))
        written.append({"file": f"google_{file.name}", "cases": len(cases)})
    return written
