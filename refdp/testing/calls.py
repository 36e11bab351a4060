"""A function of this process, asked as the search for neighbours asks targets in processes of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refdp.auditing.neighbours.distances import key
from refdp.auditing.targets import Outcome
from refdp.auditing.targets.outcomes import RAISED, VALUE
from refdp.auditing.targets.workers import wire
from refdp.testing.trials import Source, Trial


class Calls:
    """The outcomes of a function; `error` is the first exception that it raised."""

    def __init__(self, trial: Trial, source: Source) -> None:
        self.trial, self.source = trial, source
        self.error: Exception | None = None

    def each(self, operation: str, inputs: Sequence[Any]) -> list[Outcome]:
        """The outcome for each input."""
        return [self.outcome(x) for x in inputs]

    def outcome(self, x: Any) -> Outcome:
        """A value as plain data, or the exception."""
        try:
            answer = self.trial.call(self.source, {"x": x})
        except Exception as error:
            self.error = self.error or error
            return Outcome(RAISED, type(error).__name__, str(error)[:500])
        return Outcome(VALUE, wire.decoded(wire.encoded(answer)))

    def differs(self, inputs: Sequence[Any], known: Sequence[Outcome]) -> str:
        """An empty text if two inputs have the known outcomes again, in both orders."""
        for places in ((0, 1), (1, 0)):
            for i in places:
                again = self.outcome(inputs[i])
                if (again.kind, key(again.value)) != (known[i].kind, key(known[i].value)):
                    return f"the function is not deterministic: {inputs[i]} gave {known[i]}, then {again}"
        return ""
