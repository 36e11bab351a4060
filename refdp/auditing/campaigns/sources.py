"""The code of targets that a campaign brings along, so that a report can be run again without the campaign's folder."""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

LARGEST = 2**20
"""Most characters of all files together."""
PLACES: list[tempfile.TemporaryDirectory[str]] = []
"""Folders that were written; each is removed when the process ends."""


class SourceError(ValueError):
    """The code of a target cannot be taken along; the sentence says why."""


def sources(function: str, search: Sequence[str], folder: Path) -> dict[str, str]:
    """File name -> text of the function's module and of the modules beside it that they import.

    Raises SourceError for a folder that is none, or for more than LARGEST characters.
    """
    where = [folder / one for one in search]
    if missing := [one for one, path in zip(search, where, strict=True) if not path.is_dir()]:
        raise SourceError(f"search must name folders beside the file, got {missing[0]}")
    found: dict[str, str] = {}
    wanted = [function.partition(":")[0].split(".")[0]]
    while wanted:
        name = wanted.pop() + ".py"
        path = next((place / name for place in where if (place / name).is_file()), None)
        if path is not None and name not in found:
            found[name] = path.read_text(encoding="utf-8")
            wanted += imported(found[name])
    if sum(map(len, found.values())) > LARGEST:
        raise SourceError(f"the modules of {function} must have at most {LARGEST} characters")
    return found


def imported(text: str) -> list[str]:
    """The top names of the modules that a text imports; none where it is no Python."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError):
        return []
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return sorted({name.split(".")[0] for name in names})


def folders(search: Sequence[str], folder: str, texts: Mapping[str, str]) -> list[str]:
    """The folders to seek in: those beside the file where they hold these texts, else one that is written from them."""
    there = [Path(folder, one).resolve() for one in search]
    if all(path.is_dir() for path in there) and all(_holds(there, name, text) for name, text in texts.items()):
        return [str(path) for path in there]
    return [written(tuple(texts.items()))]


def _holds(places: Sequence[Path], name: str, text: str) -> bool:
    """Whether the module of that name is this text, where it is found first."""
    found = next((place / name for place in places if (place / name).is_file()), None)
    try:
        return found is not None and found.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False


@cache
def written(texts: tuple[tuple[str, str], ...]) -> str:
    """A folder of this process alone that holds just these files, until the process ends."""
    place = tempfile.TemporaryDirectory(prefix="refdp-sources-")
    PLACES.append(place)
    for name, text in texts:
        if Path(name).name != name or not name.endswith(".py"):
            raise SourceError(f"sources must be named as modules are, got {name}")
        Path(place.name, name).write_text(text, encoding="utf-8")
    return place.name
