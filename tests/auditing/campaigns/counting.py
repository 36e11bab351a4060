"""A kind of question for these tests: chunk n has n draws; over after `chunks` of them, or as the fields say."""

import os
import time
from dataclasses import dataclass

from refdp.auditing.judges.result import Result
from refdp.auditing.judges.task import Fields, Kind
from refdp.verdicts import NOT_REFUTED, REFUTED


@dataclass(frozen=True)
class Counting:
    """Counts what it was asked; `seen` is what is_over was shown."""

    chunks: int
    refutes: int
    raises: str
    dies: int
    sleeps: float

    def opening(self):
        if self.raises == "opening":
            raise LookupError("no opening")
        time.sleep(self.sleeps)
        return {"begun": 1}

    def chunk(self, number, opening):
        if opening != {"begun": 1}:
            raise ValueError("another opening")
        time.sleep(self.sleeps)
        if self.raises == f"chunk {number}":
            raise LookupError("no chunk")
        if self.raises == "nan":
            return {"samples": float("nan")}
        if self.dies and number == self.dies:
            os._exit(9)
        return {"samples": number}

    def is_over(self, opening, chunks):
        if [c["samples"] for c in chunks] != list(range(1, len(chunks) + 1)):
            raise ValueError("out of order")
        if self.raises == "looking":
            raise LookupError("cannot look")
        return len(chunks) >= (self.refutes or self.chunks)

    def result(self, opening, chunks):
        samples = sum(c["samples"] for c in chunks)
        return Result(REFUTED if self.refutes else NOT_REFUTED, "a claim", f"{samples} samples.", samples=samples)


def counting(task, alpha):
    f = Fields(task.fields)
    judge = Counting(
        f.whole("chunks", 4), f.whole("refutes", 0, least=0), f.text("raises", ""), f.whole("dies", 0, least=0),
        f.of("sleeps", float, "seconds", 0.0),
    )  # fmt: skip
    f.done()
    return judge


KIND = Kind(counting, statistical=True)
