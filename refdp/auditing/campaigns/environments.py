"""Interpreters by the names of their environments: .audit-envs/NAME, as `make audit-envs` makes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from refdp.auditing.targets import TargetError

VARIABLE, FOLDER = "REFDP_AUDIT_ENVS", ".audit-envs"


def places(folder: str) -> Iterator[Path]:
    """Where environments are sought: where the variable says, if it is set, else above the file, then above here."""
    if given := os.environ.get(VARIABLE):
        yield Path(given)
        return
    for start in (Path(folder).resolve(), Path.cwd()):
        yield from (above / FOLDER for above in (start, *start.parents))


def interpreter(name: str, folder: str) -> str:
    """The interpreter of the environment; TargetError where it was not made."""
    for place in places(folder):
        for inside in ("bin/python", "Scripts/python.exe"):
            if (place / name / inside).is_file():
                return str(place / name / inside)
    raise TargetError(f"the environment {name} must be made by `make audit-envs`, or be in {VARIABLE}; it is not there")
