"""What pairs of outputs come to: the verdict over all pairs of inputs, in words, with the event that says most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence import pair_tests
from refdp.auditing.evidence.pair_tests import Verdict
from refdp.auditing.evidence.tallies import shown
from refdp.auditing.judges.result import Counterexample, Evidence, Result
from refdp.testing.findings import ERROR, FAIL, INCONCLUSIVE, PASS, Finding, Mutant
from refdp.testing.pair_runs import Question, Watched
from refdp.testing.reporting import VERDICTS, ledger_line, wealth
from refdp.testing.trials import Trial

LOW_BITS = "low bits"
HINT = "; the bits of the floats tell the inputs apart (views=['output'] would look at sizes only)"
NOT_TESTED = (
    "other pairs of inputs", "events that were not learned", "whether runs are independent of each other",
    "time, memory and other side channels",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """An outcome with its reason, the pair of inputs that it rests on, and what would have been seen."""

    outcome: str
    reason: str
    place: int
    verdict: Verdict
    power: str = ""


def judged(question: Question, known: Sequence[Watched], detects: Fraction | None, allow_nan: bool) -> Judged:
    """The verdict: FAIL by the first pair of inputs that refutes, else by what would have been seen on each."""
    for place, one in enumerate(known):
        if one.e_value.refutes(one.test.alpha):
            return _refuted(one, place)
    verdicts = [pair_tests.judge(one.test, one.counts) for one in known]
    place = max(range(len(known)), key=lambda i: (verdicts[i].epsilon is None, verdicts[i].epsilon or 0))
    weakest, power = verdicts[place], _power(question, verdicts)
    if not allow_nan and (broken := sum(one.invalid for one in known)):
        text = f"the function gave NaN in {broken} outputs; if that is an answer, say allow_nan=True"
        return Judged(ERROR, text, place, weakest, power)
    short = weakest.epsilon is None or detects is not None and weakest.epsilon > detects
    wanted = "" if detects is None else f", which is to see epsilon >= {detects}"
    text = f"not refuted by {weakest.pairs} pairs{f', too few{wanted}' if short else ''}; {power}"
    return Judged(INCONCLUSIVE if short else PASS, text, place, weakest, power)


def _refuted(one: Watched, place: int) -> Judged:
    """FAIL on this pair of inputs."""
    verdict = pair_tests.judge(one.test, one.counts)
    if verdict.outcome is pair_tests.Outcome.REFUTED:
        hint = HINT if verdict.event.name.startswith(LOW_BITS) else ""
        return Judged(FAIL, f"{verdict.reason}{hint}", place, verdict)
    return Judged(FAIL, f"{one.test.claim} is refuted by earlier nights and this one together", place, verdict)


def _power(question: Question, verdicts: Sequence[Verdict]) -> str:
    """What would have been seen on each pair of inputs."""
    found = [f"epsilon >= {_up(v.epsilon)} through {v.event.name}" if v.epsilon is not None else "nothing yet"
             for v in verdicts]  # fmt: skip
    if len(found) == 1:
        return f"would have been seen with probability 0.999: {found[0]}"
    told = "; ".join(f"{_inputs(pair)}: {text}" for pair, text in zip(question.pairs, found, strict=True))
    return f"would have been seen with probability 0.999: {told}"


def _up(x: Fraction | None) -> str:
    """A bound, rounded up to three places."""
    return "" if x is None else f"{float(-(-x * 1000 // 1)) / 1000:.3f}"


def _inputs(pair: tuple[Any, Any]) -> str:
    """A pair of inputs as text."""
    return f"{shown(pair[0])} against {shown(pair[1])}"


def finding(
    claim: str, kind: str, trial: Trial, question: Question, known: Sequence[Watched], found: Judged,
    mutants: tuple[Mutant, ...] = (),
) -> Finding:  # fmt: skip
    """The verdict as a finding."""
    pairs, one, verdict = sum(w.pairs for w in known), known[found.place], found.verdict
    e = max(w.e_value.log10 for w in known)
    evidence = Evidence(
        counterexample=_counterexample(question, found) if found.outcome == FAIL else None,
        wealth=wealth(one.path, question.alpha),
        ledger=tuple(ledger_line(f"{trial.name} {_inputs(pair)}", claim, question.alpha, w.pairs, w.e_value.log10)
                     for pair, w in zip(question.pairs, known, strict=False)),
    )  # fmt: skip
    result = Result(
        VERDICTS[found.outcome], claim, found.reason,
        witness=f"{verdict.event.name}: {pair_tests.told(verdict.counts)}"[:80] if found.outcome == FAIL else "",
        reason="" if found.outcome in (PASS, FAIL) else found.reason,
        error=trial.alpha, power=found.power, samples=pairs,
        scope=tuple(map(_inputs, question.pairs)), not_tested=NOT_TESTED, evidence=evidence,
    )  # fmt: skip
    record = {"pairs": [_record(w) for w in known]}
    return Finding(found.outcome, found.reason, result, trial.alpha, pairs, e, found.power, kind, mutants, record)


def _record(one: Watched) -> dict[str, Any]:
    """The counts that a verdict follows from: events, and for each pair of masks how many pairs of outputs."""
    events = [{"event": e.name, "direction": e.direction, "weight": str(e.weight)} for e in one.test.events]
    return {
        "events": events,
        "counts": [[first, second, n] for (first, second), n in sorted(one.counts.items())],
        "earlier_ln": None if one.earlier.ln is None else str(one.earlier.ln.lower),
    }


def _counterexample(question: Question, found: Judged) -> Counterexample:
    """Both inputs, the event and how often it came."""
    pair, seen, event = question.pairs[found.place], found.verdict.counts, found.verdict.event
    often = (seen.both + seen.first, seen.both + seen.second)[:: event.direction]
    counts = tuple(f"{k} of {seen.pairs}" for k in often)
    v = found.verdict.epsilon
    told = f"epsilon >= {float(v):.4g} at delta = {question.claim.delta}" if v is not None else "more than claimed"
    return Counterexample(tuple(map(shown, pair)), (), str(question.claim), told, event.name, counts)
