"""What the kernel asks of this engine about claims that none of its own rules says, and what such rules share with it.

A question holds which claim of the function is asked about, and what is changed of it: adjacency, values of public
parameters, epsilon.  Evidence of a proof: alignments, or none where it is by exact probabilities; of a refutation: a
counterexample.  The program, the claim, every condition and every probability are made again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from refdp.kernel.judgements import KernelError, Unanswered
from refdp.kernel.rules.engines import READING
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.theorem import FAILURES
from refdp.logic.strict_json import entries, items, loaded
from refdp.numerics.elementary import Undecided
from refdp.programs import described
from refdp.programs.certificates.alignments import alignment_of, vocabulary
from refdp.programs.certificates.events import counterexample_of
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.proof import SOLVERS, Checked, check
from refdp.programs.counterexample import confirmed
from refdp.programs.execution import TooManyPaths
from refdp.programs.nulls import shared_steps
from refdp.programs.probabilities import NotComputed
from refdp.programs.question import Question, claim_text, question_json, question_of
from refdp.programs.syntax import Claim, Program
from refdp.provers.processes import WORKERS

EXACT = "refdp's exact probabilities"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the solvers say of a claim."""

    verdict: str
    trusts: frozenset[str] = frozenset()
    reason: str = ""


def question_in(asked: EngineQuestion) -> Question:
    """Which claim of which function is asked about.  ValueError where it is of no such form."""
    return question_of(asked.text, asked.function, loaded(asked.question))


def restated(asked: EngineQuestion) -> str:
    """The question as it is written."""
    question = question_in(asked)
    question.read()
    return json.dumps(question_json(question))


def sentence(asked: EngineQuestion) -> str:
    """What is asked, with all that is assumed."""
    return sentence_about(*question_in(asked).read())


def believed(asked: EngineQuestion) -> tuple[frozenset[str], bool]:
    """Whom a proof names, and that somebody else is asked: solvers, or the exact probabilities."""
    alignments_in(asked.evidence, *question_in(asked).read())
    return frozenset({READING}), True


def asked(found: EngineQuestion, solver: str | None, seconds: float) -> Answer:
    """What the solvers say of every condition of the alignments."""
    program, claim = question_in(found).read()
    return answer(program, claim, found.evidence, solver, seconds)


def refuted(asked: EngineQuestion) -> frozenset[str]:
    """Whom one has to believe that the events break the claim; KernelError where they do not."""
    return broken(*question_in(asked).read(), asked.evidence)


def answer(program: Program, claim: Claim, evidence: str, solver: str | None, seconds: float) -> Answer:
    """What the solvers say of every condition of the alignments that are brought."""
    solvers = SOLVERS if solver == "both" else (solver or "z3",)
    checked = check(program, claim, alignments_in(evidence, program, claim), solvers, seconds)
    if checked.verdict != "PROVED":
        return Answer("UNKNOWN", reason=checked.reason)
    return Answer("PROVED", trusted(checked))


def alignments_in(evidence: str, program: Program, claim: Claim) -> list[Alignment]:
    """The alignments that the evidence brings; KernelError where it is not of that form."""
    try:
        (proposed,) = entries(loaded(evidence), "alignments")
        known = vocabulary(shared_steps(program, claim), items(proposed)) if items(proposed) else {}
        return [alignment_of(one, known) for one in items(proposed)]
    except FAILURES as error:
        raise KernelError(f"the evidence about {program.name} is no list of alignments: {error}") from error


def broken(program: Program, claim: Claim, evidence: str) -> frozenset[str]:
    """Whom one has to believe that the events in the evidence break the claim; KernelError where they do not."""
    (shown,) = entries(loaded(evidence), "counterexample")
    try:
        if confirmed(program, claim, counterexample_of(shown, program, claim)):
            return frozenset({READING, EXACT})
    except (NotComputed, Undecided, TooManyPaths) as reason:
        raise Unanswered(f"the probabilities are not worked out: {reason}") from None
    raise KernelError("the counterexample does not refute the claim")


def sentence_about(program: Program, claim: Claim) -> str:
    """What is claimed of a program."""
    direction = ", one direction only" if claim.adjacency.one_direction else ""
    asked = f"{program.name}: {claim_text(claim)}, adjacency {claim.adjacency.name}{direction}"
    return f"{asked} ({described.sentence(program, claim)})"


def trusted(checked: Checked) -> frozenset[str]:
    """Whom one has to believe: of the solvers that proved every condition one, whichever."""
    solvers = " and ".join(WORKERS[one].version for one in checked.solvers)
    return frozenset({READING} | ({EXACT} if checked.exact else set()) | ({solvers} if solvers else set()))
