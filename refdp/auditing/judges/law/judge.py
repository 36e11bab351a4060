"""Kind `law`: is what a sampler gives drawn from the law that is claimed, for each set of parameters?

    law = {name = "discrete_laplace", scale = "10"}     or discrete_gaussian, laplace, gaussian (sigma), finite
    parameters = [{scale = "3"}, {scale = "10"}]        fill the recipe's names and the law's; alpha is split over them
    input, samples, resolution, stop = "power" | "samples", batch, coordinates (draws in one output)

The statistics are those of `refdp.auditing.evidence.sampler_tests` (docs/audit_statistics.md, sections 2 and 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp.auditing.judges import drawing
from refdp.auditing.judges.drawing import Drawn, Opened, Stopped
from refdp.auditing.judges.law import report
from refdp.auditing.judges.law.histories import History, tally_json
from refdp.auditing.judges.law.reading import Case, Question, question
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.task import Kind, Record, Task
from refdp.auditing.targets import TargetError
from refdp.auditing.targets.workers.wire import hashable


@dataclass(frozen=True, slots=True)
class LawJudge:
    """Draws for every set of parameters; `opened` starts a target, by default as a process of its own."""

    task: Task
    alpha: Fraction
    asked: Question
    opened: Opened | None = field(default=None, repr=False)

    def opening(self) -> Record:
        """What the target says of itself."""
        return drawing.told(lambda: self._source(self.asked.cases[0]))

    def chunk(self, number: int, opening: Record) -> Record:
        """The counts of each set, in parts at whose ends one looks."""
        return {"sets": [self._drawn(case, number) for case in self.asked.cases]}

    def is_over(self, opening: Record, chunks: Sequence[Record]) -> bool:
        """Whether a law is refuted, a target was stopped or is out of order, or all draws are made."""
        if opening["stopped"]:
            return True
        histories = self.histories(chunks)
        if drawing.repeated([begun for h in histories for begun in h.begun]):
            return True
        if any(h.stopped or h.ends(last=True) for h in histories):
            return True
        return drawing.span(len(chunks) + 1, max(c.goal for c in self.asked.cases))[0] >= max(
            c.goal for c in self.asked.cases
        )

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """The verdict at the first look at which a law is refuted, else at the end."""
        return report.result(self.asked, self.alpha, opening, self.histories(chunks))

    def histories(self, chunks: Sequence[Record]) -> list[History]:
        """For each set what was drawn."""
        return [History.of(case, [chunk["sets"][i] for chunk in chunks]) for i, case in enumerate(self.asked.cases)]

    def _source(self, case: Case) -> AbstractContextManager[Drawn]:
        return drawing.source(self.opened, case.target, "a law needs a target to draw from")

    def _drawn(self, case: Case, number: int) -> dict[str, Any]:
        """The parts of a chunk for one set; none where the target was stopped."""
        found: dict[str, Any] = {"parts": [], "begun": [], "stopped": ""}
        sizes = drawing.parts(number, case.goal)
        if not sizes:
            return found
        try:
            with self._source(case) as source:
                values = self._values(source, case, sum(sizes))
        except (Stopped, TargetError) as error:
            return {**found, "stopped": str(error)}
        found["begun"] = drawing.starts(values, self._batch * max(1, self.asked.coordinates))
        found["parts"] = [tally_json(case.law.test.tally(part)) for part in drawing.split(values, sizes)]
        return found

    @property
    def _batch(self) -> int:
        """Outputs that are asked for at once."""
        return max(1, self.asked.batch // max(1, self.asked.coordinates))

    def _values(self, source: Drawn, case: Case, n: int) -> list[Any]:
        """n draws, from as many outputs or from the coordinates of fewer."""
        width = self.asked.coordinates
        if not width:
            given = drawing.outputs(source, case.input, n, self.asked.batch)
            return given if case.law.reference.line is not None else [hashable(y) for y in given]
        rows = drawing.outputs(source, case.input, -(-n // width), self._batch)
        if wrong := [row for row in rows if not isinstance(row, list | tuple) or len(row) != width]:
            raise Stopped(f"outputs must have {width} coordinates, got {str(wrong[0])[:80]}")
        return [y for row in rows for y in row][:n]  # what is left over is left by its place, not by its value


def judge(task: Task, alpha: Fraction, opened: Opened | None = None) -> LawJudge:
    """The judge of a law; TaskError where a field is not as it must be."""
    return LawJudge(task, alpha, question(task, alpha), opened)


KIND = Kind(judge, statistical=True)
