"""What the counts of a claim of privacy come to: the verdict in words, with what a report draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence import pair_tests, plants
from refdp.auditing.evidence.pair_bounds import LARGEST_FACTOR
from refdp.auditing.judges import drawing
from refdp.auditing.judges.inputs import shown
from refdp.auditing.judges.privacy import planted
from refdp.auditing.judges.privacy.claims import Point, point
from refdp.auditing.judges.privacy.counts import History
from refdp.auditing.judges.privacy.pictures import Events, Seen, evidence
from refdp.auditing.judges.privacy.reading import Question, name, training
from refdp.auditing.judges.privacy.views import TOLD, told_apart
from refdp.auditing.judges.privacy.words import (
    NOT_TESTED,
    claim,
    contradiction,
    delta_text,
    drawn,
    point_text,
    power,
    scope,
    share,
    short,
    trusts,
)
from refdp.auditing.judges.result import NOT_REFUTED, REFUTED, UNKNOWN, LedgerLine, Result
from refdp.auditing.judges.rounding import upwards

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """One test: what it has seen, and its verdict; None where nothing was drawn."""

    history: History
    point: Point
    verdict: pair_tests.Verdict | None

    @property
    def refuted(self) -> bool:
        """Whether the claim is."""
        return self.verdict is not None and self.verdict.outcome is pair_tests.Outcome.REFUTED

    @property
    def certified(self) -> Fraction:
        """The epsilon that is certified, -1 where none is."""
        found = None if self.verdict is None or not self.refuted else self.verdict.epsilon
        return Fraction(-1) if found is None else found


def told(history: History, at: Point) -> Told:
    """The verdict: at the end if the claim is refuted there, else at the first look at which it was."""
    if not history.parts:
        return Told(history, at, None)
    counts, crossed = history.total, history.crossed
    if crossed is not None and not history.test.refutes(counts):
        counts = history.looks[crossed]
    return Told(history, at, pair_tests.judge(history.test, counts))


def result(
    asked: Question, alpha: Fraction, opening: Record, chunks: Sequence[Record],
    found: Sequence[Sequence[History]], events: Events,
) -> Result:  # fmt: skip
    """The result of all tests: that of the one that certifies most, else of the one nearest to a refutation."""
    known = [point(p) for p in opening["points"]]
    tests = [told(history, known[history.point]) for row in found for history in row]
    refuted = [t for t in tests if t.refuted]
    why = opening["stopped"] or next((chunk["stopped"] for chunk in chunks if chunk["stopped"]), "")
    if drawing.repeated([opening["begun"], *(chunk["begun"] for chunk in chunks)]):
        why, refuted = drawing.REPEATS, []
    common: dict[str, Any] = {
        "claim": claim(asked, known), "samples": sum(2 * drawn(row[0]) for row in found),
        "about": dict(opening["about"]), "scope": scope(asked, found), "not_tested": NOT_TESTED,
        "trusts": trusts(asked),
    }  # fmt: skip
    if not refuted and (why or not any(t.verdict for t in tests)):
        reason = why or "nothing was drawn"
        return Result(UNKNOWN, sentence=f"Nothing is said of the claim: {reason}.", reason=reason, **common)
    one = max(refuted or tests, key=lambda t: (t.certified, 0 if t.verdict is None else t.verdict.e_value.log10))
    if one.verdict is None:
        raise ValueError("a test without draws has no verdict")
    seen = Seen(asked, opening, one.history, one.point.claim, one.verdict)
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
        f"runs were enough.{told_apart(verdict.event.name)}"
    )
    view = verdict.event.name.partition(",")[0]
    brief = f"by {view}" if view in TOLD else event.partition(f" ({verdict.event.name}")[0]
    witness = f"{least}: {share(verdict.counts, 0)} / {share(verdict.counts, 1)}, {brief}"
    return Result(REFUTED, sentence=sentence, witness=witness[:80], error=alpha, **common)


UNSEEING = "no violation would have been seen"
"""How a reason begins where the draws, or the events, could not have shown any."""
UNPLANTED = "planted ones were not, by any event that was fixed"


def unseen(told: Told) -> str:
    """Why no epsilon would have been seen; empty where one would."""
    if told.verdict is not None and told.verdict.epsilon is not None:
        return ""
    at = told.point.claim
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
        outputs += [y for law in laws if law.masses is not None for y in law.masses]
        tests, members = [history.test for history in row], events(opening, i)
        known |= {(i, history.point): planted.seen(history, tests, members, outputs) for history in row}
    return known


def _not_refuted(
    tests: Sequence[Told], alpha: Fraction, common: Mapping[str, Any], silent: str,
    seen: Mapping[tuple[int, int], planted.Planted | None],
) -> Result:  # fmt: skip
    """NOT_REFUTED, with what would have been seen and was, where it was planted; UNKNOWN where nothing was."""
    pairs = sum({t.history.pair: drawn(t.history) for t in tests}.values())
    found = [(t, seen[t.history.pair, t.history.point]) for t in tests]
    told_power = power([(t.point.claim, None if one is None else one.loss) for t, one in found])
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


def ledger(tests: Sequence[Told]) -> tuple[LedgerLine, ...]:
    """Every test with its share of alpha."""
    lines = []
    for t in tests:
        log10 = "0" if t.verdict is None else f"{float(t.verdict.e_value.log10):.3f}"
        null = f"{point_text(t.point.claim)} for both directions and {len(t.history.test.events)} events"
        own = name(t.history.pair, t.history.point)
        lines.append(LedgerLine(own, null, str(t.history.test.alpha), drawn(t.history), log10))
    return tuple(lines)
