"""Violations that are planted: whether the test of a claim sees a program of the very strength that it speaks of.

A program of loss w has two outputs, one inside the event and one outside, with Q(S) = `frequency` and P(S) = e^w Q(S) +
delta.  What it gives is counted, added up and judged by the code that counts, adds up and judges the target's outputs.
Its randomness is its own, from a fixed stream: the target's draws, and the error of a refutation, are untouched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from refdp.auditing.evidence.e_values import BITS
from refdp.auditing.evidence.pair_bounds import frequency
from refdp.auditing.evidence.pair_tests import strengths
from refdp.auditing.evidence.pairs import Counts, Event, PairTest
from refdp.auditing.evidence.plants import is_seen, multinomial, stream
from refdp.auditing.evidence.scores import Raised
from refdp.auditing.judges.privacy.counts import History, counted, histories
from refdp.auditing.targets.workers.wire import Other
from refdp.numerics.elementary import exp_bounds

STRONGER = 4
"""So many strengths are tried, each twice the one before."""
STRANGE = (None, "a planted output", 1e300, -1e300, Raised("Planted"))
"""Outputs that few programs have, for events that no output of the target was in."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A loss that was seen where it was planted, by the event at this place of the test."""

    loss: Fraction
    place: int


def seen(
    history: History, tests: Sequence[PairTest], events: Sequence[Event], outputs: Sequence[Any]
) -> Planted | None:
    """The least loss that the test would see and saw where it was planted; None where there is none.

    `tests` are all tests of the pair of inputs, `events` theirs, one after the other; `outputs` such as the target's.
    """
    start = sum(len(test.events) for test in tests[: history.point])
    for w, place in strengths(history.test, history.total):
        both = sides(events[start + place], [*outputs, *STRANGE])
        if both is None:
            continue
        found = strongest_seen(history, tests, events, place, w, both)
        if found is not None:
            return Planted(found, place)
    return None


def sides(event: Event, outputs: Sequence[Any]) -> tuple[list[Any], list[Any]] | None:
    """The outputs inside an event and those outside; None where either is empty: no program violates anything there."""
    inside = [y for y in outputs if event.contains(y)]
    outside = [y for y in outputs if not event.contains(y)]
    return (inside, outside) if inside and outside else None


def strongest_seen(
    history: History, tests: Sequence[PairTest], events: Sequence[Event], place: int, w: Fraction,
    both: tuple[list[Any], list[Any]],
) -> Fraction | None:  # fmt: skip
    """The loss w, or a multiple of it, of which ENOUGH of RUNS planted programs were refuted."""
    for loss in (w * Fraction(2**i) for i in range(STRONGER)):
        test = history.test
        asked = [(one.name, one.direction, one.weight) for one in test.events]
        random = stream(str(test.claim), test.alpha, asked, place, loss)
        if is_seen(lambda loss=loss, random=random: refuted(history, tests, events, place, loss, both, random)):  # type: ignore[misc]
            return loss
    return None


def refuted(
    history: History, tests: Sequence[PairTest], events: Sequence[Event], place: int, loss: Fraction,
    both: tuple[list[Any], list[Any]], random: Random,
) -> bool:  # fmt: skip
    """Whether a planted program is, by as many pairs of runs as the target had."""
    test, pairs = history.test, sum(history.total.values())
    inside, outside = (random.choice(side) for side in both)
    more, less = chances(test, place, loss, history.total)
    shares = (more * less, more * (1 - less), (1 - more) * less, (1 - more) * (1 - less))
    part: list[list[int]] = []
    outputs = ((inside, inside), (inside, outside), (outside, inside), (outside, outside))
    for n, pair in zip(multinomial(pairs, shares, random), outputs, strict=True):
        x, y = pair[:: test.events[place].direction]
        part += [[a, b, n * times] for a, b, times in counted(events, [x], [y])]
    chunk: Mapping[str, Any] = {"stopped": "", "pairs": [[part]]}
    return histories([list(tests)], {}, [chunk])[0][history.point].crossed is not None


def chances(test: PairTest, place: int, loss: Fraction, counts: Counts) -> tuple[float, float]:
    """P(S) and Q(S) of a program of this loss."""
    direction, pairs = test.events[place].direction, max(1, sum(counts.values()))
    hits = sum(n for key, n in counts.items() if key[direction > 0] >> place & 1)
    factor, delta = exp_bounds(loss, BITS)[1], test.claim.delta
    less = frequency(factor, delta, Fraction(max(1, hits), pairs))
    return float(min(Fraction(1), factor * less + delta)), float(less)


def unanswered(y: Any) -> str:
    """How an output is no answer: an exception, NaN and nothing else, or an address; empty where it is one."""
    if isinstance(y, Raised):
        return f"raised {y.name}"
    if isinstance(y, Other) and ADDRESS.search(y.text):
        return f"gave an object of type {y.kind}, of which only the address is seen,"
    if isinstance(y, float):
        return "gave NaN" if y != y else ""
    if isinstance(y, (list, tuple)) and y:
        return "gave NaN" if all(unanswered(one) == "gave NaN" for one in y) else ""
    return ""


NO_ANSWER = "and gave no answer"
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+>?$")
"""How the text of an object ends that says where it lies, and not what it holds."""


def silent(sides: Sequence[Sequence[Any]]) -> str:
    """Why runs on both inputs of a pair say nothing, if none of them gave an answer; else empty."""
    ways = [[unanswered(y) for y in side] for side in sides]
    if not all(ways) or not all(all(side) for side in ways):
        return ""
    told = " or ".join(dict.fromkeys(way for side in ways for way in side))
    return f"the target {told} in each of {sum(map(len, ways))} runs that were set aside, {NO_ANSWER}"
