"""Random claims about random programs, judged by refdp and by CPython: which of refdp's verdicts are wrong."""

from __future__ import annotations

from dataclasses import dataclass

from tests.fuzzing.claims import Claim, claim
from tests.fuzzing.finding import Finding
from tests.fuzzing.judges import ERROR, SECONDS, Answer, program_verdict
from tests.fuzzing.truth import truth_of
from tests.fuzzing.walking import Unjudged


@dataclass(frozen=True, slots=True)
class Judged:
    """One claim, what refdp says of it, and what CPython says of that."""

    asked: Claim
    answer: Answer
    finding: Finding | None
    is_judged: bool
    """Whether CPython could have contradicted the verdict."""


def judged(seed: int, second_judge: bool, seconds: float = SECONDS) -> Judged:
    """The claim of that number, with a finding if the verdict is wrong."""
    asked = claim(seed)
    answer = program_verdict(asked.asked.text, asked.asked.name, second_judge, seconds)
    if answer.verdict == ERROR:
        return Judged(asked, answer, finding_of(asked, answer, "no exception is foreseen", answer.reason), True)
    if answer.verdict == "UNKNOWN":
        return Judged(asked, answer, None, True)
    try:
        why = contradiction(asked, answer)
    except Unjudged:
        return Judged(asked, answer, None, False)
    return Judged(asked, answer, why and finding_of(asked, answer, *why), True)


def contradiction(asked: Claim, answer: Answer) -> tuple[str, str] | None:
    """What CPython shows, and how that contradicts the verdict.  Unjudged where it shows nothing."""
    truth = truth_of(asked.asked, asked.seed)
    if answer.verdict == "PROVED":
        found = truth.violation()
        return found and (str(found), "a pair and an event exceed what was PROVED")
    if answer.counterexample is None:
        return "there is no counterexample", "REFUTED by nothing"
    wrong = truth.contradiction(answer.counterexample)
    return wrong and (wrong, f"REFUTED by {answer.counterexample}")


def finding_of(asked: Claim, answer: Answer, truth: str, why: str) -> Finding:
    """The finding."""
    return Finding(asked.seed, asked.asked.text, asked.claimed, answer.verdict, truth, why)
