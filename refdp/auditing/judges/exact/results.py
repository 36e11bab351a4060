"""What exact laws come to: proved for these pairs, or refuted with the event that betrays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import inf, log
from typing import Any

from refdp.accounting.judging.readings import at_least, at_most
from refdp.auditing.evidence import enumerable
from refdp.auditing.evidence.pairs import Claim
from refdp.auditing.judges import inputs
from refdp.auditing.judges.exact.claims import Approximate, Claimed, Decided, Renyi, power_bounds
from refdp.auditing.judges.exact.laws import Law
from refdp.auditing.judges.result import (
    NOT_REFUTED,
    PROVED,
    REFUTED,
    UNKNOWN,
    Counterexample,
    Curve,
    Evidence,
    LossBin,
    Result,
    Row,
)
from refdp.auditing.judges.single import unknown
from refdp.numerics.exact import exact_real

POINTS = 25
"""Points of a curve."""
MOST_DRAWN = 5000
"""Laws of more outcomes are not drawn."""
LONGEST = 60
"""Most characters of an input in a sentence."""
LISTED = 6
"""Most outcomes of an event that a sentence lists."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two inputs and their laws."""

    x: Any
    y: Any
    first: Law
    second: Law

    def directed(self, direction: int) -> Pair:
        """The same the other way round, for direction -1."""
        return self if direction == 1 else Pair(self.y, self.x, self.second, self.first)

    def __str__(self) -> str:
        return f"{inputs.shown(self.x, LONGEST)} / {inputs.shown(self.y, LONGEST)}"


def result(
    sentence: str, claim: Claimed, pairs: Sequence[Pair], about: Mapping[str, str], trusts: Sequence[str]
) -> Result:
    """REFUTED if any pair refutes; UNKNOWN if any is not decided; else PROVED, or NOT_REFUTED at the orders tried."""
    found = [(pair, claim.decided(pair.first, pair.second)) for pair in pairs]
    worst = min(found, key=lambda one: ((REFUTED, UNKNOWN, NOT_REFUTED, PROVED).index(one[1].verdict), -one[1].lower))
    pair, decided = worst
    common: dict[str, Any] = {
        "about": about, "trusts": trusts, "not_tested": ["other pairs of inputs"],
        "scope": [f"{one}: {len(enumerable.known(one.first).lower)} outcomes" for one in pairs],
    }  # fmt: skip
    picture = Evidence(
        counterexample(pair, decided) if decided.verdict == REFUTED else None,
        curve(claim, pair), losses(pair.directed(decided.direction), decided),
        rows=tuple(row for one in found for row in rows(*one)),
    )  # fmt: skip
    told = f"{decided.name} is {enclosed(decided)} for {pair}, where {decided.claimed} is claimed"
    if decided.verdict == REFUTED:
        event = f"; the event is {of(decided.event)}" if decided.event else ""
        witness = f"{pair.directed(decided.direction)}: {decided.name} >= {at_least(decided.lower, 5)}"[:80]
        return Result(REFUTED, sentence, f"REFUTED, exactly: {told}{event}", witness, evidence=picture, **common)
    if decided.verdict == UNKNOWN:
        return unknown(sentence, f"not decided: {told}", evidence=picture, **common)
    if decided.verdict == NOT_REFUTED:
        if isinstance(claim, Renyi) and not sees(claim):
            reason = "no violation would have been seen: one was planted at each order, and not refuted"
            return unknown(sentence, reason, evidence=picture, **common)
        return Result(NOT_REFUTED, sentence, f"not refuted: {told}", power="any violation at these orders",
                      evidence=picture, **common)  # fmt: skip
    whole = "this pair" if len(pairs) == 1 else f"these {len(pairs)} pairs"
    return Result(PROVED, sentence, f"PROVED for {whole}: {told}", evidence=picture, **common)


def sees(claim: Renyi) -> bool:
    """Whether two laws with a divergence just above the claimed one, at each order, are refuted at that order.

    P = {0: 1} and Q = {0: q, 1: 1 - q} have the divergence -ln(q) at every order.
    """
    for order, epsilon in zip(claim.orders, claim.epsilons, strict=True):
        q = 1 / power_bounds(epsilon, 1)[1] * (1 - Fraction(1, 2**30))
        first: Law = {0: Fraction(1)}
        second: Law = {0: q, 1: 1 - q}
        if Renyi([order], [epsilon], claim.words, claim.whole).decided(first, second).verdict != REFUTED:
            return False
    return bool(claim.orders)


def enclosed(decided: Decided) -> str:
    """The number, exactly where it is short, else in decimals."""
    if decided.lower == decided.upper and decided.lower.denominator < 10**9:
        return str(decided.lower)
    upper = "not bounded" if decided.upper is None else f"at most {at_most(decided.upper, 6)}"
    return f"at least {at_least(decided.lower, 6)} and {upper}"


def rows(pair: Pair, decided: Decided) -> list[Row]:
    """What the claim bounds; and the max divergence in both directions."""
    upper = "infinite" if decided.upper is None else at_most(decided.upper)
    found = [Row(f"{decided.name} of {pair}", decided.claimed, at_least(decided.lower), upper, decided.verdict)]
    for direction in (1, -1):
        one = pair.directed(direction)
        most = enumerable.max_divergence(one.first, one.second)
        ends = ("", "infinite or not bounded") if most is None else (at_least(most.lower), at_most(most.upper))
        found.append(Row(f"max divergence of {one}", "", *ends, ""))
    return found


def counterexample(pair: Pair, decided: Decided) -> Counterexample:
    """The pair, its event, and the event's probabilities."""
    one = pair.directed(decided.direction)
    event, laws = decided.event, [enumerable.known(law) for law in (one.first, one.second)]
    bounds = tuple(f"from {at_least(k.at_least(event))} to {at_most(k.at_most(event))}" for k in laws) if event else ()
    return Counterexample(
        (inputs.shown(one.x), inputs.shown(one.y)), tuple(masses(law) for law in (one.first, one.second)),
        f"{decided.name} <= {decided.claimed}", f"{decided.name} is {enclosed(decided)}", of(event), bounds=bounds,
    )  # fmt: skip


def of(event: frozenset[Any]) -> str:
    """An event as the outcomes that it holds."""
    if not event:
        return ""
    listed = sorted(str(inputs.of_text(y)) for y in event)
    more = f" and {len(listed) - LISTED} more" if len(listed) > LISTED else ""
    return f"{{{', '.join(listed[:LISTED])}}}{more}"


def masses(law: Law) -> str:
    """The greatest masses of a law, from below."""
    lower = enumerable.known(law).lower
    greatest = sorted(lower.items(), key=lambda item: -item[1])[:LISTED]
    told = ", ".join(f"{inputs.of_text(str(y))}: {p if p.denominator < 10**9 else at_least(p, 6)}" for y, p in greatest)
    return told + (" ..." if len(lower) > LISTED else "")


def losses(pair: Pair, decided: Decided) -> tuple[LossBin, ...]:
    """Outcomes by their privacy loss, those of about the same loss together; coordinates only.

    Infinite losses are drawn at one more than the greatest finite one.
    """
    p, q = enumerable.known(pair.first).lower, enumerable.known(pair.second).lower
    both = [(loss(p.get(y, Fraction(0)), q.get(y, Fraction(0))), y) for y in dict.fromkeys([*p, *q])]
    if len(both) > MOST_DRAWN:
        return ()
    end = 1 + max((abs(x) for x, _ in both if abs(x) < inf), default=0.0)
    placed = sorted((round(max(-end, min(end, x)), 6), y in decided.event, y) for x, y in both)
    found = []
    for (at, inside), group in groupby(placed, key=lambda one: one[:2]):
        outcomes = [y for _, _, y in group]
        first, second = (float(sum((law.get(y, Fraction(0)) for y in outcomes), Fraction(0))) for law in (p, q))
        found.append(LossBin(at, at, first, second, inside))
    return tuple(found)


def loss(p: Fraction, q: Fraction) -> float:
    """ln(p / q), about."""
    if p == 0 or q == 0:
        return inf if p > 0 else -inf if q > 0 else 0.0
    return log(p.numerator) + log(q.denominator) - log(p.denominator) - log(q.numerator)


def curve(claim: Claimed, pair: Pair) -> Curve | None:
    """delta(epsilon) of the pair from below, beside the claimed point; coordinates only."""
    outcomes = len(enumerable.known(pair.first).lower)
    if not isinstance(claim, Approximate) or outcomes > MOST_DRAWN // 10:
        return None
    marked = float(claim.claim.epsilon.rational) + log(claim.claim.epsilon.argument)
    epsilons = [2 * max(marked, 0.5) * i / (POINTS - 1) for i in range(POINTS)]
    exact = tuple(float(_delta(pair, Fraction(round(1000 * e), 1000))) for e in epsilons)
    claimed = tuple(float(claim.claim.delta) if e >= marked else None for e in epsilons)
    return Curve(tuple(epsilons), claimed, exact, marked=marked)


def _delta(pair: Pair, epsilon: Fraction) -> Fraction:
    """A lower bound of delta at the epsilon, in the greater direction."""
    p, q, at = enumerable.known(pair.first), enumerable.known(pair.second), Claim(exact_real(epsilon))
    return max(enumerable.excess(at, p, q).delta.lower, enumerable.excess(at, q, p, -1).delta.lower)
