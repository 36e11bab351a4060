"""The one verdict: a word about a claim, why where it is UNKNOWN, and who is believed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

PROVED, REFUTED, NOT_REFUTED, UNKNOWN, MEASURED = "PROVED", "REFUTED", "NOT_REFUTED", "UNKNOWN", "MEASURED"
VERDICTS = (PROVED, REFUTED, NOT_REFUTED, UNKNOWN, MEASURED)
"""NOT_REFUTED: nothing was found against the claim.  MEASURED: figures of something about which no claim is made."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a claim; whoever judges adds what shows it."""

    verdict: str
    """One of VERDICTS; ValueError for another word."""
    reason: str = field(default="", kw_only=True)
    """Why UNKNOWN."""
    trusts: Collection[str] = field(default=(), kw_only=True)
    """Who must be believed for it, besides refdp's kernel or judge."""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict must be one of {', '.join(VERDICTS)}, got {self.verdict}")
