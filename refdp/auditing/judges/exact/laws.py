"""Laws of targets that can be enumerated: stated as probabilities, read from a file, or walked from coin flips.

given     the target returns {outcome: probability} for an input; a probability is a whole number, a fraction, text
          such as "1/3", or a pair of these that encloses it.  Floats are refused: they are no probabilities.
tapes     the target takes its coin flips from outside, and all tapes down to a depth are walked.  Either it is a
          function f(x, bits), and bits() gives the next flip; or it is called with (x, [flips]) and says that these are
          too few by raising OutOfBits, IndexError or StopIteration, or by answering "more" (a command reads the input
          and the flips on one line).
tables    tables = { a = { yes = "3/4", no = "1/4" }, ... } in the file; pairs name them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.enumerable import known
from refdp.auditing.evidence.finite_laws import Masses
from refdp.auditing.judges.inputs import text as key
from refdp.auditing.targets import Outcome, Session
from refdp.auditing.targets import outcomes as kinds
from refdp.auditing.targets.workers import wire
from refdp.numerics.exact import exact
from refdp.numerics.intervals import Interval
from refdp.sampling.tree import PartialLaw

DEEPEST = 24
"""Most flips of a tape."""
MORE = "more"
TOO_FEW = ("OutOfBits", "IndexError", "StopIteration")
"""What a target that is called with a list of flips says where these are too few."""
Law = Masses | PartialLaw[Any]


class LawError(ValueError):
    """What a target gave is no law; the sentence says why."""


def stated(value: Any) -> Law:
    """The law that a target or a file states, by the outcomes' canonical texts; LawError where it is none."""
    if not isinstance(value, Mapping) or not value:
        raise LawError(f"a law must be {{outcome: probability}}, got {str(value)[:80]}")
    try:
        masses: dict[Hashable, Fraction | Interval] = {key(outcome): _probability(p) for outcome, p in value.items()}
        known(masses)
    except (ValueError, TypeError) as error:
        raise LawError(str(error)) from None
    if len(masses) < len(value):
        raise LawError("outcomes must differ, got one twice")  # such as NaN
    return masses


def _probability(value: Any) -> Fraction | Interval:
    """A probability, exact or enclosed."""
    if isinstance(value, tuple | list) and len(value) == 2:
        return Interval(exact(value[0], "probability"), exact(value[1], "probability"))
    found = exact(value, "probability")
    if found < 0:
        raise LawError(f"a probability must be >= 0, got {found}")
    return found


def walked(outcome: Outcome, depth: int) -> PartialLaw[str]:
    """The law that the tapes of a walk give; LawError where there was no walk."""
    if outcome.kind != kinds.VALUE:
        raise LawError(str(outcome))
    short, counts = outcome.value
    if alike := [one for one, _ in counts if is_foreign(one)]:
        raise LawError(f"outcomes must be plain data, which cannot print the same and differ, got {alike[0]!r:.80}")
    unit = 1 << depth
    law = {key(one): Fraction(n, unit) for one, n in counts}
    if sum(law.values(), Fraction(short, unit)) != 1:
        raise LawError(f"the tapes must sum to all 2^{depth} of them, got {short} too short and {counts}"[:200])
    return PartialLaw(law, Fraction(short, unit))


def is_foreign(value: Any) -> bool:
    """Whether a value holds an object of which only the text is known."""
    if isinstance(value, dict):
        return any(map(is_foreign, (*value.keys(), *value.values())))
    return isinstance(value, wire.Other) or isinstance(value, tuple | list) and any(map(is_foreign, value))


def listed(session: Session, x: Any, depth: int, first: int = 0) -> Outcome:
    """The walk of a target that is called with (x, [flips]): level by level, each tape one flip too short before."""
    waiting: list[list[int]] = [[]]
    counts: dict[str, tuple[Any, int]] = {}
    for length in range(depth + 1):
        longer: list[list[int]] = []
        for tape, outcome in zip(waiting, session.each("call", [(x, tape) for tape in waiting]), strict=True):
            if too_few(outcome):
                longer += [[*tape, first], [*tape, 1 - first]]
            elif outcome.kind != kinds.VALUE:
                return outcome
            else:
                before = counts.get(key(outcome.value), (outcome.value, 0))[1]
                counts[key(outcome.value)] = (outcome.value, before + (1 << (depth - length)))
        waiting = longer
    return Outcome(kinds.VALUE, (len(waiting) // 2, [found for _, found in sorted(counts.items())]))


def too_few(outcome: Outcome) -> bool:
    """Whether the target wants more flips."""
    if outcome.kind == kinds.RAISED:
        return outcome.value in TOO_FEW
    return outcome.kind == kinds.VALUE and isinstance(outcome.value, str) and outcome.value == MORE


def asked(session: Session, laws: str, xs: Sequence[Any], depth: int, listing: bool, first: int) -> list[Outcome]:
    """What the target gives for each input: its law, or the walk of its tapes.

    `first` = 1 asks in the opposite order, of inputs and of tapes: that is all one to a function without memory.
    """
    found = [_answer(session, laws, x, depth, listing, first) for x in (xs[::-1] if first else xs)]
    return found[::-1] if first else found


def _answer(session: Session, laws: str, x: Any, depth: int, listing: bool, first: int) -> Outcome:
    if laws == "given":
        return session.call(x)
    return listed(session, x, depth, first) if listing else session.ask("tapes", (x, depth, first))


def law(outcome: Outcome, laws: str, depth: int) -> Law:
    """The law that an outcome stands for; LawError where it stands for none."""
    if laws == "tapes":
        return walked(outcome, depth)
    if outcome.kind != kinds.VALUE:
        raise LawError(str(outcome))
    return stated(outcome.value)
