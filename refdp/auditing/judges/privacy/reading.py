"""What a task of the kind `privacy` asks, and the tests that its opening fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.event_families import half_lines
from refdp.auditing.evidence.learning import learned_events
from refdp.auditing.evidence.ledger import Ledger, split
from refdp.auditing.evidence.pairs import Claim, Event, PairTest
from refdp.auditing.judges.drawing import BATCH, LOOK, reread
from refdp.auditing.judges.inputs import exactly
from refdp.auditing.judges.privacy import laws
from refdp.auditing.judges.privacy.claims import Claimed, claimed, point, points
from refdp.auditing.judges.privacy.pairs import Inputs, pairs
from refdp.auditing.judges.privacy.views import VIEWS, telling
from refdp.auditing.judges.task import Fields, Task, TaskError
from refdp.laws import Reference
from refdp.logic.strict_json import exact

SAMPLES, TRAIN = 100_000, 2048
FAMILIES = ("learned", "laws", "half_lines")
EXCEPTIONS = ("outputs", "stop")


@dataclass(frozen=True, slots=True)
class Question:
    """All of a task."""

    pairs: tuple[Inputs, ...]
    claimed: Claimed
    family: str
    laws: tuple[tuple[Reference, Reference], ...]
    """One for each pair, where events are those of laws."""
    spread: Fraction
    """The unit of half lines that no law gives."""
    views: tuple[str, ...]
    samples: int
    """Pairs of runs, for each pair of inputs."""
    train: int
    exceptions: str
    batch: int

    def events(self, place: int, claim: Claim, training: Sequence[Sequence[Any]]) -> tuple[Event, ...]:
        """The events of a pair of inputs, a function of the task and of what was set aside."""
        if self.family == "laws":
            return laws.events(claim, *self.laws[place])
        if self.family == "half_lines":
            first, second = (exactly(x, "pairs") for x in self.pairs[place])
            return half_lines(first, second - first, self.spread)
        views = telling(self.views, *training)
        return learned_events(claim, training[0], training[1], views)


def question(task: Task) -> Question:
    """The question; TaskError where a field is not as it must be."""
    fields = Fields(task.fields)
    asked = claimed(fields)
    if not asked.asks_map:
        points(asked)
    found = pairs(fields, asked)
    laws = _laws(fields.of("laws", list, "a list", []), len(found))
    family = fields.one_of("events", FAMILIES, "laws" if laws else "learned")
    views = tuple(fields.of("views", list, "a list of words", list(VIEWS)))
    if not views or any(view not in tuple(VIEWS) for view in views) or len(set(views)) < len(views):
        raise TaskError(f"views must be different ones of {', '.join(VIEWS)}, got {list(views)}")
    if family == "laws" and not laws:
        raise TaskError("laws must be given where events are those of laws")
    spread = _spread(fields, family, found)
    train = fields.whole("train", TRAIN if family == "learned" else LOOK, LOOK)
    made = Question(
        tuple(found), asked, family, laws, spread, views, fields.whole("samples", SAMPLES), train,
        fields.one_of("exceptions", EXCEPTIONS, "outputs"), fields.whole("batch", BATCH),
    )  # fmt: skip
    fields.done()
    return made


def _laws(given: list[Any], count: int) -> tuple[tuple[Reference, Reference], ...]:
    """[law, law] for one pair, [[law, law], ...] for more."""
    listed = [given] if given and not isinstance(given[0], list) else given
    if not listed:
        return ()
    if len(listed) != count or any(not isinstance(two, list) or len(two) != 2 for two in listed):
        raise TaskError(f"laws must be two for each of {count} pairs")
    found = [(laws.reference(a), laws.reference(b)) for a, b in listed]
    for two in found:
        laws.compatible(*two)
    return tuple(found)


def _spread(fields: Fields, family: str, found: Sequence[Inputs]) -> Fraction:
    """The unit of half lines; inputs must then be different numbers."""
    spread: Fraction = fields.number("spread", Fraction(1))
    if family != "half_lines":
        return spread
    for first, second in found:
        if exactly(first, "pairs") == exactly(second, "pairs"):
            raise TaskError("pairs must be two different numbers where events are half lines")
    if not spread > 0:
        raise TaskError(f"spread must be > 0, got {spread}")
    return spread


def ledger(alpha: Fraction, opening: Mapping[str, Any]) -> Ledger:
    """alpha, split equally over pairs of inputs and points."""
    return split(alpha, [name(i, j) for i in range(len(opening["pairs"])) for j in range(len(opening["points"]))])


def name(pair: int, at: int) -> str:
    """The name of a test."""
    return f"pair {pair + 1}, point {at + 1}"


def tests(alpha: Fraction, opening: Mapping[str, Any]) -> list[list[PairTest]]:
    """For each pair and point the test, from the record: its events have names and weights, no members."""
    if not opening["pairs"]:
        return []
    shares, known = ledger(alpha, opening), [point(p) for p in opening["points"]]
    return [
        [
            PairTest(at.claim, tuple(_event(e) for e in pair["events"][j]), shares.share(name(i, j)))
            for j, at in enumerate(known)
        ]
        for i, pair in enumerate(opening["pairs"])
    ]


def event_json(event: Event) -> dict[str, Any]:
    """An event by its name, direction and weight; what it holds follows from the task and the training part."""
    return {"name": event.name, "direction": event.direction, "weight": str(event.weight)}


def _event(data: Mapping[str, Any]) -> Event:
    return Event(data["name"], _unknown, data["direction"], exact(data["weight"]))


def _unknown(y: Any) -> bool:
    raise RuntimeError("the members of this event are not worked out again")


def training(pair: Mapping[str, Any]) -> list[list[Any]]:
    """The outputs that were set aside, of both inputs."""
    return [[reread(y) for y in side] for side in pair["training"]]
