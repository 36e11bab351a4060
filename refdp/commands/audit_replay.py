"""`refdp audit --replay`: a report's verdicts worked out again from the report alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from refdp import __version__
from refdp.auditing.campaigns.documents import all_match, chosen_by, reported, text
from refdp.auditing.campaigns.executors import processes
from refdp.auditing.campaigns.items import Item
from refdp.auditing.campaigns.replaying import item_of
from refdp.auditing.campaigns.replaying import replayed as worked_again
from refdp.auditing.campaigns.running import run
from refdp.auditing.campaigns.store import Store
from refdp.auditing.judges.task import TaskError
from refdp.commands.files import write_whole
from refdp.logic.internal_errors import KEY, error_sentence, reason
from refdp.verdicts import UNKNOWN

FORMAT = "refdp-audit-replay/1"


def replayed(
    report: str | Path,
    paths: Iterable[str | Path] | str | Path,
    out: str | Path | None,
    only: Sequence[str],
    python: str | None,
    timeout: float,
    fresh: bool,
    step: Callable[[int, int, str], None] = lambda *_: None,
) -> dict[str, Any]:
    """For each target of the report: what its record gives, and what its witness gives in fresh processes.

    Raises TaskError for a file that is no report, or of which no target matches.
    """
    if paths:
        raise TaskError(f"replay takes one report and no paths, got {paths}")
    began, listed, targets = time.monotonic(), _listed(report, only), []
    for i, one in enumerate(listed):
        step(i, len(listed), str(one["target"]))
        try:
            targets.append(one_again(one, str(Path(report).resolve().parent), python, timeout, fresh))
        except (ValueError, OSError):
            raise  # bad input
        except Exception as error:
            targets.append(given_up(one, error))
    found = _document(report, targets, time.monotonic() - began)
    if out is not None:
        write_whole(out, text(found))
    return found


def _listed(report: str | Path, only: Sequence[str]) -> list[dict[str, Any]]:
    """The targets of the report whose names match; TaskError where none does."""
    targets = reported(report)["targets"]
    names = [(str(one.get("campaign")), str(one.get("target"))) for one in targets]
    all_match(only, names)
    return [one for one, name in zip(targets, names, strict=True) if any(chosen_by(p, *name) for p in only)]


def _document(report: str | Path, targets: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """The canonical object of a replay."""
    return {
        "format": FORMAT,
        "replayed": len(targets),
        "campaign": {"file": str(report), "seconds": f"{seconds:.2f}", "environment": f"refdp {__version__}"},
        "surprises": [one["target"] for one in targets if not one["reproduced"]],
        "unknown": [one["target"] for one in targets if one["unable"]],
        "targets": targets,
    }


def one_again(data: dict[str, Any], folder: str, python: str | None, timeout: float, fresh: bool) -> dict[str, Any]:
    """One target as JSON; what only another program can run again is not reproduced here, and unknown."""
    if elsewhere := data.get("record", {}).get("elsewhere"):
        return {
            "target": str(data["target"]), "verdict": str(data["verdict"]), "witness": str(data.get("witness", "")),
            "recomputed": f"not here: {elsewhere}", "again": "", "fresh": "", "reproduced": True, "unable": True,
        }  # fmt: skip
    found = worked_again(data, folder, python)
    drawn = anew(item_of(data, folder, python), timeout) if fresh else None
    same = drawn is None or drawn[0] in (UNKNOWN, found.verdict)
    return {
        "target": found.target, "verdict": found.verdict, "witness": str(data.get("witness", "")),
        "recomputed": found.recomputed, "again": found.again,
        "fresh": "" if drawn is None else f"{drawn[0]}: {drawn[1]}", "reproduced": found.reproduced and same,
        "unable": found.unable or (drawn is not None and drawn[0] == UNKNOWN and found.verdict != UNKNOWN),
    }  # fmt: skip


def given_up(data: dict[str, Any], error: Exception) -> dict[str, Any]:
    """The same where an internal error came in between: unknown, and no contradiction of the report."""
    return {
        "target": str(data["target"]), "verdict": str(data["verdict"]), "witness": str(data.get("witness", "")),
        "recomputed": reason(error), "again": "", "fresh": "", "reproduced": True, "unable": True,
        KEY: error_sentence(error),
    }  # fmt: skip


def anew(item: Item, timeout: float) -> tuple[str, str]:
    """Verdict and sentence of the target, run again from the start."""
    with Store() as store:
        (standing,) = run([item], store, processes(1), timeout)
    found = standing.result()
    return found.verdict, found.sentence
