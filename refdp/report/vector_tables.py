"""What `refdp vectors` prints: the cases of each file, what became of them, and the sum."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

FINDINGS = 10
"""Most findings of a file that are printed; --json has all."""
OUTCOMES = ("failed", "acceptable", "unsupported", "unreached")


def say(line: str) -> None:
    """A line on standard output."""
    sys.stdout.write(f"{line}\n")


def print_written(found: Mapping[str, Any]) -> None:
    """What `refdp vectors write` prints."""
    for one in found["files"]:
        say(f"{one['cases']:6} {one['file']}")
    say(f"{found['cases']:6} cases in {found['folder']}")


def print_imported(found: Mapping[str, Any]) -> None:
    """What `refdp vectors import-google` prints."""
    for one in found["files"]:
        say(f"{one['cases']:6} {one['file']}")
    for one in found["unfit"]:
        say(f"{one['cases']:6} left out: {one['reason']}")
    say(f"{found['fitted']} of {found['read']} cases fit")


def print_checked(found: Mapping[str, Any]) -> None:
    """What `refdp vectors check` prints: a line for each file, the findings below it, and the sum."""
    for one in filter(lambda file: file["cases"], found["files"]):
        say(f"{one['file']}: {words(one)}")
        for finding in one["findings"][:FINDINGS]:
            flags = " ".join(finding["flags"])
            say(f"  {finding['algorithm']} {finding['tcId']} ({flags}): {finding['why']}")
            say(f"    {finding['asked']}")
        if one["failed"] > FINDINGS:
            say(f"  and {one['failed'] - FINDINGS} more; --json has them")
    say(f"{found['verdict']}: {words(found)}" if "verdict" in found else words(found))


def words(counts: Mapping[str, Any]) -> str:
    """The outcomes in words."""
    parts = [f"{counts[name]} {name}" for name in OUTCOMES if counts[name]]
    return ", ".join([f"{counts['passed']} of {counts['cases']} cases passed", *parts])
