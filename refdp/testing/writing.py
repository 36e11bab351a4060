"""What a failure says, and the files that a run leaves."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from refdp.commands.files import write_whole
from refdp.testing.findings import Finding, decimal, power_of_ten
from refdp.testing.settings import Settings


def failure(claim: str, finding: Finding, settings: Settings) -> str:
    """The reason, what was claimed, and how the draws are made again."""
    lines = [finding.told, f"  claimed: {claim}"]
    if finding.alpha and finding.draws:
        e = f", e-value {power_of_ten(finding.log10_e)}" if finding.log10_e is not None else ""
        lines.append(f"  {finding.draws} draws at alpha {decimal(finding.alpha)}{e}")
    if finding.alpha:
        lines.append(f"  what takes rng, bits or seed draws the same again with {settings.options}")
    return "\n".join(lines)


def write(settings: Settings, document: Mapping[str, Any]) -> None:
    """The files that --refdp-report names, each whole or not at all."""
    for place in settings.reports:
        content = json.dumps(document, indent=1, allow_nan=False) + "\n" if place.suffix == ".json" else page(document)
        write_whole(place, content)


def page(document: Mapping[str, Any]) -> str:
    """The report as one HTML file."""
    from refdp.report.audits.page import render

    found: str = render(document)
    return found


def shown(place: Path) -> str:
    """A file as the terminal names it."""
    return os.path.relpath(place)
