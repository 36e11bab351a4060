"""What an oracle answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Verdict = Literal["proved", "disproved", "unknown"]


class SolverDisagreement(RuntimeError):
    """Two solvers contradict each other about one statement: at least one of them is wrong."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An oracle's verdict on a statement.

    "disproved" comes with a model that was checked by exact evaluation; "unknown" never means false.
    """

    verdict: Verdict
    trusts: frozenset[str] = frozenset()
    """Who is believed if this is "proved"."""
    reason: str = ""
    """How it was proved, or why it is unknown."""
    model: Mapping[str, Fraction] | None = None
    """Values under which the hypotheses hold and the conclusion does not."""
    unconfirmed: bool = False
    """Whether the oracle has a counterexample that exact evaluation did not confirm, so that it is "unknown"."""

    @property
    def contradicts(self) -> bool:
        """Whether the oracle says that the statement is false."""
        return self.unconfirmed or self.verdict == "disproved"
