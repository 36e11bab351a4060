"""Tails of the privacy loss and tests of a pair, read off a curve delta(epsilon): certified from both sides.

Proofs: Lemma 6.12 of docs/accounting_proofs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp import work
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.engines import engines
from refdp.accounting.losses import Composition
from refdp.accounting.theorems.trade_off import END, PiecewiseLinear, below
from refdp.numerics.elementary import Undecided, exp_bounds
from refdp.numerics.intervals import Interval

BITS = 160
STEPS = tuple(Fraction(1, 8**k) for k in range(2, 9))
"""How far apart the points of a chord are: the best of these is taken."""
SMALL = Fraction(1, 10**12)
PROBES = (Fraction(0), Fraction(1))
FINE = Fraction(1, 10**6)
"""Tails that are known so well are not narrowed further."""
NEAREST, FARTHEST = Fraction(1, 64), 2**20
"""How far a window goes at least and at most."""
HALVINGS = 12
SHARE = Fraction(1, 2000)
"""How much of P may lie beyond either end of the losses that trade-off functions are worked out from."""


@dataclass(frozen=True, slots=True)
class Tail:
    """P[loss > at] and Q[loss > at], the loss of a pair (P, Q)."""

    at: Fraction
    p: Interval
    q: Interval


def best_curve(composition: Composition, effort: Effort) -> Curve:
    """The first curve that is as narrow as asked, else the narrowest one that says something from below.

    OutOfReach where no engine has lower bounds.
    """
    found: list[tuple[Fraction, Curve]] = []
    for engine in engines():
        if engine.why_not(composition) is not None:
            continue
        try:
            for curve in engine.curves(composition, effort):
                found.append((_gap(curve), curve))
                if found[-1][0] <= effort.width:
                    return curve
        except (ArithmeticError, MemoryError):
            pass
        if work.spent() > effort.end:
            break
    known = [pair for pair in found if pair[0] < 1]
    if not known:
        raise OutOfReach("no engine bounds these events from below, so that nothing is known of the law of the loss")
    return min(known, key=lambda pair: pair[0])[1]


def _gap(curve: Curve) -> Fraction:
    """The greatest relative width at the probes, of what is not very small."""
    ends = [curve.delta(x) for x in PROBES]
    return max((one.upper - one.lower) / max(one.upper, SMALL) for one in ends)


def tail(curve: Curve, at: Fraction, unit: Fraction = Fraction(1), steps: Sequence[Fraction] = STEPS) -> Tail:
    """Both tails at a loss, from chords to either side of it, of several shares of `unit`: Lemma 6.12."""
    here, (low, high) = bounded(curve, at), exp_bounds(at, BITS)
    least, most = Fraction(0), Fraction(1)
    for step in (unit * share for share in steps):
        gap = most - least
        after, before = bounded(curve, at + step), bounded(curve, at - step)
        right, left = exp_bounds(at + step, BITS), exp_bounds(at - step, BITS)
        least = max(least, (here.lower - after.upper) / (right[1] - low))
        if low > left[1]:
            most = min(most, (before.upper - here.lower) / (low - left[1]))
        if high * (most - least) < FINE or 2 * (most - least) > gap < 1:
            break
    most = max(most, least)
    p = Interval(min(here.lower + low * least, Fraction(1)), min(here.upper + high * most, Fraction(1)))
    return Tail(at, p, Interval(least, most))


def bounded(curve: Curve, at: Fraction) -> Interval:
    """delta, within [max(0, 1 - e^at), 1]; that alone where the curve is undecided."""
    floor = max(Fraction(0), 1 - exp_bounds(at, BITS)[1])
    try:
        found = curve.delta(at)
    except Undecided:
        return Interval(floor, Fraction(1))
    return Interval(max(found.lower, floor), max(min(found.upper, Fraction(1)), floor))


def window(curve: Curve, share: Fraction) -> tuple[Fraction, Fraction]:
    """Losses below and above which P has about that share of its mass, but for infinite losses; chosen, not proved."""
    end = bounded(curve, Fraction(FARTHEST)).upper
    high = NEAREST
    while high < FARTHEST and _above(curve, high) > share + end:
        high *= 2
    low = -high
    while low > -FARTHEST and _above(curve, low) < 1 - share:
        low *= 2
    least = _bisected(low, high, lambda at: _above(curve, at) >= 1 - share)
    return least, _bisected(least, high, lambda at: _above(curve, at) > share + end)


def _above(curve: Curve, at: Fraction) -> Fraction:
    """P[loss > at], roughly: from one chord."""
    return tail(curve, at, steps=STEPS[:1]).p.upper


def _bisected(low: Fraction, high: Fraction, is_below: Callable[[Fraction], bool]) -> Fraction:
    """About where a condition ends that holds at `low` and not at `high`."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return low


def trade_off(curves: Sequence[Curve], points: int) -> tuple[PiecewiseLinear, PiecewiseLinear]:
    """Trade-off functions below and above that of the worst of the curves' pairs, through about so many points."""
    ends = [window(curve, SHARE) for curve in curves]
    low, high = min(a for a, _ in ends), max(b for _, b in ends)
    losses = [low + (high - low) * i / points for i in range(points + 1)]
    tails = [[tail(curve, at, (high - low) / points) for curve in curves] for at in losses]
    lines = [(exp_bounds(at, BITS)[1], max(bounded(curve, at).upper for curve in curves)) for at in losses]
    found = [(one.q.upper, 1 - one.p.lower) for at in tails for one in at]
    return hull(below(lines).corners), hull(found)


def hull(points: Iterable[tuple[Fraction, Fraction]]) -> PiecewiseLinear:
    """The greatest convex function from (0, 1) to (1, 0) that is at most at each of the points.

    >>> half, fifth = Fraction(1, 2), Fraction(1, 5)
    >>> hull([(half, half), (fifth, fifth)]).at(half).upper
    Fraction(1, 8)
    """
    corners: list[tuple[Fraction, Fraction]] = []
    least: dict[Fraction, Fraction] = {}
    for a, f in (*points, (Fraction(0), Fraction(1)), END):
        least[a] = min(f, least.get(a, f))
    for a, f in sorted(least.items()):
        while len(corners) > 1 and not _turns(corners[-2], corners[-1], (a, f)):
            corners.pop()
        corners.append((a, f))
    return PiecewiseLinear(tuple(corners))


def _turns(one: tuple[Fraction, Fraction], two: tuple[Fraction, Fraction], three: tuple[Fraction, Fraction]) -> bool:
    """Whether the slope rises at the second point."""
    return (two[1] - one[1]) * (three[0] - two[0]) < (three[1] - two[1]) * (two[0] - one[0])
