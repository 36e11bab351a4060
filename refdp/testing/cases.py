"""The cases of a test of vectors, gathered: one target of a report and one line of a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from refdp.testing.findings import ERROR, FAIL, PASS, SKIPPED
from refdp.testing.reporting import VERDICTS
from refdp.verdicts import UNKNOWN

Target = Mapping[str, Any]
KIND = "vectors"
AGREES = "an implementation agrees with test vectors"
WORST = (ERROR, FAIL, PASS, SKIPPED)
"""Outcomes, the one that stands for all first."""


def gathered(targets: Iterable[Target]) -> list[Target]:
    """The targets, the cases of each test of vectors made one."""
    found: dict[str, list[Target]] = {}
    for one in targets:
        name = one["target"].partition("[")[0] if one["kind"] == KIND else one["target"]
        found.setdefault(name, []).append(one)
    return [together(name, some) if some[0]["kind"] == KIND else some[0] for name, some in found.items()]


def together(name: str, some: list[Target]) -> Target:
    """The cases of one test: the worst of their outcomes, and a row for each."""
    counts = Counter(one["outcome"] for one in some)
    outcome = next(word for word in WORST if counts[word])
    words = ", ".join(f"{counts[word]} {word}" for word in WORST if counts[word])
    first = next(one for one in some if one["outcome"] == outcome)
    why = f"; first: {first['claim']}: {first['sentence']}" if outcome in (ERROR, FAIL) else ""
    sentence = f"{len(some)} cases: {words}{why}"
    replay = first["replay"].replace(first["target"], name)
    return {
        **first,
        "target": name,
        "claim": AGREES,
        "statement": AGREES,
        "verdict": VERDICTS[outcome],
        "outcome": outcome,
        "sentence": sentence,
        "told": sentence,
        "reason": sentence if VERDICTS[outcome] == UNKNOWN else "",
        "alpha": str(sum((Fraction(one["alpha"]) for one in some), Fraction(0))),
        "evidence": first["evidence"] | {"rows": [row(one) for one in some]},
        "record": {"elsewhere": replay, "cases": [{"case": one["target"], "outcome": one["outcome"]} for one in some]},
        "replay": replay,
    }


def row(one: Target) -> dict[str, str]:
    """A case as a question and its answer."""
    return {
        "question": one["claim"],
        "answer": one["sentence"],
        "lower": "",
        "upper": "",
        "verdict": VERDICTS[one["outcome"]],
    }
