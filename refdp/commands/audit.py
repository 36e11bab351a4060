"""`refdp audit`: other people's mechanisms, transformations and accountants judged, one campaign file or many."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from shutil import which
from typing import Any

from refdp import __version__
from refdp.auditing.campaigns import executors
from refdp.auditing.campaigns.documents import (
    FORMAT,
    all_match,
    as_expected,
    chosen_by,
    counts,
    is_open,
    target_json,
    text,
)
from refdp.auditing.campaigns.files import Campaign, campaigns
from refdp.auditing.campaigns.items import Item
from refdp.auditing.campaigns.running import INTERRUPTED, TIMEOUT, Watch, run
from refdp.auditing.campaigns.standing import Standing
from refdp.auditing.campaigns.store import Store
from refdp.auditing.judges.task import TaskError
from refdp.commands.files import writable, write_whole

Step = Callable[[int, int, str], None]


def audit(
    paths: str | Path | Iterable[str | Path] = (),
    *,
    out: str | Path | None = None,
    store: str | Path | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    python: str | None = None,
    only: str | Iterable[str] = "*",
    timeout: float = TIMEOUT,
    replay: str | Path | None = None,
    fresh: bool = False,
    watch: Watch = lambda _: None,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """Judge every target of the campaign files, or of all *.toml of the folders, whose name matches `only`.

    `only`: a pattern, or several, of which one must match.
    `store`: an SQLite file from which a killed campaign goes on.  `workers` processes, or a Dask `scheduler`, or any
    `executor` do the work.  `python`: the interpreter of every target, in place of what the files say.  `timeout`:
    seconds of work for one target, after which it is UNKNOWN unless it is refuted.  `replay`: a report instead of
    paths, of which every verdict is worked out again; `fresh` then also runs its targets anew.  `watch` is shown where
    the targets stand, `step` how far a replay has come.

    Gives the canonical JSON object, and writes it to `out`.  Raises ValueError for bad input; a target that fails is
    UNKNOWN with its reason.
    """
    if not 0 < timeout < math.inf:
        raise TaskError(f"timeout must be > 0 and finite, got {timeout:g}")
    writable(out)
    patterns = [only] if isinstance(only, str) else list(only) or ["*"]
    if python is not None and which(python) is None:
        raise TaskError(f"python must be an interpreter that can be started, got {python}")
    if replay is not None:
        from refdp.commands.audit_replay import replayed

        return replayed(replay, paths, out, patterns, python, timeout, fresh, step)
    listed = [paths] if isinstance(paths, (str, Path)) else list(paths)
    found = campaigns(listed, python)
    items = chosen([item for one in found for item in one.items], patterns)
    began = time.monotonic()
    standings = worked(items, store, lambda: executors.workers(workers, scheduler, executor), timeout, watch)
    return document(found, standings, out, time.monotonic() - began)


def chosen(items: Sequence[Item], only: Sequence[str]) -> list[Item]:
    """The items whose name one of the patterns matches; TaskError where a pattern matches none."""
    names = [(item.campaign, item.name) for item in items]
    all_match(only, names)
    return [item for item, name in zip(items, names, strict=True) if any(chosen_by(one, *name) for one in only)]


def worked(
    items: Sequence[Item],
    store: str | Path | None,
    workers: Callable[[], executors.Workers],
    timeout: float = TIMEOUT,
    watch: Watch = lambda _: None,
) -> list[Standing]:
    """Where each target stands after the campaign ran."""
    with Store(store) as file:
        return run(items, file, workers(), timeout, watch)


def document(
    found: Sequence[Campaign], standings: Sequence[Standing], out: str | Path | None, seconds: float
) -> dict[str, Any]:
    """The canonical JSON object, written to `out` where that is given."""
    targets = [target_json(one, "REPORT" if out is None else Path(out).name) for one in standings]
    campaign = {
        "name": ", ".join(one.name for one in found), "file": ", ".join(one.file for one in found),
        "alpha": str(sum(one.alpha for one in found if any(item.alpha for item in one.items))),
        "seconds": f"{seconds:.2f}", "environment": f"refdp {__version__}",
        "interrupted": any(one.stopped == INTERRUPTED for one in standings),
    }  # fmt: skip
    judged = summary(targets)
    data = {"format": FORMAT, "campaign": campaign, **judged, "targets": targets}
    if out is not None:
        write_whole(out, text(data))
    return data


def summary(targets: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many targets were as expected, surprises, and not decided."""
    surprises = [one["target"] for one in targets if not as_expected(one) and not is_open(one)]
    return {
        "verdicts": counts(targets), "as_expected": sum(map(as_expected, targets)), "surprises": surprises,
        "unknown": [one["target"] for one in targets if is_open(one)],
    }  # fmt: skip


__all__ = ["audit"]
