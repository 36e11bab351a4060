"""JSON and TOML read strictly: small, not deep, no key twice, numbers as the decimals that are written."""

from __future__ import annotations

import json
import sys
import tomllib
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from refdp.accounting.losses import LossError
from refdp.logic.files import content_of
from refdp.logic.strict_json import require_shallow, unrepeated

LARGEST_FILE = 1_000_000
"""Longest document that is read, in bytes."""
DEEPEST = 20
"""Most levels of nesting of a document."""
LONGEST_NUMBER = 400
"""Longest number in a document, in characters."""


def document(path: Path) -> Any:
    """The data of a .json or .toml file, decimals as Decimal; LossError with one sentence where it is none.

    `-` is standard input, which holds JSON where it begins with a bracket, else TOML.
    """
    if str(path) == "-":
        return _of_standard_input()
    kind = path.suffix.lower()
    if kind not in (".json", ".toml"):
        raise LossError(f"spec must be a .json or .toml file, got {path.name}")
    try:
        content = content_of(path, LARGEST_FILE, "spec", LossError)
    except OSError as error:
        raise LossError(f"spec must be a readable file, got {path}: {error.strerror}") from None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise LossError(f"spec must be UTF-8 text, got other bytes in {path.name}") from None
    return read_json(text) if kind == ".json" else read_toml(text)


def _of_standard_input() -> Any:
    """The data of the document on standard input."""
    octets = getattr(sys.stdin, "buffer", None)
    content = b"" if octets is None else octets.read(LARGEST_FILE + 1)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise LossError("spec must be UTF-8 text, got other bytes on standard input") from None
    return read_json(text) if text.lstrip()[:1] in ("{", "[") else read_toml(text)


def read_json(text: str) -> Any:
    """The data of a JSON text; LossError where it is no JSON, has a key twice or is nested too deep."""
    _bounded(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=unrepeated(LossError),
            parse_float=_decimal,
            parse_int=_decimal,
            parse_constant=_constant,
        )
    except RecursionError:
        raise LossError(f"spec must be nested at most {DEEPEST} deep, got more") from None
    except json.JSONDecodeError as error:
        raise LossError(f"spec must be JSON, got {error.msg} at line {error.lineno}") from None


def read_toml(text: str) -> Any:
    """The data of a TOML text; LossError where it is no TOML."""
    _bounded(text)
    try:
        return tomllib.loads(text, parse_float=_decimal)
    except RecursionError:
        raise LossError(f"spec must be nested at most {DEEPEST} deep, got more") from None
    except tomllib.TOMLDecodeError as error:
        raise LossError(f"spec must be TOML, got {error}") from None
    except LossError:
        raise
    except ValueError:  # Python reads no whole number of more than 4300 digits
        raise LossError(f"numbers in a spec must have at most {LONGEST_NUMBER} characters, got a longer one") from None


def _bounded(text: str) -> None:
    """LossError where the text is long or its brackets are deep."""
    if len(text) > LARGEST_FILE:
        raise LossError(f"spec must have at most {LARGEST_FILE} characters, got {len(text)}")
    require_shallow(text, DEEPEST, "spec", LossError)


def _decimal(literal: str) -> Decimal:
    """The decimal number that is written."""
    if len(literal) > LONGEST_NUMBER:
        raise LossError(f"numbers in a spec must have at most {LONGEST_NUMBER} characters, got {len(literal)}")
    try:
        return Decimal(literal)
    except InvalidOperation:
        raise LossError(f"numbers in a spec must have an exponent of a few digits, got {literal[:40]}") from None


def _constant(literal: str) -> None:
    """NaN and infinities are no numbers."""
    raise LossError(f"numbers in a spec must be finite, got {literal}")
