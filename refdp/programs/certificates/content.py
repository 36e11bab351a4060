"""What a certificate about one program holds, in whichever format: program, claim and evidence, nothing judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from refdp.kernel.certificate import FORMAT, parsed
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.programs import ProgramClaim
from refdp.kernel.sources import bring
from refdp.logic.heads import head_of
from refdp.logic.strict_json import Forged, Json, insist, loaded
from refdp.programs.certificates.alignments import alignment_of, vocabulary
from refdp.programs.checking.alignment import Alignment
from refdp.programs.question import question_of
from refdp.programs.steps import stepwise
from refdp.programs.syntax import Claim, Program
from refdp.programs.theorems import read
from refdp.spec.terms import TermError

RULES: Mapping[str, str] = {"program_is_private": "alignments", "program_exceeds": "counterexample"}
"""Rule about a program -> what its evidence is called."""


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
        known = vocabulary(stepwise(self.program), proposed) if proposed else {}
        return tuple(alignment_of(one, known) for one in proposed)


def kind_of(certificate: str) -> str | None:
    """Which evidence it brings, "alignments" or "counterexample"; None where it is about no one program.

    ValueError where it is no JSON.
    """
    found, rule = head_of(certificate)
    if found.get("format") == FORMAT:
        return RULES.get(rule)
    return next((key for key in RULES.values() if key in found), None)


def content_of(certificate: str) -> Content:
    """Program, claim and evidence.  ValueError where it is ill-formed, or about no one program."""
    kind = kind_of(certificate)
    if kind is None:
        raise Forged("the certificate must be about one program")
    found = loaded(certificate)
    if found.get("format") != FORMAT:
        insist(set(found) == {"format", "question", kind}, f"the keys must be format, question and {kind}")
        program, claim = question_of(found["question"]).read()
        return Content(program, claim, {kind: found[kind]})
    try:
        whole = parsed(certificate)
        for text in whole["sources"].values():
            bring(text)
        asked = ProgramClaim.of(whole["steps"][0]["data"])
        program, claim = read(asked)
    except (KernelError, KeyError, TermError) as error:
        raise Forged(f"the certificate is about no program: {error}") from error
    evidence = loaded(asked.evidence)
    insist(isinstance(evidence, dict) and set(evidence) == {kind}, f"the evidence must be {kind}")
    return Content(program, claim, evidence)
