"""What the second judge says of one PROVED."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Opinion:
    """How many pairs were tried and how many counted, and what contradicts the first judge."""

    tried: int = 0
    counted: int = 0
    """Pairs of data that differ, fulfil every condition, and were run on both sides."""
    compared: bool = False
    """Whether refdp's interpreter answered on some table."""
    answered: bool = False
    """Whether there was an answer, and no exception, on some table with rows, by CPython or by refdp's interpreter."""
    raised: str = ""
    """The exception on a table with rows."""
    contradiction: str = ""
    """What is against the proof; empty where nothing is."""
    nothing: str = ""
    """Why the proof says nothing, though nothing is against it."""
    unloaded: str = ""
    """The exception with which Python ends where it loads the file: then there is no function to prove anything of."""
    why_not: str = ""
    """Why nothing was run."""
    unclear: str = ""
    """Why a run showed nothing, of the first that did not."""

    def add(self, other: Opinion) -> None:
        """Takes in the opinion on another proof of the same judgement."""
        self.tried, self.counted = self.tried + other.tried, self.counted + other.counted
        self.compared, self.answered = self.compared or other.compared, self.answered or other.answered
        for name in ("raised", "contradiction", "nothing", "unloaded", "why_not", "unclear"):
            setattr(self, name, getattr(self, name) or getattr(other, name))

    def emptiness(self) -> str:
        """Why the opinion says nothing of any function; empty where it does."""
        if self.unloaded:
            return f"Python raises {self.unloaded} where it loads the file, so that there is no function"
        return self.nothing and f"the conditions are proved, but {self.nothing}"

    def data(self) -> dict[str, Any]:
        """The value of `second_judge` in a judgement; `agrees` is None where no pair was run on both sides."""
        loading = self.unloaded and f"Python raises {self.unloaded} where it loads the file"
        why = self.why_not or loading or (self.unclear if self.counted < self.tried else "")
        agrees = False if self.contradiction else True if self.counted else None
        said = {"pairs": self.counted, "tried": self.tried, "agrees": agrees}
        return said | ({"reason": why} if why else {})
