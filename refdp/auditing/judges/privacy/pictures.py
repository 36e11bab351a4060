"""Pictures of a claim of privacy: the counterexample, delta(epsilon), privacy losses with the event, wealth.

Only coordinates are floats.  Bounds of probabilities are confidence sequences: at the stated error they hold together,
whatever the look at which the drawing ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any

from refdp.auditing.evidence import sequences
from refdp.auditing.evidence.pair_tests import Outcome, Verdict
from refdp.auditing.evidence.pairs import Claim, Event, four
from refdp.auditing.evidence.scores import learned_score
from refdp.auditing.evidence.scores import number as number_of
from refdp.auditing.judges.inputs import shown
from refdp.auditing.judges.privacy.counts import History
from refdp.auditing.judges.privacy.laws import exact_deltas
from refdp.auditing.judges.privacy.reading import Question, training
from refdp.auditing.judges.privacy.views import VIEWS
from refdp.auditing.judges.privacy.words import certified, delta_text, share
from refdp.auditing.judges.result import Counterexample, Curve, Evidence, LedgerLine, LossBin, Wealth
from refdp.auditing.judges.rounding import bounds, number

Contains = Callable[[Any], bool]
Events = Callable[[Mapping[str, Any], int], Sequence[Event]]
"""Opening and pair of inputs -> its events with their members."""
STEPS = 40
"""Points of a curve."""
LARGEST = 700.0
"""No greater epsilon is drawn: e to the power of it is no float."""
BINS = 24
FEW = 3
"""So many outputs of an event are named."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The test that a report shows."""

    asked: Question
    opening: Mapping[str, Any]
    history: History
    claim: Claim
    verdict: Verdict

    @property
    def inputs(self) -> tuple[Any, Any]:
        """The input on which the event came more often, or should, and the other one."""
        first, second = self.asked.pairs[self.history.pair]
        return (first, second) if self.verdict.event.direction > 0 else (second, first)

    @property
    def place(self) -> int:
        """The place of the event in its test."""
        wanted = self.verdict.event
        return next(i for i, event in enumerate(self.history.test.events) if event is wanted)


def evidence(seen: Seen, events: Events, ledger: tuple[LedgerLine, ...]) -> Evidence:
    """All pictures."""
    refuted, contains = seen.verdict.outcome is Outcome.REFUTED, members(seen, events)
    found = counterexample(seen, described(seen, contains)) if refuted else None
    return Evidence(found, curve(seen), losses(seen, contains), wealth=wealth(seen), ledger=ledger)


def counterexample(seen: Seen, event: str) -> Counterexample:
    """The pair of inputs, the event, how often it came, and certified bounds of both probabilities."""
    counts, each = seen.verdict.counts, seen.history.test.alpha / 2
    hits = (counts.both + counts.first, counts.both + counts.second)
    told = [(sequences.at_least(counts.pairs, k, each), sequences.at_most(counts.pairs, k, each)) for k in hits]
    found, delta = certified(seen.claim, seen.verdict.epsilon), delta_text(seen.claim)
    more, less = seen.inputs
    return Counterexample(
        (shown(more), shown(less)), (share(counts, 0), share(counts, 1)),
        f"P(event) <= e^({seen.claim.epsilon}) Q(event) + {number(seen.claim.delta)}", f"{found} at {delta}",
        event, (share(counts, 0), share(counts, 1)), tuple(bounds(*two) for two in told),
    )  # fmt: skip


def curve(seen: Seen) -> Curve:
    """delta(epsilon): what the claim implies, the exact one where laws are given, and what the counts certify."""
    marked = float(seen.claim.epsilon.rational) + log(seen.claim.epsilon.argument)
    known = 0.0 if seen.verdict.epsilon is None else float(seen.verdict.epsilon)
    top = min(LARGEST, max(1.0, 1.5 * marked, min(1.2 * known, 3 * marked + 3)))
    epsilons = tuple(top * i / STEPS for i in range(STEPS + 1))
    laws = seen.asked.laws[seen.history.pair] if seen.asked.laws else None
    boxes = probabilities(seen.history)
    return Curve(
        epsilons, tuple(implied(seen.claim, marked, e) for e in epsilons),
        () if laws is None else exact_deltas(epsilons, *laws),
        tuple(excess(boxes, e) for e in epsilons), marked,
    )  # fmt: skip


def implied(at: Claim, epsilon: float, e: float) -> float:
    """The greatest delta at e of any program that keeps the claim (Kairouz, Oh and Viswanath 2015)."""
    delta = float(at.delta)
    ratio = exp(min(epsilon - e, LARGEST))
    return delta if e >= epsilon else delta + (1 - delta) * (ratio - 1) / (ratio + exp(-e))


def probabilities(history: History) -> list[tuple[Fraction, Fraction]]:
    """For each event P(S) from below and Q(S) from above, all of them together at the test's error."""
    events, found = history.test.events, []
    each = history.test.alpha / (2 * len(events))
    for i, event in enumerate(events):
        counts = four(history.total, i, event.direction)
        low = sequences.at_least(counts.pairs, counts.both + counts.first, each)
        found.append((low, sequences.at_most(counts.pairs, counts.both + counts.second, each)))
    return found


def excess(boxes: Sequence[tuple[Fraction, Fraction]], epsilon: float) -> float | None:
    """The greatest excess that the bounds leave to an event; None where that is none."""
    most = max((float(p) - exp(epsilon) * float(q) for p, q in boxes), default=0.0)
    return most if most > 0 else None


def losses(seen: Seen, contains: Contains | None) -> tuple[LossBin, ...]:
    """The privacy losses that were learned, of the training part; inside: most outputs of the bin are in the event.

    The first side is the one on which the event is the more frequent, as in the counterexample.
    """
    if contains is None:
        return ()
    view = VIEWS[seen.verdict.event.name.partition(",")[0]]
    sides, direction = training(seen.opening["pairs"][seen.history.pair]), seen.verdict.event.direction
    score = learned_score([view(y) for y in sides[0]], [view(y) for y in sides[1]])
    return binned([[(direction * score(view(y)), contains(y)) for y in side] for side in sides[::direction]])


def members(seen: Seen, events: Events) -> Contains | None:
    """Whether an output is in the event, where it was learned."""
    if seen.asked.family != "learned":
        return None
    pair = seen.history.pair
    before = sum(len(seen.opening["pairs"][pair]["events"][k]) for k in range(seen.history.point))
    return events(seen.opening, pair)[before + seen.place].contains


def described(seen: Seen, contains: Contains | None) -> str:
    """The event in words: its name, and for a learned one which outputs of the training part are in it."""
    label = seen.verdict.event.name
    if contains is None:
        return label
    outputs = [y for side in training(seen.opening["pairs"][seen.history.pair]) for y in side]
    inside, outside = [y for y in outputs if contains(y)], [y for y in outputs if not contains(y)]
    if not inside:
        return label
    numbers = [x for x in map(number_of, inside) if x is not None]
    if len(numbers) == len(inside) and len(set(numbers)) > FEW:
        low, high = min(numbers), max(numbers)
        between = [x for x in map(number_of, outside) if x is not None and low <= x <= high]
        return f"{'numbers' if not between else 'some numbers'} from {low:.6g} to {high:.6g} ({label})"
    common = [text for text, _ in Counter(shown(y, 60) for y in inside).most_common(FEW)]
    return f"such as {', '.join(common)} ({label})"


def binned(scored: Sequence[Sequence[tuple[float, bool]]]) -> tuple[LossBin, ...]:
    """Scores with whether they are in the event, of both sides, in equal bins."""
    values = [s for side in scored for s, _ in side]
    low, high = min(values), max(values)
    width = (high - low) / BINS or 1.0
    found = []
    for i in range(BINS):
        here = [[inside for s, inside in side if min(BINS - 1, int((s - low) / width)) == i] for side in scored]
        members = here[0] + here[1]
        if members:
            shares = [len(part) / max(1, len(side)) for part, side in zip(here, scored, strict=True)]
            inside = 2 * sum(members) > len(members)
            found.append(LossBin(low + i * width, low + (i + 1) * width, shares[0], shares[1], inside))
    return tuple(found)


def wealth(seen: Seen) -> Wealth:
    """log10 of the e-value at each look."""
    history = seen.history
    logs = [max(-50.0, float(history.test.e_value(at).log10)) for at in history.looks]
    samples = [sum(at.values()) for at in history.looks]
    return Wealth((0, *samples), (0.0, *logs), -log(history.test.alpha) / log(10))
