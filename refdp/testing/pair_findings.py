"""What the counts of pairs of runs come to, as the outcome of a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from refdp.auditing.evidence.pair_tests import PairVerdict
from refdp.auditing.judges.drawing import stopped
from refdp.auditing.judges.privacy.judge import PrivacyJudge
from refdp.auditing.judges.privacy.planted import NO_ANSWER
from refdp.auditing.judges.result import UNSEEING, Result
from refdp.auditing.judges.task import Record
from refdp.testing.findings import ERROR, FAIL, INCONCLUSIVE, PASS, Finding
from refdp.testing.trials import Trial
from refdp.verdicts import REFUTED, UNKNOWN

BITS = ("low_bits", "residues")
"""The views of floats by their bits."""
HINT = " The bits of the floats tell the inputs apart: views=['output'] would look at sizes only."


def found_by(
    judge: PrivacyJudge, record: tuple[Record, Sequence[Record]], trial: Trial, detects: Fraction | None, invalid: int
) -> Finding:
    """FAIL where the claim is refuted; PASS where on each pair of inputs some epsilon would have been seen."""
    opening, chunks = record
    result, verdicts = judge.result(opening, chunks), verdicts_of(judge, opening, chunks)
    outcome, sentence = decided(result, verdicts, detects, invalid)
    overruled = outcome == ERROR and result.verdict != UNKNOWN
    if overruled:
        result = replace(result, verdict=UNKNOWN, reason=sentence, sentence=sentence)
    e = max((v.e_value.log10 for v in verdicts), default=None)
    pairs = sum(v.pairs for v in verdicts)
    return Finding(
        outcome, sentence, result, trial.alpha, pairs, e, result.power, judge.task.kind, (), judge.task.fields,
        {"opening": opening, "chunks": list(chunks)}, overruled,
    )  # fmt: skip


def seen_by(judge: PrivacyJudge, record: tuple[Record, Sequence[Record]]) -> tuple[int, bool, str]:
    """How many pairs of runs there were, whether some refute the claim, and why nothing is said, where that is so."""
    opening, chunks = record
    known = list(chain.from_iterable(judge.histories(opening, chunks)))
    draws = sum(sum(history.total.values()) for history in known)
    return draws, any(history.crossed is not None for history in known), stopped(opening, chunks)


def verdicts_of(judge: PrivacyJudge, opening: Record, chunks: Sequence[Record]) -> list[PairVerdict]:
    """The verdict on each pair of inputs."""
    verdicts = (history.verdict for history in chain.from_iterable(judge.histories(opening, chunks)))
    return [one for one in verdicts if one is not None]


def decided(result: Result, verdicts: Sequence[PairVerdict], detects: Fraction | None, invalid: int) -> tuple[str, str]:
    """The outcome and its sentence."""
    if result.verdict == REFUTED:
        return FAIL, result.sentence + (HINT if any(f"({view}" in result.sentence for view in BITS) else "")
    silent = result.reason.startswith(UNSEEING) or result.reason.endswith(NO_ANSWER)
    if result.verdict == UNKNOWN and not (silent and invalid or result.reason.startswith(UNSEEING)):
        return ERROR, result.reason
    if invalid:
        return ERROR, f"the function gave NaN in {invalid} outputs; if that is an answer, say allow_nan=True"
    if result.verdict == UNKNOWN or any(v.epsilon is None for v in verdicts):
        return INCONCLUSIVE, result.sentence
    if detects is not None and any(v.epsilon is None or v.epsilon > detects for v in verdicts):
        return INCONCLUSIVE, f"too few pairs to see epsilon >= {detects}: {result.sentence}"
    return PASS, result.sentence
