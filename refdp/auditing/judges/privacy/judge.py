"""Kind `privacy`: are runs on two neighbouring inputs as alike as is claimed, judged by their outputs alone?

    pairs = [[x, x2], ...] or space = {...}             which inputs; alpha is split over them
    claim = {input, d_in, epsilon, delta} | {measure = "zcdp", rho, deltas}
            | {measure = "renyi", order, epsilon, deltas};  without numbers the library's own map is asked
    events = "learned" | "laws" (laws = [law at x, law at x2]) | "half_lines" (spread);  views = ["output", ...]
    samples (pairs of runs), train (runs set aside to learn from), exceptions = "outputs" | "stop", batch

The statistics are those of `refdp.auditing.evidence.pairs` (docs/audit_statistics.md, section 4).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any

from refdp.auditing.evidence.pairs import Event
from refdp.auditing.judges import drawing
from refdp.auditing.judges.drawing import Drawn, Opened, Raising, Stopped
from refdp.auditing.judges.privacy import report
from refdp.auditing.judges.privacy.claims import Point, Unread, mapped, point, points
from refdp.auditing.judges.privacy.counts import History, counted, histories, refutes
from refdp.auditing.judges.privacy.reading import Question, event_json, question, tests, training
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.single import plain
from refdp.auditing.judges.task import Kind, Record, Task
from refdp.auditing.neighbours.witnesses import askable
from refdp.auditing.targets import TargetError
from refdp.auditing.targets.outcomes import VALUE
from refdp.auditing.targets.workers import wire

LONGEST = 2**20
"""Most characters of the training part of one input."""


@dataclass(frozen=True, slots=True)
class PrivacyJudge:
    """Learns events in the opening and counts them in chunks; `opened` starts a target, by default as a process."""

    task: Task
    alpha: Fraction
    asked: Question
    opened: Opened | None = field(default=None, repr=False)
    kept: dict[tuple[int, str], list[Event]] = field(default_factory=dict, repr=False, compare=False)
    """Events that were learned from a training part."""

    def opening(self) -> Record:
        """The points that the claim comes to, and for each pair of inputs the training part and its events."""
        try:
            with self._source() as source:
                about = plain(source.about)
                known = self._points(source)
                trained = [self._trained(source, i, known) for i in range(len(self.asked.pairs))]
        except (Stopped, TargetError, Unread) as error:
            return {"about": {}, "stopped": str(error), "points": [], "pairs": [], "begun": []}
        begun = drawing.starts([drawing.reread(y) for y in trained[0]["training"][0]], self.asked.batch)
        return {
            "about": about, "stopped": "", "points": [p.as_json() for p in known], "pairs": trained, "begun": begun,
        }  # fmt: skip

    def chunk(self, number: int, opening: Record) -> Record:
        """For each pair of inputs the counts, in parts at whose ends one looks; none from where it was stopped."""
        sizes = drawing.parts(number, self.asked.samples)
        found: dict[str, Any] = {"pairs": [[] for _ in self.asked.pairs], "begun": [], "stopped": ""}
        try:
            with self._source() as source:
                for i, pair in enumerate(opening["pairs"]):
                    sides = self._runs(source, i, sum(sizes), pair["singly"])
                    found["begun"] = found["begun"] or drawing.starts(sides[0], self.asked.batch)
                    found["pairs"][i] = self._parts(self._events(opening, i), sides, sizes)
        except (Stopped, TargetError) as error:
            found["stopped"] = str(error)
        return found

    def is_over(self, opening: Record, chunks: Sequence[Record]) -> bool:
        """Whether a claim is refuted, the target was stopped, or all pairs are drawn."""
        if opening["stopped"] or drawing.repeated([opening["begun"], *(chunk["begun"] for chunk in chunks)]):
            return True
        if chunks and (chunks[-1]["stopped"] or self._refuted(opening, chunks)):
            return True
        return drawing.span(len(chunks) + 1, self.asked.samples)[0] >= self.asked.samples

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """The verdict at the first look at which a claim is refuted, else at the end."""
        return report.result(self.asked, self.alpha, opening, chunks, self.histories(opening, chunks), self._events)

    def histories(self, opening: Record, chunks: Sequence[Record]) -> list[list[History]]:
        """For each pair of inputs and each point what was drawn."""
        return histories(tests(self.alpha, opening), opening, chunks)

    def _refuted(self, opening: Record, chunks: Sequence[Record]) -> bool:
        """Whether a claim is refuted at a look of the last chunk."""
        for history in chain.from_iterable(self.histories(opening, chunks)):
            fresh = len(chunks[-1]["pairs"][history.pair])
            if fresh and any(refutes(history.test, at) for at in history.looks[-fresh:]):
                return True
        return False

    def _source(self) -> AbstractContextManager[Drawn]:
        return drawing.source(self.opened, self.task.target, "a claim of privacy needs a target to run")

    def _points(self, source: Drawn) -> list[Point]:
        """The points of the claim; Stopped or Unread where the library's map gives none."""
        asked = self.asked.claimed
        if not asked.asks_map:
            return points(asked)
        for d_in in askable(asked.d_in):
            outcome = source.ask("map", d_in)
            if outcome.kind == VALUE:
                return mapped(asked, outcome.value, source.about.get("output_measure"))
        raise Stopped(f"the library's map gives nothing for d_in = {asked.d_in}: {outcome}")

    def _trained(self, source: Drawn, place: int, known: Sequence[Point]) -> dict[str, Any]:
        """What is set aside of a pair of inputs, whether its runs may raise, and the events that follow."""
        singly = False
        try:
            sides = self._runs(source, place, self.asked.train, singly)
        except Raising:
            if self.asked.exceptions != "outputs":
                raise
            singly = True
            sides = self._runs(source, place, self.asked.train, singly)
        written = [fitting([drawing.written(y) for y in side]) for side in sides]
        again = [[drawing.reread(y) for y in side] for side in written]
        events = [[event_json(e) for e in self.asked.events(place, p.claim, again)] for p in known]
        inputs = [wire.encoded(x) for x in self.asked.pairs[place]]
        return {"inputs": inputs, "singly": singly, "training": written, "events": events}

    def _parts(self, events: Sequence[Event], sides: Sequence[list[Any]], sizes: Sequence[int]) -> list[Any]:
        """The counts of each part."""
        first, second = (drawing.split(side, sizes) for side in sides)
        return [counted(events, x, y) for x, y in zip(first, second, strict=True)]

    def _runs(self, source: Drawn, place: int, size: int, singly: bool) -> list[list[Any]]:
        """Outputs for both inputs."""
        return [drawing.outputs(source, x, size, self.asked.batch, singly) for x in self.asked.pairs[place]]

    def _events(self, opening: Record, place: int) -> list[Event]:
        """The events of a pair of inputs, those of all points one after the other; kept for the next chunk."""
        written = json.dumps([opening["points"], opening["pairs"][place]["training"]])
        key = place, hashlib.sha256(written.encode()).hexdigest()
        if key not in self.kept:
            aside = training(opening["pairs"][place])
            claims = [point(p).claim for p in opening["points"]]
            self.kept[key] = [event for claim in claims for event in self.asked.events(place, claim, aside)]
        return self.kept[key]


def fitting(written: list[Any]) -> list[Any]:
    """The first of the outputs, as many as are written in LONGEST characters."""
    found: list[Any] = []
    room = LONGEST
    for one in written:
        room -= len(json.dumps(one))
        if room < 0 and found:
            break
        found.append(one)
    return found


def judge(task: Task, alpha: Fraction, opened: Opened | None = None) -> PrivacyJudge:
    """The judge of a claim; TaskError where a field is not as it must be."""
    return PrivacyJudge(task, alpha, question(task), opened)


KIND = Kind(judge, statistical=True)
