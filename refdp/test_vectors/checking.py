"""Files of test vectors, checked: their form, their counts, and each expected value, worked out again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from time import monotonic
from typing import Any

from refdp.logic.internal_errors import KEY, error_sentence
from refdp.test_vectors.kinds.kind import Group, Outcome, Subject, Test, failed
from refdp.test_vectors.kinds.registry import KINDS, differences
from refdp.test_vectors.numbers import VectorError, shown
from refdp.test_vectors.reading import read
from refdp.test_vectors.schemas import SCHEMAS, validate

Step = Callable[[int, int, str], None]
OUTCOMES = ("passed", "failed", "acceptable", "unsupported", "unreached")
ABOUT = frozenset({"tcId", "comment", "flags", "params", "mutant"})
"""Fields that say what a case is for."""
MOST_FINDINGS = 1000
"""Most findings of one file that are listed; all are counted."""


@dataclass(slots=True)
class End:
    """When a run is over: at a time, or at an interrupt."""

    deadline: float
    interrupted: bool = False

    @property
    def is_reached(self) -> bool:
        """Whether nothing more is looked at."""
        return self.interrupted or monotonic() > self.deadline


@dataclass(slots=True)
class FileReport:
    """What became of the cases of a file."""

    name: str
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    findings: list[dict[str, Any]] = field(default_factory=list)
    internal: list[str] = field(default_factory=list)
    """What went wrong in refdp itself; the cases count as unreached."""

    def add(self, group: Group, test: Test, outcome: Outcome) -> None:
        """Count an outcome, and list it where it is a failure."""
        self.counts[outcome.outcome] += 1
        if outcome.outcome == "failed" and len(self.findings) < MOST_FINDINGS:
            self.findings.append(
                {
                    "tgId": group["tgId"],
                    "tcId": test["tcId"],
                    "algorithm": group["algorithm"],
                    "flags": test["flags"],
                    "comment": test["comment"],
                    "asked": asked(group, test),
                    "why": outcome.why,
                }
            )

    def data(self) -> dict[str, Any]:
        """The report as plain data."""
        lost = {KEY: self.internal[0]} if self.internal else {}
        counts = {"cases": sum(self.counts.values()), **self.counts}
        return {"file": self.name, **counts, "findings": self.findings, **lost}


def asked(group: Group, test: Test) -> str:
    """What a case asks, in one line: its parameters and inputs, without what is worked out of them."""
    hidden = KINDS[group["type"]].computed | ABOUT
    fields = {**test.get("params", {}), **{name: test[name] for name in test if name not in hidden}}
    return ", ".join(f"{name} = {shown(value).strip(chr(39))}" for name, value in fields.items())


def loaded(path: Path) -> Any:
    """The data of a file that is of its form; VectorError with one sentence otherwise."""
    data = read(path)
    try:
        validate(data)
        consistent(data)
    except VectorError as error:
        raise VectorError(f"{path.name}: {error}") from None
    return data


def consistent(data: Any) -> None:
    """VectorError unless types, numbers, counts and flags of the file fit together."""
    groups = data["testGroups"]
    tests = [test for group in groups for test in group["tests"]]
    if any(SCHEMAS[group["type"]] != data["schema"] for group in groups):
        raise VectorError(f"every group must be of the type of {data['schema']}")
    if [group["tgId"] for group in groups] != list(range(1, len(groups) + 1)):
        raise VectorError("tgId must count the groups from 1 on")
    if [test["tcId"] for test in tests] != list(range(1, len(tests) + 1)):
        raise VectorError("tcId must count the cases from 1 on")
    if data["numberOfTests"] != len(tests):
        raise VectorError(f"numberOfTests must be {len(tests)}, got {data['numberOfTests']}")
    flags = {flag for test in tests for flag in test["flags"]}
    if flags != set(data["notes"]):
        raise VectorError(f"notes must be those of the flags, got a difference: {sorted(flags ^ set(data['notes']))}")


def cases(data: Any) -> Iterator[tuple[Group, Test]]:
    """Each case with its group."""
    for group in data["testGroups"]:
        for test in group["tests"]:
            yield group, test


def confirmed(group: Group, test: Test) -> Outcome:
    """Whether every expected value of the case is what refdp works out now."""
    try:
        found = differences(group, test)
    except VectorError as error:
        return failed(f"error: {error}")
    return failed(f"differs: {'; '.join(found)}") if found else Outcome("passed")


def judged(group: Group, test: Test, subject: Subject) -> Outcome:
    """What the case says of another implementation."""
    try:
        return KINDS[group["type"]].judged(group, test, subject)
    except VectorError as error:
        return failed(f"error: {error}")


def report(
    path: Path, subject: Subject | None, end: End, only: frozenset[str], step: Step = lambda *_: None
) -> FileReport:
    """The outcomes of a file: of refdp's own values or, with a subject, of its answers; `only` these types or all.

    Cases that come after the end, or are under way at an interrupt, are unreached; so is one that an internal error of
    refdp costs.
    """
    try:
        data = loaded(path)
    except KeyboardInterrupt:
        end.interrupted = True
        data = loaded(path)  # so that its cases are counted; another interrupt ends that, too
    found, wanted = FileReport(path.name), [one for one in cases(data) if not only or one[0]["type"] in only]
    try:
        for group, test in takewhile(lambda _: not end.is_reached, wanted):
            step(test["tcId"], data["numberOfTests"], path.name)
            try:
                found.add(group, test, confirmed(group, test) if subject is None else judged(group, test, subject))
            except OSError:
                raise  # a command that cannot be run
            except Exception as error:
                found.internal.append(f"case {test['tcId']}: {error_sentence(error)}")
    except KeyboardInterrupt:
        end.interrupted = True
    found.counts["unreached"] = len(wanted) - sum(found.counts.values())
    return found
