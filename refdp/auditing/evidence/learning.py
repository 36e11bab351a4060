"""Events learned from outputs that are then set aside: any function of the training part makes a fixed event.

What is learned decides power only.  An output gets a score, about ln(P / Q): by its bin if it is a number, by itself if
it is frequent, by the sum of the scores of its parts if it is a sequence.  Events are the outputs of a high score.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import isfinite, log, sqrt
from typing import Any

from refdp.auditing.evidence.pairs import BETS, DIRECTIONS, Claim, Event, factors
from refdp.auditing.evidence.tallies import shown

BINS = 64
RARE = 8
"""Outputs that come more seldom in training are no categories of their own."""
LONGEST = 64
"""Parts of a sequence beyond this many are not looked at."""
DEEPEST = 3
"""Sequences within sequences are looked into so far."""
Score = Callable[[Any], float]


@dataclass(frozen=True, slots=True)
class Raised:
    """The output of a run that raised an exception, by the name of its type."""

    name: str


def label(value: Any) -> Hashable:
    """The value as a category: with its type, so that 1, 1.0 and True differ, and NaN equals itself."""
    kind = type(value).__name__
    if isinstance(value, float) and not isfinite(value):
        return kind, repr(value)
    if isinstance(value, str | bytes | bool | int | float | Raised | Fraction) or value is None:
        return kind, (value, repr(value)) if isinstance(value, float) else value  # 0.0 and -0.0 differ
    if isinstance(value, tuple | list):
        return kind, tuple(map(label, value))
    return kind, shown(value)


def number(value: Any) -> float | None:
    """The value as a float, if it is a number to be put into a bin."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return None
    try:
        found = float(value)
    except OverflowError:
        found = 1e308 if value > 0 else -1e308
    return found if isfinite(found) else None


def learned_score(first: Sequence[Any], second: Sequence[Any], depth: int = 0) -> Score:
    """About ln(P(y) / Q(y)), from outputs on both neighbours."""
    both = [*first, *second]
    common = {y for y, n in Counter(map(label, both)).items() if n >= max(RARE, len(both) // 2048)}
    numbers = sorted(x for x in map(number, both) if x is not None)
    ends = sorted({numbers[i * len(numbers) // BINS] for i in range(1, BINS)}) if numbers else []
    parts = _parts(first, second, depth)
    sums = sorted(parts(y) for y in both if isinstance(y, tuple | list)) if parts else []
    sum_ends = sorted({sums[i * len(sums) // BINS] for i in range(1, BINS)}) if sums else []

    def place(y: Any) -> Hashable:
        own = label(y)
        if own in common:
            return "itself", own
        x = number(y)
        if x is not None:
            return "bin", bisect_left(ends, x)
        if parts and isinstance(y, tuple | list):
            return "sum", bisect_left(sum_ends, parts(y))
        return "other", type(y).__name__

    p, q = Counter(map(place, first)), Counter(map(place, second))
    m, n = len(first) + 1, len(second) + 1

    def score(y: Any) -> float:
        here = place(y)
        return log((p[here] + 0.5) / m) - log((q[here] + 0.5) / n)

    return score


def _parts(first: Sequence[Any], second: Sequence[Any], depth: int) -> Score | None:
    """The sum of the scores of the places of sequences, and of their length; None where there are none."""
    rows = [[y for y in side if isinstance(y, tuple | list)] for side in (first, second)]
    if depth >= DEEPEST or not rows[0] or not rows[1]:
        return None
    size = min(LONGEST, max(len(y) for side in rows for y in side))
    columns = [[[y[i] for y in side if len(y) > i] for side in rows] for i in range(size)]
    scores = [learned_score(a, b, depth + 1) for a, b in columns]
    length = learned_score([len(y) for y in rows[0]], [len(y) for y in rows[1]], DEEPEST)
    return lambda y: length(len(y)) + sum(score(part) for score, part in zip(scores, y, strict=False))


def learned_events(
    claim: Claim,
    first: Sequence[Any],
    second: Sequence[Any],
    views: Sequence[tuple[str, Callable[[Any], Any]]] = (("output", lambda y: y),),
) -> tuple[Event, ...]:
    """For each view (a function of the output) and direction, the event whose capital would have grown most.

    ValueError where there is nothing to learn from.
    """
    if not first or not second or not views:
        raise ValueError("learning needs outputs on both neighbours, and at least one view")
    weight, found = Fraction(1, 2 * len(views)), []
    for name, view in views:
        seen = [list(map(view, side)) for side in (first, second)]
        score = learned_score(seen[0], seen[1])
        values = [sorted(map(score, side)) for side in seen]
        for direction in DIRECTIONS:
            cut = _best_cut(claim, values, direction)
            found.append(Event(f"{name}, score {'>=' if direction > 0 else '<='} {cut:.6g}",
                               _beyond(view, score, cut, direction), direction, weight))  # fmt: skip
    return tuple(found)


def _beyond(view: Callable[[Any], Any], score: Score, cut: float, direction: int) -> Callable[[Any], bool]:
    """Whether the score of an output is beyond the cut."""
    return (lambda y: score(view(y)) >= cut) if direction > 0 else (lambda y: score(view(y)) <= cut)


def _best_cut(claim: Claim, values: Sequence[Sequence[float]], direction: int) -> float:
    """The cut with the greatest growth of capital, the frequencies taken a standard error to the worse."""
    sides = [Counter(side) for side in values][::direction]
    cuts = sorted({*sides[0], *sides[1]}, reverse=direction > 0)
    above = [list(accumulate(side[c] for c in cuts)) for side in sides]
    totals = [sum(side.values()) for side in sides]
    tried = [growth(claim, *_cautious(a, b, totals)) for a, b in zip(*above, strict=True)]
    return cuts[tried.index(max(tried))]


def _cautious(a: int, b: int, totals: Sequence[int]) -> tuple[float, float]:
    """Frequencies a standard error less and more than seen."""
    p, q = a / totals[0], b / totals[1]
    less = p - sqrt(p * (1 - p) / totals[0])
    more = q + sqrt((q * (1 - q) + 0.25 / totals[1]) / totals[1])
    return max(0.0, less), min(1.0, more)


def growth(claim: Claim, p: float, q: float) -> float:
    """The mean of ln(1 + l Z) a pair for the best bet, in floats, where P(S) = p and Q(S) = q."""
    chances = (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))
    means = [sum(c * log(x) for c, x in zip(chances, known, strict=True)) for known in _rough(claim)]
    return float(max(means))


@lru_cache(maxsize=8)
def _rough(claim: Claim) -> list[list[float]]:
    """The factors of each bet as floats."""
    return [[float(x) for x in factors(claim.factor, claim.delta, bet)] for bet in BETS]
