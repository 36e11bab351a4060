"""A campaign: many questions in one TOML file, with the verdict that is expected of each.

file = "queries.py"
[records]
incomes = "0..100"
people = { income = "0..100", species = "Adelie | Gentoo" }
[[question]]
function = "total_income"
records = "incomes"
neighbours = "add_remove"
claim = "100"
expected = "PROVED"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from refdp.logic.files import opened
from refdp.sensitivities.request import Request

LARGEST_FILE = 1_000_000
"""Largest campaign file that is read, in bytes."""
KEYS = ("function", "records", "neighbours", "claim", "norm", "edits", "tables", "set", "symbolic", "assume",
        "expected", "any_n")  # fmt: skip
REQUIRED = ("function", "records", "neighbours")


def read_campaign(path: Path) -> tuple[Request, ...]:
    """The questions of the file.  ValueError where it is not a campaign."""
    with opened(path) as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ValueError(f"{path} must have at most {LARGEST_FILE} bytes")
    try:
        found = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path} must be TOML, got {error}") from None
    _known(str(path), found, ("file", "records", "question"), ("file", "records", "question"))
    if not isinstance(found["file"], str) or not isinstance(found["question"], list):
        raise ValueError(f"{path} must have a file name and a list of questions")
    records = {
        name: _columns(f"{path}, records.{name}", value) for name, value in _table(path, found["records"]).items()
    }
    script = path.parent / found["file"]
    return tuple(
        _request(f"{path}, question {place}", entry, script, records)
        for place, entry in enumerate(found["question"], start=1)
    )


def _request(where: str, entry: object, script: Path, records: Mapping[str, Any]) -> Request:
    """One question."""
    asked = _table(where, entry)
    _known(where, asked, KEYS, REQUIRED)
    where = f"{where} ({asked['function']})"
    if asked["records"] not in records:
        raise ValueError(f"{where}: records must be one of {', '.join(records)}, got {asked['records']}")
    if not isinstance(asked.get("edits", 1), int):
        raise ValueError(f"{where}: edits must be a whole number, got {asked['edits']}")
    texts = {
        key: _text(where, asked[key])
        for key in ("neighbours", "claim", "norm", "tables", "assume", "expected")
        if key in asked
    }
    try:
        return Request(
            target=f"{script}:{asked['function']}",
            record=records[asked["records"]],
            edits=asked.get("edits", 1),
            values={name: _text(where, value) for name, value in _table(where, asked.get("set", {})).items()},
            symbols=tuple(_text(where, one) for one in asked.get("symbolic", ())),
            **texts,
        )
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _columns(where: str, value: object) -> str | Mapping[str, str] | Sequence[str]:
    """A kind, the kinds of named columns, or a list of kinds; {number = ...} and {columns = ...} say it in full."""
    match value:
        case str(text) | {"number": str(text)}:
            return text
        case {"columns": inner}:
            return _columns(where, inner)
        case list() if all(isinstance(one, str) for one in value):
            return [str(one) for one in value]
        case dict() if all(isinstance(one, str) for one in value.values()):
            return {str(key): str(one) for key, one in value.items()}
    raise ValueError(f"{where} must be a kind of record, or kinds of columns, got {value}")


def _text(where: str, value: object) -> str:
    """A value that was written as text, a whole number, a truth value or a list of these; a float is not exact."""
    if isinstance(value, float):
        raise ValueError(f'{where}: numbers must be exact, got the float {value}; write "{value}"')
    if isinstance(value, list):
        return f"[{', '.join(_text(where, one) for one in value)}]"
    if isinstance(value, str | int):
        return str(value)
    raise ValueError(f"{where}: a value must be text or a number, got {value}")


def _table(where: object, value: object) -> Mapping[str, Any]:
    """A TOML table."""
    if not isinstance(value, dict):
        raise ValueError(f"{where} must be a table, got {value}")
    return value


def _known(where: str, found: Mapping[str, Any], known: Sequence[str], required: Sequence[str]) -> None:
    """ValueError where a key is missing or unknown."""
    if missing := [key for key in required if key not in found]:
        raise ValueError(f"{where} must have {', '.join(missing)}")
    if strange := sorted(set(found) - set(known)):
        raise ValueError(f"{where} must have no other keys than {', '.join(known)}, got {', '.join(strange)}")
