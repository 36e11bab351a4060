"""Results as one canonical JSON object, from which every table and report is drawn."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from typing import Any

from refdp.auditing.campaigns.pages import extracted
from refdp.auditing.campaigns.standing import Standing
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.task import TaskError
from refdp.logic.files import content_of
from refdp.logic.internal_errors import KEY, sentence_in
from refdp.verdicts import MEASURED, NOT_REFUTED, PROVED, UNKNOWN

FORMAT = "refdp-audit/1"
LARGEST_FILE = 500_000_000
"""Largest report that is read, in bytes."""
CALM = (PROVED, NOT_REFUTED, MEASURED)
"""The verdicts that are as expected where nobody said what is."""


def target_json(one: Standing, report: str) -> dict[str, Any]:
    """The part of one target."""
    item, found = one.item, one.result()
    return {
        "target": item.name, "campaign": item.campaign, "kind": item.kind, "source": item.source,
        "expected": item.expected, **result_json(found), "seconds": f"{one.seconds:.2f}",
        "processor_seconds": f"{one.processor:.2f}", "environment": item.environment, "record": one.record(),
        "replay": f"refdp audit --replay {shlex.quote(report)} --only {shlex.quote(pattern(item.name))}",
        **internal_error(found),
    }  # fmt: skip


def internal_error(found: Result) -> dict[str, str]:
    """The internal error to which a verdict was lost, where it was."""
    sentence = sentence_in(found.reason)
    return {} if found.verdict != UNKNOWN or sentence is None else {KEY: sentence}


def pattern(name: str) -> str:
    """The pattern that matches just this name."""
    return re.sub(r"([*?[])", r"[\1]", name)


def chosen_by(only: str, campaign: str, name: str) -> bool:
    """Whether a pattern matches a target: its name, or its name behind that of its campaign, as tables show it."""
    return fnmatchcase(name, only) or fnmatchcase(f"{campaign}: {name}", only)


def all_match(patterns: Sequence[str], names: Sequence[tuple[str, str]]) -> None:
    """Return if each pattern matches the campaign and name of a target; TaskError otherwise."""
    for one in patterns:
        if not any(chosen_by(one, *name) for name in names):
            raise TaskError(f"only must match the name of a target, got {one}")


def result_json(found: Result) -> dict[str, Any]:
    """A result as JSON: absent parts of the evidence are left out, fractions are text."""
    whole: dict[str, Any] = plain(asdict(found))
    evidence = {name: part for name, part in whole["evidence"].items() if part not in (None, [])}
    return {**whole, "about": {key: str(value) for key, value in found.about.items()}, "evidence": evidence}


def plain(value: Any) -> Any:
    """Tuples as lists and fractions as text, all the way down."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, Fraction) else value


def as_expected(target: Mapping[str, Any]) -> bool:
    """Whether the verdict is the one that the campaign's author expects; PROVED is as good as NOT_REFUTED.

    No verdict that was lost to an internal error is.
    """
    return KEY not in target and is_expected(target["verdict"], target["expected"])


def is_expected(verdict: str, expected: str | None) -> bool:
    """The same of a verdict."""
    return verdict in ((expected, PROVED) if expected == NOT_REFUTED else (expected,) if expected else CALM)


def is_open(target: Mapping[str, Any]) -> bool:
    """Whether it was not decided, though that was not what is expected."""
    return target["verdict"] == UNKNOWN and not as_expected(target)


def text(found: Mapping[str, Any]) -> str:
    """The object as JSON text, a line for each target: records are long, and are read by programs."""
    head = json.dumps({name: part for name, part in found.items() if name != "targets"}, allow_nan=False)
    lines = ",\n".join(json.dumps(one, allow_nan=False) for one in found["targets"])
    return f'{head[:-1]}, "targets": [\n{lines}\n]}}\n'


def reported(path: str | Path) -> dict[str, Any]:
    """The object that a report holds, JSON or HTML; TaskError where it holds none."""
    try:
        content = content_of(path, LARGEST_FILE, refusal=TaskError).decode("utf-8")
        data = extracted(content) if content.lstrip().startswith("<") else json.loads(content)
    except TaskError:
        raise
    except (ValueError, RecursionError):
        raise TaskError(f"{path} must be a report of refdp audit, as JSON or HTML") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("targets"), list):
        raise TaskError(f"{path}: format must be {FORMAT}, with targets")
    for one in data["targets"]:
        _checked(one, path)
    return data


def _checked(one: Any, path: str | Path) -> None:
    """TaskError unless the target of a report has what a replay reads."""
    if not isinstance(one, dict) or not isinstance(one.get("target"), str):
        raise TaskError(f"{path}: each target must be an object with its name, got {str(one)[:80]}")
    record = one.get("record")
    kinds: dict[str, Any] = {"task": dict, "opening": (dict, type(None)), "chunks": list}
    elsewhere = isinstance(record, dict) and "elsewhere" in record
    if (
        not isinstance(record, dict)
        or not elsewhere
        and any(name not in record or not isinstance(record[name], kind) for name, kind in kinds.items())
    ):
        raise TaskError(f"{path}: target {one['target']!r} must have the record of a task")
    if not isinstance(one.get("verdict"), str) or not isinstance(one.get("sentence"), str):
        raise TaskError(f"{path}: target {one['target']!r} must have a verdict and a sentence")


def counts(targets: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many targets had each verdict, and how many surprises there are."""
    found: dict[str, int] = {}
    for one in targets:
        found[one["verdict"]] = found.get(one["verdict"], 0) + 1
    return found
