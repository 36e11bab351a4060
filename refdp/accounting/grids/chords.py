"""From heights of a profile at the points of a grid to masses there.  Lemmas 4.5 to 4.7 of docs/accounting_proofs.md.

Heights are integers in units 2^-WORK, x_i = x_0 r^i with r = e^step.  The function that is linear between the points
(x_i, y_i), from (0, top) to the first one, and y_n after the last, is the profile of the masses

    m_i = w (y_(i+1) - 2 y_i + y_(i-1)) + y_(i-1) - y_i,   w = 1 / (r - 1),

with w (y_1 - y_0) + top - y_0 in front, (w + 1) (y_(n-1) - y_n) at the end, and y_n at infinity.
"""

from __future__ import annotations

from flint import arb

from refdp.accounting.balls import whole_below
from refdp.accounting.grids.measures import Side
from refdp.accounting.grids.tails import Tails, point

SLOPE_BITS = 128
"""Binary digits after the point of the bounds of w."""


def slopes(step: int) -> tuple[int, int]:
    """Bounds of w 2^SLOPE_BITS from both sides."""
    w = (1 / point(step).expm1()) * (arb(2) ** SLOPE_BITS)
    return floor(w), ceiling(w)


def floor(x: arb) -> int:
    """The greatest integer <= x, or one less or so."""
    found = whole_below(x)
    if found is None:
        raise ArithmeticError("the precision is too low for the masses of a grid")
    return found


def ceiling(x: arb) -> int:
    """The least integer >= x, or one more or so."""
    return -floor(-x)


def upper_heights(points: list[arb], tails: list[Tails], work: int) -> list[int]:
    """Heights >= delta at the points x."""
    scale, one = arb(2) ** work, 1 << work
    heights = []
    for x, (event, slack) in zip(points, tails, strict=True):
        height = event.height(x) if slack is None else event.height(x) + slack
        heights.append(min(max(ceiling(height * scale), 0), one))
    return heights


def second_differences(heights: list[int], top: int, step: int, side: Side) -> list[int]:
    """The masses m_i, rounded as the side is; those that the rounding makes negative are left so."""
    low, high = slopes(step)
    inner = zip(heights, heights[1:], heights[2:], strict=False)
    bends = [(c - 2 * b + a, a - b) for a, b, c in inner]
    if len(heights) > 1:
        bends.insert(0, (heights[1] - heights[0], top - heights[0]))
        bends.append((heights[-2] - heights[-1], heights[-2] - heights[-1]))
    else:
        bends = [(0, top - heights[0])]
    if side == "lower":
        return [((low if bend >= 0 else high) * bend >> SLOPE_BITS) + fall for bend, fall in bends]
    return [fall - ((high if bend >= 0 else low) * -bend >> SLOPE_BITS) for bend, fall in bends]


def carried(masses: list[int]) -> list[int]:
    """Masses >= 0 with a profile no higher: what is negative is taken from the next points (Lemma 4.7)."""
    found, debt = [], 0
    for mass in masses:
        rest = mass - debt
        debt = max(-rest, 0)
        found.append(max(rest, 0))
    return found if debt == 0 else [0] * len(found)
