"""What the answers of an accountant come to: a verdict in words, a row for each answer, and the curve of the worst."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP
from fractions import Fraction
from typing import Any

from refdp.accounting.judging.laws import Broken
from refdp.accounting.judging.questions import Put
from refdp.accounting.judging.readings import INFINITE, at_least, at_most, decimal
from refdp.accounting.judging.report import ORDER
from refdp.accounting.judging.verdicts import Allowance, Finding, Truth
from refdp.auditing.judges.accountant.compositions import Case
from refdp.auditing.judges.result import NOT_REFUTED, REFUTED, Counterexample, Curve, Evidence, Result, Row
from refdp.auditing.judges.single import unknown
from refdp.auditing.targets import Adapted

POINTS = 25
"""Points of the curve in a report."""
DRAWN, SECONDS = Fraction(1, 1000), 30.0
"""How narrow its bounds are, as shares of delta, and how long they may take."""
WITNESS = 80
"""Most characters of a witness in a table."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings on one composition, and the truth that they rest on."""

    case: Case
    findings: tuple[Finding, ...]
    truth: Truth


@dataclass(frozen=True, slots=True)
class Answers:
    """What was asked of whom."""

    target: Adapted
    neighbours: str
    theorem: str | None
    questions: tuple[Put, ...]
    allowance: Allowance

    def claim(self, about: Mapping[str, str], compositions: int) -> str:
        """What was judged, as a sentence."""
        who = " ".join(filter(None, [about.get("library", self.target.family), about.get("version", "")]))
        kind = "epsilon(delta)" if self.questions[0].kind == "epsilon" else "delta(epsilon)"
        if self.theorem:
            below = "the best value of the conversion from zCDP"
        else:
            below = f"the certified truth under {self.neighbours}"
        return f"{who}: no answer for {kind} is below {below}, for {compositions} compositions"

    @property
    def asked(self) -> str:
        """What is called."""
        return str(self.target.spec.get("text", self.target.spec.get("function", self.target.family)))


def result(
    answers: Answers, judged: Sequence[Judged], broken: Sequence[Broken], about: Mapping[str, str],
    seen: Callable[[Sequence[Judged]], Fraction | None],
) -> Result:  # fmt: skip
    """REFUTED if any answer is certainly unsound; UNKNOWN if any is none or undecided; else NOT_REFUTED.

    `seen` gives the share by which answers that were planted were too low, and were refuted; UNKNOWN where
    it gives none.
    """
    found = [(one, finding) for one in judged for finding in one.findings]
    claim = answers.claim(about, len(judged))
    common: dict[str, Any] = {
        "samples": len(answers.questions) * len(judged), "about": about, "scope": scope(answers, judged, broken),
        "not_tested": ["other compositions, and other numbers than those listed"], "trusts": trusts(judged, answers),
        "attached": {"laws": [law.as_json() for law in broken]} if broken else {},
    }  # fmt: skip
    one, worst = min(found, key=lambda pair: (ORDER.index(pair[1].verdict), -size(pair[1])))
    rows = tuple(row(each.case, finding) for each, finding in found)
    if worst.verdict == "UNSOUND":
        evidence = Evidence(counterexample(one.case, worst), curve(answers, one, worst), rows=rows)
        return Result(REFUTED, claim, refuted(found, one, worst), witness(one, worst), evidence=evidence, **common)
    evidence = Evidence(curve=curve(answers, one, worst), rows=rows)
    if worst.verdict in ("ERROR", "UNKNOWN"):
        return unknown(claim, f"{question(one.case, worst)}: {worst.sentence}", evidence=evidence, **common)
    share = seen(judged)
    if share is None:
        return unknown(claim, UNSEEING, evidence=evidence, **common)
    return Result(NOT_REFUTED, claim, sound(found), evidence=evidence, power=power(share), **common)


UNSEEING = "no violation would have been seen: answers that are too low were planted, and not refuted"


def size(finding: Finding) -> Fraction:
    """By how much an answer is unsound at least, as a share of the truth."""
    return Fraction(finding.relative) if finding.relative < INFINITE else Fraction(2**64)


def asked(finding: Finding) -> str:
    """The number that was asked for."""
    return f"{finding.kind}({decimal(finding.at)})"


def question(case: Case, finding: Finding) -> str:
    """What was asked, in words."""
    return f"{asked(finding)} for {case.label}" if case.label else asked(finding)


def said(finding: Finding) -> str:
    """What was answered."""
    return finding.said if isinstance(finding.said, str) else decimal(finding.said)


def row(case: Case, finding: Finding) -> Row:
    """The question, the answer, the certified bounds and the verdict, with its size."""
    about = question(case, finding) + (", from below" if finding.side == "lower" else "")
    told = f"{finding.verdict}: {finding.sentence}"
    return Row(about, said(finding), at_least(finding.truth[0]), at_most(finding.truth[1]), told)


def refuted(found: Sequence[tuple[Judged, Finding]], one: Judged, worst: Finding) -> str:
    """The verdict in words."""
    count = sum(finding.verdict == "UNSOUND" for _, finding in found)
    bound = "at least" if worst.side == "upper" else "at most"
    truth = at_least(worst.truth[0]) if worst.side == "upper" else at_most(worst.truth[1])
    return (
        f"Certified: {count} of {len(found)} answers are unsound; at worst {question(one.case, worst)} is "
        f"{bound} {truth}, where {said(worst)} was answered, which is {at_least(worst.by[0], 3)} on the wrong side."
    )


def witness(one: Judged, worst: Finding) -> str:
    """The worst answer, for tables."""
    wrong = "too low" if worst.side == "upper" else "too high"
    answer = worst.said if isinstance(worst.said, str) else decimal(worst.said, 5, ROUND_HALF_UP)
    text = f"{asked(worst)} = {answer} is {at_least(worst.by[0], 3)} {wrong}: {one.case.label}"
    return text if len(text) <= WITNESS else f"{text[: WITNESS - 3]}..."


def counterexample(case: Case, worst: Finding) -> Counterexample:
    """The worst answer beside the truth."""
    name = question(case, worst)
    upper = worst.side == "upper"
    truth = f">= {at_least(worst.truth[0])}" if upper else f"<= {at_most(worst.truth[1])}"
    composed = "; ".join(map(shown, case.events)) or f"rho = {case.rho}"
    return Counterexample(
        (f"x = {(*case.x, float(worst.at))}", composed), (said(worst),),
        f"{name} {'<=' if upper else '>='} {said(worst)}", f"{name} {truth}, certified",
    )  # fmt: skip


def shown(event: Mapping[str, Any]) -> str:
    """An event of the file, with the numbers that were put in."""
    return ", ".join(f"{key} = {shown(one) if isinstance(one, Mapping) else one}" for key, one in event.items())


def sound(found: Sequence[tuple[Judged, Finding]]) -> str:
    """The verdict in words where nothing is unsound."""
    counts = {word: sum(finding.verdict == word for _, finding in found) for word in ORDER}
    told = ", ".join(f"{n} {word}" for word, n in counts.items() if n)
    one, loosest = max(found, key=lambda pair: size(pair[1]) if pair[1].verdict == "LOOSE" else Fraction(-1))
    loose = f"; at loosest {question(one.case, loosest)}: {loosest.sentence}" if loosest.verdict == "LOOSE" else ""
    return f"not refuted: each of {len(found)} answers is certainly sound ({told}){loose}"


def power(seen: Fraction) -> str:
    """What would have been seen, and was, where it was planted."""
    return f"would have seen an answer to one of these questions that is below the truth by {at_most(seen, 3)} of it"


def share(allowance: Allowance) -> str:
    """The allowance for rounding."""
    return at_most(allowance.rounding, 3)


def scope(answers: Answers, judged: Sequence[Judged], broken: Sequence[Broken]) -> list[str]:
    """What was asked, and what was allowed."""
    told = [f"{answers.asked}: {len(judged)} compositions, {len(answers.questions)} questions of each"]
    told.append(f"rounding: an answer may be on the wrong side of the truth by {share(answers.allowance)} of it")
    told.append(f"tight: within {at_most(answers.allowance.tight, 3)} of the truth")
    return told + [f"a broken law, which is not unsound by itself: {law}" for law in broken]


def trusts(judged: Sequence[Judged], answers: Answers) -> list[str]:
    """What the bounds rest on, and that the file composes what the recipe does."""
    reading = "rho of each question is as the file says" if answers.theorem else "the recipe composes the file's events"
    return [*sorted({name for one in judged for name in one.truth.trusts}), reading]


def curve(answers: Answers, one: Judged, worst: Finding) -> Curve | None:
    """delta(epsilon) around the worst answer: certified, and what the answers claim; coordinates only."""
    claims = [(f.said, f.at) if f.kind == "epsilon" else (f.at, f.said) for f in one.findings if f.side == "upper"]
    known = [(float(e), float(d)) for e, d in claims if not isinstance(e, str) and not isinstance(d, str)]
    known = [(e, d) for e, d in known if 0 <= e < INFINITE]
    if not known:
        return None
    largest = max(*(e for e, _ in known), *(float(f.truth[0]) for f in one.findings if f.kind == "epsilon"), 0.1)
    if not largest < INFINITE:
        return None
    epsilons = sorted({*(1.25 * largest * i / (POINTS - 1) for i in range(POINTS)), *(e for e, _ in known)})
    claimed = tuple(min((d for e, d in known if e <= at), default=None) for at in epsilons)
    drawn = one.case.truth(answers.neighbours, DRAWN, SECONDS, [Put("delta", at) for at in epsilons])
    exact = tuple(float(drawn.bounds("delta", Fraction(at))[0]) for at in epsilons)
    marked = float(worst.said if worst.kind == "epsilon" and not isinstance(worst.said, str) else worst.at)
    return Curve(tuple(epsilons), claimed, exact, marked=marked if worst.verdict == "UNSOUND" else None)
