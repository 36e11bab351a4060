"""What the counts of a sampler come to: the verdict in words, with what a report draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence import plants, sequences
from refdp.auditing.evidence.sampler_tests import Outcome, SamplerVerdict
from refdp.auditing.judges import drawing
from refdp.auditing.judges.inputs import shown
from refdp.auditing.judges.law.histories import History
from refdp.auditing.judges.law.pictures import evidence_of
from refdp.auditing.judges.law.planted import seen
from refdp.auditing.judges.law.reading import JudgedLaw, Question
from refdp.auditing.judges.result import UNSEEING, Counterexample, Result
from refdp.auditing.judges.rounding import bounds, number, upwards
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN

NOT_TESTED = (
    "whether draws are independent of each other",
    "errors of another kind than those whose power is stated",
    "time, memory and other side channels",
)
TRUSTS = ("runs are independent of each other", "the process tells what its target gave")


def result(asked: Question, alpha: Fraction, opening: Mapping[str, Any], histories: Sequence[History]) -> Result:
    """The result of all sets of parameters: that of the first one that is refuted, else of the first one in doubt."""
    told = [history.verdict() for history in histories]
    refuted = [i for i, v in enumerate(told) if v.outcome is Outcome.FAIL]
    stopped = opening["stopped"] or next((h.stopped for h in histories if h.stopped), "")
    if drawing.repeated([begun for h in histories for begun in h.begun]):
        stopped, refuted = drawing.REPEATS, []
    errors = [i for i, v in enumerate(told) if v.outcome is Outcome.ERROR]
    common: dict[str, Any] = {
        "claim": claim(asked), "samples": sum(v.draws for v in told), "about": dict(opening["about"]),
        "scope": scope(asked, told), "not_tested": NOT_TESTED, "trusts": TRUSTS,
    }  # fmt: skip
    if refuted:
        return _refuted(asked, alpha, histories, told, refuted[0], common)
    evidence = evidence_of(histories, told, errors[0] if errors else _least(told))
    if stopped or errors:
        reason = stopped or told[errors[0]].reason
        sentence = f"Nothing is said of the law: {reason}"
        return Result(UNKNOWN, sentence=sentence, reason=reason, evidence=evidence, **common)
    planted = [seen(c.law, asked.resolution, v.draws) for c, v in zip(asked.cases, told, strict=True)]
    sentence, power = _not_refuted(told, alpha, list(dict.fromkeys(name for names in planted for name in names)))
    if not all(planted):
        reason = f"{UNSEEING}: wrong laws were planted, and not seen in so many draws"
        return Result(UNKNOWN, sentence=f"{sentence} {reason}.", reason=reason, evidence=evidence, **common)
    return Result(NOT_REFUTED, sentence=sentence, power=power, error=alpha, evidence=evidence, **common)


def claim(asked: Question) -> str:
    """What is judged, as a sentence."""
    laws = list(dict.fromkeys(_around(case.law) for case in asked.cases))
    told = laws[0] if len(laws) == 1 else f"{', '.join(laws[:-1])} and {laws[-1]}, each for its parameters"
    return f"The outputs are independent draws of {told}."


def _around(law: JudgedLaw) -> str:
    location, step = law.reference.location, law.reference.granularity
    where = f" around {number(location)}" if location else ""
    return f"{law.name}{f' on a grid of {number(step)}' if step != 1 else ''}{where}"


def scope(asked: Question, told: Sequence[SamplerVerdict]) -> list[str]:
    """What was tested."""
    return [
        f"{case.law.name}, input {shown(case.input, 60)}: {verdict.draws} draws"
        for case, verdict in zip(asked.cases, told, strict=True)
    ]


def _least(told: Sequence[SamplerVerdict]) -> int:
    """The set with the greatest e-value: the one that is nearest to being refuted."""
    return max(range(len(told)), key=lambda i: told[i].e_value.log10)


def _refuted(
    asked: Question, alpha: Fraction, histories: Sequence[History], told: Sequence[SamplerVerdict], place: int,
    common: Mapping[str, Any],
) -> Result:  # fmt: skip
    """REFUTED, by one set of parameters."""
    verdict, case = told[place], asked.cases[place]
    error = alpha if verdict.error else Fraction(0)
    stated = f"at error <= {upwards(error)}" if error else "without statistics"
    sentence = f"Refuted {stated}, after {verdict.draws} draws: {verdict.reason}."
    witness = verdict.reason if verdict.witness is None else _cell(verdict)
    return Result(
        REFUTED, sentence=sentence, witness=witness[:80], error=error,
        evidence=evidence_of(histories, told, place, counterexample(verdict, case.law, case.input)), **common,
    )  # fmt: skip


def _cell(verdict: SamplerVerdict) -> str:
    """The cell that betrays it, in few words."""
    w = verdict.witness
    if w is None:
        return ""
    return f"{w.cell}: {w.count} of {verdict.draws}, at most {float(w.expected):.5g} expected"


def counterexample(verdict: SamplerVerdict, law: JudgedLaw, given: Any) -> Counterexample:
    """The cell, how often it came, and what its probability may be at the test's error, from the counts."""
    w = verdict.witness
    if w is None:
        value = verdict.reason.partition(": ")[2]
        return Counterexample((shown(given),), (value,), f"{law.name} never gives it", "it came")
    n, share = verdict.draws, w.expected / verdict.draws
    low, high = (f(n, w.count, verdict.error / 2) for f in (sequences.at_least, sequences.at_most))
    return Counterexample(
        (shown(given),), (f"{w.count} of {n} draws",), f"probability <= {upwards(share)}",
        f"frequency {w.count / n:.6g}; {w.arm} explains all counts better", w.cell, (f"{w.count} of {n}",),
        (bounds(low, high),),
    )  # fmt: skip


def _not_refuted(told: Sequence[SamplerVerdict], alpha: Fraction, planted: Sequence[str]) -> tuple[str, str]:
    """The sentence and what would have been seen, and was, where it was planted."""
    draws = " and ".join(str(n) for n in sorted({v.draws for v in told}))
    short = [v for v in told if v.outcome is Outcome.INCONCLUSIVE]
    runs = f"planted, and seen in {plants.ENOUGH} of {plants.RUNS} runs or more"
    if short:
        least = min((p for v in short for _, p in v.power), default=Fraction(0))
        reached = (
            f"power was not reached: a stated error would have been seen with probability >= {float(least):.3g} only"
        )
        power = f"{reached}; {', '.join(planted)}: {runs}" if planted else reached
        return f"Not refuted by {draws} draws, too few to have seen each stated error: {power}.", power
    names = ", ".join(dict.fromkeys(name for v in told for name, _ in v.power))
    power = f"{names}: each would have been seen with probability >= 0.999"
    return f"Not refuted by {draws} draws at error {upwards(alpha)}; {power}; {runs}.", power
