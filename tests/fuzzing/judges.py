"""What refdp says of a module: its public verdict, by the options that the version at hand has."""

from __future__ import annotations

import inspect
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import refdp

SECONDS = 2.0
"""The limit of each claim."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One verdict."""

    verdict: str
    """PROVED, REFUTED, UNKNOWN, or an internal error."""
    reason: str = ""
    counterexample: Mapping[str, Any] | None = None
    """Its parameters, data, events and order, and what probabilities it tells."""


ERROR = "internal error"


def evidence_of(certificate):
    """What a certificate about a program brings."""
    [step] = json.loads(certificate)["steps"]
    return json.loads(step["data"]["evidence"])


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for a module and its certificates."""
    found = Path(tempfile.mkdtemp(prefix="fuzzing-"))
    try:
        yield found
    finally:
        shutil.rmtree(found, ignore_errors=True)


def refused() -> tuple[type[BaseException], ...]:
    """What is raised for a module that is refused: no verdict, and no error."""
    from refdp.programs.language.errors import Unsupported

    return (Unsupported, ValueError)


def program_verdict(text: str, name: str, second_judge: bool, seconds: float = SECONDS) -> Answer:
    """What `refdp prove FILE.py:NAME` says."""
    options: dict[str, Any] = {"timeout": seconds}
    if "run" in inspect.signature(refdp.prove).parameters:
        options["run"] = second_judge
    with folder() as place:
        path = place / "module.py"
        path.write_text(text)
        try:
            found = refdp.prove(f"{path}:{name}", certificates=place / "certificates", **options)
        except refused() as error:
            return Answer("UNKNOWN", f"refused: {str(error).replace(str(place), '')}")
        except Exception as error:
            return Answer(ERROR, f"{type(error).__name__}: {error}")
        found = found["claims"][0]
        if found.get("internal_error"):
            return Answer(ERROR, str(found["internal_error"]))
        shown = None
        if found["verdict"] == "REFUTED":
            (certificate,) = (place / "certificates").glob("*.json")
            inner = evidence_of(certificate.read_text())["counterexample"]
            told = ("parameters", "old_probability", "new_probability")
            shown = inner | {name: found["counterexample"][name] for name in told}
        return Answer(found["verdict"], str(found.get("reason", "")), shown)
