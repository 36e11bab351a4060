"""What a certificate about one program holds: program, claim and evidence, nothing judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from refdp.kernel.certificate import parsed
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.programs import ProgramClaim
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.sources import bring
from refdp.logic.heads import only_step
from refdp.logic.strict_json import Forged, Json, insist, loaded
from refdp.programs.certificates.alignments import alignment_of, vocabulary
from refdp.programs.certificates.replaying import question_in
from refdp.programs.certificates.writing import KIND
from refdp.programs.checking.alignment import Alignment
from refdp.programs.nulls import shared_steps
from refdp.programs.syntax import Claim, Program
from refdp.programs.theorems import read
from refdp.terms.term import TermError

RULES: Mapping[str, str] = {"program_is_private": "alignments", "program_exceeds": "counterexample"}
"""Rule about a program -> what its evidence is called."""
QUESTIONS: Mapping[str, str] = {"engine_proves": "alignments", "engine_refutes": "counterexample"}
"""The same of the rules about questions."""


@dataclass(frozen=True, slots=True)
class Content:
    """What is said of a program, and what is brought to show it."""

    program: Program
    claim: Claim
    evidence: Mapping[str, Json]
    """Its one key is "alignments" or "counterexample"."""

    def alignments(self) -> tuple[Alignment, ...]:
        """The alignments of a proof; none where it rests on exact probabilities."""
        proposed = self.evidence["alignments"]
        known = vocabulary(shared_steps(self.program, self.claim), proposed) if proposed else {}
        return tuple(alignment_of(one, known) for one in proposed)


def kind_of(certificate: str) -> str | None:
    """Which evidence it brings, "alignments" or "counterexample"; None where it is about no one program.

    ValueError where it is no JSON.
    """
    step = only_step(certificate)
    rule = str(step.get("rule"))
    if rule in QUESTIONS:
        return QUESTIONS[rule] if step["data"].get("kind") == KIND else None
    return RULES.get(rule)


def content_of(certificate: str) -> Content:
    """Program, claim and evidence.  ValueError where it is ill-formed, or about no one program."""
    kind = kind_of(certificate)
    if kind is None:
        raise Forged("the certificate must be about one program")
    try:
        whole = parsed(certificate)
        for text in whole["sources"].values():
            bring(text)
        (step,) = whole["steps"]
        if step["rule"] in QUESTIONS:
            question = EngineQuestion.of(step["data"])
            (program, claim), evidence = question_in(question).read(), loaded(question.evidence)
        else:
            asked = ProgramClaim.of(step["data"])
            (program, claim), evidence = read(asked), loaded(asked.evidence)
    except (KernelError, KeyError, TermError) as error:
        raise Forged(f"the certificate is about no program: {error}") from error
    insist(isinstance(evidence, dict) and set(evidence) == {kind}, f"the evidence must be {kind}")
    return Content(program, claim, evidence)
