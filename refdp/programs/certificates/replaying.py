"""Certificates as text, and the judgement of one from its text alone.

    {"format": "refdp-alignment/1", "question": {...}, "alignments": [...]}
    {"format": "refdp-counterexample/1", "question": {...}, "counterexample": {...}}

Without alignments it is a proof by exact probabilities.  The question holds the source text: the program, the claim,
every condition and every probability are made again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from refdp.logic.strict_json import Forged, Json, entries, insist, items, loaded
from refdp.numerics.elementary import Undecided
from refdp.programs import described
from refdp.programs.certificates.alignments import alignment_json, alignment_of, vocabulary
from refdp.programs.certificates.events import counterexample_json, counterexample_of
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.proof import SOLVERS, Checked, check
from refdp.programs.counterexample import Counterexample, confirmed
from refdp.programs.execution import TooManyPaths
from refdp.programs.probabilities import NotComputed
from refdp.programs.question import Question, claim_text, question_json, question_of
from refdp.programs.steps import BeyondSteps, stepwise
from refdp.programs.syntax import Claim, Program
from refdp.provers.processes import WORKERS

ALIGNMENT, COUNTEREXAMPLE = "refdp-alignment/1", "refdp-counterexample/1"
READING = "refdp's reading of Python"
EXACT = "refdp's exact probabilities"


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a certificate shows when it is judged again; UNKNOWN where it is not confirmed in time."""

    sentence: str
    """What was asked."""
    verdict: Literal["PROVED", "REFUTED", "UNKNOWN"]
    trusts: frozenset[str] = frozenset()
    reason: str = ""


def proof_text(question: Question, alignments: Sequence[Alignment]) -> str:
    """The certificate of a proof by alignments."""
    return _text(ALIGNMENT, question, {"alignments": list(map(alignment_json, alignments))})


def counterexample_text(question: Question, found: Counterexample) -> str:
    """The certificate of a refutation."""
    return _text(COUNTEREXAMPLE, question, {"counterexample": counterexample_json(found)})


def _text(form: str, question: Question, evidence: dict[str, Json]) -> str:
    """A certificate, the same every time."""
    return json.dumps({"format": form, "question": question_json(question), **evidence}, indent=1) + "\n"


def replay(text: str, solver: str = "z3", seconds: float = 60.0) -> Replayed:
    """The judgement of a certificate.  ValueError where it is forged: ill-formed, or a counterexample that is none."""
    found = loaded(text)
    kind = found.get("format") if isinstance(found, dict) else None
    try:
        if kind == ALIGNMENT:
            return aligned(found, SOLVERS if solver == "both" else (solver,), seconds)
        insist(kind == COUNTEREXAMPLE, f"the format must be one that refdp writes, got {str(kind)[:40]}")
        return refuted(found)
    except (ArithmeticError, BeyondSteps, KeyError, RecursionError, TypeError, AttributeError) as error:
        raise Forged(f"the certificate cannot be replayed: {type(error).__name__} {str(error)[:100]}") from None


def aligned(found: Json, solvers: Sequence[str], seconds: float) -> Replayed:
    """Whether the alignments prove the claim."""
    _, asked, proposed = entries(found, "format", "question", "alignments")
    program, claim = question_of(asked).read()
    known = vocabulary(stepwise(program), items(proposed)) if items(proposed) else {}
    checked = check(program, claim, [alignment_of(one, known) for one in items(proposed)], solvers, seconds)
    trusts = trusted(checked) if checked.verdict == "PROVED" else frozenset[str]()
    return Replayed(sentence(program, claim), checked.verdict, trusts, checked.reason)


def refuted(found: Json) -> Replayed:
    """Whether the event has the probabilities that refute the claim."""
    _, asked, shown = entries(found, "format", "question", "counterexample")
    program, claim = question_of(asked).read()
    try:
        holds = confirmed(program, claim, counterexample_of(shown, program, claim))
    except (NotComputed, Undecided, TooManyPaths) as reason:
        return Replayed(sentence(program, claim), "UNKNOWN", reason=str(reason))
    insist(holds, "the counterexample does not refute the claim")
    return Replayed(sentence(program, claim), "REFUTED", frozenset({READING, EXACT}))


def sentence(program: Program, claim: Claim) -> str:
    """What is claimed of a program."""
    direction = ", one direction only" if claim.adjacency.one_direction else ""
    asked = f"{program.name}: {claim_text(claim)}, adjacency {claim.adjacency.name}{direction}"
    return f"{asked} ({described.sentence(program, claim)})"


def trusted(checked: Checked) -> frozenset[str]:
    """Whom one has to believe: of the solvers that proved every condition one, whichever."""
    solvers = " and ".join(WORKERS[one].version for one in checked.solvers)
    return frozenset({READING} | ({EXACT} if checked.exact else set()) | ({solvers} if solvers else set()))
