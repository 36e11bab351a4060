"""Replay from a report alone: each verdict from its record, witnesses in fresh processes, and, if asked, drawn anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from refdp.auditing.campaigns.items import Item, elsewhere, item
from refdp.auditing.campaigns.standing import concluded
from refdp.auditing.judges.result import REFUTED
from refdp.auditing.judges.task import Record, TaskError
from refdp.auditing.targets import TargetError

SAME = "the same"
CONFIRMED = "confirmed"


@runtime_checkable
class Confirming(Protocol):
    """A judge whose finding can be run again by itself."""

    def again(self, opening: Record) -> str:
        """An empty text if the finding was the same in fresh processes, else what was different."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of one target of a report."""

    target: str
    verdict: str
    recomputed: str
    """SAME, or what follows from the record instead."""
    again: str = ""
    """CONFIRMED, or what was different in fresh processes; empty where there is nothing to run."""
    unable: bool = False
    """Whether the target could not be run here."""

    @property
    def reproduced(self) -> bool:
        """Whether nothing contradicts the report."""
        return self.recomputed == SAME and (self.unable or self.again in ("", CONFIRMED))


def item_of(reported: Mapping[str, Any], folder: str, python: str | None) -> Item:
    """The item of one target of a report; TaskError where it has none."""
    try:
        return elsewhere(item(reported["record"]["task"], folder), python)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TaskError(f"target {reported.get('target')!r} must have the record of a task: {error}") from None


def replayed(reported: Mapping[str, Any], folder: str, python: str | None) -> Replayed:
    """Work out the verdict again; run its witness again, where it is refuted and has one."""
    found = item_of(reported, folder, python)
    name, verdict = str(reported["target"]), str(reported["verdict"])
    judge = found.judge(ready=False)
    result = concluded(judge, found.name, reported["record"])
    told = SAME if (result.verdict, result.sentence) == (verdict, reported["sentence"]) else other(result, verdict)
    if result.verdict != REFUTED or not isinstance(judge, Confirming):
        return Replayed(name, verdict, told)
    try:
        runner = found.judge()
        why = runner.again(reported["record"]["opening"]) if isinstance(runner, Confirming) else ""
    except TargetError as error:
        return Replayed(name, verdict, told, f"not run: {error}", unable=True)
    return Replayed(name, verdict, told, why or CONFIRMED)


def other(result: Any, verdict: str) -> str:
    """In what the result of the record differs from what is reported."""
    if result.verdict == verdict:
        return f"another sentence: {result.sentence}"
    return f"{result.verdict}, not {verdict}{': ' if result.reason else ''}{result.reason}"
