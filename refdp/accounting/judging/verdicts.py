"""One answer beside the certified interval around the truth: what can be said of it, and by how much.

With a the answer, [lower, upper] the interval, r the rounding that floats are allowed and t = a / (1 - r):
truth > t is certified by lower > t, or by delta(t) > delta; truth <= a by upper <= a, or by delta(a) <= delta.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol, get_args

from refdp.accounting.judging.asking import Failure, Kind, Reply
from refdp.accounting.judging.readings import INFINITE, Answer, Extended, at_least, at_most, decimal, minus

Verdict = Literal["UNSOUND", "ERROR", "UNKNOWN", "LOOSE", "SOUND", "TIGHT"]
ORDER: tuple[Verdict, ...] = get_args(Verdict)
"""From the worst verdict to the best."""
ROUNDING = Fraction(1, 2**40)
"""Share of the truth by which an answer may be on the wrong side of it and still count as rounded floats."""
TIGHT = Fraction(1, 1000)
"""Share of the truth by which a sound answer may exceed it and still be called tight."""


class Truth(Protocol):
    """Certified two-sided bounds of one composition, from all the neighbouring relation allows."""

    @property
    def trusts(self) -> frozenset[str]:
        """What the bounds rest on besides the code."""

    def bounds(self, kind: Kind, at: Fraction) -> tuple[Extended, Extended]:
        """Lower and upper bound of epsilon at a delta, or of delta at an epsilon."""

    def sharper(self) -> Truth | None:
        """The same with narrower bounds, or None where there are none."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What counts as rounding and what as tight, as shares of the truth; both are 0 or more, and below 1."""

    rounding: Fraction = ROUNDING
    tight: Fraction = TIGHT

    def __post_init__(self) -> None:
        for name, value in (("rounding", self.rounding), ("tight", self.tight)):
            if not 0 <= value < 1:
                raise ValueError(f"{name} must be at least 0 and below 1, got {value}")


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one bound: `by` encloses how far it is on the wrong side (UNSOUND) or beyond the truth (else)."""

    kind: Kind
    at: Fraction
    side: Literal["upper", "lower"]
    said: Extended | str
    truth: tuple[Extended, Extended]
    verdict: Verdict
    by: tuple[Extended, Extended]
    sentence: str
    seconds: float = 0.0

    @property
    def asked(self) -> str:
        """The number that was asked for."""
        return f"{self.kind}({decimal(self.at)})"

    @property
    def answer(self) -> str:
        """What was answered."""
        return self.said if isinstance(self.said, str) else decimal(self.said)

    @property
    def relative(self) -> Extended:
        """`by` at least, as a share of the truth; exact where the truth is known exactly, else rounded down."""
        return self.by[0] / self.truth[1] if 0 < self.truth[1] < INFINITE else Fraction(0)


def findings(kind: Kind, at: Fraction, reply: Reply, truth: Truth, allowance: Allowance) -> list[Finding]:
    """The verdict on the upper bound that was said, and on the lower one where there is one."""
    if isinstance(reply.said, Failure):
        bounds = truth.bounds(kind, at)
        text = reply.said.sentence
        return [Finding(kind, at, "upper", text, bounds, "ERROR", (Fraction(0), INFINITE), text, reply.seconds)]
    found = [upper_finding(kind, at, reply.said, truth, allowance, reply.seconds)]
    if reply.said.lower is not None:
        found.append(lower_finding(kind, at, reply.said, truth, allowance, reply.seconds))
    return found


def upper_finding(
    kind: Kind, at: Fraction, said: Answer, truth: Truth, allowance: Allowance, seconds: float = 0.0
) -> Finding:
    """The verdict on "epsilon at this delta is at most `said.upper`", or the same of delta at an epsilon."""
    a, better = said.upper, truth
    while True:
        lower, upper = better.bounds(kind, at)
        verdict, by, sentence = _upper_verdict(kind, at, a, (lower, upper), better, allowance)
        unsized = verdict == "SOUND" or verdict == "UNSOUND" and by[0] == 0
        sharper = better.sharper() if verdict == "UNKNOWN" or unsized else None
        if sharper is None:
            return Finding(kind, at, "upper", a, (lower, upper), verdict, by, sentence, seconds)
        better = sharper


Judgement = tuple[Verdict, tuple[Extended, Extended], str]


def _upper_verdict(
    kind: Kind, at: Fraction, a: Extended, bounds: tuple[Extended, Extended], truth: Truth, allowance: Allowance
) -> Judgement:
    lower, upper = bounds
    excess = (max(Fraction(0), minus(a, upper)), max(Fraction(0), minus(a, lower)))
    deficit = (max(Fraction(0), minus(lower, a)), max(Fraction(0), minus(upper, a)))
    if a == INFINITE:
        return _infinite(kind, bounds, excess)
    if a < 0 and lower <= 0:
        return "ERROR", deficit, f"negative: {kind} is never less than 0"
    rounded = Fraction(a) / (1 - allowance.rounding) if a > 0 else Fraction(a)
    if upper <= a:
        return _sound(excess, bounds, allowance)
    if lower > rounded or _exceeds(kind, at, rounded, truth):
        return "UNSOUND", deficit, f"{_size(deficit)} below the truth, which is at least {at_least(lower)}"
    if _suffices(kind, at, a, truth):
        return _sound(excess, bounds, allowance)
    if upper <= rounded or _suffices(kind, at, rounded, truth):
        return "TIGHT", deficit, f"at most {at_most(deficit[1], 3)} below the truth, which floats are allowed"
    return "UNKNOWN", deficit, f"the certified interval [{at_least(lower)}, {at_most(upper)}] does not decide"


def _infinite(kind: Kind, bounds: tuple[Extended, Extended], excess: tuple[Extended, Extended]) -> Judgement:
    if bounds[0] == INFINITE:
        return "TIGHT", (Fraction(0), Fraction(0)), "infinite, and so is the truth"
    if bounds[1] < INFINITE:
        return "ERROR", excess, f"infinite, where {kind} is at most {at_most(bounds[1])}"
    return "UNKNOWN", excess, f"infinite, and {kind} is not known to be finite"


def _sound(excess: tuple[Extended, Extended], bounds: tuple[Extended, Extended], allowance: Allowance) -> Judgement:
    lower, upper = bounds
    if excess[0] > allowance.tight * upper:
        share = f" ({at_least(excess[0] / upper * 100, 3)} %)" if upper > 0 else ""
        return "LOOSE", excess, f"sound; {_size(excess)} above the truth{share}"
    if excess[1] <= allowance.tight * lower or excess[1] == 0:
        return "TIGHT", excess, f"sound; at most {at_most(excess[1], 3)} above the truth"
    return "SOUND", excess, f"sound; at most {at_most(excess[1], 3)} above the truth"


def lower_finding(
    kind: Kind, at: Fraction, said: Answer, truth: Truth, allowance: Allowance, seconds: float = 0.0
) -> Finding:
    """The verdict on "epsilon at this delta is at least `said.lower`", or the same of delta at an epsilon."""
    lower, upper = bounds = truth.bounds(kind, at)
    a = Fraction(0) if said.lower is None else said.lower
    above = (max(Fraction(0), minus(a, upper)), max(Fraction(0), minus(a, lower)))
    below = (max(Fraction(0), minus(lower, a)), max(Fraction(0), minus(upper, a)))

    def finding(verdict: Verdict, by: tuple[Extended, Extended], sentence: str) -> Finding:
        return Finding(kind, at, "lower", a, bounds, verdict, by, sentence, seconds)

    if upper < INFINITE and (a == INFINITE or a * (1 - allowance.rounding) > upper):
        return finding("UNSOUND", above, f"{_size(above)} above the truth, which is at most {at_most(upper)}")
    if a == INFINITE or a > lower:
        within = a < INFINITE and a * (1 - allowance.rounding) <= lower
        if not within:
            return finding("UNKNOWN", above, f"the interval [{at_least(lower)}, {at_most(upper)}] is too wide")
        return finding("TIGHT", above, f"at most {at_most(above[1], 3)} above the truth, which floats are allowed")
    if below[1] < INFINITE and below[1] <= allowance.tight * lower:
        return finding("TIGHT", below, f"sound; at most {at_most(below[1], 3)} below the truth")
    loose = lower < INFINITE and below[0] > allowance.tight * lower
    return finding("LOOSE" if loose else "SOUND", below, f"sound; {_size(below)} below the truth")


def _exceeds(kind: Kind, at: Fraction, epsilon: Fraction, truth: Truth) -> bool:
    """Whether epsilon at the delta is certainly greater: delta is, at this epsilon.

    Not asked at delta 0, where greatest losses are known themselves, and delta may be as small as one likes.
    """
    return kind == "epsilon" and at > 0 and epsilon >= 0 and truth.bounds("delta", epsilon)[0] > at


def _suffices(kind: Kind, at: Fraction, epsilon: Extended, truth: Truth) -> bool:
    """Whether epsilon at the delta is certainly at most this: delta is small enough there."""
    return kind == "epsilon" and at > 0 and epsilon >= 0 and truth.bounds("delta", Fraction(epsilon))[1] <= at


def _size(by: tuple[Extended, Extended]) -> str:
    """How far it certainly is."""
    return f"at least {at_least(by[0], 3)}"
