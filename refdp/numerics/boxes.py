"""Branch and bound: f <= 0 on a box, shown on each of the parts that the box is cut into.

On a part X with middle m, f takes values in f(X), by intervals, and in f(m) + f'(X) (X - m), by the mean value theorem.
Where a term and its slopes have enclosures on X, no denominator in it is 0 on X and it is differentiable there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.elementary import Undecided
from refdp.numerics.intervals import Interval
from refdp.numerics.slopes import Sloped, Slopes
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term

ARITHMETIC = Intervals(64)
MOST_PARTS = 10_000
"""A box that needs to be cut into more parts is Undecided."""

Range = tuple[Fraction, Fraction]
"""The least and the greatest value of a name."""


def is_at_most_zero(f: Term, box: Mapping[str, Range], strict: bool = False) -> int:
    """In how many parts f <= 0 (f < 0 where strict) was shown on the whole box; Undecided if it was not.

    f has a value, its names, all in `box`, having any values in their ranges.
    """
    return _parts(f, tuple(box), tuple(box.values()), strict)


@lru_cache(maxsize=64)
def _parts(f: Term, names: tuple[str, ...], box: tuple[Range, ...], strict: bool) -> int:
    """The same: several claims may rest on one box."""
    pending, seen = [box], 0
    while pending:
        part, seen = pending.pop(), seen + 1
        if seen > MOST_PARTS:
            raise Undecided(f"more than {MOST_PARTS} parts of the box do not decide it")
        found = sloped(f, names, part)
        if found is None:
            pending += halves(part, [Fraction(1)] * len(part))
            continue
        middle = at_middle(f, names, part)
        if not is_settled(found.value, strict) and not is_settled(mean_value(found, middle, part), strict):
            if middle.lower > 0:
                raise Undecided(f"it is false at {', '.join(f'{v} = {m}' for v, m in centre(names, part).items())}")
            pending += halves(part, [abs(s).upper for s in found.slopes])
    return seen


def is_settled(value: Interval, strict: bool) -> bool:
    """Whether every number in the interval is <= 0 (< 0 where strict)."""
    return value.upper < 0 if strict else value.upper <= 0


def centre(names: Sequence[str], part: Sequence[Range]) -> dict[str, Fraction]:
    """The middle of the part."""
    return {v: (low + high) / 2 for v, (low, high) in zip(names, part, strict=True)}


def sloped(f: Term, names: Sequence[str], part: Sequence[Range]) -> Sloped | None:
    """f on the part, with its slopes; None where there is no enclosure."""
    slopes = Slopes(len(part), ARITHMETIC)
    ranges = [Interval(ARITHMETIC.number(low).lower, ARITHMETIC.number(high).upper) for low, high in part]
    values = {v: slopes.coordinate(ranges[i], i) for i, v in enumerate(names)}
    try:
        found: Sloped = evaluate(f, values, slopes)
    except Undecided:
        return None
    return found


def at_middle(f: Term, names: Sequence[str], part: Sequence[Range]) -> Interval:
    """f in the middle of the part, where it has an enclosure as it has one on the whole part."""
    at = {v: ARITHMETIC.number(m) for v, m in centre(names, part).items()}
    found: Interval = evaluate(f, at, ARITHMETIC)
    return found


def mean_value(found: Sloped, middle: Interval, part: Sequence[Range]) -> Interval:
    """f(m) + f'(X) (X - m)."""
    total = middle
    for slope, (low, high) in zip(found.slopes, part, strict=True):
        half = (high - low) / 2
        total = total + slope * Interval(ARITHMETIC.number(-half).lower, ARITHMETIC.number(half).upper)
    return total


def halves(part: Sequence[Range], weights: Sequence[Fraction]) -> list[tuple[Range, ...]]:
    """The part cut across the name along which f may vary most: any cut is right, this one is quick."""
    widths = [high - low for low, high in part]
    index = max(range(len(part)), key=lambda i: (weights[i] * widths[i], widths[i]))
    low, high = part[index]
    middle = (low + high) / 2
    return [(*part[:index], half, *part[index + 1 :]) for half in ((low, middle), (middle, high))]
