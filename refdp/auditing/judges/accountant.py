"""Accountants of other libraries: each of their answers beside refdp's certified bounds of the same composition.

The recipe, or the function, takes x = (the numbers of the composition ..., delta) and answers with epsilon, or takes an
epsilon there and answers with delta.  Fields:
    grid = { sigma = ["1", "2"], count = [1, 100] }             every combination; x = (sigma, count, delta)
    events = [{ mechanism = "gaussian", sigma = "sigma", count = "count" }]
                                    a name of the grid stands for the very number that the recipe is given
    cases = [{ x = [2.0], events = [...] }, ...]                or each by itself, with its own events
    neighbours = "add_remove"       or change_one, or none: under which relation the events are composed
    theorem = "zcdp"                instead: answers are judged by the best value of the conversion, from rho
    rounding = "1e-12"              what counts as rounding of floats, as a share of the truth; 2^-40 unless given
    tight = "1/1000"                what counts as tight, as a share of the truth
    laws = true                     answers to louder and to repeated compositions are held against each other, too
    seconds = 30                    refdp's own work for one composition
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP
from fractions import Fraction
from itertools import product
from typing import Any

from refdp.accounting.events import NEIGHBOURS
from refdp.accounting.judging.asking import Events, Failure, Function, Reply
from refdp.accounting.judging.asking import Kind as Asks
from refdp.accounting.judging.infima import ConcentratedInfimum
from refdp.accounting.judging.laws import Broken, broken_laws
from refdp.accounting.judging.questions import Put, QuestionError, put
from refdp.accounting.judging.readings import INFINITE, Extended, Unreadable, answer, at_least, at_most, decimal
from refdp.accounting.judging.truth import truth_of
from refdp.accounting.judging.verdicts import ORDER, ROUNDING, TIGHT, Allowance, Finding, Truth, findings
from refdp.accounting.losses import LossError
from refdp.accounting.numbers import number
from refdp.auditing.judges.result import UNSEEING, Counterexample, Curve, Evidence, Result, Row
from refdp.auditing.judges.single import FAILED, Single, plain, shortened, the_target, unknown, who
from refdp.auditing.judges.single import put as given
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Outcome, Session, TargetError
from refdp.auditing.targets import outcomes as kinds
from refdp.auditing.targets.workers import wire
from refdp.verdicts import NOT_REFUTED, REFUTED

MOST_CASES = 10_000
"""Most compositions of one target."""
THEOREMS = ("zcdp",)
"""Conversions whose best value can be certified: that of concentrated DP to (epsilon, delta), over all orders."""
POINTS = 25
"""Points of the curve in a report."""
DRAWN, SECONDS = Fraction(1, 1000), 30.0
"""How narrow its bounds are, as shares of delta, and how long they may take."""
WIDTH = Fraction(1, 10**8)
"""How narrow certified bounds are at first; where they do not decide, narrower ones are worked out."""


@dataclass(frozen=True, slots=True)
class Case:
    """One composition: what the recipe is given for it, and its events, or the rho of a theorem."""

    x: tuple[Any, ...]
    label: str
    events: tuple[Mapping[str, Any], ...] = ()
    rho: Fraction | None = None
    named: Mapping[str, Any] = field(default_factory=dict)
    """The numbers of x by their names in a grid."""

    def truth(self, neighbours: str, width: Fraction, seconds: float, questions: Sequence[Put] = ()) -> Truth:
        """Certified bounds of the composition, or of the theorem's best value; TaskError where refdp has none."""
        if self.rho is not None:
            return ConcentratedInfimum(self.rho)
        try:
            return truth_of(list(self.events), neighbours, width, seconds, questions)
        except (LossError, ValueError) as error:
            raise TaskError(f"events of {self.label or 'the target'}: {error}") from None


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings on one composition, and the truth that they rest on."""

    case: Case
    findings: tuple[Finding, ...]
    truth: Truth


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
        """Certified bounds, worked out anew, beside the outcomes that the opening holds.

        REFUTED if any answer is certainly unsound; UNKNOWN if any is none or undecided, or if answers that are too low
        were planted and not refuted; else NOT_REFUTED.
        """
        if FAILED in opening:
            return unknown(self._claim({}), opening[FAILED])
        said = iter([kinds.from_json(one) for one in opening["outcomes"]])
        judged = [self._judged(case, [next(said) for _ in self.questions]) for case in self.cases]
        known = {str(x): kinds.from_json(outcome) for x, outcome in opening["further"]}
        broken = self._broken(lambda x: known[str(wire.encoded(x))]) if self.laws else []
        found = [(one, finding) for one in judged for finding in one.findings]
        one, worst = min(found, key=lambda pair: (ORDER.index(pair[1].verdict), -size(pair[1])))
        about, example = opening["about"], counterexample(one.case, worst) if worst.verdict == "UNSOUND" else None
        reading = (
            "rho of each question is as the file says" if self.theorem else "the recipe composes the file's events"
        )
        claim, common = self._claim(about), dict[str, Any](
            samples=len(self.questions) * len(judged), about=about, scope=self._scope(broken),
            not_tested=["other compositions, and other numbers than those listed"],
            trusts=[*sorted({name for one in judged for name in one.truth.trusts}), reading],
            attached={"laws": [law.as_json() for law in broken]} if broken else {},
            evidence=Evidence(example, self._curve(one, worst), rows=tuple(row(each.case, f) for each, f in found)),
        )  # fmt: skip
        if worst.verdict == "UNSOUND":
            return Result(REFUTED, claim, refuted(found, one, worst), witness(one, worst), **common)
        if worst.verdict in ("ERROR", "UNKNOWN"):
            return unknown(claim, f"{question(one.case, worst)}: {worst.sentence}", **common)
        seen = self._seen(judged)
        if seen is None:
            return unknown(claim, f"{UNSEEING}: answers that are too low were planted, and not refuted", **common)
        power = f"would have seen an answer to one of these questions that is below the truth by {share(seen)}"
        return Result(NOT_REFUTED, claim, sound(found), power=power, **common)

    def _claim(self, about: Mapping[str, str]) -> str:
        """What is judged, as a sentence."""
        kind = "epsilon(delta)" if self.questions[0].kind == "epsilon" else "delta(epsilon)"
        truth = f"the certified truth under {self.neighbours}"
        below = "the best value of the conversion from zCDP" if self.theorem else truth
        return f"{who(about, self.target)}: no answer for {kind} is below {below}, for {len(self.cases)} compositions"

    def _scope(self, broken: Sequence[Broken]) -> list[str]:
        """What was asked, and what was allowed."""
        spec = self.target.spec
        asked = spec.get("text", spec.get("function", self.target.family))
        return [
            f"{asked}: {len(self.cases)} compositions, {len(self.questions)} questions of each",
            f"rounding: an answer may be on the wrong side of the truth by {share(self.allowance.rounding)}",
            f"tight: within {at_most(self.allowance.tight, 3)} of the truth",
            *(f"a broken law, which is not unsound by itself: {law}" for law in broken),
        ]

    def _curve(self, one: Judged, worst: Finding) -> Curve | None:
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
        drawn = one.case.truth(self.neighbours, DRAWN, SECONDS, [Put("delta", at) for at in epsilons])
        exact = tuple(float(drawn.bounds("delta", Fraction(at))[0]) for at in epsilons)
        marked = float(worst.said if worst.kind == "epsilon" and not isinstance(worst.said, str) else worst.at)
        return Curve(tuple(epsilons), claimed, exact, marked=marked if worst.verdict == "UNSOUND" else None)

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


def share(part: Fraction) -> str:
    """A part of what an answer is judged by."""
    return f"{at_most(part, 3)} of it"


def size(finding: Finding) -> Fraction:
    """By how much an answer is unsound at least, as a share of the truth."""
    return Fraction(finding.relative) if finding.relative < INFINITE else Fraction(2**64)


def question(case: Case, finding: Finding) -> str:
    """What was asked, in words."""
    return f"{finding.asked} for {case.label}" if case.label else finding.asked


def row(case: Case, finding: Finding) -> Row:
    """The question, the answer, the certified bounds and the verdict, with its size."""
    about = question(case, finding) + (", from below" if finding.side == "lower" else "")
    told = f"{finding.verdict}: {finding.sentence}"
    return Row(about, finding.answer, at_least(finding.truth[0]), at_most(finding.truth[1]), told)


def refuted(found: Sequence[tuple[Judged, Finding]], one: Judged, worst: Finding) -> str:
    """The verdict in words."""
    count = sum(finding.verdict == "UNSOUND" for _, finding in found)
    bound = "at least" if worst.side == "upper" else "at most"
    truth = at_least(worst.truth[0]) if worst.side == "upper" else at_most(worst.truth[1])
    return (
        f"Certified: {count} of {len(found)} answers are unsound; at worst {question(one.case, worst)} is "
        f"{bound} {truth}, where {worst.answer} was answered, which is {at_least(worst.by[0], 3)} on the wrong side."
    )


def witness(one: Judged, worst: Finding) -> str:
    """The worst answer, for tables."""
    wrong = "too low" if worst.side == "upper" else "too high"
    answer = worst.said if isinstance(worst.said, str) else decimal(worst.said, 5, ROUND_HALF_UP)
    text = f"{worst.asked} = {answer} is {at_least(worst.by[0], 3)} {wrong}: {one.case.label}"
    return shortened(text)


def counterexample(case: Case, worst: Finding) -> Counterexample:
    """The worst answer beside the truth."""
    name = question(case, worst)
    upper = worst.side == "upper"
    truth = f">= {at_least(worst.truth[0])}" if upper else f"<= {at_most(worst.truth[1])}"
    composed = "; ".join(map(shown, case.events)) or f"rho = {case.rho}"
    return Counterexample(
        (f"x = {(*case.x, float(worst.at))}", composed), (worst.answer,),
        f"{name} {'<=' if upper else '>='} {worst.answer}", f"{name} {truth}, certified",
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


def cases_of(fields: Fields, theorem: str | None) -> tuple[Case, ...]:
    """The compositions that the fields `grid` and `events`, or `cases`, describe; TaskError where they do not."""
    if fields.has("cases"):
        listed = fields.of("cases", list, "a list of tables")
        found = [_case(Fields(_table(one, "cases"), f"cases[{i}]."), theorem) for i, one in enumerate(listed)]
    else:
        found = _combinations(fields.table("grid", {}).given, fields, theorem)
    if not 1 <= len(found) <= MOST_CASES:
        raise TaskError(f"there must be 1 to {MOST_CASES} compositions, got {len(found)}")
    return tuple(found)


def _case(fields: Fields, theorem: str | None) -> Case:
    """One of the listed compositions."""
    x = tuple(given(value, f"{fields.where}x") for value in fields.of("x", list, "a list of numbers", []))
    label = fields.text("label", ", ".join(map(str, x)))
    if theorem:
        found = Case(x, label, rho=_rho(fields.any("rho"), {}))
    else:
        found = Case(x, label, tuple(_table(one, "events") for one in fields.of("events", list, "a list of events")))
    fields.done()
    return found


def _combinations(grid: Mapping[str, Any], fields: Fields, theorem: str | None) -> list[Case]:
    """Every combination of the values in the grid."""
    lists = [[given(v, f"grid.{name}") for v in _list(values, f"grid.{name}")] for name, values in grid.items()]
    rho = fields.any("rho") if theorem else None
    events = [] if theorem else [_table(e, "events") for e in fields.of("events", list, "a list of events")]
    found = []
    for x in product(*lists):
        values = dict(zip(grid, x, strict=True))
        label = ", ".join(f"{name} = {value}" for name, value in values.items())
        exactly = {name: value if isinstance(value, int) else Fraction(value) for name, value in values.items()}
        if theorem:
            found.append(Case(x, label, rho=_rho(rho, exactly), named=values))
        else:
            found.append(Case(x, label, tuple(filled(event, exactly) for event in events), named=values))
    return found


def filled(event: Any, values: Mapping[str, Any]) -> Any:
    """The event with the values for their names; a key is never replaced."""
    if isinstance(event, Mapping):
        return {key: one if key in ("mechanism", "scheme") else filled(one, values) for key, one in event.items()}
    if isinstance(event, list):
        return [filled(one, values) for one in event]
    return values.get(event, event) if isinstance(event, str) else event


def _rho(value: Any, values: Mapping[str, Any]) -> Fraction:
    """The rho of a theorem."""
    try:
        rho = number(values.get(value, value) if isinstance(value, str) else value, "rho")
    except LossError as error:
        raise TaskError(str(error)) from None
    if rho <= 0:
        raise TaskError(f"rho must be > 0, got {value}")
    return rho


def _table(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TaskError(f"{name} must list tables, got {value!r}")
    return value


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise TaskError(f"{name} must be a list of at least one number, got {value!r}")
    return value


def questions_of(fields: Fields) -> tuple[Put, ...]:
    """What is asked of each composition: epsilon at `deltas`, or delta at `epsilons`, as the nearest floats."""
    if fields.has("deltas") == fields.has("epsilons"):
        raise TaskError("either deltas or epsilons must be given: a recipe answers one kind of question")
    name: str = "deltas" if fields.has("deltas") else "epsilons"
    kind: Asks = "epsilon" if name == "deltas" else "delta"
    try:
        return tuple(put(_list(fields.any(name), name), kind))
    except QuestionError as error:
        raise TaskError(f"{name}: {error}") from None


KIND = Kind(judge, statistical=False)
