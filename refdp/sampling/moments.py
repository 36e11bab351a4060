"""Exact moments of whole numbers that were drawn, a chunk at a time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moments:
    """How many draws there are, their sum, the sum of their squares, the least and the greatest: all exact."""

    count: int
    total: int
    squares: int
    least: int
    greatest: int

    def __or__(self, other: Moments) -> Moments:
        """Those of both samples together."""
        ends = min(self.least, other.least), max(self.greatest, other.greatest)
        return Moments(self.count + other.count, self.total + other.total, self.squares + other.squares, *ends)
