"""A judge of `refdp audit` at work on a function of this process: its chunks are kept over reruns and over nights."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from refdp.auditing.judges import drawing
from refdp.auditing.judges.task import Judge, Record
from refdp.auditing.neighbours.judging import is_nan
from refdp.auditing.targets import Outcome
from refdp.auditing.targets.outcomes import RAISED, VALUE
from refdp.testing.trials import Source, Trial

BATCH = 2**15
"""Most draws that a function is asked for at once."""


@dataclass(slots=True)
class Progress:
    """What a judge has recorded of one source so far."""

    opening: Record | None = None
    chunks: list[Record] = field(default_factory=list)
    invalid: int = 0
    """How many outputs of this run held NaN."""


@dataclass(slots=True)
class Asked:
    """The function as judges draw from targets; exceptions are not outcomes but its own."""

    trial: Trial
    source: Source
    progress: Progress
    about: dict[str, Any]
    read: Callable[[Any], Any]
    """What becomes of a value before it is judged."""

    def draw(self, x: Any, n: int) -> Outcome:
        """n outputs for an input."""
        values = [self.read(value) for value in self.trial.values(self.source, n, {"x": x})]
        self.progress.invalid += sum(map(is_nan, values))
        return Outcome(VALUE, values)

    def repeat(self, x: Any, n: int) -> list[Outcome]:
        """n outputs for an input, each by itself."""
        return [Outcome(VALUE, self.draw(x, 1).value[0]) for _ in range(n)]

    def ask(self, what: str, value: Any = None) -> Outcome:
        """A function of a test has no map."""
        return Outcome(RAISED, "LookupError", f"the test has no operation {what}")


def opened(trial: Trial, source: Source, read: Callable[[Any], Any] = lambda value: value) -> Any:
    """What starts the function afresh for a judge."""
    progress, about = progress_of(trial, source), {"library": "", "version": "", "target": trial.name}

    def start() -> AbstractContextManager[Asked]:
        return nullcontext(Asked(trial, source, progress, about, read))

    return start


def progress_of(trial: Trial, source: Source) -> Progress:
    """What is known of a source: from this run, and of the function itself from earlier nights."""
    if source.role not in trial.memory.kept:
        earlier = trial.account.earlier if trial.account is not None and not source.role else ()
        known = Progress(earlier[0], list(earlier[1:])) if earlier else Progress()
        trial.memory.kept[source.role] = known
    found: Progress = trial.memory.kept[source.role]
    return found


def work(judge: Judge, trial: Trial, source: Source) -> tuple[Record, list[Record]]:
    """The opening and the chunks, up to where the judge wants no more; each is kept before it is looked at."""
    known = progress_of(trial, source)
    if known.opening is None:
        known.opening = judge.opening()
        _keep(trial, source, 0, known.opening)
    while not judge.is_over(known.opening, known.chunks):
        number = len(known.chunks) + 1
        known.chunks.append(judge.chunk(number, known.opening))
        _keep(trial, source, number, known.chunks[-1])
    return known.opening, known.chunks


def _keep(trial: Trial, source: Source, number: int, record: Record) -> None:
    """Write what was drawn from the function itself, where nights are carried on."""
    if trial.account is not None and not source.role:
        trial.account.keep(number, record)


def goal(trial: Trial, source: Source, samples: int) -> int:
    """The number of draws up to which this run goes: `samples` of its own, beyond what earlier nights drew."""
    if source.role or not trial.settings.nightly:
        return samples
    earlier = 0 if trial.account is None else max(0, len(trial.account.earlier) - 1)
    return drawing.span(earlier + 1, 2**62)[0] + samples
