"""Where a target stands: what is known of it, in order, what is on its way, and what it comes to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refdp.auditing.campaigns.items import Item
from refdp.auditing.campaigns.store import Store, Stored
from refdp.auditing.campaigns.working import Worked
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.task import Judge, Record
from refdp.logic.internal_errors import reason
from refdp.verdicts import PROVED, REFUTED, UNKNOWN

OPENING = 0
"""The number of the opening among the chunks."""


@dataclass(slots=True)
class Standing:
    """One target of a campaign that runs."""

    item: Item
    judge: Judge
    opening: Record | None = None
    chunks: list[Record] = field(default_factory=list)
    ahead: dict[int, Worked] = field(default_factory=dict)
    """What came before its turn: not looked at yet."""
    asked: set[int] = field(default_factory=set)
    """The numbers of steps that are on their way."""
    failed: str = ""
    """Why it ended without a verdict."""
    stopped: str = ""
    """Why no further chunk was asked for, though the judge wanted more."""
    over: bool = False
    seconds: float = 0.0
    processor: float = 0.0
    spent: float = 0.0
    """Seconds in this run of the campaign."""

    @property
    def turn(self) -> int:
        """The number of the step that is looked at next."""
        return OPENING if self.opening is None else len(self.chunks) + 1

    def wanted(self) -> int | None:
        """The number of the next step to ask for; None while the opening is on its way."""
        number = self.turn
        while number in self.asked or number in self.ahead:
            if number == OPENING:
                return None
            number += 1
        return number

    def recall(self, stored: Sequence[Stored]) -> None:
        """Take up what the store has; the judge looks at it in the same order as it did then."""
        for one in stored:
            self._take(one)

    def hand_in(self, number: int, found: Worked, store: Store) -> None:
        """Keep what came; look at all whose turn it is, each stored before it is looked at."""
        self.asked.discard(number)
        if self.over:
            return  # asked for ahead of the judge's last look: thrown away unseen
        self.spent += found.seconds
        self.ahead[number] = found
        while not self.over and self.turn in self.ahead:
            self._store_and_take(self.turn, self.ahead.pop(self.turn), store)

    def _store_and_take(self, number: int, found: Worked, store: Store) -> None:
        record = None if found.record is None else json.loads(found.record)
        one = Stored(record, found.failed, found.seconds, found.processor)
        if number != OPENING or one.failed is None:  # an opening decides nothing, so it may be tried again
            store.add(self.item, number, one)
        self._take(one)

    def _take(self, one: Stored) -> None:
        """Look at the opening or at the next chunk; nothing can be looked at twice."""
        self.seconds, self.processor = self.seconds + one.seconds, self.processor + one.processor
        if one.record is None:
            self.fail(one.failed or "no record")
        elif self.opening is None:
            self.opening = one.record
        else:
            self.chunks.append(one.record)
        if not self.over and self.opening is not None:
            self._look(self.opening)

    def _look(self, opening: Record) -> None:
        try:
            self.over = self.judge.is_over(opening, self.chunks)
        except Exception as error:  # a defect of a judge must not end the campaign
            self.fail(reason(error))

    def fail(self, why: str) -> None:
        """End it without a verdict."""
        self.failed, self.over = why, True

    def stop(self, why: str) -> None:
        """End it with what is known."""
        self.stopped, self.over = why, True

    def result(self) -> Result:
        """What it comes to."""
        return concluded(self.judge, self.item.name, self.record())

    def record(self) -> dict[str, Any]:
        """From what the result follows."""
        found: dict[str, Any] = {"task": self.item.as_json(), "opening": self.opening, "chunks": list(self.chunks)}
        ends = {"failed": self.failed, "stopped": self.stopped}
        return {**found, **{name: why for name, why in ends.items() if why}}


def concluded(judge: Judge, name: str, record: Mapping[str, Any]) -> Result:
    """The result of a record: UNKNOWN where it failed, or was stopped before the judge had what it wanted."""
    why, opening, chunks = record.get("failed") or record.get("stopped") or "", record["opening"], record["chunks"]
    if record.get("failed") or opening is None:
        return unknown(name, why or "it was not begun")
    try:
        found = judge.result(opening, chunks)
        whole = not why and judge.is_over(opening, chunks)
    except Exception as error:  # as above
        return unknown(name, reason(error))
    if whole or found.verdict in (PROVED, REFUTED):
        return found
    why = why or "its chunks end before the judge has what it wants"
    return unknown(found.claim, f"{why}; until then: {found.sentence}", found)


def unknown(claim: str, why: str, found: Result | None = None) -> Result:
    """UNKNOWN with its reason, and what is known nevertheless."""
    sentence = f"Not decided: {why.rstrip('.')}."
    if found is None:
        return Result(UNKNOWN, claim, sentence, reason=why)
    return Result(
        UNKNOWN, claim, sentence, reason=why, power=found.power, samples=found.samples, about=found.about,
        scope=found.scope, not_tested=found.not_tested, trusts=found.trusts, evidence=found.evidence,
        attached=found.attached,
    )  # fmt: skip
