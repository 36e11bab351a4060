"""Certificates of what is found about programs: about a program's privacy wherever the kernel can say that.

Else they are about a question of this engine's: neighbours by a relation of the user's own or in one direction, a
condition that is no comparison, a public parameter that is True or False.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from refdp.kernel import rules
from refdp.kernel.certificate import DERIVED, answer_certificate, certificate, text_of
from refdp.kernel.judgements import KernelError, Private
from refdp.kernel.rules.programs import ProgramClaim
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.sources import bring
from refdp.logic.strict_json import Json
from refdp.programs.checking.alignment import Alignment
from refdp.programs.counterexample import Counterexample
from refdp.programs.question import Question, question_json
from refdp.programs.syntax import Claim, Program
from refdp.programs.theorems import proof_evidence, refutation_evidence, shape, step_data
from refdp.terms.term import TermError

KIND = "program"
"""The questions of this engine."""


def proof(
    asked: Question, program: Program, claim: Claim, alignments: Sequence[Alignment], trusts: Iterable[str]
) -> str | None:
    """The certificate of a proof for which these vouch; None where it is too long."""
    evidence = proof_evidence(alignments)
    data = said(asked.source, program, claim, evidence)
    if data is None:
        return answer_certificate(engine_question(asked, evidence), trusts)
    return text_of(certificate(rules.program_is_private(**data, by=sorted(trusts)), DERIVED))


def refutation(asked: Question, program: Program, claim: Claim, found: Counterexample) -> str | None:
    """The certificate of a refutation, None where it is too long; its probabilities are worked out once more.

    KernelError where they do not refute the claim as the kernel says it.
    """
    evidence = refutation_evidence(found)
    data = said(asked.source, program, claim, evidence)
    if data is None:
        return answer_certificate(engine_question(asked, evidence), None)
    return text_of(certificate(rules.program_exceeds(**data), DERIVED))


def engine_question(asked: Question, evidence: Mapping[str, Json]) -> EngineQuestion:
    """The question as the kernel has it, and what is brought to answer it."""
    return EngineQuestion(KIND, asked.source, asked.function, json.dumps(question_json(asked)), json.dumps(evidence))


def said(source: str, program: Program, claim: Claim, evidence: Mapping[str, Json]) -> dict[str, Any] | None:
    """The data of the kernel's step, None where the kernel cannot say the claim."""
    try:
        data = step_data(program, claim, bring(source), evidence)
        stated(data)
    except (KernelError, TermError):
        return None
    return data


def stated(data: Mapping[str, Any]) -> Private:
    """What the step says of its program, were its evidence right."""
    claim = ProgramClaim.of(data)
    return claim.claim(data["source"], shape(claim))
