"""Replay from a report alone: each verdict from its record, witnesses in fresh processes, and, if asked, drawn anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from refdp.auditing.campaigns.documents import result_json
from refdp.auditing.campaigns.items import Item, elsewhere, item
from refdp.auditing.campaigns.standing import concluded
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.task import Judge, Record, TaskError
from refdp.auditing.targets import TargetError
from refdp.verdicts import REFUTED

SAME = "the same"
CONFIRMED = "confirmed"
OF_TASK = {"target": "name", "campaign": "campaign", "kind": "kind", "source": "source", "expected": "expected"}
"""What a report says of a target -> where its task says the same."""
IN_WORDS = ("counterexample", "rows", "ledger")
"""The parts of the evidence that are text; the others are coordinates of pictures, which depend on the machine."""
WRONG = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What reading a task raises that somebody made up."""


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
    except WRONG as error:
        raise TaskError(f"target {reported.get('target')!r} must have the record of a task: {error}") from None


def judge_of(found: Item) -> Judge:
    """The judge of an item of a report; TaskError where there is none."""
    try:
        return found.judge(ready=False)
    except WRONG as error:
        raise TaskError(f"target {found.name!r} must have a task that can be read: {error}") from None


def replayed(reported: Mapping[str, Any], folder: str, python: str | None) -> Replayed:
    """Work out the verdict again; run its witness again, where it is refuted and has one."""
    found = item_of(reported, folder, python)
    name, verdict = str(reported["target"]), str(reported["verdict"])
    judge = judge_of(found)
    result = concluded(judge, found.name, reported["record"])
    told = other(result, reported, found) or SAME
    if result.verdict != REFUTED or not isinstance(judge, Confirming):
        return Replayed(name, verdict, told)
    try:
        runner = found.judge()
        why = runner.again(reported["record"]["opening"]) if isinstance(runner, Confirming) else ""
    except TargetError as error:
        return Replayed(name, verdict, told, f"not run: {error}", unable=True)
    return Replayed(name, verdict, told, why or CONFIRMED)


def other(result: Result, reported: Mapping[str, Any], found: Item) -> str:
    """In what the result of the record differs from what is reported; empty where it does not."""
    if result.verdict != reported["verdict"]:
        return f"{result.verdict}, not {reported['verdict']}{': ' if result.reason else ''}{result.reason}"
    if result.sentence != reported["sentence"]:
        return f"another sentence: {result.sentence}"
    task, known = found.as_json(), json.loads(json.dumps(result_json(result)))
    wrong = [name for name, own in OF_TASK.items() if reported.get(name) != task[own]]
    wrong += [name for name in known if name != "evidence" and reported.get(name) != known[name]]
    seen = reported.get("evidence")
    words = [
        {name: part.get(name) for name in IN_WORDS} for part in (seen, known["evidence"]) if isinstance(part, dict)
    ]
    wrong += [] if len(words) == 2 and words[0] == words[1] else ["evidence"]
    return f"another {', '.join(wrong)}" if wrong else ""
