"""Every right sampler and claim of audits/ and right.toml, drawn from ten million times: none may be refuted.

`python -m tests.auditing.ten_million [STORE]` goes on where it was stopped.  It takes hours, most of them in the
libraries; a target's ten million draws are those of all its sets of parameters, or pairs of inputs, together.
"""

import sys
from dataclasses import replace
from pathlib import Path

from refdp.auditing.campaigns import executors
from refdp.auditing.campaigns.files import campaigns
from refdp.auditing.campaigns.items import Item
from refdp.commands.audit import worked
from refdp.verdicts import NOT_REFUTED, REFUTED

ROOT = Path(__file__).resolve().parents[2]
FILES = (ROOT / "tests" / "auditing" / "judges" / "right.toml", ROOT / "audits")
DRAWS = 10**7
LONGEST = 10 * 3600.0
"""Seconds of work for one target."""


def right() -> list[Item]:
    """The statistical targets that nobody expects to be refuted, with other numbers of draws."""
    every = [item for one in campaigns(FILES) for item in one.items if item.kind in ("law", "privacy")]
    return [replace(item, fields=enough(item)) for item in every if item.expected != REFUTED]


def enough(item: Item) -> dict:
    """The fields of a target, for DRAWS draws in all; of a claim there are two for a pair of runs."""
    if item.kind == "law":
        return {**item.fields, "samples": DRAWS // len(item.fields.get("parameters", [{}])), "stop": "samples"}
    judge = item.judge(ready=False)
    return {**item.fields, "samples": DRAWS // (2 * len(judge.asked.pairs))}


def main(store: str | None) -> int:
    """Draw, and tell where each target stands; 1 unless all have survived all of their draws."""
    found = worked(right(), store, lambda: executors.workers(None, None, None), LONGEST)
    results = [(one.item, one.result()) for one in found]
    for item, result in results:
        print(f"{result.verdict:11} {result.samples:>12,} {item.campaign}: {item.name} {result.reason}".rstrip())
    return int(any(result.verdict != NOT_REFUTED for _, result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
