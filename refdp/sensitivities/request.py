"""One question as a user asks it: the function, its records, the neighbours and the claim, all as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from refdp.sensitivities.question import Neighbours, Norm, Tables

MOST_EDITS = 1_000_000


@dataclass(frozen=True, slots=True)
class Request:
    """How far does the function move?  ValueError where a word is none that is known."""

    target: str
    """FILE.py:FUNCTION."""
    record: str | Mapping[str, str] | Sequence[str]
    """The kind of the records, or of their columns."""
    neighbours: str
    claim: str | None = None
    """The bound that is claimed; None: find the least."""
    norm: str = "L1"
    edits: int = 1
    tables: str | None = None
    """lists or multisets; None: multisets if the order of rows does not matter, else lists."""
    values: Mapping[str, str] = field(default_factory=dict)
    symbols: Sequence[str] = ()
    assume: str | None = None
    expected: str | None = None
    """The verdict that a campaign expects."""

    def __post_init__(self) -> None:
        _one_of("neighbours", self.neighbours, get_args(Neighbours))
        _one_of("norm", self.norm, get_args(Norm))
        if self.tables is not None:
            _one_of("tables", self.tables, get_args(Tables))
        if self.expected is not None:
            _one_of("expected", self.expected, ("PROVED", "REFUTED", "UNKNOWN"))
        if not 1 <= self.edits <= MOST_EDITS:
            raise ValueError(f"edits must be between 1 and {MOST_EDITS}, got {self.edits}")


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    """ValueError unless the value is a known word."""
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {value}")
