"""Events learned from outputs that are then set aside: any function of the training part makes a fixed event.

What is learned decides power only.  Outputs are scored by about ln(P / Q) (`scores`), for each view of them; events are
the outputs of a high score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import log, sqrt
from typing import Any

from refdp.auditing.evidence.pairs import BETS, DIRECTIONS, Claim, Event, factors
from refdp.auditing.evidence.scores import Raised, Score, label, learned_score, number

__all__ = ["Raised", "growth", "label", "learned_events"]


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
        score = _remembered(view, learned_score(seen[0], seen[1]))
        values = [sorted(map(score, side)) for side in (first, second)]
        for direction in DIRECTIONS:
            cut = _best_cut(claim, values, direction)
            if all(_holds_all(side, cut, direction) for side in values):  # then no program exceeds the claim there
                found.append(Event(f"{name}, unlike any set aside", _unlike(view, seen), direction, weight))
                continue
            found.append(Event(f"{name}, score {'>=' if direction > 0 else '<='} {cut:.6g}",
                               _beyond(score, cut, direction), direction, weight))  # fmt: skip
    return tuple(found)


def _remembered(view: Callable[[Any], Any], score: Score) -> Score:
    """The score of the view of an output; of the last one it is remembered, as events of two directions ask for it."""
    last: list[Any] = [None, score(view(None))]

    def value(y: Any) -> float:
        if y is not last[0]:
            last[:] = y, score(view(y))
        found: float = last[1]
        return found

    return value


def _beyond(score: Score, cut: float, direction: int) -> Callable[[Any], bool]:
    """Whether the score of an output is beyond the cut."""
    return (lambda y: score(y) >= cut) if direction > 0 else (lambda y: score(y) <= cut)


def _holds_all(values: Sequence[float], cut: float, direction: int) -> bool:
    """Whether all scores, which are sorted, are beyond the cut."""
    return values[0] >= cut if direction > 0 else values[-1] <= cut


def _unlike(view: Callable[[Any], Any], seen: Sequence[Sequence[Any]]) -> Callable[[Any], bool]:
    """Whether an output looks like none that was seen: another value, and no number between those."""
    known = {label(y) for side in seen for y in side}
    numbers = [x for side in seen for x in map(number, side) if x is not None]
    low, high = (min(numbers), max(numbers)) if numbers else (1.0, 0.0)

    def contains(y: Any) -> bool:
        found = view(y)
        x = number(found)
        return label(found) not in known and (x is None or not low <= x <= high)

    return contains


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
