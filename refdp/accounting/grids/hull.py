"""The lower convex hull of heights at the points of a grid, near enough.

What it is worth: heights that are no higher than those given, and nearly convex.  The first is certain; floats only
choose.  Without it one sharp bend, such as that of a sampled law at ln(1 - rate), spoils the lower bound far around.
"""

from __future__ import annotations

from itertools import pairwise
from math import expm1

from refdp.accounting.grids.tails import LOSS_UNIT

LARGEST = 700.0
"""Exponents beyond this are cut down to it: e^LARGEST is a float."""
DIGITS = 53
FLOAT = 1000
"""Integers of so many binary digits are floats."""
NOISE = 1 << 30
"""Masses that are negative by less come from rounding, and lack less than a unit of the masses in the end."""


def convex(heights: list[int], masses: list[int], step: int) -> list[int]:
    """Heights <= those given, bent upward about everywhere; `masses` are those that belong to the heights."""
    if min(masses) >= -NOISE:
        return heights
    corners = _corners(heights, masses, step / LOSS_UNIT)
    lowered = list(heights)
    for s, t in pairwise(corners):
        for j in range(s + 1, t):
            chord = heights[s] + ((heights[t] - heights[s]) * _share(s, j, t, step / LOSS_UNIT) >> DIGITS)
            lowered[j] = min(chord, heights[j])
    return lowered


def _share(s: int, j: int, t: int, h: float) -> int:
    """About (x_j - x_s) / (x_t - x_s), in units 2^-DIGITS."""
    whole = min((t - s) * h, LARGEST)
    return int(expm1(min((j - s) * h, whole)) / expm1(whole) * 2**DIGITS)


def _corners(heights: list[int], masses: list[int], h: float) -> list[int]:
    """Indices of the corners of the hull (monotone chain)."""
    stack: list[int] = []
    for j in range(len(heights)):
        while len(stack) > 1 and _above(stack[-2], stack[-1], j, heights, masses, h):
            stack.pop()
        stack.append(j)
    return stack


def _above(s: int, t: int, j: int, heights: list[int], masses: list[int], h: float) -> bool:
    """Whether the point t is above the chord from s to j."""
    if j - s == 2:
        return masses[t] < -NOISE
    unit = 1 << max(heights[0].bit_length() - FLOAT, 0)
    after = (heights[j] - heights[t]) / unit / expm1(min((j - t) * h, LARGEST))
    before = (heights[t] - heights[s]) / unit / -expm1(max((s - t) * h, -LARGEST))
    return after < before
