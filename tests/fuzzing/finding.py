"""What a campaign finds: a verdict that the truth contradicts, or an internal error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict that is wrong, with all that is needed to see it."""

    seed: int
    text: str
    """The module."""
    claim: str
    """What was asked, with every option."""
    verdict: str
    """What refdp said; "internal error" where it lost its verdict."""
    truth: str
    """What CPython does."""
    why: str
    """How the one contradicts the other."""
