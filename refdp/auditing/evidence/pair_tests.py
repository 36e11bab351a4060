"""Pairs of runs on two neighbours: what the counts of events say of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.auditing.evidence.e_values import EValue
from refdp.auditing.evidence.pair_bounds import beyond_claim, certified_epsilon, detectable
from refdp.auditing.evidence.pairs import Counts, Event, Four, PairTest, capital, four


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Whether a claim is refuted (it is never proved), the event that says most, its counts, and what those show."""

    refuted: bool
    reason: str
    pairs: int
    error: Fraction
    e_value: EValue
    event: Event
    counts: Four
    epsilon: Fraction | None
    """Where refuted: the program is not (this epsilon, delta)-private, at this error.  Else: so much epsilon of this
    event would have been seen with probability 0.999, if the event is as frequent on the other side as it was, or as
    such a loss allows; None where none would."""


def judge(test: PairTest, counts: Counts) -> PairVerdict:
    """The verdict at these counts, from them alone."""
    e = test.e_value(counts)
    return _refuted(test, counts, e) if e.refutes(test.alpha) else _not_refuted(test, counts, e)


def _refuted(test: PairTest, counts: Counts, e: EValue) -> PairVerdict:
    """REFUTED, by the event with the greatest capital."""
    place, event = strongest(test, counts)
    seen, v = four(counts, place, event.direction), certified_epsilon(test, counts)
    if v is None or v <= test.claim.epsilon:
        v = beyond_claim(test, counts) or v
    at_least = f"; epsilon >= {float(v):.4g} at delta = {test.claim.delta}" if v is not None else ""
    text = f"{test.claim} is refuted at error {test.alpha} by {event.name}: {told(seen)}{at_least}"
    return PairVerdict(True, text, sum(counts.values()), test.alpha, e, event, seen, v)


def _not_refuted(test: PairTest, counts: Counts, e: EValue) -> PairVerdict:
    """NOT_REFUTED, with the event of which the least epsilon would have been seen."""
    pairs, found = sum(counts.values()), strengths(test, counts)
    w, place = found[0] if found else (None, 0)
    event = test.events[place]
    seen = four(counts, place, event.direction)
    would = f"epsilon >= {float(w):.4g} of {event.name} would have been seen" if w is not None else "too few pairs"
    text = f"{test.claim} is not refuted by {pairs} pairs; {would}"
    return PairVerdict(False, text, pairs, test.alpha, e, event, seen, w)


def strengths(test: PairTest, counts: Counts) -> list[tuple[Fraction, int]]:
    """(w, the place of an event), the least w first: a program of that loss would have been refuted by the event."""
    pairs, found = sum(counts.values()), []
    for place, event in enumerate(test.events):
        seen = four(counts, place, event.direction)
        rate = Fraction(max(1, seen.both + seen.second), max(1, pairs))
        w = detectable(test, event.weight, rate, pairs) if pairs and event.weight else None
        if w is not None:
            found.append((w, place))
    return sorted(found)


def strongest(test: PairTest, counts: Counts) -> tuple[int, Event]:
    """The event with the greatest capital."""

    def size(i: int) -> Fraction:
        event = test.events[i]
        return capital(four(counts, i, event.direction), test.claim.factor, test.claim.delta).log10

    place = max(range(len(test.events)), key=size)
    return place, test.events[place]


def told(seen: Four) -> str:
    """The frequencies as text."""
    return f"{seen.both + seen.first} against {seen.both + seen.second} of {seen.pairs}"
