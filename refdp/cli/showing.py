"""How every command ends: its answer on standard output, then the exit code; quietly where nobody reads on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from refdp.cli.errors import ending, said

INTERRUPTED = 130
"""The exit code after an interrupt."""
INTERRUPT = "interrupted"
"""The reason of what was not decided before an interrupt."""


def show(found: Mapping[str, Any], json: bool, table: Callable[[Any], None]) -> None:
    """Print the answer, as one JSON object or as its table; quietly where nobody reads on."""
    with suppress(BrokenPipeError):
        printed(found, json, table)


def printed(found: Mapping[str, Any], json: bool, table: Callable[[Any], None]) -> None:
    """Print the answer, as one JSON object or as its table.  Raises OSError where not all of it could be written."""
    from refdp.report.tables import print_json

    try:
        (print_json if json else table)(found)
        sys.stdout.flush()
    except OSError:
        unread()
        raise


def require_output() -> None:
    """Standard output is open.  Raises OSError where it is closed: better before a charge than after it."""
    if sys.stdout is None:
        raise OSError("standard output must be open, got it closed")


def unread() -> None:
    """What could not be written is not written when the process ends either; the exit code stays that of the answer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def ended(found: Mapping[str, Any], *, refuted: bool, unknown: bool, kept: str = "") -> None:
    """The exit code of an answer; after an interrupt 130, with a sentence."""
    from refdp.logic.internal_errors import is_lost

    if interrupted(found):
        said(f"interrupted; what was decided by then is told{kept}")
        raise SystemExit(INTERRUPTED)
    ending(refuted=refuted, unknown=unknown, internal=is_lost(found))


def interrupted(found: Mapping[str, Any]) -> bool:
    """Whether an interrupt is the reason why something is not decided."""
    parts = (one for value in found.values() if isinstance(value, list) for one in value if isinstance(one, dict))
    return any(one.get("reason") == INTERRUPT for one in (found, *parts))


def is_wrong(one: Mapping[str, Any]) -> bool:
    """Whether a claim is decided, and not as expected: as PROVED where nothing was said."""
    return bool("UNKNOWN" != one["verdict"] != one.get("expected", "PROVED"))


def is_open(one: Mapping[str, Any]) -> bool:
    """Whether a claim is UNKNOWN where that is not what was expected."""
    return bool(one["verdict"] == "UNKNOWN" != one.get("expected"))
