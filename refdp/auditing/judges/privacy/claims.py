"""Claims of privacy as points (epsilon, delta): what is said in the file, or what the library's own map gives.

zCDP and Renyi bounds are judged by the points that they imply, rounded up: a point that is refuted refutes the bound.
Sources: zCDP rho + 2 sqrt(rho ln(1 / delta)) (Bun and Steinke 2016, Proposition 1.3), or less by a Renyi order;
Renyi (Canonne, Kamath and Steinke 2020, Proposition 12), both as in `refdp.accounting.theorems.conversions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from refdp.accounting.theorems.conversions import concentrated_to_approximate, renyi_to_approximate
from refdp.accounting.theorems.guarantees import Guarantee, HypothesisError
from refdp.auditing.evidence.pairs import Claim, claim
from refdp.auditing.judges.rounding import number
from refdp.auditing.judges.task import Fields, TaskError
from refdp.auditing.targets.words import WordError, known_metric, refdp_word
from refdp.auditing.targets.workers import wire
from refdp.numerics.exact import exact, exact_real

DELTAS = (Fraction(1, 100), Fraction(1, 10**5))
"""At which deltas a bound of another measure is judged, unless the task says at which."""
WORDS = {"zcdp": "concentrated", "cdp": "concentrated", "rdp": "renyi", "max": "pure"}
"""Other names of measures."""
MEASURES = ("pure", "approximate", "concentrated", "renyi")


class Unread(ValueError):
    """What the map gave is no claim that can be judged; the message says why."""


@dataclass(frozen=True, slots=True)
class Point:
    """One (epsilon, delta) that must hold if the claim does."""

    claim: Claim
    words: str
    """What implies it; empty where it is the claim itself."""

    def as_json(self) -> dict[str, str]:
        """The point as texts."""
        return {"epsilon": str(self.claim.epsilon), "delta": str(self.claim.delta), "words": self.words}


def point(data: dict[str, str]) -> Point:
    """The point that the JSON stands for."""
    return Point(claim(data["epsilon"], data["delta"]), data["words"])


@dataclass(frozen=True, slots=True)
class Claimed:
    """The claim of a task: which inputs are neighbours, and its numbers, or that the map is to be asked."""

    metric: str | None
    d_in: Fraction
    measure: str | None
    numbers: tuple[Any, ...] | None
    deltas: tuple[Fraction, ...]

    @property
    def asks_map(self) -> bool:
        """Whether the numbers are those of the library's map."""
        return self.numbers is None

    @property
    def neighbours(self) -> str:
        """Between which inputs it is claimed."""
        return f" between inputs within {self.d_in} under {self.metric}" if self.metric else ""


def claimed(fields: Fields) -> Claimed:
    """{input, d_in, epsilon, delta} | {measure = "zcdp", rho, deltas} | {measure = "renyi", order, epsilon, deltas}.

    Without numbers the library's own map is asked at d_in.  TaskError for anything else.
    """
    inner = fields.table("claim", {})
    metric, d_in = inner.text("input", None), inner.number("d_in", Fraction(1))
    measure = inner.text("measure", None)
    measure = WORDS.get(measure, measure) if measure is not None else None
    if measure is not None and measure not in MEASURES:
        raise TaskError(f"claim.measure must be one of {', '.join((*MEASURES, *WORDS))}, got {measure}")
    deltas = tuple(_probability(d) for d in inner.of("deltas", list, "a list of exact numbers", []))
    numbers = _numbers(inner, measure)
    if measure in ("concentrated", "renyi") and not deltas and (delta := inner.any("delta", None)) is not None:
        deltas = (_probability(delta),)
    inner.done()
    try:
        metric = None if metric is None else known_metric(metric)
    except WordError as error:
        raise TaskError(f"claim.input: {error}") from None
    if d_in < 0:
        raise TaskError(f"claim.d_in must be >= 0, got {d_in}")
    return Claimed(metric, d_in, measure, numbers, deltas or DELTAS)


def _numbers(inner: Fields, measure: str | None) -> tuple[Any, ...] | None:
    """The numbers of the claim in the order of the measure; None where the map is asked."""
    if measure == "concentrated":
        return (inner.number("rho"),) if inner.has("rho") else None
    if not inner.has("epsilon"):
        if inner.has("delta") and measure != "renyi":
            raise TaskError("claim.epsilon must be given where claim.delta is")
        return None
    epsilon = inner.any("epsilon")
    if measure == "renyi":
        return inner.number("order"), inner.number("epsilon")
    try:
        found = claim(epsilon, inner.number("delta", Fraction(0)))
    except (ValueError, TypeError) as error:
        raise TaskError(f"claim: {error}") from None
    if measure == "pure" and found.delta:
        raise TaskError(f"claim.delta must be 0 under the measure pure, got {found.delta}")
    return found.epsilon, found.delta


def _probability(given: Any) -> Fraction:
    try:
        found = exact(given, "claim.deltas")
    except ValueError as error:
        raise TaskError(str(error)) from None
    if not 0 < found < 1:
        raise TaskError(f"claim.deltas must be > 0 and < 1, got {found}")
    return found


def points(asked: Claimed) -> list[Point]:
    """The points of a claim whose numbers are in the task; TaskError where they make none."""
    try:
        return implied(asked.measure or "approximate", asked.numbers or (), asked.deltas)
    except (Unread, ValueError) as error:
        raise TaskError(f"claim: {error}") from None


def mapped(asked: Claimed, value: Any, told: str | None) -> list[Point]:
    """The points of what the library's map gave, `told` being its own name of its measure; Unread where it has none."""
    numbers = value if isinstance(value, (tuple, list)) else (value,)
    if not all(isinstance(x, (int, float, Fraction)) and not isinstance(x, bool) for x in numbers):
        kind = value.kind if isinstance(value, wire.Other) else repr(value)[:60]
        raise Unread(f"the library's map gives no numbers but {kind}; give claim.epsilon and claim.delta")
    if not all(isfinite(x) for x in numbers):
        raise Unread(f"the library's map gives {value} for {asked.d_in}: it claims nothing")
    exactly = tuple(Fraction(x) for x in numbers)
    return implied(asked.measure or _word(told, len(exactly)), exactly, asked.deltas)


def _word(told: str | None, count: int) -> str:
    """refdp's word for the measure; by the number of numbers where the library says nothing."""
    if told is None:
        return "approximate" if count == 2 else "pure"
    inner = told[len("Approximate(") : -1] if told.startswith("Approximate(") else told
    try:
        word = refdp_word(inner)
    except WordError as error:
        raise Unread(f"the measure of the map is not known: {error}") from None
    return "approximate" if word == "pure" and count == 2 else word


def implied(measure: str, numbers: Sequence[Any], deltas: Sequence[Fraction]) -> list[Point]:
    """The points that a bound implies; Unread where its numbers do not fit its measure."""
    if measure in ("pure", "approximate") and len(numbers) in (1, 2):
        epsilon, delta = (*numbers, Fraction(0))[:2]
        if delta >= 1:
            raise Unread(f"delta = {delta} claims nothing")
        return [Point(Claim(exact_real(epsilon), delta), "")]
    if measure == "concentrated" and len(numbers) in (1, 2):
        rho, rest = (*numbers, Fraction(0))[:2]
        words = f"rho = {number(rho)} zCDP" + (f" with delta {number(rest)}" if rest else "")
        return [_point(concentrated_to_approximate, measure, (rho,), d, rest, words) for d in deltas]
    if measure == "renyi" and len(numbers) == 2:
        words = f"a Renyi divergence of order {number(numbers[0])} <= {number(numbers[1])}"
        return [_point(renyi_to_approximate, measure, tuple(numbers), d, Fraction(0), words) for d in deltas]
    raise Unread(f"{len(numbers)} numbers make no claim under the measure {measure}")


def _point(conversion: Any, measure: Any, loss: tuple[Any, ...], delta: Fraction, rest: Fraction, words: str) -> Point:
    """The point at delta + rest; `rest` is the probability that approximate zCDP sets aside."""
    try:
        epsilon = conversion(Guarantee(measure, loss, "change_one"), delta).loss[0]
    except HypothesisError as error:
        raise Unread(str(error)) from None
    if delta + rest >= 1:
        raise Unread(f"delta = {delta + rest} claims nothing")
    return Point(Claim(exact_real(epsilon), delta + rest), words)
