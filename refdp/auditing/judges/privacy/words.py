"""What a claim of privacy, its pairs and its power are in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refdp.auditing.evidence.pairs import Claim, Four
from refdp.auditing.judges.privacy.claims import Point, points
from refdp.auditing.judges.privacy.counts import History
from refdp.auditing.judges.privacy.pairs import told
from refdp.auditing.judges.privacy.reading import Question
from refdp.auditing.judges.rounding import downwards, number, upwards

SHORT = 20
"""Characters of an exact epsilon that is printed whole."""
NOT_TESTED = (
    "other pairs of inputs",
    "other events than those that were fixed before the draws",
    "time, memory and other side channels",
)


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
    exactly = str(at.epsilon) if at.epsilon.argument != 1 else number(at.epsilon.rational)
    told = f"epsilon = {exactly}" if len(exactly) <= SHORT else f"epsilon <= {upwards(at.epsilon.rational)}"
    return f"({told}, {delta_text(at)})"


def delta_text(at: Claim) -> str:
    """delta = 1/3, rounded up where it is long."""
    exactly = number(at.delta)
    return f"delta = {exactly}" if len(exactly) <= SHORT else f"delta <= {upwards(at.delta)}"


def short(at: Claim) -> str:
    """The claimed epsilon, rounded down where it is long."""
    exactly = str(at.epsilon) if at.epsilon.argument != 1 else number(at.epsilon.rational)
    return exactly if len(exactly) <= SHORT or at.epsilon.argument != 1 else downwards(at.epsilon.rational)


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


def certified(at: Claim, epsilon: Fraction | None) -> str:
    """The epsilon that is certified where the claim is refuted.

    That is more than the claimed one, at the error of the claim's own test.  A greater one, found by the rule that
    does not rise with epsilon, is certified at the same error: it implies that the claim's test has refuted.
    """
    if epsilon is None or epsilon <= at.epsilon:
        return f"epsilon > {short(at)}"
    return f"epsilon >= {downwards(epsilon)}"


def share(counts: Four, side: int) -> str:
    """How often of how many pairs; side 0 is the one that has the event more often."""
    return f"{counts.both + (counts.second if side else counts.first)} of {counts.pairs}"


def power(found: Sequence[tuple[Claim, Fraction | None]]) -> str:
    """What would have been seen on every pair of inputs, for each delta; None for a pair where nothing would."""
    texts = []
    for at in dict.fromkeys(at for at, _ in found):
        seen = [w for other, w in found if other == at]
        known = [w for w in seen if w is not None]
        if len(known) == len(seen):
            texts.append(f"epsilon >= {upwards(max(known))} at {delta_text(at)}")
    return f"would have seen {' and '.join(texts)}" if texts else "the pairs are too few to have seen any epsilon"
