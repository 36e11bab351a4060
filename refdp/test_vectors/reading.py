"""Files of test vectors, read strictly: small, not deep, no key twice, no JSON number but small counts."""

from __future__ import annotations

import json
from pathlib import Path

from refdp.logic.files import content_of, files_inside
from refdp.logic.strict_json import Json, require_shallow, unrepeated
from refdp.test_vectors.numbers import VectorError, shown

LARGEST_FILE = 4_000_000
"""Longest file that is read, in bytes."""
DEEPEST = 16
"""Most levels of nesting."""
LARGEST_COUNT = 10**9
"""Largest JSON number."""
LONGEST_TEXT = 20_000
"""Most characters of one text."""
MOST_FILES = 200
"""Most files of a folder."""


def files(path: Path, pattern: str = "*_test.json", most: int = MOST_FILES) -> list[Path]:
    """The file, or the files of the folder that match, sorted; VectorError where there are none, or too many."""
    if path.is_file():
        return [path]
    found = files_inside(path, pattern) if path.is_dir() else []
    if not 1 <= len(found) <= most:
        raise VectorError(f"path must be a file, or a folder with 1 to {most} files {pattern}, got {path}")
    return found


def read(path: Path) -> Json:
    """The data of a file; VectorError with one sentence where it has none that may be used."""
    try:
        content = content_of(path, LARGEST_FILE, path.name, VectorError)
    except OSError as error:
        raise VectorError(f"{path.name} must be a file that can be read, got {error.strerror}") from None
    try:
        return parsed(content.decode("ascii"))
    except UnicodeDecodeError:
        raise VectorError(f"{path.name} must be ASCII text, got other bytes") from None
    except VectorError as error:
        raise VectorError(f"{path.name}: {error}") from None


def parsed(text: str) -> Json:
    """The data of a JSON text."""
    require_shallow(text, DEEPEST, "a file", VectorError)
    try:
        found = json.loads(
            text,
            object_pairs_hook=unrepeated(VectorError),
            parse_float=_refused,
            parse_int=_counted,
            parse_constant=_refused,
        )
    except RecursionError:
        raise VectorError(f"a file must be nested at most {DEEPEST} deep, got more") from None
    except json.JSONDecodeError as error:
        raise VectorError(f"a file must be JSON, got {error.msg} at line {error.lineno}") from None
    plain(found)
    return found


def plain(found: Json, where: str = "the file") -> None:
    """VectorError where a JSON number is no small count, or a text has signs that are not printed."""
    if isinstance(found, str):
        if len(found) > LONGEST_TEXT or not found.isascii() or not (found.isprintable() or not found):
            raise VectorError(f"a text in {where} must be printable and short, got {shown(found)}")
    elif isinstance(found, dict):
        for key, value in found.items():
            plain(key, where)
            plain(value, key)
    elif isinstance(found, list):
        for value in found:
            plain(value, where)
    elif isinstance(found, float) or isinstance(found, int) and not 0 <= found <= LARGEST_COUNT:
        raise VectorError(f"a number in {where} must be text, got {shown(found)}")


def _refused(literal: str) -> None:
    """No JSON number stands for a real."""
    raise VectorError(f"numbers must be text, got {literal[:40]}")


def _counted(literal: str) -> int:
    """A count; Python reads no long one."""
    if len(literal) > len(str(LARGEST_COUNT)) or literal.startswith("-"):
        raise VectorError(f"numbers must be text, got {literal[:40]}")
    return int(literal)
