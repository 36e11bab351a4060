"""Findings as SARIF 2.1.0, the format of code scanning: refuted claims are errors, open questions are warnings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from refdp import __version__
from refdp.commands.files import write_whole
from refdp.report.audits.documents import Audited, Report, document, require_json
from refdp.report.audits.views import QUESTIONS, WORDS
from refdp.report.audits.writing import clipped, shown
from refdp.verdicts import REFUTED, UNKNOWN

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LARGEST_SOURCE = 5_000_000
"""Longest campaign file in which lines are looked up, in bytes."""
NAMED = re.compile(r"""\s*name\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*')\s*(?:#.*)?""")


def write_sarif(report: Mapping[str, Any], path: str | Path) -> None:
    """Write the findings to a file, with the lines of targets where their campaign files are there."""
    file = str(document(report).campaign.file or "")
    write_whole(path, json.dumps(sarif(report, sources(file.split(", "))), indent=1) + "\n")


def sources(names: Sequence[str]) -> dict[str, str]:
    """The texts of those files that are there."""
    found = {}
    for name in filter(None, names):
        try:
            path = Path(name)
            if path.is_file() and path.stat().st_size <= LARGEST_SOURCE:
                found[name] = path.read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
    return found


def sarif(report: Mapping[str, Any], sources: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The log; `sources` has the text of campaign files by name.  ValueError where the JSON is no report."""
    found = document(report)
    require_json(report)
    kinds = sorted({one.kind for one in found.targets})
    places = sources or {}
    results = [_result(found, one, kinds, places) for one in found.targets if _level(one)]
    run = {
        "tool": {"driver": _driver(kinds)},
        "automationDetails": {"id": f"refdp audit/{_words(found.campaign.name)}"},
        "invocations": [{"executionSuccessful": True}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _driver(kinds: list[str]) -> dict[str, Any]:
    """refdp, with a rule for each kind of question that was asked."""
    rules = [
        {
            "id": _rule(kind),
            "name": "".join(part.capitalize() for part in ("audit", *re.findall("[A-Za-z0-9]+", kind))),
            "shortDescription": {"text": QUESTIONS.get(kind, message(kind))},
            "help": {"text": "The report of the campaign has the evidence, and a command that replays it."},
            "defaultConfiguration": {"level": "error"},
        }
        for kind in kinds
    ]
    return {"name": "refdp", "semanticVersion": __version__, "rules": rules}


def _rule(kind: str) -> str:
    """The identifier of the rule of a kind."""
    return f"refdp/{_words(kind)}"


def _level(one: Audited) -> str:
    """error, warning, or nothing where there is no finding; a verdict that nobody expected is one."""
    if one.verdict == REFUTED:
        return "error"
    return "warning" if one.verdict == UNKNOWN or not one.is_as_expected else ""


def _result(found: Report, one: Audited, kinds: list[str], places: Mapping[str, str]) -> dict[str, Any]:
    """One finding."""
    given = {"claim": one.claim, "error": one.error, "samples": one.samples, "replay": one.replay, "source": one.source}
    return {
        "ruleId": _rule(one.kind),
        "ruleIndex": kinds.index(one.kind),
        "level": _level(one),
        "message": {"text": _message(one)},
        "locations": [_location(found, one, places)],
        "partialFingerprints": {"refdpAuditTarget/v1": fingerprint(one, found.campaign.name)},
        "properties": {
            "verdict": one.verdict, "expected": one.expected, "asExpected": one.is_as_expected,
            **{name: _plain(value) for name, value in given.items() if value},
        },
    }  # fmt: skip


def _message(one: Audited) -> str:
    """The verdict in words, and what shows it."""
    parts = [f"{one.target}: {one.sentence}"]
    if one.verdict == UNKNOWN and one.reason and one.reason.rstrip(".") not in one.sentence:
        parts.append(f"Reason: {one.reason}.")
    if one.witness:
        parts.append(f"Witness: {one.witness}.")
    if one.expected and not one.is_as_expected:
        parts.append(f"Expected: {WORDS[one.expected].lower()}.")
    return message(" ".join(parts))


def message(text: str) -> str:
    """Foreign text as a message: braces stand for themselves, and nothing is read as a link."""
    return _words(text).replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _words(text: str) -> str:
    """Foreign text in which every character is seen."""
    return clipped(str(shown(text)), 4_000)


def _plain(value: Any) -> Any:
    return _words(value) if isinstance(value, str) else value


def fingerprint(one: Audited, campaign: str) -> str:
    """The same for the same target of the same campaign, whatever is found of it."""
    parts = [one.campaign or campaign, one.target, one.kind]
    return sha256(json.dumps(parts).encode()).hexdigest()


def _location(found: Report, one: Audited, places: Mapping[str, str]) -> dict[str, Any]:
    """The line of the campaign file that names the target, as far as it is found; its name beside it."""
    file, line = _place(found, one, places)
    physical: dict[str, Any] = {"artifactLocation": {"uri": address(file)}}
    if line:
        physical["region"] = {"startLine": line}
    return {"physicalLocation": physical, "logicalLocations": [{"name": _words(one.target), "kind": "module"}]}


def _place(found: Report, one: Audited, places: Mapping[str, str]) -> tuple[str, int]:
    """File and line; the first file, and 0, where no line is found."""
    named = [(file, names(text)) for file, text in places.items()]
    of_campaign = [(file, lines) for file, lines in named if one.campaign and one.campaign in lines]
    for file, lines in of_campaign or named:
        if one.target in lines:
            return file, lines[one.target]
    return next(iter(places), (found.campaign.file or "campaign.toml").split(", ")[0]), 0


def names(text: str) -> dict[str, int]:
    """The names that a campaign file gives, each with its first line, 1 or more."""
    found: dict[str, int] = {}
    for i, line in enumerate(text.splitlines(), 1):
        if match := NAMED.fullmatch(line):
            found.setdefault(_unquoted(match[1]), i)
    return found


def _unquoted(text: str) -> str:
    """The text in quotes; escapes that JSON and TOML share are read."""
    try:
        return str(json.loads(text)) if text.startswith('"') else text[1:-1]
    except ValueError:
        return text[1:-1]


def address(file: str) -> str:
    """The file as a URI reference: relative as it was given, or with its scheme where it is absolute."""
    path = Path(str(shown(file))).as_posix()
    return ("file://" if path.startswith("/") else "") + quote(path)
