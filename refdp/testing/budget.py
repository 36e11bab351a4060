"""The error of a run, split over what was collected."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from refdp.auditing.evidence.ledger import split


def divided(alpha: Fraction, names: Iterable[str]) -> dict[str, Fraction]:
    """An equal share for each name, whatever their order; a name that comes twice is one statement."""
    listed = sorted(set(names))
    if not listed:
        return {}
    ledger = split(alpha, listed)
    return {name: ledger.share(name) for name in listed}
