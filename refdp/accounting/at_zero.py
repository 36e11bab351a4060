"""Answers at delta = 0: the greatest loss of the composition in the dearer direction, without any search."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting.greatest import Greatest, Selected, Unbounded, Unknown, greatest_loss
from refdp.accounting.inversion import Bounds
from refdp.accounting.losses import Composition, Direction
from refdp.accounting.questions import Answer, Question
from refdp.numerics.exact import ExactReal

ENGINE = "greatest losses"
INFINITE = "epsilon is infinite at delta 0: "
"""How a note begins that says why."""
BEST = "of the best of several runs a bound from above is known, and nothing from below"
"""Why the interval is wide."""
PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096)
"""The binary digits with which logarithms are worked out, until the width is reached."""


@dataclass(frozen=True, slots=True)
class Side:
    """The greatest loss of one direction's product: bounds, the exact number, why it is infinite or not known."""

    bounds: Bounds
    exact: ExactReal | None = None
    unbounded: str | None = None
    unknown: str | None = None


def answer_at_zero(
    sides: Mapping[Direction, Composition], question: Question, width: Fraction, believed: frozenset[str]
) -> Answer:
    """Bounds of the least epsilon at delta 0, and what is to be said of it."""
    start = time.monotonic()
    found = {side: greatest_of(product, width) for side, product in sides.items()}
    dearest = max(found, key=lambda side: _height(found[side].bounds))
    first, *rest = (one.bounds for one in found.values())
    for other in rest:
        first = first.greatest(other)
    reason = None
    if first.lower is not None and not first.within(width):
        reason = next((one.unknown for one in found.values() if one.unknown), "logarithms are not worked out so far")
    seconds = time.monotonic() - start
    note = said(found[dearest], [one for side, one in found.items() if side != dearest])
    return Answer(question, first, ENGINE, believed, seconds, dearest, reason, note)


def _height(bounds: Bounds) -> tuple[bool, bool, Fraction]:
    """By upper bound, infinity last, and last of all where it is infinite for sure."""
    return bounds.lower is None, bounds.upper is None, bounds.upper or Fraction(0)


def greatest_of(product: Composition, width: Fraction) -> Side:
    """The sum of the greatest losses of the pairs, no wider than need be."""
    found = [(greatest_loss(loss), count) for loss, count in product.parts]
    for one, _ in found:
        if isinstance(one, Unbounded):
            return Side(Bounds(None, None), unbounded=one.why)
    unknown = next((one.why for one, _ in found if isinstance(one, Unknown)), None)
    known = [(one, count) for one, count in found if isinstance(one, Greatest)]
    best = [(one, count) for one, count in found if isinstance(one, Selected)]
    low, high = summed([*known, *best], width)
    if best:  # their losses are bounded from above alone; the others cost no less in company
        return Side(Bounds(summed(known, width)[0], None if unknown else high), unknown=unknown or BEST)
    return Side(Bounds(low, None if unknown else high), None if unknown else exact_sum(known), unknown=unknown)


def summed(known: Sequence[tuple[Greatest | Selected, int]], width: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of the sum, with more digits until they are no wider than the width."""
    low, high = Fraction(0), Fraction(0)
    for bits in PRECISIONS:
        ends = [(one.ends(bits), count) for one, count in known]
        low = sum((count * least for (least, _), count in ends), Fraction(0))
        high = sum((count * most for (_, most), count in ends), Fraction(0))
        if high - low <= width:
            break
    return low, high


def exact_sum(known: Sequence[tuple[Greatest | Selected, int]]) -> ExactReal | None:
    """The sum as a + ln b, if it is of that form and short."""
    total = ExactReal()
    for one, count in known:
        part = one.exact(count)
        if part is None:
            return None
        total = total + part
    return total


def said(dearest: Side, others: list[Side]) -> str | None:
    """Why epsilon is infinite, or which number it is exactly."""
    if dearest.unbounded:
        return f"{INFINITE}{dearest.unbounded}"
    exact = dearest.exact
    if exact is None or not all(_is_no_greater(one, exact, dearest.bounds.lower) for one in others):
        return None
    return f"epsilon is {exact}, exactly"


def _is_no_greater(other: Side, exact: ExactReal, least: Fraction | None) -> bool:
    """Whether the other direction's number is known to be at most that one."""
    upper = other.bounds.upper
    return other.exact == exact or upper is not None and least is not None and upper <= least
