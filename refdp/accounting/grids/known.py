"""Grids for what is known by bounds of its profile only.  Lemma 4.11 of docs/accounting_proofs.md."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.curves import Effort
from refdp.accounting.grids.chords import ceiling, floor
from refdp.accounting.grids.tails import LOSS_UNIT
from refdp.accounting.losses import Profile

BOUND = 20
"""Steps of work that a bound of delta counts as."""


def _at(bound: Callable[[Fraction], Fraction], units: int, x: arb, effort: Effort) -> arb:
    """The bound of delta at x = e^b: itself for b >= 0, else from delta(x) = 1 - x + x delta'(1 / x), (Q, P)'s."""
    effort.check()
    work.step(BOUND)
    b = Fraction(units, LOSS_UNIT)
    return ball(bound(b)) if b >= 0 else 1 - x + x * ball(bound(-b))


def upper_known(loss: Profile, units: list[int], points: list[arb], work: int, effort: Effort) -> list[int]:
    """Heights >= delta at the points."""
    scale, one = arb(2) ** work, 1 << work
    heights = [ceiling(_at(loss.upper, u, x, effort) * scale) for u, x in zip(units, points, strict=True)]
    return [min(max(height, 0), one) for height in heights]


def lower_known(loss: Profile, units: list[int], points: list[arb], work: int, effort: Effort) -> tuple[int, list[int]]:
    """(top, heights) with chords below delta: at each point the bound of the next, for delta falls."""
    if loss.lower is None:
        raise TypeError("the profile has no lower bound")
    scale = arb(2) ** work
    found = [floor(_at(loss.lower, u, x, effort) * scale) for u, x in zip(units, points, strict=True)]
    heights = [*(max(height, 0) for height in found[1:]), 0]
    front = floor((1 - points[0]) * scale)
    return (1 << work if heights[0] <= front else heights[0]), heights
