"""Whether the time of a draw tells of its noise: Spearman's rank correlation, measured and not judged.

The worker itself times each draw.  Each chunk is a fresh process; the figure is the mean over chunks, and its error
that of ranks which have nothing to do with each other.  Floats measure here and prove nothing.  Fields:
    input = 0, samples = 10000
    centre = 0                      the output without noise, for targets that answer with a number
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import erfc, isfinite, sqrt
from typing import Any

from refdp.auditing.judges import inputs
from refdp.auditing.judges.result import Evidence, Result, Row
from refdp.auditing.judges.single import FAILED, plain, put, the_target, unknown
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Session, TargetError
from refdp.auditing.targets import outcomes as kinds
from refdp.verdicts import MEASURED

CHUNK = 10_000
"""Draws of one chunk."""
SAMPLES = 10_000
LEAST_SAMPLES = 20
LEAST_CHANCE = 1e-99
"""Chances below this are not told apart."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of draws of a target beside the size of their noise."""

    target: Adapted
    x: Any
    centre: int | float
    samples: int

    def opening(self) -> Record:
        """What the target is; all else is in the chunks."""
        try:
            with Session(self.target) as session:
                return {"about": plain(session.about)}
        except TargetError as error:
            return {FAILED: str(error)}

    def size(self, number: int) -> int:
        """The draws of a chunk; a short rest goes to the last one."""
        chunks = max(1, self.samples // CHUNK)
        return self.samples - (chunks - 1) * CHUNK if number == chunks else CHUNK

    def chunk(self, number: int, opening: Record) -> Record:
        """Nanoseconds and outputs of draws in a fresh process."""
        if FAILED in opening:
            raise TaskError(f"there is nothing to time: {opening[FAILED]}")
        try:
            with Session(self.target) as session:
                return {"timed": kinds.as_json(session.ask("timed", (self.x, self.size(number))))}
        except TargetError as error:
            return {FAILED: str(error)}

    def is_over(self, opening: Record, chunks: Sequence[Record]) -> bool:
        """After all draws, or the first chunk that failed."""
        failed = FAILED in opening or any(why(chunk) for chunk in chunks)
        return failed or len(chunks) >= max(1, self.samples // CHUNK)

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """MEASURED with the correlation and its error; UNKNOWN where there are no times or no numbers."""
        claim = "whether the time of a draw tells of the size of its noise; no claim is made"
        if reason := opening.get(FAILED) or next(filter(None, map(why, chunks)), None):
            return unknown(claim, reason)
        timed = [kinds.from_json(chunk["timed"]).value for chunk in chunks]
        noise = [[distance(y, self.centre) for y in outputs] for _, outputs in timed]
        known = [[one for one in sizes if one is not None] for sizes in noise]
        if any(len(some) < len(sizes) for some, sizes in zip(known, noise, strict=True)):
            return unknown(claim, "outputs must be numbers, or lists of them, got others", about=opening["about"])
        found = [spearman(times, sizes) for (times, _), sizes in zip(timed, known, strict=True)]
        if any(one is None for one in found):
            return unknown(claim, "times or outputs do not vary", about=opening["about"])
        return self._measured(claim, timed, [one for one in found if one is not None], opening)

    def _measured(self, claim: str, timed: Sequence[Any], found: Sequence[float], opening: Record) -> Result:
        """The figures."""
        counts = [len(times) for times, _ in timed]
        total = sum(counts)
        mean = sum(r * n for r, n in zip(found, counts, strict=True)) / total
        error = sqrt(sum(n**2 / (n - 1) for n in counts)) / total
        chance = max(erfc(abs(mean) / error / sqrt(2)), LEAST_CHANCE)
        middle = sorted(t for times, _ in timed for t in times)[total // 2]
        told = f"rank correlation {mean:+.3f} +- {error:.3f} of time and size of noise"
        rows = (
            Row("rank correlation of time and |noise|", f"{mean:+.4f}", f"{mean - 3 * error:+.4f}",
                f"{mean + 3 * error:+.4f}", f"chance of as much without dependence: about {chance:.0e}"),
            Row("median time of a draw, nanoseconds", str(middle), "", "", ""),
        )  # fmt: skip
        return Result(
            MEASURED, claim, f"{told}, over {total} draws: a measurement on this machine, no verdict",
            f"rank correlation {mean:+.3f} +- {error:.3f}", samples=total, about=opening["about"],
            scope=[f"{total} draws at {inputs.shown(self.x)}, in {len(counts)} processes, each timed in its process"],
            not_tested=["what an attacker can measure from outside", "other inputs, machines and loads"],
            evidence=Evidence(rows=rows),
        )  # fmt: skip


def why(chunk: Record) -> str | None:
    """Why a chunk has no times; None where it has."""
    if FAILED in chunk:
        return str(chunk[FAILED])
    outcome = kinds.from_json(chunk["timed"])
    return None if outcome.kind == kinds.VALUE else str(outcome)


def distance(y: Any, centre: float) -> float | None:
    """The size of the noise in an output: its distance from the centre, coordinates added up; None if it has none."""
    if isinstance(y, list | tuple):
        parts = [distance(one, centre) for one in y]
        return None if not parts or None in parts else float(sum(part for part in parts if part is not None))
    if isinstance(y, bool) or not isinstance(y, int | float | Fraction):
        return None
    try:
        found = abs(float(y) - centre)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """The correlation of the ranks, equal values having their mean rank; None where either does not vary."""
    x, y = ranks(a), ranks(b)
    middle = (len(x) + 1) / 2
    both = sum((s - middle) * (t - middle) for s, t in zip(x, y, strict=True))
    alone = sum((s - middle) ** 2 for s in x) * sum((t - middle) ** 2 for t in y)
    return both / sqrt(alone) if alone > 0 else None


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values have the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, before = [0.0] * len(values), 0
    for _, group in groupby(order, key=values.__getitem__):
        places = list(group)
        for place in places:
            found[place] = before + (len(places) + 1) / 2
        before += len(places)
    return found


def judge(task: Task, alpha: Fraction) -> Timing:
    """The judge of a task; nothing is refuted, so nothing of alpha is used."""
    fields = Fields(task.fields, "target.")
    centre = put(fields.any("centre", 0), "centre")
    samples = fields.whole("samples", SAMPLES, least=LEAST_SAMPLES)
    found = Timing(the_target(task), inputs.read(fields.any("input", 0)), centre, samples)
    fields.done()
    return found


KIND = Kind(judge, statistical=False)
