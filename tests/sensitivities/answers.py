"""Questions about how far functions move as plain data, and their answers, as the kernel's rules ask the engine."""

import json
from typing import Any

from refdp.kernel.certificate import answer_certificate, parsed, replay
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules import questions
from refdp.kernel.rules.questions import EngineQuestion
from refdp.logic.strict_json import insist
from refdp.sensitivities.checking.certificate import Claim, evidence_json, pair_json, question_json
from refdp.sensitivities.checking.invariants import Invariants
from refdp.sensitivities.checking.verifying import READING, Judged
from refdp.sensitivities.pair import Pair

KIND = "sensitivity"


def question(claim: Claim, evidence: Any) -> dict[str, Any]:
    """A claim and what is brought to show it."""
    return {
        "source": claim.source, "function": claim.function, "question": question_json(claim), "evidence": evidence
    }  # fmt: skip


def proof(claim: Claim, invariants: Invariants, order: Invariants | None = None, fused: bool = False) -> dict[str, Any]:
    """The same of a proof."""
    return question(claim, evidence_json(invariants, order, fused))


def refutation(claim: Claim, pair: Pair) -> dict[str, Any]:
    """The same of a refutation."""
    return question(claim, pair_json(pair))


def asked(found: dict[str, Any], kind: str = KIND) -> EngineQuestion:
    """As the kernel has it."""
    return EngineQuestion(
        kind, found["source"], found["function"], json.dumps(found["question"]), json.dumps(found["evidence"])
    )


def proved(found: dict[str, Any], solver: str = "both", seconds: float = 60.0, kind: str = KIND) -> Judged:
    """What the solvers say once the rule takes the step."""
    text = answer_certificate(asked(found, kind), [READING, "z3"])
    insist(text is not None, "the certificate must not be too long")
    said: Judged = questions.engine(kind).asked(asked(found, kind), solver, seconds)
    return said


def refuted(found: dict[str, Any], kind: str = KIND) -> frozenset[str]:
    """Whom one has to believe, from the certificate that the rule makes; KernelError where it makes none."""
    text = answer_certificate(asked(found, kind), None)
    if text is None:
        raise KernelError("the certificate must not be too long")
    return replay(parsed(text), lambda *_: frozenset()).trusts
