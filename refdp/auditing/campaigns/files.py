"""Campaign files: TOML, read strictly; what is wrong is one sentence with file, target, parameter and value."""

from __future__ import annotations

import math
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from refdp.auditing.campaigns.calling import OF_WAYS, WAYS, called
from refdp.auditing.campaigns.items import Item
from refdp.auditing.judges.kinds import kind
from refdp.auditing.judges.task import Fields, TaskError
from refdp.auditing.targets import TargetError
from refdp.logic.files import content_of, files_inside
from refdp.verdicts import VERDICTS

STANDARD_INPUT = "-"
LARGEST_FILE = 100_000_000
"""Largest campaign that is read, in bytes."""
ALPHA = Fraction(1, 10**9)
"""The error of a campaign whose file states none."""
LEAST = Fraction(1, 10**200)
"""The least error: its shares must be floats, which choose when one looks."""
LONGEST = 200
"""Most characters of a name."""
WRONG = (ValueError, TypeError, ArithmeticError)
"""What reading fields raises where a number is none, or is too large for a float."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """The targets of a file, with the error that all of them share."""

    name: str
    file: str
    alpha: Fraction
    items: tuple[Item, ...]


def campaigns(paths: Sequence[str | Path], python: str | None = None) -> list[Campaign]:
    """The campaigns of the files, of all *.toml of the folders, or of the standard input for "-"; names differ.

    Raises TaskError with one sentence that names file, target and parameter.
    """
    found = [campaign(path, python) for path in files(paths)]
    seen: dict[str, str] = {}
    for one in found:
        if one.name in seen:
            raise TaskError(f"{one.file}: name must differ from that of {seen[one.name]}, got {one.name}")
        seen[one.name] = one.file
    return found


def files(paths: Sequence[str | Path]) -> list[str]:
    """The files that the paths stand for, each once, in order."""
    found: list[str] = []
    for path in map(Path, paths):
        inside = files_inside(path, "*.toml") if path.is_dir() else [path]
        if not inside:
            raise TaskError(f"{path} must hold files *.toml, got none")
        found += map(str, inside)
    if not found:
        raise TaskError("paths must name a file or a folder, such as examples/audits, got none")
    return list(dict.fromkeys(found))


def campaign(path: str | Path, python: str | None = None) -> Campaign:
    """The campaign of one file; `python` is the interpreter of every target, in place of what the file says."""
    try:
        data, folder = text_of(path)
        return parsed(tomllib.loads(data), str(path), folder, python)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(f"{path}: a campaign must be TOML: {error}") from None
    except RecursionError:
        raise TaskError(f"{path}: a campaign must not be nested so deeply") from None
    except WRONG as error:
        raise TaskError(f"{path}: {error}") from None


def text_of(path: str | Path) -> tuple[str, Path]:
    """The text of a file or of the standard input, and the folder from which its paths count."""
    if str(path) == STANDARD_INPUT:
        return sys.stdin.read(), Path.cwd()
    return content_of(path, LARGEST_FILE, refusal=TaskError).decode("utf-8"), Path(path).resolve().parent


def parsed(data: Mapping[str, Any], file: str, folder: Path, python: str | None) -> Campaign:
    """The campaign of what the file says."""
    checked_values(data)
    top = Fields(data, "campaign.")
    name = name_of(top, "standard input" if file == STANDARD_INPUT else Path(file).stem)
    alpha, defaults = top.number("alpha", ALPHA), top.of("defaults", dict, "a table", {})
    targets = top.of("target", list, "a list of tables [[target]]")
    top.done()
    if not LEAST <= alpha < 1:
        raise TaskError(f"alpha must be >= 1e-200 and < 1, got {top.given['alpha']}")
    items = [item_of(one, defaults, name, folder, python) for one in targets]
    checked_names(items)
    return Campaign(name, file, alpha, shared(items, alpha))


def item_of(given: Any, defaults: Mapping[str, Any], campaign: str, folder: Path, python: str | None) -> Item:
    """One target, its error not yet shared out."""
    if not isinstance(given, dict):
        raise TaskError(f"target must be a table, got {given!r}")
    said = given.get("name")
    where = f"target {said!r}: " if isinstance(said, str) else "a target: "
    try:
        return read(merged(defaults, given), campaign, folder, python)
    except WRONG as error:
        raise TaskError(f"{where}{error}") from None


def merged(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a target over the defaults, without those defaults that it has no use for."""
    ways = [way for way in WAYS if way in given] or [way for way in WAYS if way in defaults]
    idle = {name for way, names in OF_WAYS.items() if way not in ways for name in (way, *names)}
    if "python" in given or "environment" in given:
        idle |= {"python", "environment"}
    return {**{name: value for name, value in defaults.items() if name not in idle}, **given}


def read(data: Mapping[str, Any], campaign: str, folder: Path, python: str | None) -> Item:
    """The item of the fields of one target; those that are not read here are the kind's."""
    f = Fields(data)
    name, word = name_of(f), f.text("kind")
    kind(word)
    expected = f.one_of("expected", VERDICTS, None)
    source = f.text("source", None)
    environment, own = f.text("environment", ""), f.text("python", None)
    if environment and own:
        raise TaskError("environment and python must not both be given")
    target, sources = called(f, folder)
    fields = {key: value for key, value in data.items() if key not in f.taken}
    return Item(
        campaign, name, word, Fraction(0), target, fields, "" if python else environment, sources, expected, source,
        str(folder), python or own,
    )  # fmt: skip


def name_of(f: Fields, default: Any = ...) -> str:
    """The field `name`: printable and not too long."""
    name: str = f.text("name", default)
    if not name or not name.isprintable() or len(name) > LONGEST:
        raise TaskError(f"name must be 1 to {LONGEST} printable characters, got {name[:LONGEST]!r}")
    return name


def checked_names(items: Sequence[Item]) -> None:
    """TaskError where there is no target, or two have one name."""
    names = [item.name for item in items]
    if not names:
        raise TaskError("target must be given at least once, as [[target]]")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise TaskError(f"target {twice[0]!r}: name must differ from those of the other targets")


def shared(items: Sequence[Item], alpha: Fraction) -> tuple[Item, ...]:
    """The items, alpha in equal parts for those whose kind is statistical; each judge has read its fields."""
    count = sum(kind(one.kind).statistical for one in items)
    found = [replace(one, alpha=alpha / count) if kind(one.kind).statistical else one for one in items]
    for one in found:
        try:
            one.judge(ready=False)
        except TargetError:
            continue
        except WRONG as error:
            raise TaskError(f"target {one.name!r}: {error}") from None
    return tuple(found)


def checked_values(value: Any, where: str = "") -> None:
    """TaskError for what JSON has not: dates, times, and floats that are not finite."""
    if isinstance(value, dict):
        for key, inner in value.items():
            checked_values(inner, f"{where}.{key}" if where else key)
    elif isinstance(value, list):
        for inner in value:
            checked_values(inner, where)
    elif isinstance(value, float) and not math.isfinite(value):
        raise TaskError(f'{where} must be written as a text, such as "{value}", got {value}')
    elif not isinstance(value, (str, int, float, bool)):
        raise TaskError(f"{where} must be no date or time, got {value}")
