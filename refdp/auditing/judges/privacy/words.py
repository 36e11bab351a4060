"""What a claim of privacy, its pairs and its power are in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refdp.auditing.evidence.e_values import BITS
from refdp.auditing.evidence.pairs import Claim, Four
from refdp.auditing.judges.privacy.claims import Point, points
from refdp.auditing.judges.privacy.counts import History
from refdp.auditing.judges.privacy.pairs import told
from refdp.auditing.judges.privacy.reading import Question
from refdp.auditing.judges.rounding import number, told_apart, upwards
from refdp.numerics.elementary import ln_bounds

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
