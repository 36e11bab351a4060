"""What the scales of a library come to: a verdict in words, and a row for each claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.accounting.judging.readings import Extended, at_least, at_most, decimal
from refdp.accounting.judging.report import ORDER
from refdp.auditing.judges.result import NOT_REFUTED, REFUTED, Counterexample, Curve, Evidence, Result, Row
from refdp.auditing.judges.single import unknown
from refdp.auditing.targets import Adapted


@dataclass(frozen=True, slots=True)
class Question:
    """A claim for which noise is asked, in the floats that are put to the library."""

    epsilon: float
    delta: float
    sensitivity: float

    def given(self, asks: Sequence[str]) -> tuple[float, ...]:
        """The input of the library."""
        return tuple(getattr(self, name) for name in asks)

    def __str__(self) -> str:
        return f"epsilon = {self.epsilon:g}, delta = {self.delta:g}, sensitivity = {self.sensitivity:g}"


@dataclass(frozen=True, slots=True)
class Checked:
    """A scale and its verdict: one of those of accountants; `low` and `high` enclose its exact delta."""

    question: Question
    scale: str
    verdict: str
    sentence: str
    low: Extended = Fraction(0)
    high: Extended = Fraction(1)

    @property
    def row(self) -> Row:
        """As evidence."""
        delta = at_least(self.low), at_most(self.high)
        return Row(f"scale for {self.question}", self.scale, *delta, f"{self.verdict}: {self.sentence}")


def result(
    target: Adapted, noise: str, rounding: Fraction, found: Sequence[Checked], about: Mapping[str, str],
    curve: Callable[[Checked], Curve | None], seen: Callable[[], Fraction | None],
) -> Result:  # fmt: skip
    """REFUTED if any scale is certainly too small; UNKNOWN if any is none or undecided; else NOT_REFUTED.

    `seen` gives the share by which scales that were planted were too short, and were refuted; UNKNOWN where
    it gives none.
    """
    who = " ".join(filter(None, [about.get("library", target.family), about.get("version", "")]))
    claim = f"{who}: {noise} noise of the scale that it answers is private as claimed, for {len(found)} claims"
    worst = min(found, key=lambda one: (ORDER.index(one.verdict), one.question.delta - float(one.low)))
    allowed = f"short of what is needed by {at_most(rounding, 3)} of it"
    example = counterexample(worst) if worst.verdict == "UNSOUND" else None
    common: dict[str, Any] = {
        "samples": len(found), "about": about, "trusts": ["Arb", f"the library adds {noise} noise of that scale"],
        "scope": [f"{len(found)} claims", f"rounding: a scale may be {allowed}"],
        "not_tested": ["other claims than those listed", "whether the noise that is drawn has that law"],
        "evidence": Evidence(example, curve(worst), rows=tuple(one.row for one in found)),
    }  # fmt: skip
    told, of = f"for {worst.question}: {worst.sentence}", len(found)
    if worst.verdict == "UNSOUND":
        count = sum(one.verdict == "UNSOUND" for one in found)
        sentence = f"Certified: {count} of {of} scales are too small; at worst, {told}"
        return Result(REFUTED, claim, sentence, witness(worst), **common)
    if worst.verdict in ("ERROR", "UNKNOWN"):
        return unknown(claim, told, **common)
    sentence = f"not refuted: each of {of} scales certainly suffices; {told}"
    share = seen()
    if share is None:
        return unknown(claim, "no violation would have been seen: none could be planted that was refuted", **common)
    power = f"a scale that is short of what is needed by {at_most(share, 3)} of it, or by more"
    return Result(NOT_REFUTED, claim, sentence, power=power, **common)


def witness(worst: Checked) -> str:
    """The worst scale, for tables."""
    q = worst.question
    return f"delta({q.epsilon:g}) >= {at_least(worst.low, 4)}, claimed {q.delta:g}, scale {float(worst.scale):.4g}"[:80]


def counterexample(worst: Checked) -> Counterexample:
    """The worst scale, for a reader."""
    q = worst.question
    claimed, found = (
        f"delta({q.epsilon:g}) <= {decimal(Fraction(q.delta))}",
        f"delta({q.epsilon:g}) >= {at_least(worst.low)}",
    )
    return Counterexample((str(q),), (f"scale {worst.scale}",), claimed, f"{found}, certified")
