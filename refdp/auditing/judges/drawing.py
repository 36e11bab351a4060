"""Drawing in chunks: how much each draws, when one looks, and what ends the drawing.

Sizes follow from the number of the chunk alone.  A target that was stopped ends the judging: what it gave before
counts, nothing is drawn again, and nothing is left out because of what it is.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from math import log2
from typing import Any, Protocol

from refdp.auditing.evidence.scores import Raised
from refdp.auditing.judges.single import plain
from refdp.auditing.judges.task import Record, TaskError
from refdp.auditing.targets import Adapted, Outcome, Session, TargetError
from refdp.auditing.targets.outcomes import RAISED, VALUE
from refdp.auditing.targets.workers import wire

FIRST, LARGEST = 512, 2**17
"""Draws of the first chunk, and of the largest: until then the draws in all grow to GROWTH times as many."""
GROWTH = 4
"""Each chunk starts the target afresh, which may take longer than thousands of draws."""
LOOK = 128
"""Draws before the first look; later looks are after a sixteenth more each."""
BATCH = 4096
"""Most draws that are asked for at once, unless the task says otherwise."""
PREFIXES = (128, 512, 2048)
"""Lengths at which the first outputs of processes are compared."""
TELLING = 64.0
"""Bits that such a beginning must hold, by the frequencies of its outputs, before a repetition says anything."""


class Stopped(Exception):
    """The target was stopped, or gave what is no answer; the message says how."""


class Raising(Stopped):
    """A run of many raised an exception where none was expected."""


class Drawn(Protocol):
    """What is drawn from: a `Session`, or a function of this process."""

    about: dict[str, Any]

    def draw(self, x: Any, n: int) -> Outcome:
        """n outputs for an input, as a list."""

    def repeat(self, x: Any, n: int) -> list[Outcome]:
        """n outcomes for an input, an exception being one; [how it was stopped] where it was."""

    def ask(self, what: str, value: Any = None) -> Outcome:
        """What comes of another operation, such as `map`."""


Opened = Callable[[], AbstractContextManager[Drawn]]
"""Starts a target afresh."""


def told(opened: Opened) -> dict[str, Any]:
    """What a target says of itself when it is started; or why it could not be."""
    try:
        with opened() as source:
            return {"about": plain(source.about), "stopped": ""}
    except TargetError as error:
        return {"about": {}, "stopped": str(error)}


def source(opened: Opened | None, target: Adapted | None, missing: str) -> AbstractContextManager[Drawn]:
    """A target, started afresh: by `opened` where it is given, else in a process of its own; TaskError without one."""
    if opened is not None:
        return opened()
    if target is None:
        raise TaskError(missing)
    return Session(target)


def stopped(opening: Record, chunks: Sequence[Record]) -> str:
    """Why the target was stopped first; empty where it was not."""
    return next((record["stopped"] for record in (opening, *chunks) if record["stopped"]), "")


def span(number: int, goal: int) -> tuple[int, int]:
    """From where to where chunk `number` draws, of `goal` draws in all."""
    if number < 1:
        raise ValueError(f"the number of a chunk must be >= 1, got {number}")
    start, end = 0, FIRST
    for _ in range(number - 1):
        start, end = end, end + min(LARGEST, (GROWTH - 1) * end)
    return min(start, goal), min(end, goal)


def looks(goal: int) -> Iterator[int]:
    """The numbers of draws after which one looks, up to the goal."""
    n = LOOK
    while n < goal:
        yield n
        n += n // 16 + 1
    yield goal


def parts(number: int, goal: int) -> list[int]:
    """The sizes of the parts of a chunk, at whose ends one looks."""
    start, end = span(number, goal)
    if start == end:
        return []
    ends = [start, *(n for n in looks(goal) if start < n < end), end]
    return [b - a for a, b in pairwise(ends)]


def split(values: Sequence[Any], sizes: Sequence[int]) -> Iterator[Sequence[Any]]:
    """The values of each part.

    A chunk is drawn at once and split afterwards, so that a target that starts from one state at each request gives
    itself away by the beginnings of two chunks, before its repetitions count for anything.
    """
    start = 0
    for size in sizes:
        yield values[start : start + size]
        start += size


def outputs(source: Drawn, x: Any, n: int, batch: int = BATCH, singly: bool = False) -> list[Any]:
    """n outputs; Stopped where the target was.  `singly`: a run that raises has the output `Raised`."""
    found: list[Any] = []
    while len(found) < n:
        size = min(batch, n - len(found))
        found += _singly(source, x, size) if singly else _together(source, x, size)
    return found


def _together(source: Drawn, x: Any, n: int) -> list[Any]:
    """n outputs of one request, none of which may be an exception."""
    outcome = source.draw(x, n)
    if outcome.kind == RAISED and outcome.tells:
        raise Raising(str(outcome))
    if outcome.kind != VALUE:
        raise Stopped(str(outcome))
    values: list[Any] = outcome.value
    return values


def _singly(source: Drawn, x: Any, n: int) -> list[Any]:
    """n outputs of one request, an exception being an output."""
    found = source.repeat(x, n)
    stopped = [o for o in found if not o.tells]
    if stopped or len(found) != n:
        raise Stopped(str((stopped or found)[0]))
    return [Raised(str(o.value)) if o.kind == RAISED else o.value for o in found]


def beginnings(values: Sequence[Any]) -> list[str]:
    """A digest of the first outputs, at the first of PREFIXES at which they hold TELLING bits; else empty.

    Outputs that are independent agree in so much with a probability of about 2^-40, or less.
    """
    texts: list[str] = []
    found = [""] * len(PREFIXES)
    for place, size in enumerate(PREFIXES):
        if len(values) < size:
            break
        texts += [json.dumps(written(y)) for y in values[len(texts) : size]]
        if sum(n * log2(size / n) for n in Counter(texts).values()) >= TELLING:
            found[place] = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:32]
            break
    return found


def starts(values: Sequence[Any], batch: int = BATCH) -> list[list[str]]:
    """The beginnings of each batch that was asked for."""
    return [beginnings(values[i : i + batch]) for i in range(0, len(values), batch)]


def repeated(found: Sequence[Sequence[Sequence[str]]]) -> bool:
    """Whether two batches, of one process or of two, began with the same outputs: then draws are not independent."""
    batches = [one for process in found for one in process]
    for place in range(len(PREFIXES)):
        told = [one[place] for one in batches if one[place]]
        if len(set(told)) < len(told):
            return True
    return False


def written(y: Any) -> Any:
    """An output as JSON; exceptions by their name."""
    return {"raised": y.name} if isinstance(y, Raised) else wire.encoded(y)


def reread(data: Any) -> Any:
    """The output that the JSON stands for."""
    if isinstance(data, dict) and set(data) == {"raised"}:
        return Raised(str(data["raised"]))
    return wire.decoded(data)


REPEATS = "two batches of runs began with the same outputs, so runs are not independent of each other"
"""Why nothing can be said of a target whose noise starts from one state."""
