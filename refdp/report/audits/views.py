"""What the page says of each target, in words: everything but the pictures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refdp.auditing.campaigns.pages import canonical, digest
from refdp.report.audits.documents import Audited, Campaign, Report
from refdp.report.audits.writing import at_most, clipped, grouped, seconds, shown
from refdp.verdicts import MEASURED, NOT_REFUTED, PROVED, REFUTED, UNKNOWN

WORDS = {
    REFUTED: "Refuted",
    UNKNOWN: "Unknown",
    NOT_REFUTED: "Not refuted",
    PROVED: "Proved",
    MEASURED: "Measured",
}
"""Verdict -> its word, what asks for a reader first."""
MARKS = {REFUTED: "\u2716", UNKNOWN: "?", NOT_REFUTED: "\u25cb", PROVED: "\u2713", MEASURED: "\u2248"}
"""Verdict -> a sign, so that no verdict is told by its colour alone."""
QUESTIONS = {
    "stability": "Does its output move further than it claims?",
    "law": "Does it draw from the law that it claims?",
    "privacy": "Is it as private as it claims?",
    "reachable": "Does one input have outputs that another never has?",
    "exact": "Is it as private as it claims? (exactly)",
    "accountant": "Are its answers sound?",
    "noise_scale": "Is its noise enough?",
    "entropy": "Does its noise repeat?",
    "timing": "Does its time tell of its noise?",
    "training": "Do its training steps do what their account says?",
    "vectors": "Does it agree with test vectors?",
}
LONG = 30
"""Longest fact that stands beside others on a line."""
COUNTED = {"accountant": "Questions", "noise_scale": "Questions", "stability": "Calls of the target"}
"""Kind -> what its number of samples counts."""
COMPARED = ("Two inputs and what came of each", ("First", "Second", "Third", "Fourth"))
ASKED = ("What was asked, what was answered, and what it is judged against", ("Asked", "About"))
SIDES = {"accountant": ASKED, "noise_scale": ASKED, "law": ("What was drawn", ("Drawn",))}
"""Kind -> what its counterexample consists of, where that is not two inputs."""
Facts = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the record: its name, its format, its length and hash, and its text where that is short."""

    name: str
    format: str
    size: int
    digest: str
    text: str = ""


def headline(report: Report) -> str:
    """The campaign in a sentence or two."""
    n = len(report.targets)
    if not n:
        return "No target was judged."
    found = Counter(one.verdict for one in report.targets)
    listed = [f"{found[verdict]} {word.lower()}" for verdict, word in WORDS.items() if found[verdict]]
    surprised = sum(not one.is_as_expected for one in report.targets)
    others = "All verdicts are as expected." if not surprised else f"{_are(surprised, 'verdict')} not as expected."
    return f"Of {n} {'target' if n == 1 else 'targets'}: {', '.join(listed)}. {others}"


def _are(n: int, word: str) -> str:
    return f"{n} {word} is" if n == 1 else f"{n} {word}s are"


def counts(report: Report) -> list[tuple[str, str, int]]:
    """(word, verdict, how many), of those that occur."""
    found = Counter(one.verdict for one in report.targets)
    return [(word, verdict, found[verdict]) for verdict, word in WORDS.items() if found[verdict]]


def campaign_facts(campaign: Campaign) -> Facts:
    """Error, time, file and environment of the campaign."""
    found: Facts = []
    if campaign.alpha is not None:
        found.append(("Chance that any true claim is refuted", f"at most {at_most(campaign.alpha)}"))
    if campaign.seconds is not None:
        found.append(("Seconds", seconds(campaign.seconds)))
    if campaign.file:
        found.append(("Campaign file", campaign.file))
    return [*found, *_listed(campaign.environment, "Environment")]


def _listed(about: Mapping[str, Any] | str | None, name: str) -> Facts:
    """What is told of an environment."""
    if not about:
        return []
    items = about.items() if isinstance(about, Mapping) else [(name, about)]
    return [
        (key.replace("_", " "), clipped(said if isinstance(said, str) else canonical(said), 400)) for key, said in items
    ]


def facts(one: Audited) -> Facts:
    """The claim and what the verdict rests on, what is long first."""
    found: Facts = [("Claim", one.claim)]
    if one.reason:
        found.append(("Why it is unknown" if one.verdict == UNKNOWN else "Reason", one.reason))
    if one.samples:
        found.append((COUNTED.get(one.kind, "Samples"), grouped(one.samples)))
    if one.verdict in (REFUTED, NOT_REFUTED):
        found.append(("Chance that a true claim is refuted so", _error(one)))
    if one.power:
        found.append(("What would have been seen", one.power))
    if one.seconds is not None:
        found.append(("Seconds", seconds(one.seconds)))
    if one.environment:
        found.append(("Environment", clipped(one.environment, 200)))
    if one.source:
        found.append(("Told in public", one.source))
    return found[:1] + sorted(found[1:], key=lambda fact: len(fact[1]) <= LONG)


def _error(one: Audited) -> str:
    """The error of the verdict."""
    found = at_most(one.error or "0")
    return "0: nothing rests on statistics" if found == "0" else f"at most {found}"


def expectation(one: Audited) -> str:
    """Whether the verdict was expected."""
    if not one.expected:
        return "" if one.is_as_expected else "not as expected"
    return "as expected" if one.is_as_expected else f"expected: {WORDS[one.expected].lower()}"


def sides(one: Audited) -> dict[str, Any] | None:
    """The counterexample as rows: each input with its output, count and bounds, as far as they are given."""
    found = one.evidence.counterexample
    if found is None:
        return None
    outputs = () if found.outputs == found.counts else found.outputs
    columns = {"Output": outputs, "Event": found.counts, "Its probability": found.bounds}
    given = {name: values for name, values in columns.items() if any(values)}
    caption, names = SIDES.get(one.kind, COMPARED)
    rows = []
    for i in range(max(len(found.inputs), *map(len, columns.values()))):
        cells = [("Input", _at(found.inputs, i)), *((name, _at(values, i)) for name, values in given.items())]
        rows.append((names[i] if i < len(names) else str(i + 1), cells))
    return {"columns": list(given), "rows": rows, "caption": caption}


def _at(values: Sequence[str], i: int) -> str:
    return values[i] if i < len(values) else ""


def parts(one: Audited, data: Mapping[str, Any]) -> list[Part]:
    """The record of a target and each document that is attached, with their hashes."""
    named = [("all of this target", "", data), ("record", "", data.get("record"))]
    found = [_part(name, form, held) for name, form, held in named if held is not None]
    return found + [_part(name, _format(held), held, with_text=True) for name, held in one.attached.items()]


def _part(name: str, form: str, held: Any, with_text: bool = False) -> Part:
    """The part, with its text where it is no longer than a screen."""
    text = canonical(held)
    is_short = with_text and len(text) <= 1_500
    pretty = shown(json.dumps(held, indent=1)) if is_short else ""
    return Part(name, form, len(text), digest(held), pretty)


def _format(held: Any) -> str:
    """The format that a document names."""
    found = held.get("format", "") if isinstance(held, Mapping) else ""
    return clipped(found, 60) if isinstance(found, str) else ""


def about(one: Audited) -> Facts:
    """Library, version and target, as the worker told them."""
    return _listed(one.about, "about")
