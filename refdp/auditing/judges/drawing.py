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
from refdp.auditing.targets import Outcome
from refdp.auditing.targets.outcomes import RAISED, VALUE
from refdp.auditing.targets.workers import wire

FIRST, LARGEST = 256, 2**17
"""Draws of the first chunk, and of the largest."""
LOOK = 128
"""Draws before the first look; later looks are after an eighth more each."""
BATCH = 4096
"""Most draws that are asked for at once, unless the task says otherwise."""
PREFIXES = (128, 512, 2048)
"""Lengths at which the first outputs of processes are compared."""
TELLING = 64.0
"""Bits that such a beginning must hold, by the frequencies of its outputs, before a repetition says anything."""
LIMITS = ("MemoryError", "_ArrayMemoryError", "OSError", "BlockingIOError", "TimeoutError")
"""Exceptions that speak of the limits of the process, not of the input: they stop the target."""


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


def span(number: int, goal: int) -> tuple[int, int]:
    """From where to where chunk `number` draws, of `goal` draws in all."""
    if number < 1:
        raise ValueError(f"the number of a chunk must be >= 1, got {number}")
    doublings = (LARGEST // FIRST).bit_length()  # the last of them brings LARGEST draws
    if number <= doublings + 1:
        start, end = (0 if number == 1 else FIRST << (number - 2)), FIRST << (number - 1)
    else:
        end = (FIRST << doublings) + LARGEST * (number - doublings - 1)
        start = end - LARGEST
    return min(start, goal), min(end, goal)


def looks(goal: int) -> Iterator[int]:
    """The numbers of draws after which one looks, up to the goal."""
    n = LOOK
    while n < goal:
        yield n
        n += n // 8 + 1
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
    if outcome.kind == RAISED and outcome.value not in LIMITS:
        raise Raising(str(outcome))
    if outcome.kind != VALUE:
        raise Stopped(str(outcome))
    values: list[Any] = outcome.value
    return values


def _singly(source: Drawn, x: Any, n: int) -> list[Any]:
    """n outputs of one request, an exception being an output."""
    found = source.repeat(x, n)
    stopped = [o for o in found if not o.answered or o.kind == RAISED and o.value in LIMITS]
    if stopped or len(found) != n:
        raise Stopped(str((stopped or found)[0]))
    return [Raised(str(o.value)) if o.kind == RAISED else o.value for o in found]


def beginnings(values: Sequence[Any]) -> list[str]:
    """Digests of the first outputs of a process, at each of PREFIXES at which they hold TELLING bits; else empty.

    Outputs that differ from run to run agree in so much with a probability of about 2^-TELLING, or less.
    """
    found = []
    for size in PREFIXES:
        texts = [json.dumps(written(y)) for y in values[:size]] if len(values) >= size else []
        counted = Counter(texts)
        bits = sum(n * log2(size / n) for n in counted.values())
        found.append(hashlib.sha256("\n".join(texts).encode()).hexdigest()[:32] if bits >= TELLING else "")
    return found


def repeated(found: Sequence[Sequence[str]]) -> bool:
    """Whether two processes began with the same outputs: then draws are not independent."""
    for place in range(len(PREFIXES)):
        told = [one[place] for one in found if len(one) > place and one[place]]
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


REPEATS = "two processes began with the same outputs, so its runs are not independent of each other"
"""Why nothing can be said of a target whose noise starts from one state."""
