"""Findings as the targets of one canonical JSON object, refdp-audit/1, from which every report is drawn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from math import log10
from shlex import quote
from typing import Any

import pytest

from refdp.auditing.judges.result import NOT_REFUTED, REFUTED, UNKNOWN, LedgerLine, Result, Wealth
from refdp.testing.findings import ERROR, FAIL, INCONCLUSIVE, PASS, SKIPPED, Finding, decimal
from refdp.testing.settings import Settings
from refdp.testing.stating import Statement
from refdp.testing.trials import Trial

FORMAT = "refdp-audit/1"
VERDICTS = {PASS: NOT_REFUTED, FAIL: REFUTED, INCONCLUSIVE: UNKNOWN, ERROR: UNKNOWN}
"""Outcome of a statement -> verdict of an audit."""
LEFT_OUT: tuple[Any, ...] = (None, (), [], {})


def wealth(path: Sequence[tuple[int, float]], alpha: Fraction) -> Wealth | None:
    """e-values after so many samples beside what they must exceed, for a picture; None where there were no looks."""
    if not path:
        return None
    samples, logarithms = zip(*path, strict=True)
    return Wealth(tuple(samples), tuple(logarithms), log10(alpha.denominator) - log10(alpha.numerator))


def ledger_line(test: str, null: str, alpha: Fraction, samples: int, e: Fraction | None) -> LedgerLine:
    """The line of a test in the ledger of alpha."""
    return LedgerLine(test, null, str(alpha), samples, "" if e is None else f"{float(e):.3f}")


def target(name: str, finding: Finding, settings: Settings, seconds: float) -> dict[str, Any]:
    """What a report says of one statement, and how its draws are made again."""
    found = finding.result
    return {
        "target": name,
        "kind": finding.kind,
        "source": None,
        "expected": None,
        **result_json(found),
        "outcome": finding.outcome,
        "alpha": str(finding.alpha),
        "mutants": [asdict(mutant) for mutant in finding.mutants],
        "seconds": f"{seconds:.2f}",
        "record": finding.record,
        "replay": f"python -m pytest {quote(name)} {settings.options}",
    }


def result_json(found: Result) -> dict[str, Any]:
    """A result as JSON; fractions are text, and parts of the evidence that are absent are left out."""
    data = {key: value for key, value in asdict(found).items() if key != "evidence"}
    evidence = {key: value for key, value in asdict(found.evidence).items() if value not in LEFT_OUT}
    plain: dict[str, Any] = json.loads(json.dumps({**data, "evidence": evidence}, default=_text))
    return plain


def _text(value: Any) -> Any:
    """A fraction as text, a mapping as an object."""
    return dict(value) if isinstance(value, Mapping) else str(value)


def undecided(name: str, statement: Statement, report: pytest.TestReport, settings: Settings) -> dict[str, Any]:
    """A statement that was not judged: skipped, or stopped by an exception of its own code."""
    outcome = SKIPPED if report.skipped else ERROR
    why = "skipped" if report.skipped else f"{report.when} raised an exception"
    if isinstance(report.longrepr, tuple):  # file, line, reason
        why = str(report.longrepr[2])
    result = Result(UNKNOWN, statement.sentence, f"not judged: {why}", reason=why)
    return target(name, Finding(outcome, why, result, kind=statement.kind), settings, 0.0)


def disordered(statement: Statement, trial: Trial, why: str) -> Finding:
    """The finding of a function whose answers cannot be judged."""
    result = Result(UNKNOWN, statement.sentence, why, reason=why)
    return Finding(ERROR, why, result, trial.alpha, kind=statement.kind)


def document(settings: Settings, targets: Sequence[Mapping[str, Any]], seconds: float) -> dict[str, Any]:
    """The whole report."""
    campaign = {
        "name": "statements in tests",
        "file": "pytest",
        "alpha": decimal(settings.budget),
        "seconds": f"{seconds:.2f}",
        "environment": settings.options,
    }
    return {"format": FORMAT, "campaign": campaign, "targets": list(targets)}
