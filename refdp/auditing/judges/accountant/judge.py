"""Accountants of other libraries: each of their answers beside refdp's certified bounds of the same composition.

The recipe, or the function, takes x = (the numbers of the composition ..., delta) and answers with epsilon, or takes an
epsilon there and answers with delta.  Fields: those of `compositions`, and
    neighbours = "add_remove"       or change_one, or none: under which relation the events are composed
    theorem = "zcdp"                instead: answers are judged by the best value of the conversion, from rho
    rounding = "1e-12"              what counts as rounding of floats, as a share of the truth; 2^-40 unless given
    tight = "1/1000"                what counts as tight, as a share of the truth
    laws = true                     answers to louder and to repeated compositions are held against each other, too
    seconds = 30                    refdp's own work for one composition
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from refdp.accounting.events import NEIGHBOURS
from refdp.accounting.judging.asking import Events, Failure, Function, Reply
from refdp.accounting.judging.laws import Broken, broken_laws
from refdp.accounting.judging.questions import Put
from refdp.accounting.judging.readings import INFINITE, Extended, Unreadable, answer, at_most
from refdp.accounting.judging.verdicts import ROUNDING, TIGHT, Allowance, Truth, findings
from refdp.auditing.judges.accountant.compositions import THEOREMS, Case, cases_of, questions_of
from refdp.auditing.judges.accountant.results import Answers, Judged, result
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.single import FAILED, Single, plain, the_target, unknown
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Outcome, Session, TargetError
from refdp.auditing.targets import outcomes as kinds
from refdp.auditing.targets.workers import wire

WIDTH = Fraction(1, 10**8)
"""How narrow certified bounds are at first; where they do not decide, narrower ones are worked out."""


@dataclass(frozen=True, slots=True)
class Accountant(Single):
    """The answers of one accountant about compositions, judged."""

    target: Adapted
    cases: tuple[Case, ...]
    questions: tuple[Put, ...]
    neighbours: str
    theorem: str | None
    allowance: Allowance
    laws: bool
    seconds: int

    def opening(self) -> Record:
        """The outcomes of all questions, composition by composition; and those that the laws ask for."""
        try:
            with Session(self.target) as session:
                found = [
                    kinds.as_json(session.call((*case.x, q.at))) for case, q in product(self.cases, self.questions)
                ]
                further: list[Any] = []
                if self.laws:
                    self._broken(lambda x: _noted(session, x, further))
                return {"about": plain(session.about), "outcomes": found, "further": further}
        except TargetError as error:
            return {FAILED: str(error)}

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """Certified bounds, worked out anew, beside the outcomes that the opening holds."""
        answers = Answers(self.target, self.neighbours, self.theorem, self.questions, self.allowance)
        if FAILED in opening:
            return unknown(answers.claim({}, len(self.cases)), opening[FAILED])
        said = iter([kinds.from_json(one) for one in opening["outcomes"]])
        judged = [self._judged(case, [next(said) for _ in self.questions]) for case in self.cases]
        known = {str(x): kinds.from_json(outcome) for x, outcome in opening["further"]}
        broken = self._broken(lambda x: known[str(wire.encoded(x))]) if self.laws else []
        return result(answers, judged, broken, opening["about"], self._seen)

    def _judged(self, case: Case, said: Sequence[Outcome]) -> Judged:
        """The findings on the answers about one composition."""
        truth = case.truth(self.neighbours, WIDTH, self.seconds, self.questions)
        return self._beside(case, said, truth)

    def _beside(self, case: Case, said: Sequence[Outcome], truth: Truth) -> Judged:
        """The findings on the answers, beside a truth."""
        found = [
            finding
            for question, outcome in zip(self.questions, said, strict=True)
            for finding in findings(*question.exactly, Reply(read(outcome), 0.0), truth, self.allowance)
        ]
        return Judged(case, tuple(found), truth)

    def _seen(self, judged: Sequence[Judged]) -> Fraction | None:
        """The least of SHARES by which answers to any question may be too low and are seen to be, being planted.

        A planted answer is below the upper bound of the truth by that share; None where not even the last was seen, or
        where no truth is above 0.
        """
        ends = [one.truth.bounds(*question.exactly) for one in judged for question in self.questions]
        wide = max((share_between(*two) for two in ends), default=Fraction(1))
        tried = [share for share in shares(self.allowance) if share > wide]
        return next((share for share in tried if self._all_seen(judged, share)), None)

    def _all_seen(self, judged: Sequence[Judged], share: Fraction) -> bool:
        """Whether each question whose truth may be above 0 had a planted answer refuted."""
        asked = 0
        for one in judged:
            bounds = [one.truth.bounds(*question.exactly) for question in self.questions]
            planted = [Outcome(kinds.VALUE, too_low(*ends, share)) for ends in bounds]
            found = self._beside(one.case, planted, one.truth).findings
            for (_, upper), finding in zip(bounds, found, strict=True):
                asked += upper > 0
                if upper > 0 and finding.verdict != "UNSOUND":
                    return False
        return asked > 0

    def _broken(self, ask: Callable[[tuple[Any, ...]], Outcome]) -> list[Broken]:
        """The laws that the answers break, each composition being a table of its numbers by name."""
        deltas = [question.at for question in self.questions]

        def answered(events: Events, delta: float) -> object:
            (event,) = events
            outcome = ask((*(_plain(value) for value in event.values()), delta))
            if outcome.kind != kinds.VALUE:
                raise ValueError(str(outcome))
            return outcome.value

        who = Function("the accountant", answered)
        return [law for case in self.cases for law in broken_laws(who, [dict(case.named)], deltas)]


SHARES = tuple(map(Fraction, ("1e-9", "1e-6", "1e-4", "1e-3", "1e-2", "0.1", "0.5", "0.9")))
"""By how much planted answers are too low, as shares of the truth, after the allowance for rounding."""


def shares(allowance: Allowance) -> list[Fraction]:
    """The shares that are tried, the one that the allowance leaves first."""
    least = Fraction(at_most(allowance.rounding, 3))
    return [least + (least == allowance.rounding) * least / 1000, *(one for one in SHARES if one > least)]


def share_between(lower: Extended, upper: Extended) -> Fraction:
    """How far apart two bounds of a truth are, as a share of the upper one; 0 where they are infinite."""
    return Fraction(0) if upper == INFINITE or upper == 0 else 1 - Fraction(lower) / Fraction(upper)


def too_low(lower: Extended, upper: Extended, share: Fraction) -> Fraction:
    """An answer that is below the upper bound by so much of it; below the lower one where there is no upper bound."""
    truth = upper if upper < INFINITE else lower if lower < INFINITE else Fraction(1)
    return max(Fraction(0), Fraction(truth) * (1 - share))


def read(outcome: Outcome) -> Any:
    """The numbers in an outcome, exactly; Failure where there are none."""
    if outcome.kind != kinds.VALUE:
        return Failure(str(outcome))
    try:
        return answer(outcome.value)
    except Unreadable as unreadable:
        return Failure(str(unreadable))


def _noted(session: Session, x: tuple[Any, ...], further: list[Any]) -> Outcome:
    """What comes of a further question, noted."""
    outcome = session.call(x)
    further.append([wire.encoded(x), kinds.as_json(outcome)])
    return outcome


def _plain(value: Any) -> Any:
    """A number as it is put to a library: no fraction."""
    return float(value) if isinstance(value, Fraction) else value


def judge(task: Task, alpha: Fraction) -> Accountant:
    """The judge of a task; there are no statistics, so nothing of alpha is used."""
    fields = Fields(task.fields, "target.")
    theorem = fields.one_of("theorem", THEOREMS, None)
    neighbours = "none" if theorem else fields.one_of("neighbours", NEIGHBOURS)
    cases, questions, laws = (
        cases_of(fields, theorem),
        questions_of(fields),
        fields.of("laws", bool, "true or false", False),
    )
    if laws and (questions[0].kind != "epsilon" or any(not case.named for case in cases)):
        raise TaskError("laws are about epsilon at deltas of the compositions of a grid, got none of these")
    found = Accountant(
        the_target(task), cases, questions, neighbours, theorem, allowance_of(fields), laws, fields.whole("seconds", 30)
    )
    fields.done()
    for case in cases:
        case.truth(neighbours, WIDTH, found.seconds)
    return found


def allowance_of(fields: Fields) -> Allowance:
    """What counts as rounding, and what as tight."""
    try:
        return Allowance(fields.number("rounding", ROUNDING), fields.number("tight", TIGHT))
    except ValueError as error:
        raise TaskError(f"target.{error}") from None


KIND = Kind(judge, statistical=False)
