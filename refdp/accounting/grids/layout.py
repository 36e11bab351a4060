"""Where the points of a grid are: chosen with floats, which bound nothing; what lies outside is accounted for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import log, sqrt

from refdp import work
from refdp.accounting.grids.tails import LOSS_UNIT, Anchor, Pair, point
from refdp.accounting.losses import Profile

FARTHEST = 2.0**20
"""Losses are looked for between -FARTHEST and FARTHEST."""
FARTHEST_KNOWN = 500
"""Bounds of a profile are not asked for beyond this epsilon: e^it is a float."""
HALVINGS = 90
NUDGE, STRETCH = 1 << 8, 1 << 10
"""Units by which grids are moved and their steps widened, so that atoms are on the safe side of their points."""
SAMPLES = 64
PROBE = 18
"""Steps of work that a look at the tails counts as, besides their own."""


@dataclass(frozen=True, slots=True)
class Window:
    """Where all but a little of one loss is, with its mean and variance; floats."""

    low: float
    high: float
    mean: float
    variance: float


def window(tails: Callable[[float], tuple[float, float]], left: float, right: float) -> Window:
    """The window outside which P has little mass, for tails(b) = P(loss <= b), P(b < loss < infinity).

    On the left at most `left` if that ends below 0, else `right`.
    """
    if tails(-FARTHEST)[1] <= right:  # no finite losses
        return Window(0.0, 0.0, 0.0, 0.0)
    low = _crossing(lambda b: tails(b)[0] > (left if b < 0 else right))
    high = max(_crossing(lambda b: tails(b)[1] > right, falling=True), low)
    points = [low + (high - low) * i / SAMPLES for i in range(SAMPLES + 1)]
    above = [*(tails(b)[1] for b in points[:-1]), 0.0]
    masses = [a - b for a, b in pairwise(above)]
    middles = [(a + b) / 2 for a, b in pairwise(points)]
    mean = sum(m * x for m, x in zip(masses, middles, strict=True))
    variance = sum(m * (x - mean) ** 2 for m, x in zip(masses, middles, strict=True))
    return Window(low, high, mean, max(variance, 0.0))


def _crossing(exceeds: Callable[[float], bool], *, falling: bool = False) -> float:
    """Where a condition changes between -FARTHEST and FARTHEST: the end at which it does not hold."""
    out, into = (FARTHEST, -FARTHEST) if falling else (-FARTHEST, FARTHEST)
    for _ in range(HALVINGS):
        middle = (out + into) / 2
        out, into = (out, middle) if exceeds(middle) else (middle, into)
    return out


def pair_window(law: Pair, left: float, right: float) -> Window:
    """The window of a pair; at the precision around it."""

    def tails(b: float) -> tuple[float, float]:
        work.step(PROBE)
        units = point(round(Fraction(b) * LOSS_UNIT))
        p = law.tails(units, units.exp()).event.p
        return float((1 - p).mid()), float((p - law.infinite).mid())

    return window(tails, left, right)


def known_window(loss: Profile, left: float, right: float) -> Window:
    """The window of a profile: what delta falls by stands for the tail on both sides."""
    rest = loss.upper(Fraction(FARTHEST_KNOWN))

    def tail(b: float) -> float:
        return float(loss.upper(Fraction(b)) - rest) if b < FARTHEST_KNOWN else 0.0

    return window(lambda b: (tail(-b) if b < 0 else 1.0, tail(b) if b >= 0 else 1.0), left, right)


def span(windows: list[tuple[Window, int]], spare: float) -> float:
    """About how far the sum of independent losses spreads."""
    mean = sum(one.mean * count for one, count in windows)
    spread = sqrt(2 * log(1 / spare) * sum(one.variance * count for one, count in windows))
    left, right = min(one.low - one.mean for one, _ in windows), max(one.high - one.mean for one, _ in windows)
    low = max(sum(one.low * count for one, count in windows), mean - spread + left)
    high = min(sum(one.high * count for one, count in windows), mean + spread + right)
    return max(high - low, 1e-9)


def grid_step(wanted: float, anchors: list[Anchor], most: float = 8.0) -> int:
    """A step of about `wanted` or less that divides the spacings of the anchors, the first ones before the others."""
    target = max(int(wanted * LOSS_UNIT), STRETCH)
    common = 0
    for spacing in (anchor.spacing for anchor in anchors if anchor.spacing > 0):
        if (both := _common(common, spacing)) * most >= target:
            common = both
    return common // -(-common // target) + STRETCH if common else target // 2 * 2


def _common(a: int, b: int) -> int:
    """The greatest common divisor of two numbers known to a few units."""
    while b > 1 << 40:
        a, b = b, min(a % b, -a % b) if a else 0
    return a
