"""What the counts of a claim of privacy come to: the verdict in words, with what a report draws.

Only coordinates of pictures are floats.  Bounds of probabilities are confidence sequences: at the stated error they
hold together, whatever the look at which the drawing ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any

from refdp.auditing.evidence import plants, sequences
from refdp.auditing.evidence.e_values import BITS
from refdp.auditing.evidence.pair_bounds import LARGEST_FACTOR
from refdp.auditing.evidence.pair_tests import PairVerdict
from refdp.auditing.evidence.pairs import Claim, Event, Four, four
from refdp.auditing.evidence.scores import learned_score
from refdp.auditing.evidence.scores import number as number_of
from refdp.auditing.judges import drawing
from refdp.auditing.judges.inputs import shown
from refdp.auditing.judges.privacy import planted
from refdp.auditing.judges.privacy.claims import Point, point, points
from refdp.auditing.judges.privacy.counts import History
from refdp.auditing.judges.privacy.laws import exact_deltas
from refdp.auditing.judges.privacy.pairs import told
from refdp.auditing.judges.privacy.reading import Question, name, training
from refdp.auditing.judges.privacy.views import TOLD, VIEWS, view_sentence
from refdp.auditing.judges.result import UNSEEING, Counterexample, Curve, Evidence, LedgerLine, LossBin, Result, Wealth
from refdp.auditing.judges.rounding import bounds, number, told_apart, upwards
from refdp.auditing.judges.task import Record
from refdp.numerics.elementary import ln_bounds
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN

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
SHORT = 20
"""Characters of an exact epsilon that is printed whole."""
NOT_TESTED = (
    "other pairs of inputs",
    "other events than those that were fixed before the draws",
    "time, memory and other side channels",
)


def result(
    asked: Question, alpha: Fraction, opening: Record, chunks: Sequence[Record],
    found: Sequence[Sequence[History]], events: Events,
) -> Result:  # fmt: skip
    """The result of all tests: that of the one that certifies most, else of the one nearest to a refutation."""
    tests = [history for row in found for history in row]
    refuted = [t for t in tests if t.refuted]
    why = drawing.stopped(opening, chunks)
    if drawing.repeated([opening["begun"], *(chunk["begun"] for chunk in chunks)]):
        why, refuted = drawing.REPEATS, []
    common: dict[str, Any] = {
        "claim": claim(asked, [point(p) for p in opening["points"]]),
        "samples": sum(2 * drawn(row[0]) for row in found), "about": dict(opening["about"]),
        "scope": scope(asked, found), "not_tested": NOT_TESTED, "trusts": trusts(asked),
    }  # fmt: skip
    if not refuted and (why or not any(t.verdict for t in tests)):
        reason = why or "nothing was drawn"
        return Result(UNKNOWN, sentence=f"Nothing is said of the claim: {reason}.", reason=reason, **common)
    one = max(refuted or tests, key=lambda t: (t.certified, 0 if t.verdict is None else t.verdict.e_value.log10))
    if one.verdict is None:
        raise ValueError("a test without draws has no verdict")
    seen = Seen(asked, opening, one, one.test.claim, one.verdict)
    common["evidence"] = evidence(seen, events, ledger(tests))
    if refuted:
        return _refuted(seen, alpha, common)
    return _not_refuted(tests, alpha, common, unanswered(opening), planted_in(asked, opening, found, events))


def _refuted(seen: Seen, alpha: Fraction, common: Mapping[str, Any]) -> Result:
    """REFUTED, by one test."""
    verdict, at = seen.verdict, seen.claim
    enough = sum(seen.history.looks[seen.history.crossed or 0].values())
    claimed, least = contradiction(at, verdict.epsilon)
    more, less = seen.inputs
    found = common["evidence"].counterexample
    event = verdict.event.name if found is None else found.event
    sentence = (
        f"Claim refuted: {least} at {delta_text(at)}, at error <= {upwards(alpha)}; claimed is "
        f"{claimed}. Outputs in the event ({event}) came {share(verdict.counts, 0)} times on "
        f"{shown(more, 60)} and {share(verdict.counts, 1)} times on {shown(less, 60)}; the first {enough} pairs of "
        f"runs were enough.{view_sentence(verdict.event.name)}"
    )
    view = verdict.event.name.partition(",")[0]
    brief = f"by {view}" if view in TOLD else event.partition(f" ({verdict.event.name}")[0]
    witness = f"{least}: {share(verdict.counts, 0)} / {share(verdict.counts, 1)}, {brief}"
    return Result(REFUTED, sentence=sentence, witness=witness[:80], error=alpha, **common)


UNPLANTED = "planted ones were not, by any event that was fixed"


def unseen(test: History) -> str:
    """Why no epsilon would have been seen; empty where one would."""
    if test.verdict is not None and test.verdict.epsilon is not None:
        return ""
    at = test.test.claim
    if 2 * at.factor > LARGEST_FACTOR:
        return f"an epsilon above {short(at)} is more than runs can show"
    return "the pairs are too few"


def unanswered(opening: Record) -> str:
    """Why nothing can be said where no run on a pair of inputs gave an answer; else empty."""
    return next(filter(None, (planted.silent(training(pair)) for pair in opening["pairs"])), "")


def planted_in(
    asked: Question, opening: Record, found: Sequence[Sequence[History]], events: Events
) -> dict[tuple[int, int], planted.Planted | None]:
    """For each test what was planted in it and seen."""
    known: dict[tuple[int, int], planted.Planted | None] = {}
    for i, row in enumerate(found):
        outputs = [y for side in training(opening["pairs"][i]) for y in side]
        laws = asked.laws[i] if asked.laws else ()
        outputs += [y for law in laws for y in law.outcomes]
        tests, members = [history.test for history in row], events(opening, i)
        known |= {(i, history.point): planted.seen(history, tests, members, outputs) for history in row}
    return known


def _not_refuted(
    tests: Sequence[History], alpha: Fraction, common: Mapping[str, Any], silent: str,
    seen: Mapping[tuple[int, int], planted.Planted | None],
) -> Result:  # fmt: skip
    """NOT_REFUTED, with what would have been seen and was, where it was planted; UNKNOWN where nothing was."""
    pairs = sum({t.pair: drawn(t) for t in tests}.values())
    found = [(t, seen[t.pair, t.point]) for t in tests]
    told_power = power([(t.test.claim, None if one is None else one.loss) for t, one in found])
    if silent or not told_power:
        why = next((text for t, one in found if one is None and (text := unseen(t))), UNPLANTED)
        reason = silent or f"{UNSEEING}: {why}"
        return Result(UNKNOWN, sentence=f"Nothing is said of the claim: {reason}.", reason=reason, **common)
    rest = (
        ", with probability >= 0.999 and for events as frequent as those that were seen, or as such an epsilon allows"
        f"; planted violations of that strength were seen in {plants.ENOUGH} of {plants.RUNS} runs or more"
    )
    sentence = f"Not refuted by {pairs} pairs of runs, at error <= {upwards(alpha)}; {told_power}{rest}."
    return Result(NOT_REFUTED, sentence=sentence, power=told_power, error=alpha, **common)


def ledger(tests: Sequence[History]) -> tuple[LedgerLine, ...]:
    """Every test with its share of alpha."""
    lines = []
    for t in tests:
        log10 = "0" if t.verdict is None else f"{float(t.verdict.e_value.log10):.3f}"
        null = f"{point_text(t.test.claim)} for both directions and {len(t.test.events)} events"
        own = name(t.pair, t.point)
        lines.append(LedgerLine(own, null, str(t.test.alpha), drawn(t), log10))
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class Seen:
    """The test that a report shows."""

    asked: Question
    opening: Mapping[str, Any]
    history: History
    claim: Claim
    verdict: PairVerdict

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
    contains = members(seen, events)
    found = counterexample(seen, described(seen, contains)) if seen.verdict.refuted else None
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


def claim(asked: Question, known: Sequence[Point]) -> str:
    """What is judged, as a sentence."""
    if not known and asked.claimed.asks_map:
        return f"What the library's map says{asked.claimed.neighbours}."
    known = known or points(asked.claimed)
    words = next((p.words for p in known if p.words), "")
    listed = " and ".join(point_text(p.claim) for p in known)
    source = "By the library's map, outputs" if asked.claimed.asks_map else "Outputs"
    return f"{source} are private{asked.claimed.neighbours}: {f'{words}, hence {listed}' if words else listed}."


def point_text(at: Claim) -> str:
    """(epsilon = 1, delta = 0), epsilon rounded up where it is long."""
    exactly = exact_epsilon(at)
    told = f"epsilon = {exactly}" if len(exactly) <= SHORT else f"epsilon <= {upwards(above(at))}"
    return f"({told}, {delta_text(at)})"


def delta_text(at: Claim) -> str:
    """delta = 1/3, rounded up where it is long."""
    exactly = number(at.delta)
    return f"delta = {exactly}" if len(exactly) <= SHORT else f"delta <= {upwards(at.delta)}"


def exact_epsilon(at: Claim) -> str:
    """The claimed epsilon exactly."""
    return str(at.epsilon) if at.epsilon.argument != 1 else number(at.epsilon.rational)


def short(at: Claim) -> str:
    """The claimed epsilon, rounded up where it is long."""
    exactly = exact_epsilon(at)
    return exactly if len(exactly) <= SHORT else upwards(above(at))


def scope(asked: Question, found: Sequence[Sequence[History]]) -> list[str]:
    """What was compared; nothing, where the opening was stopped."""
    lines = []
    for pair, row in zip(asked.pairs, found, strict=False):
        events = sum(len(history.test.events) for history in row)
        aside = f", {asked.train} runs of each set aside to learn from" if asked.family == "learned" else ""
        lines.append(f"{told(pair)}: {drawn(row[0])} pairs of runs, {events} events of both directions{aside}")
    return lines


def trusts(asked: Question) -> list[str]:
    """What is assumed."""
    found = ["runs are independent of each other", "the process tells what its target gave"]
    if asked.claimed.metric is None:
        found.append("the inputs of each pair are neighbouring, as the task says")
    if asked.laws:
        found.append("the reference laws, for the choice of events and the exact curve only")
    return found


def drawn(history: History) -> int:
    """How many pairs of runs there were."""
    return sum(history.total.values())


def contradiction(at: Claim, epsilon: Fraction | None) -> tuple[str, str]:
    """The claimed point, and the epsilon that is certified where it is refuted, with digits enough to see that it is.

    Where none above the claimed one is certified, it is more than the claimed one, at the error of the claim's test.
    """
    claimed = above(at)
    if epsilon is None or epsilon <= claimed:
        return point_text(at), "epsilon above the claimed one"
    low, high = told_apart(claimed, epsilon)
    if len(exact_epsilon(at)) > SHORT:
        return f"(epsilon <= {low}, {delta_text(at)})", f"epsilon >= {high}"
    return point_text(at), f"epsilon >= {high}"


def certified(at: Claim, epsilon: Fraction | None) -> str:
    """The epsilon that is certified where the claim is refuted."""
    return contradiction(at, epsilon)[1]


def above(at: Claim) -> Fraction:
    """The claimed epsilon, or a number nearly above it."""
    return at.epsilon.rational if at.epsilon.argument == 1 else ln_bounds(at.factor, BITS)[1]


def share(counts: Four, side: int) -> str:
    """How often of how many pairs; side 0 is the one that has the event more often."""
    return f"{counts.both + (counts.second if side else counts.first)} of {counts.pairs}"


def power(found: Sequence[tuple[Claim, Fraction | None]]) -> str:
    """What would have been seen on every pair of inputs, for each delta; empty where on some pair nothing would."""
    texts = []
    for at in dict.fromkeys(at for at, _ in found):
        seen = [w for other, w in found if other == at]
        known = [w for w in seen if w is not None]
        if len(known) == len(seen):
            texts.append(f"epsilon >= {upwards(max(known))} at {delta_text(at)}")
    return f"would have seen {' and '.join(texts)}" if texts else ""
