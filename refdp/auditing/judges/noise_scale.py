"""How much noise a library adds for a claim: the scale that it answers, and the exact privacy of noise of that scale.

The recipe, or the function, takes x = (epsilon, delta, sensitivity), or those that `asks` lists in its order, and
answers with the scale.  Fields:
    noise = "gaussian"                  or laplace, discrete_gaussian, discrete_laplace
    epsilons = ["1", "10"], deltas = ["1e-5"], sensitivities = [1]
    asks = ["epsilon", "delta", "sensitivity"]
    rounding = "1e-12"                  a scale may be short of what is needed by this share of it; 2^-40 unless given
    seconds = 30                        refdp's own work for one question
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isfinite
from typing import Any

from refdp.accounting.accounts import Limits
from refdp.accounting.calibrating import Calibration, calibrate
from refdp.accounting.judging.questions import Put
from refdp.accounting.judging.readings import INFINITE, Extended, Unreadable, at_least, at_most, decimal, extended
from refdp.accounting.judging.truth import WIDTH, truth_of
from refdp.accounting.judging.verdicts import ORDER
from refdp.accounting.losses import LossError
from refdp.auditing.judges.accountant import allowance_of, share
from refdp.auditing.judges.result import UNSEEING, Counterexample, Curve, Evidence, Result, Row
from refdp.auditing.judges.single import FAILED, Single, asked, outcomes, put, the_target, unknown, who
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Outcome
from refdp.auditing.targets import outcomes as kinds
from refdp.verdicts import NOT_REFUTED, REFUTED

NOISES = {"gaussian": "sigma", "laplace": "scale", "discrete_gaussian": "sigma", "discrete_laplace": "scale"}
"""Noise -> its parameter."""
ASKS = ("epsilon", "delta", "sensitivity")
SHARES = tuple(Fraction(1, k) for k in (10**12, 10**9, 10**5, 10**4, 1000, 100, 10, 2))
"""By how much planted scales are too short, as shares of what is needed, beyond the allowance for rounding."""
DIGITS = 6
"""Digits of the scale that is needed."""
POINTS, DRAWN = 25, Fraction(1, 1000)
"""Points of a curve, and how narrow its bounds are."""


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

    @property
    def witness(self) -> str:
        """For tables."""
        q = self.question
        least, scale = at_least(self.low, 4), float(self.scale)
        return f"delta({q.epsilon:g}) >= {least}, claimed {q.delta:g}, scale {scale:.4g}"[:80]

    @property
    def counterexample(self) -> Counterexample:
        """For a reader."""
        delta = f"delta({self.question.epsilon:g})"
        claimed, found = decimal(Fraction(self.question.delta)), f"{delta} >= {at_least(self.low)}, certified"
        return Counterexample((str(self.question),), (f"scale {self.scale}",), f"{delta} <= {claimed}", found)


@dataclass(frozen=True, slots=True)
class NoiseScale(Single):
    """The scales that a library answers for claims, judged."""

    target: Adapted
    noise: str
    questions: tuple[Question, ...]
    asks: tuple[str, ...]
    rounding: Fraction
    seconds: int

    def opening(self) -> Record:
        """The outcome for each claim."""
        return asked(self.target, "call", [q.given(self.asks) for q in self.questions])

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """The exact delta of noise of each scale, worked out anew, beside the delta that is claimed.

        REFUTED if any scale is certainly too small; UNKNOWN if any is none or undecided, or no planted scale that is
        too short was refuted; else NOT_REFUTED.
        """
        if FAILED in opening:
            return unknown(f"{self.noise} noise suffices for what is claimed", opening[FAILED])
        pairs = zip(self.questions, outcomes(opening), strict=True)
        found = [self._checked(*pair) for pair in pairs]
        about, of = opening["about"], len(found)
        claim = f"{who(about, self.target)}: {self.noise} noise of the scale that it answers is private as claimed"
        claim = f"{claim}, for {of} claims"
        worst = min(found, key=lambda one: (ORDER.index(one.verdict), one.question.delta - float(one.low)))
        example = worst.counterexample if worst.verdict == "UNSOUND" else None
        common: dict[str, Any] = {
            "samples": of, "about": about, "trusts": ["Arb", f"the library adds {self.noise} noise of that scale"],
            "scope": [f"{of} claims", f"rounding: a scale may be short of what is needed by {share(self.rounding)}"],
            "not_tested": ["other claims than those listed", "whether the noise that is drawn has that law"],
            "evidence": Evidence(example, self._curve(worst), rows=tuple(one.row for one in found)),
        }  # fmt: skip
        told = f"for {worst.question}: {worst.sentence}"
        if worst.verdict == "UNSOUND":
            count = sum(one.verdict == "UNSOUND" for one in found)
            sentence = f"Certified: {count} of {of} scales are too small; at worst, {told}"
            return Result(REFUTED, claim, sentence, worst.witness, **common)
        if worst.verdict in ("ERROR", "UNKNOWN"):
            return unknown(claim, told, **common)
        seen = self._seen()
        if seen is None:
            return unknown(claim, f"{UNSEEING}: none could be planted that was refuted", **common)
        sentence = f"not refuted: each of {of} scales certainly suffices; {told}"
        power = f"a scale that is short of what is needed by {share(seen)}, or by more"
        return Result(NOT_REFUTED, claim, sentence, power=power, **common)

    def _checked(self, question: Question, outcome: Outcome) -> Checked:
        """The verdict on one scale."""
        try:
            scale = extended(outcome.value) if outcome.kind == kinds.VALUE else None
        except Unreadable as unreadable:
            return Checked(question, "none", "ERROR", str(unreadable))
        if scale is None:
            return Checked(question, "none", "ERROR", str(outcome))
        if scale < 0:
            return Checked(question, decimal(scale), "ERROR", "a scale is never negative")
        try:
            return self._judged(question, scale)
        except LossError as error:
            return Checked(question, decimal(scale), "ERROR", str(error))

    def _judged(self, question: Question, scale: Extended) -> Checked:
        """The verdict on a scale >= 0: UNSOUND only if the scale would not do with its share of rounding, either."""
        low, high = self._delta(question, scale)
        told = f"delta({decimal(question.epsilon)}) is from {at_least(low, 6)} to {at_most(high, 6)}"
        claimed = Fraction(question.delta)
        if high <= claimed:
            return self._sound(question, scale, (low, high), told)
        rounded = (low, high) if scale == INFINITE else self._delta(question, scale / (1 - self.rounding))
        if rounded[0] > claimed:
            word, told = "UNSOUND", f"{told}, where {decimal(claimed)} is claimed{self._needed(question)}"
        elif rounded[1] <= claimed:
            word, told = "TIGHT", f"{told}; short by no more than rounding"
        else:
            word, told = "UNKNOWN", f"{told}, which does not decide"
        return Checked(question, decimal(scale), word, told, low, high)

    def _seen(self) -> Fraction | None:
        """The least of SHARES by which scales for each claim may be too short and are seen to be, being planted.

        None where not even the last was seen, or where it is not known what is needed.
        """
        needed = [self._enough(question) for question in self.questions]
        if None in needed:
            return None
        known = [(q, n) for q, n in zip(self.questions, needed, strict=True) if n is not None]
        shares = [self.rounding + share for share in SHARES]
        return next((s for s in shares if all(self._refuted(q, n * (1 - s)) for q, n in known)), None)

    def _refuted(self, question: Question, scale: Fraction) -> bool:
        """Whether a planted scale is, read and judged as the target's are."""
        return self._checked(question, Outcome(kinds.VALUE, scale)).verdict == "UNSOUND"

    def _enough(self, question: Question) -> Fraction | None:
        """A scale that is enough, nearly the least."""
        if question.delta > 0:
            found = self._calibration(question)
            return found.meets if found else None
        pure = Fraction(question.sensitivity) / Fraction(question.epsilon) if question.epsilon > 0 else None
        return pure if pure is not None and self._delta(question, pure)[1] == 0 else None

    def _delta(self, question: Question, scale: Extended) -> tuple[Extended, Extended]:
        """Certified bounds of delta at the epsilon, for noise of that scale."""
        if scale in (0, INFINITE):
            nothing = Fraction(scale == 0)  # with no noise at all, outputs tell neighbours apart
            return nothing, nothing
        about = Put("delta", question.epsilon)
        return truth_of([self._event(question, scale)], "none", WIDTH, self.seconds, [about]).bounds(*about.exactly)

    def _event(self, question: Question, scale: object) -> dict[str, Any]:
        """The noise, as refdp accounts for it."""
        return {"mechanism": self.noise, NOISES[self.noise]: scale, "sensitivity": Fraction(question.sensitivity)}

    def _curve(self, worst: Checked) -> Curve | None:
        """delta(epsilon) of the noise of that scale, beside the claimed point; coordinates only."""
        scale, marked = None if worst.verdict == "ERROR" else float(worst.scale), worst.question.epsilon
        if not scale or not isfinite(scale):
            return None
        epsilons = sorted({marked, *(1.5 * max(marked, 0.1) * i / (POINTS - 1) for i in range(POINTS))})
        asked_for = [Put("delta", epsilon) for epsilon in epsilons]
        found = truth_of([self._event(worst.question, Fraction(scale))], "none", DRAWN, self.seconds, asked_for)
        exact = tuple(float(found.bounds(*one.exactly)[0]) for one in asked_for)
        claimed = tuple(worst.question.delta if epsilon >= marked else None for epsilon in epsilons)
        return Curve(tuple(epsilons), claimed, exact, marked=marked)

    def _sound(self, question: Question, scale: Extended, delta: tuple[Extended, Extended], told: str) -> Checked:
        """A scale that suffices: by how much it is more than is needed, where that is known."""
        found, word = self._calibration(question), "SOUND"
        if found and found.fails and scale < INFINITE:
            ratio = Fraction(scale) / found.fails
            word = "LOOSE" if ratio > 1 + Fraction(1, 1000) else "TIGHT"
            told = f"{told}; at most {at_most(ratio, 5)} times what is needed"
        return Checked(question, decimal(scale), word, told, *delta)

    def _needed(self, question: Question) -> str:
        """What scale would do."""
        found = self._calibration(question)
        return f"; {NOISES[self.noise]} = {at_most(found.meets, DIGITS)} would do" if found and found.meets else ""

    def _calibration(self, question: Question) -> Calibration | None:
        """The scale that is needed; None where delta is 0."""
        if not 0 < question.delta < 1:
            return None
        spec = {"neighbours": "none", "events": [self._event(question, "?")]}
        limits = Limits(timeout=self.seconds)
        return calibrate(spec, Fraction(question.epsilon), Fraction(question.delta), digits=DIGITS, limits=limits)


def judge(task: Task, alpha: Fraction) -> NoiseScale:
    """The judge of a task; there are no statistics, so nothing of alpha is used."""
    fields = Fields(task.fields, "target.")
    noise = fields.one_of("noise", tuple(NOISES))
    asks = fields.words("asks", ASKS, least=0)
    found = [_numbers(fields, name, default) for name, default in LISTS.items()]
    questions = tuple(_question(*numbers) for numbers in product(*found))
    rounding, seconds = allowance_of(fields).rounding, fields.whole("seconds", 30)
    fields.done()
    judged = NoiseScale(the_target(task), noise, questions, asks, rounding, seconds)
    for question in questions:
        _check(judged, question)
    return judged


LISTS: dict[str, list[Any] | None] = {"epsilons": None, "deltas": [0], "sensitivities": [1]}
"""The fields that list numbers, and what they are unless given."""


def _numbers(fields: Fields, name: str, default: list[Any] | None) -> list[float]:
    """The numbers of a field."""
    found = fields.of(name, list, "a list of numbers", ... if default is None else default)
    if not found:
        raise TaskError(f"target.{name} must list at least one number, got none")
    return [float(put(value, name)) for value in found]


def _question(epsilon: float, delta: float, sensitivity: float) -> Question:
    """A claim; TaskError unless epsilon >= 0, 0 <= delta < 1 and sensitivity > 0."""
    if not (epsilon >= 0 and 0 <= delta < 1 and sensitivity > 0):
        raise TaskError(
            "a claim must have epsilon >= 0, delta from 0 to below 1 and sensitivity > 0, got "
            f"epsilon = {epsilon}, delta = {delta}, sensitivity = {sensitivity}"
        )
    return Question(epsilon, delta, sensitivity)


def _check(judged: NoiseScale, question: Question) -> None:
    """TaskError where refdp has no bounds for such noise."""
    try:
        judged._delta(question, Fraction(1))
    except (LossError, ValueError) as error:
        raise TaskError(f"noise for {question}: {error}") from None


KIND = Kind(judge, statistical=False)
