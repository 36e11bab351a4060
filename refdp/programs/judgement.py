"""What was found about a claim, as an object and as plain data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refdp.programs.checking.alignment import Alignment
from refdp.programs.described import described
from refdp.programs.question import Question, claim_text
from refdp.programs.syntax import Claim, Program
from refdp.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Judgement(Verdict):
    """What was found about a claim of a program."""

    question: Question
    program: Program
    claim: Claim
    n: str | None = None
    """The number of data of the counterexample, or "all"."""
    alignment: tuple[Mapping[str, Any], ...] = ()
    """What proves it: an alignment for each part of the adjacency, in words."""
    proof: tuple[Alignment, ...] = ()
    """The alignments themselves."""
    counterexample: Mapping[str, Any] | None = None
    checked_by: tuple[str, ...] = ()
    """The solvers that discharged every condition of the proof; none where exact probabilities were compared."""
    conditions: int = 0
    certificate: str | None = None

    @property
    def name(self) -> str:
        """A name for the certificate, the same for the same text."""
        digest = hashlib.sha256((self.certificate or "").encode()).hexdigest()[:12]
        return f"{self.question.function}.{self.question.number}.{digest}"

    def data(self) -> dict[str, Any]:
        """The judgement as plain data, numbers as text: the object of `refdp prove --json`."""
        return (
            {
                "verdict": self.verdict,
                "function": self.question.function,
                "line": self.claim.line,
                "claim": claim_text(self.claim),
                "adjacency": self.claim.adjacency.name,
                "one_direction": self.claim.adjacency.one_direction,
                "n": self.n,
                "alignment": list(self.alignment) or None,
                "counterexample": self.counterexample,
                "trusts": sorted(self.trusts),
                "checked_by": list(self.checked_by),
                "conditions": self.conditions,
                "source": self.claim.source,
            }
            | described(self.program, self.claim)
            | ({"reason": self.reason} if self.verdict == "UNKNOWN" else {})
            | ({"expected": self.claim.expected} if self.claim.expected else {})
        )
