"""Outcomes: what came of a call.  A target that fails does not fail the audit; how it failed is an outcome too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refdp.auditing.targets.workers import wire

VALUE, RAISED, LATE, CRASHED, GARBAGE, TOO_LONG, TOO_MANY = (
    "value", "raised", "late", "crashed", "garbage", "too long", "too many processes",
)  # fmt: skip
"""The kinds of outcomes: a value, an exception, and five ways of being stopped."""
ANSWERS = (VALUE, RAISED)
"""The kinds that the target itself gave; whatever else happened is no statement about its function."""
LIMITS = ("MemoryError", "_ArrayMemoryError", "OSError", "BlockingIOError", "TimeoutError")
"""Exceptions that speak of what the process may use, not of the input."""
SPEAKING = ("out of memory", "not enough memory", "cannot allocate memory", "can't start new thread")
"""What exceptions of libraries say in such a case, whatever their type is."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: a value; the type of an exception and what it says; or how the process was stopped."""

    kind: str
    value: Any = None
    text: str = ""

    @property
    def answered(self) -> bool:
        """Whether the target itself gave this outcome."""
        return self.kind in ANSWERS

    @property
    def tells(self) -> bool:
        """Whether it is a statement about the function: an answer, and no exception that a limit of ours may raise."""
        return self.answered and not (self.kind == RAISED and self._is_of_limits)

    @property
    def _is_of_limits(self) -> bool:
        return self.value in LIMITS or any(words in self.text.lower() for words in SPEAKING)

    def __str__(self) -> str:
        if self.kind == VALUE:
            return repr(self.value)
        return f"{self.kind}: {self.value}: {self.text}" if self.kind == RAISED else f"{self.kind}: {self.text}"


def raised(said: Any) -> Outcome:
    """The outcome of an exception, of which a worker told type and text."""
    kind, text = said
    return Outcome(RAISED, str(kind), str(text))


def as_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON, without loss."""
    return {"kind": outcome.kind, "value": wire.encoded(outcome.value), "text": outcome.text}


def from_json(data: dict[str, Any]) -> Outcome:
    """The outcome that the JSON stands for."""
    return Outcome(str(data["kind"]), wire.decoded(data["value"]), str(data["text"]))
