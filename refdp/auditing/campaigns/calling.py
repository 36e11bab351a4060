"""What a target's fields say of how to call it: by a recipe, as a function, as a command, or serialised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from importlib.machinery import all_suffixes
from pathlib import Path
from typing import Any

from refdp.auditing.campaigns import bits
from refdp.auditing.campaigns.sources import sources
from refdp.auditing.judges.inputs import read
from refdp.auditing.judges.task import Fields, TaskError
from refdp.auditing.targets import Adapted, Limits, command, function, of_library, serialised

WAYS = ("recipe", "function", "command", "serialised")
"""The fields of which at most one says what to call; without any, the question is about the file's own data."""
OF_WAYS = {
    "recipe": ("library", "values"),
    "function": ("search", "batched", "map", "bits"),
    "command": ("reads",),
    "serialised": (),
}
"""The fields that only one of them reads."""
LIBRARIES = ("opendp", "diffprivlib", "dp_accounting", "opacus")

Called = tuple[Mapping[str, Any] | None, dict[str, str]]
"""The target as JSON, and the files of its own code."""


def called(f: Fields, folder: Path) -> Called:
    """The target, and the code that it brings along; (None, {}) where nothing is called."""
    ways = [way for way in WAYS if f.has(way)]
    if len(ways) > 1:
        raise TaskError(f"only one of {', '.join(WAYS)} must be given, got {' and '.join(ways)}")
    limits = limits_of(f)
    if not ways:
        return None, {}
    target, code = READERS[ways[0]](f, folder)
    return replace(target, limits=limits).as_json(), code


def by_recipe(f: Fields, folder: Path) -> tuple[Adapted, dict[str, str]]:
    """A recipe of a library, with values for its names."""
    library = f.one_of("library", LIBRARIES)
    values = {name: read(value, f"values.{name}") for name, value in f.of("values", dict, "a table", {}).items()}
    return of_library(library, f.text("recipe"), **values), {}


def by_function(f: Fields, folder: Path) -> tuple[Adapted, dict[str, str]]:
    """A function `module:name`, with the folders where it is sought, counted from the file."""
    name = f.text("function")
    search = f.of("search", list, "a list of folders", beside(name, folder))
    if not all(isinstance(one, str) for one in search):
        raise TaskError(f"search must be a list of folders, got {search}")
    seed = f.text("bits", None)
    target = function(
        name, search=tuple(search), batched=f.of("batched", bool, "true or false", False),
        privacy_map=f.text("map", None), bits=None if seed is None else bits.seed(seed),
    )  # fmt: skip
    return target, sources(name, search, folder)


def beside(function: str, folder: Path) -> list[str]:
    """Where to seek if nothing is said: in the file's own folder, where that holds the function's module.

    A folder that only has the name of a package, as one of results may, holds none.
    """
    parts = function.partition(":")[0].split(".")
    endings = [*all_suffixes(), "/__init__.py"]
    held = [f"{'/'.join(one)}{ending}" for one in (parts[:1], parts) for ending in endings]
    return ["."] if any((folder / path.lstrip("/")).is_file() for path in held) else []


def by_command(f: Fields, folder: Path) -> tuple[Adapted, dict[str, str]]:
    """A command, its words as a list."""
    words = f.of("command", list, "a list of texts")
    if not words or not all(isinstance(word, str) for word in words):
        raise TaskError(f"command must be a list of texts, got {words}")
    return command(*words, reads=f.text("reads", "float")), {}


def by_serialised(f: Fields, folder: Path) -> tuple[Adapted, dict[str, str]]:
    """What OpenDP's `serialize` wrote: the text, or {file = "NAME"} beside the campaign."""
    given = f.of("serialised", (str, dict), "a text or a table with file", None)
    if isinstance(given, dict):
        inner = Fields(given, "serialised.")
        path = folder / inner.text("file")
        if path.exists() and not path.is_file():
            raise TaskError(f"serialised.file must be a file, got {path}")
        given = path.read_text(encoding="utf-8")
        inner.done()
    return serialised(given), {}


READERS = {"recipe": by_recipe, "function": by_function, "command": by_command, "serialised": by_serialised}


def limits_of(f: Fields) -> Limits:
    """The field `limits`; the others as usual."""
    inner = f.table("limits", {})
    kinds: dict[str, tuple[Any, str]] = {"float": ((int, float), "a number"), "int": (int, "a whole number")}
    found = Limits(**{one.name: inner.of(one.name, *kinds[str(one.type)], one.default) for one in fields(Limits)})
    inner.done()
    return found
