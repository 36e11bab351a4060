"""Whether another library's training step does what its account says: the judges of training, one after the other.

The function is as `refdp.auditing.judges.training.foreign` describes.  Before NOT_REFUTED is said, defects are planted
in the step's answers, and each judge must see those of its own.  Fields:
    rate = "1/10", steps = 100, lot = 10, norm = 1, noise_multiplier = 1
    sensitivity = "1/10"        how far a row moves what is released; norm / lot unless said
    layers = 2                  of the gradients
    rounding = "1e-5"           share by which distances may be more, in floats; 2^-18 unless said
    period = 1                  a row is in lots of one remainder modulo this alone
    finite = false              true: the claim is about finite gradients
    empty = true                false: the claim is about lots that have a row
    judges = ["pairs", "noise", "lots", "set-up", "canaries"]
    delta = "1e-15", epsilon    of the account of all steps; epsilon is worked out unless said.  With so small an error
                                canaries show nothing at a delta that is much larger
    canaries = 500, guesses = 150
    options = { ... }           handed to the function
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

from refdp.accounting.accounts import Account
from refdp.accounting.events import Event, Gaussian, Poisson
from refdp.accounting.numbers import decimal_above, decimal_below
from refdp.accounting.questions import Limits
from refdp.auditing.judges import inputs
from refdp.auditing.judges.result import UNSEEING, Evidence, Result, Row
from refdp.auditing.judges.rounding import upwards
from refdp.auditing.judges.single import FAILED, Single, plain, the_target, unknown, who
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.judges.training.canaries import one_run
from refdp.auditing.judges.training.foreign import ForeignLoop, Plan
from refdp.auditing.judges.training.judges import Finding, on_lots, on_noise, on_pairs, on_setup
from refdp.auditing.judges.training.loops import Loop, StepError
from refdp.auditing.judges.training.planted import Planted, defects
from refdp.auditing.targets import Adapted, Session, TargetError
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN

FOUR = ("pairs", "noise", "lots", "set-up")
CANARIES = "canaries"
NUMBERS = ("rate", "lot", "norm", "noise_multiplier")
MOST_LAYERS, MOST_PERIOD, MOST_STEPS, MOST_CANARIES = 16, 1000, 10**9, 10**6
SLACK = Fraction(1, 2**18)
WIDTH, WORK = Fraction(1, 10**4), 2 * 10**9
"""Of the account: how narrow, and how much work."""
PLACES = 4
LARGEST = 1e100
NOT_TESTED = (
    "gradients that are no function of one row and the weights",
    "the law of the noise beyond its quartiles and the signs of its numbers, place by place",
    "lots that repeat after anything but an epoch",
    "other sorts of layers, devices, several machines, and code around the step",
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What the account says of all steps."""

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True, slots=True)
class Training(Single):
    """A step, judged in one opening."""

    target: Adapted
    plan: Plan
    judges: tuple[str, ...]
    delta: Fraction
    epsilon: Fraction | None
    canaries: int
    guesses: int
    options: Mapping[str, Any]
    error: Fraction
    """Of each judge that counts."""

    def opening(self) -> Record:
        """What each judge found, as text, and which planted defects it did not see."""
        try:
            with Session(self.target) as session:
                loop = ForeignLoop(session, self.plan, self.options)
                found = [self._found(name, loop) for name in self.judges]
                return {"about": plain(session.about), "found": found}
        except TargetError as error:
            return {FAILED: str(error)}

    def _found(self, name: str, loop: Loop) -> Record:
        """What one judge found; where that is nothing, also of the loop with defects."""
        try:
            finding = self._finding(name, loop)
            planted = defects(name, loop) if name in FOUR and finding.verdict == NOT_REFUTED else []
            seen = {one: self._finding(name, Planted(loop, one)).verdict == REFUTED for one in planted}
        except StepError as error:
            finding, seen = Finding(name, UNKNOWN, str(error)), {}
        told: dict[str, Any] = {"judge": name, "verdict": finding.verdict, "text": finding.text, "planted": seen}
        told["error"] = "0" if finding.error is None else str(finding.error)
        told["ceiling"] = None if finding.ceiling is None else decimal_below(finding.ceiling, PLACES)
        return told

    def _finding(self, name: str, loop: Loop) -> Finding:
        """What one judge says of a loop."""
        by_name: dict[str, Callable[[], Finding]] = {
            "pairs": lambda: on_pairs(loop),
            "noise": lambda: on_noise(loop, self.error),
            "lots": lambda: on_lots(loop, self.error),
            "set-up": lambda: on_setup(loop),
            CANARIES: lambda: self._by_canaries(loop),
        }
        return by_name[name]()

    def _by_canaries(self, loop: Loop) -> Finding:
        """One training with canaries, against the epsilon of the account."""
        claim = Claim(self._epsilon(), self.delta)
        verdict, text, error, ceiling = one_run(loop, claim, self.canaries, self.guesses, self.error)
        said = f"{decimal_above(claim.epsilon, PLACES)} at delta {upwards(self.delta)}"
        return Finding(CANARIES, verdict, f"{text}; the account says {said}", error, ceiling)

    def _epsilon(self) -> Fraction:
        """That of the file, or the upper end of the account of all steps."""
        if self.epsilon is not None:
            return self.epsilon
        event = Event(Gaussian(self.plan.deviation, self.plan.sensitivity), self.plan.steps, Poisson(self.plan.rate))
        bounds = Account("add_remove", (event,)).epsilon_bounds(self.delta, Limits(WIDTH, 600, WORK)).bounds
        if bounds.upper is None:
            raise StepError(f"the account has no epsilon at delta {self.delta}")
        return bounds.upper

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """REFUTED if any judge refutes; UNKNOWN if one of them knows nothing, or missed what was planted."""
        plan = self.plan
        moved = f"a row moves what a step releases by at most {float(plan.sensitivity):.6g}"
        claim = f"{moved}, its noise has deviation {float(plan.deviation):.6g}, and {self._of_lots()}"
        if FAILED in opening:
            return unknown(claim, opening[FAILED])
        about, found = opening["about"], opening["found"]
        claim = f"{who(about)}: {claim}" if who(about) else claim
        common: dict[str, Any] = {
            "about": about, "scope": [f"{one['judge']}: {one['text']}" for one in found],
            "not_tested": [*NOT_TESTED, *self._left_out()],
            "evidence": Evidence(rows=tuple(row(one) for one in found)),
        }  # fmt: skip
        saw = [one for one in found if one["verdict"] == REFUTED]
        if saw:
            others = ", ".join(one["judge"] for one in found if one not in saw) or "none"
            told = "; ".join(f"{one['judge']}: {one['text']}" for one in saw)
            exact = any(one["error"] == "0" for one in saw)
            error = Fraction(0) if exact else sum((Fraction(one["error"]) for one in saw), Fraction(0))
            return Result(
                REFUTED, claim, f"Seen by {told}. Not seen by {others}", f"{saw[0]['judge']}: {saw[0]['text']}"[:80],
                error=error, **common,
            )  # fmt: skip
        if [one["judge"] for one in found] != list(self.judges):
            return unknown(claim, "not all judges were asked", **common)
        for one in found:
            if why := unsure(one):
                return unknown(claim, f"{one['judge']}: {why}", **common)
        planted = [defect for one in found for defect in one["planted"]]
        ceilings = [one["ceiling"] for one in found if one["ceiling"] is not None]
        power = f"each of {len(planted)} defects that were planted, such as {planted[0]}"
        most = f"; canaries show no epsilon above {ceilings[0]}" if ceilings else ""
        return Result(
            NOT_REFUTED, claim, f"not refuted by {', '.join(self.judges)}{most}", power=power + most, **common
        )

    def _of_lots(self) -> str:
        """What is claimed of lots, in words."""
        coins = f"rows are in lots by independent coins of {self.plan.rate}"
        return coins if self.plan.period == 1 else f"{coins}, within a period of {self.plan.period}"

    def _left_out(self) -> list[str]:
        """Judges that were not asked, and gradients that the claim leaves out."""
        out = [f"the judge of {one}" for one in (*FOUR, CANARIES) if one not in self.judges]
        out += ["gradients that are infinite or no numbers"] if self.plan.is_finite else []
        return out if self.plan.may_be_empty else [*out, "empty lots"]


def unsure(one: Mapping[str, Any]) -> str:
    """Why a judge that refuted nothing does not say NOT_REFUTED; empty where it does."""
    if one["verdict"] != NOT_REFUTED:
        return str(one["text"])
    missed = [name for name, seen in one["planted"].items() if not seen]
    if missed or not one["planted"] and one["judge"] in FOUR:
        return f"{UNSEEING}: {missed[0] if missed else 'nothing'} was planted"
    return ""


def row(one: Mapping[str, Any]) -> Row:
    """What a judge found, for reports."""
    seen = [name for name, is_seen in one["planted"].items() if is_seen]
    error = f", but for a chance of {upwards(Fraction(one['error']))}" if one["error"] != "0" else ""
    power = f"; planted and seen: {', '.join(seen)}" if seen else ""
    ceiling = f"; ceiling {one['ceiling']}" if one["ceiling"] else ""
    certain = error if one["verdict"] == REFUTED else ""
    return Row(one["judge"], one["text"], "", "", f"{one['verdict']}{certain}{power}{ceiling}")


def judge(task: Task, alpha: Fraction) -> Training:
    """The judge of a task; its share of alpha goes to noise, lots and canaries in equal parts."""
    if find_spec("numpy") is None:
        raise TaskError("training needs numpy, which the extra `audit` of refdp installs")
    fields = Fields(task.fields, "target.")
    defaults = {"rate": Fraction(1, 10), "lot": Fraction(10), "norm": Fraction(1), "noise_multiplier": Fraction(1)}
    given = {name: fields.number(name, defaults[name]) for name in NUMBERS}
    for name, value in given.items():
        if not is_float(value):
            raise TaskError(f"target.{name} must be from {1 / LARGEST:g} to {LARGEST:g}, got {fields.given[name]}")
    if given["rate"] > 1:
        raise TaskError(f"target.rate must be <= 1, got {given['rate']}")
    plan = Plan(
        **given, steps=fields.whole("steps", 100), layers=fields.whole("layers", 2), period=fields.whole("period", 1),
        sensitivity=positive(fields, "sensitivity", given["norm"] / given["lot"]),
        slack=positive(fields, "rounding", SLACK), is_finite=fields.of("finite", bool, "true or false", False),
        may_be_empty=fields.of("empty", bool, "true or false", True),
    )  # fmt: skip
    if not is_float(plan.deviation):
        raise TaskError(f"target.noise_multiplier times sensitivity must be from {1 / LARGEST:g} to {LARGEST:g}")
    for name, most in (("layers", MOST_LAYERS), ("period", MOST_PERIOD), ("steps", MOST_STEPS)):
        if getattr(plan, name) > most:
            raise TaskError(f"target.{name} must be at most {most}, got {short(getattr(plan, name))}")
    epsilon = None if "epsilon" not in task.fields else positive(fields, "epsilon", Fraction(1))
    asked = fields.of("judges", list, f"a list of {', '.join((*FOUR, CANARIES))}", None)
    judges = tuple(asked if asked is not None else (*FOUR, *([CANARIES] if plan.period == 1 or epsilon else [])))
    if any(not isinstance(one, str) for one in judges):
        raise TaskError(f"target.judges must list names, got {judges}"[:200])
    if not set(judges) & set(FOUR) or not set(judges) <= {*FOUR, CANARIES} or len(set(judges)) < len(judges):
        raise TaskError(
            f"target.judges must list some of {', '.join((*FOUR, CANARIES))}, each once, and one of "
            f"{', '.join(FOUR)}, got {', '.join(map(str, judges)) or 'none'}"
        )
    if CANARIES in judges and plan.period > 1 and epsilon is None:
        raise TaskError("target.epsilon must be given with canaries and a period: lots with a period have no account")
    delta, canaries = positive(fields, "delta", Fraction(1, 10**15)), fields.whole("canaries", 500)
    guesses = fields.whole("guesses", 150, least=2)
    if canaries > MOST_CANARIES:
        raise TaskError(f"target.canaries must be at most {MOST_CANARIES}, got {short(canaries)}")
    if delta >= 1 or guesses > canaries or guesses % 2:
        raise TaskError(f"target.guesses must be even and at most canaries, and delta < 1, got {guesses} and {delta}")
    options = {key: inputs.read(value) for key, value in fields.of("options", dict, "a table", {}).items()}
    fields.done()
    error = alpha / (sum(one in judges for one in ("noise", "lots", CANARIES)) or 1)
    return Training(the_target(task), plan, judges, delta, epsilon, canaries, guesses, options, error)


def short(number: int) -> str:
    """A whole number, or that it is long."""
    return str(number) if number < 10**20 else "more than 20 digits"


def is_float(value: Fraction) -> bool:
    """Whether it is > 0, and neither it nor its square is lost in floats."""
    return 1 / Fraction(LARGEST) <= value <= LARGEST


def positive(fields: Fields, name: str, default: Fraction) -> Fraction:
    """An exact number > 0."""
    found: Fraction = fields.number(name, default)
    if not is_float(found):
        raise TaskError(
            f"target.{name} must be from {1 / LARGEST:g} to {LARGEST:g}, got {fields.given.get(name, found)}"
        )
    return found


KIND = Kind(judge, statistical=True)
