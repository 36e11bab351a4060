"""Certificates of what is found about programs: the kernel's wherever one of its rules can say the claim.

What no rule says keeps the formats of `replaying`: neighbours by a relation of the user's own or in one direction, a
condition that is no comparison, a public parameter that is True or False, a file of more than 500,000 bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from refdp.kernel import rules
from refdp.kernel.certificate import FORMAT, KEYS, certificate, text_of
from refdp.kernel.judgements import KernelError, Private, Refuted
from refdp.kernel.rules.programs import ProgramClaim
from refdp.kernel.sources import bring
from refdp.logic.strict_json import Json, entries, insist
from refdp.programs.certificates.replaying import (
    ALIGNMENT,
    COUNTEREXAMPLE,
    EXACT,
    READING,
    counterexample_text,
    proof_text,
)
from refdp.programs.checking.alignment import Alignment
from refdp.programs.counterexample import Counterexample
from refdp.programs.question import Question, question_of
from refdp.programs.syntax import Claim, Program
from refdp.programs.theorems import proof_evidence, refutation_evidence, shape, step_data
from refdp.spec.terms import TermError

DERIVED = ""
"""The name of a claim that is not one of the kernel's ledger."""


def proof(
    asked: Question, program: Program, claim: Claim, alignments: Sequence[Alignment], trusts: Iterable[str]
) -> str:
    """The certificate of a proof for which these vouch."""
    data = said(asked.source, program, claim, proof_evidence(alignments))
    if data is None:
        return proof_text(asked, alignments)
    return text_of(certificate(rules.program_is_private(**data, by=sorted(trusts)), DERIVED))


def refutation(asked: Question, program: Program, claim: Claim, found: Counterexample) -> str:
    """The certificate of a refutation; the kernel has its probabilities worked out once more.

    KernelError where they do not refute the claim as the kernel says it.
    """
    data = said(asked.source, program, claim, refutation_evidence(found))
    if data is None:
        return counterexample_text(asked, found)
    return text_of(certificate(rules.program_exceeds(**data), DERIVED))


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


def renewed(found: Mapping[str, Json]) -> dict[str, Any] | None:
    """A certificate of an earlier format as one of the kernel's; None where the kernel cannot say its claim.

    It is believed no more than before: a replay asks again.  ValueError where it is ill-formed.
    """
    form = found.get("format")
    insist(form in (ALIGNMENT, COUNTEREXAMPLE), f"the format must be one that refdp writes, got {str(form)[:40]}")
    is_proof = form == ALIGNMENT
    brought = "alignments" if is_proof else "counterexample"
    _, asked, evidence = entries(found, "format", "question", brought)
    question = question_of(asked)
    data = said(question.source, *question.read(), {brought: evidence})
    if data is None:
        return None
    claim = stated(data)
    rule, by = ("program_is_private", [READING, "z3"]) if is_proof else ("program_exceeds", [READING, EXACT])
    step = {"rule": rule, "premises": list[int](), "data": data | ({"by": sorted(by)} if is_proof else {})}
    conclusion = str((claim if is_proof else Refuted(claim)).term)
    parts = (FORMAT, DERIVED, conclusion, sorted(by), {data["source"]: question.source}, [step])
    return dict(zip(KEYS, parts, strict=True))
