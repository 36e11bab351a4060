"""What the second judge says of one PROVED."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Verdict:
    """How many pairs were tried and how many counted, and what contradicts the first judge."""

    tried: int = 0
    counted: int = 0
    """Pairs of data that differ, fulfil every condition, and were run on both sides."""
    compared: bool = False
    """Whether refdp's interpreter answered on some table."""
    contradiction: str = ""
    """What is against the proof; empty where nothing is."""
    nothing: str = ""
    """Why the proof says nothing, though nothing is against it."""
    why_not: str = ""
    """Why nothing was run."""
    unclear: str = ""
    """Why a run showed nothing, of the first that did not."""

    def add(self, other: Verdict) -> None:
        """Takes in the verdict on another proof of the same judgement."""
        self.tried, self.counted = self.tried + other.tried, self.counted + other.counted
        self.compared = self.compared or other.compared
        for name in ("contradiction", "nothing", "why_not", "unclear"):
            setattr(self, name, getattr(self, name) or getattr(other, name))

    def data(self) -> dict[str, Any]:
        """The value of `second_judge` in a judgement."""
        why = self.why_not or (self.unclear if self.counted < self.tried else "")
        said = {"pairs": self.counted, "tried": self.tried, "agrees": not self.contradiction}
        return said | ({"reason": why} if why else {})
