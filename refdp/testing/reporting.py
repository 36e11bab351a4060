"""Findings as the targets of one canonical JSON object, refdp-audit/1, from which every report is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from shlex import quote
from typing import Any

import pytest

from refdp.auditing.campaigns.documents import FORMAT, result_json
from refdp.auditing.campaigns.items import Item
from refdp.auditing.judges.result import Result
from refdp.testing.findings import ERROR, FAIL, INCONCLUSIVE, PASS, SKIPPED, Finding, decimal
from refdp.testing.settings import Settings
from refdp.testing.stating import Statement
from refdp.testing.trials import Trial
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN

CAMPAIGN = "pytest"
VERDICTS = {PASS: NOT_REFUTED, FAIL: REFUTED, INCONCLUSIVE: UNKNOWN, ERROR: UNKNOWN, SKIPPED: UNKNOWN}
"""Outcome of a statement -> verdict of an audit."""


def target(name: str, statement: Statement, finding: Finding, settings: Settings, seconds: float) -> dict[str, Any]:
    """What a report says of one statement, and how its draws are made again."""
    replay = f"python -m pytest {quote(name)} {settings.options}"
    return {
        "target": name, "campaign": CAMPAIGN, "kind": finding.kind, "source": None, "expected": None,
        **result_json(finding.result), "outcome": finding.word, "alpha": str(finding.alpha),
        "statement": statement.sentence, "told": finding.told, "mutants": [asdict(m) for m in finding.mutants],
        "seconds": f"{seconds:.2f}", "environment": "", "record": record(name, finding, replay),
        "replay": replay,
    }  # fmt: skip


def record(name: str, finding: Finding, replay: str) -> dict[str, Any]:
    """From what the verdict follows: with the task where `refdp audit --replay` can work it out, else where one can."""
    if finding.is_replayable:
        task = Item(CAMPAIGN, name, finding.kind, finding.alpha, None, finding.fields)
        return {"task": task.as_json(), **finding.record}
    return {"elsewhere": replay, **finding.record}


def undecided(name: str, statement: Statement, report: pytest.TestReport, settings: Settings) -> dict[str, Any]:
    """A statement that was not judged: skipped, or stopped by an exception of its own code."""
    outcome = SKIPPED if report.skipped else ERROR
    why = "skipped" if report.skipped else f"{report.when} raised an exception"
    if isinstance(report.longrepr, tuple):  # file, line, reason
        why = str(report.longrepr[2])
    result = Result(UNKNOWN, statement.sentence, f"not judged: {why}", reason=why)
    return target(name, statement, Finding(outcome, why, result, kind=statement.kind), settings, 0.0)


def disordered(statement: Statement, trial: Trial, why: str) -> Finding:
    """The finding of a function whose answers cannot be judged."""
    result = Result(UNKNOWN, statement.sentence, why, reason=why)
    return Finding(ERROR, why, result, trial.alpha, kind=statement.kind)


def document(settings: Settings, targets: Sequence[Mapping[str, Any]], seconds: float) -> dict[str, Any]:
    """The whole report."""
    campaign = {
        "name": "statements in tests (pytest)",
        "file": "pytest",
        "alpha": decimal(settings.budget),
        "seconds": f"{seconds:.2f}",
        "environment": settings.options,
    }
    return {"format": FORMAT, "campaign": campaign, "targets": list(targets)}
