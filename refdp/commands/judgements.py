"""What commands have in common: keys and counts of judgements, files of certificates, when to stop."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from refdp.commands.files import write_whole
from refdp.logic.internal_errors import KEY
from refdp.provers.processes import processor_seconds

NOTHING: Mapping[str, Any] = MappingProxyType(
    {"claim": None, "trusts": (), "bound": None, "any_n": False, "pair": None, "certificate": None}
)
"""What a judgement says where it says nothing else."""
INTERRUPTED = "interrupted"
"""The reason of what was not decided before an interrupt."""


def deadline(timeout: float) -> float:
    """When the clock ends the work, by time.monotonic; ValueError unless it is a number of seconds > 0 and finite."""
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < float("inf"):
        raise ValueError(f"timeout must be a number of seconds, > 0 and finite, got {timeout!r}")
    return time.monotonic() + timeout


def seconds_since(start: float) -> str:
    """The processor time since `start`, as every command tells it."""
    return f"{processor_seconds() - start:.2f}"


def expectations(found: Iterable[Mapping[str, Any]], unsaid: str | None) -> dict[str, int]:
    """How many verdicts are those that are expected, and how many are others.

    What an interrupt or an internal error left undecided is neither.

    `unsaid` is expected where nothing is said; None stands for any verdict.
    """
    decided = [one for one in found if one.get("reason") != INTERRUPTED and KEY not in one]
    surprises = sum(one.get("expected", unsaid) not in (None, one["verdict"]) for one in decided)
    return {"as_expected": len(decided) - surprises, "surprises": surprises}


def complete(found: Mapping[str, Any], start: float) -> dict[str, Any]:
    """The judgement with every key that `--json` promises, and the processor time since `start`."""
    missing = {key: value for key, value in NOTHING.items() if key not in found}
    whole = dict(found) | missing | {"seconds": seconds_since(start)}
    return whole | {"trusts": sorted(whole["trusts"])}


def written_certificate(text: str | None, name: str, folder: str | Path | None) -> str | None:
    """The path of the certificate, the same for the same text; None where there is none, or no folder for it."""
    if text is None or folder is None:
        return None
    path = Path(folder) / f"{name}.{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)
    return str(path)
