"""A campaign: random claims by the number of their seed, refdp's verdicts, and which of them are wrong.

In this process (`wrong_verdicts`, `wrong_query_verdicts`) or by workers (`Campaign`), where a crash costs one claim.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from tests.fuzzing.finding import Finding
from tests.fuzzing.judges import ERROR, SECONDS
from tests.fuzzing.program_verdicts import Judged, judged

PROGRAM, QUERY = "program", "query"
DECIDED = ("PROVED", "REFUTED")
PATIENCE = 10
"""Seconds that a worker may take to end its solvers."""


def wrong_verdicts(
    seeds: Iterable[int], second_judge: bool, tally: Tally | None = None, seconds: float = SECONDS
) -> Iterator[Finding]:
    """Every wrong verdict about the randomised programs of these seeds, and every internal error; in this process."""
    for seed in seeds:
        found = judged(seed, second_judge, seconds)
        if tally is not None:
            tally.count(record_of(found))
        if found.finding is not None:
            yield found.finding


def record_of(found: Judged) -> dict[str, Any]:
    """One judged claim as plain data."""
    return {
        "kind": PROGRAM,
        "seed": found.asked.seed,
        "family": found.asked.family,
        "manner": found.asked.manner,
        "verdicts": [found.answer.verdict],
        "judged": found.is_judged,
        "findings": [asdict(found.finding)] if found.finding else [],
    }


def query_record(seed: int, second_judge: bool) -> dict[str, Any]:
    """The claims about the query of that number as plain data."""
    from tests.fuzzing.query_verdicts import Tally as Queries
    from tests.fuzzing.query_verdicts import wrong_query_verdicts

    queries = Queries()
    found = list(wrong_query_verdicts([seed], second_judge, queries))
    verdicts = [verdict for verdict, times in queries.verdicts.items() for _ in range(times)]
    return {
        "kind": QUERY, "seed": seed, "family": QUERY, "manner": "", "verdicts": verdicts,
        "judged": not queries.without_truth, "findings": [asdict(one) for one in found],
    }  # fmt: skip


@dataclass(slots=True)
class Tally:
    """What a campaign counted."""

    verdicts: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    unjudged: int = 0
    """Claims that were decided and of which CPython's ways show nothing."""
    seconds: float = 0.0
    """Processor time."""
    seeds: set[tuple[str, int]] = field(default_factory=set)
    by_family: dict[str, dict[str, int]] = field(default_factory=dict)

    def count(self, record: Mapping[str, Any]) -> None:
        """One seed more."""
        for verdict in record["verdicts"]:
            self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1
            family = self.by_family.setdefault(record["family"], {})
            family[verdict] = family.get(verdict, 0) + 1
        self.unjudged += 0 if record["judged"] else 1
        self.findings += [Finding(**one) for one in record["findings"]]
        self.seconds += record.get("seconds", 0.0)
        self.seeds.add((record["kind"], record["seed"]))

    @property
    def claims(self) -> int:
        """How many claims were tried."""
        return sum(self.verdicts.values())

    @property
    def decided(self) -> float:
        """The share that was PROVED or REFUTED."""
        return sum(self.verdicts.get(one, 0) for one in DECIDED) / max(1, self.claims)

    @property
    def errors(self) -> int:
        """Internal errors."""
        return sum(is_error(one) for one in self.findings)

    def line(self) -> str:
        """The last line of a campaign."""
        wrong = len(self.findings) - self.errors
        return (
            f"claims tried {self.claims}, decided {100 * self.decided:.1f} %, wrong verdicts {wrong}, "
            f"internal errors {self.errors}, CPU {self.seconds:.0f} s"
        )

    def lines(self) -> Iterator[str]:
        """What was counted of each family."""
        for family, verdicts in sorted(self.by_family.items()):
            yield f"{family:<18}" + "  ".join(f"{name} {times}" for name, times in sorted(verdicts.items()))
        if self.unjudged:
            yield f"decided, and not judged by CPython: {self.unjudged}"


def processor_seconds() -> float:
    """Processor time of this process, and of those that it and they started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def is_error(found: Finding) -> bool:
    """Whether a finding is an internal error and no wrong verdict."""
    return found.verdict == ERROR


def finding_text(found: Finding, kind: str) -> str:
    """All that is needed to see a finding."""
    options = (
        f"--programs 1 --seed {found.seed}" if kind == PROGRAM else f"--programs 0 --queries 1 --seed {found.seed}"
    )
    return "\n".join(
        [
            f"{'=' * 20} {found.verdict}: python -m tests.fuzzing {options}",
            f"claim    {found.claim}",
            f"truth    {found.truth}",
            f"why      {found.why}",
            found.text,
        ]
    )


@dataclass(slots=True)
class Campaign:
    """Seeds that are shared out among processes."""

    jobs: Sequence[tuple[str, int]]
    second_judge: bool
    workers: int
    out: Path | None = None
    """A file of one record a line: what stands in it already is not done again."""
    tally: Tally = field(default_factory=Tally)
    is_over: bool = False
    lock: Any = field(default_factory=Lock)
    next: int = 0
    processes: list[Worker] = field(default_factory=list)

    def run(self) -> Tally:
        """Do them all; an interrupt ends it with what was decided."""
        if self.out is not None and self.out.exists():
            for line in self.out.read_text().splitlines():
                self.tally.count(json.loads(line))
            self.tally.seconds = 0.0  # that of this run alone is told
        self.jobs = [job for job in self.jobs if job not in self.tally.seeds]
        threads = [Thread(target=self.work, daemon=True) for _ in range(self.workers)]
        for one in threads:
            one.start()
        try:
            for one in threads:
                while one.is_alive():
                    one.join(0.5)
        except KeyboardInterrupt:
            self.is_over = True
            for process in self.processes:
                process.end()
            for one in threads:
                one.join(10)
        self.tally.seconds += processor_seconds()
        return self.tally

    def work(self) -> None:
        """One worker's part."""
        worker = Worker(self.second_judge)
        self.processes.append(worker)
        while not self.is_over:
            with self.lock:
                if self.next == len(self.jobs):
                    break
                job = self.jobs[self.next]
                self.next += 1
            record = worker.done(job)
            if self.is_over:
                break
            with self.lock:
                self.keep(record)
        worker.end(PATIENCE)

    def keep(self, record: Mapping[str, Any]) -> None:
        """Count a record, write it down, and tell what it found."""
        self.tally.count(record)
        if self.out is not None:
            with self.out.open("a") as file:
                file.write(json.dumps(record) + "\n")
        for one in record["findings"]:
            print(finding_text(Finding(**one), record["kind"]), flush=True)


@dataclass(slots=True)
class Worker:
    """A process that judges one claim after the other; a new one where it dies."""

    second_judge: bool
    process: Any = None

    def done(self, job: tuple[str, int]) -> dict[str, Any]:
        """The record of a seed."""
        kind, seed = job
        process = self.process
        if process is None or process.poll() is not None:
            option = "--second-judge" if self.second_judge else "--no-second-judge"
            process = self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.fuzzing", "--worker", option],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            )  # fmt: skip
        try:
            process.stdin.write(f"{kind} {seed}\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if line:
                record: dict[str, Any] = json.loads(line)
                return record
        except (OSError, ValueError):
            pass
        self.end()
        lost = Finding(seed, "", "", ERROR, "the worker died", f"a {kind} ended the process that judged it")
        return {
            "kind": kind, "seed": seed, "family": kind, "manner": "", "verdicts": [ERROR], "judged": True,
            "findings": [asdict(lost)],
        }  # fmt: skip

    def end(self, patience: float = 0) -> None:
        """End the process, and with it the solvers that it started; after some seconds if it does not end by itself."""
        # An interrupt and the thread that reads from the process may both end it: one of them gets it.
        process, self.process = self.process, None
        if process is None:
            return
        with suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()
