"""Arrays of normal variables rounded to whole numbers: exactly, as `refdp.sampling.rounded_normal` draws one.

The floats are + - * only, and what they do not tell with a proved margin is decided in exact arithmetic.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from refdp.numerics.exact import Exactly, positive
from refdp.sampling.bulk.slots import BulkSlots
from refdp.sampling.bulk.tables import Integers, Mask
from refdp.sampling.lazy import Uniform
from refdp.sampling.rounded_normal import FIRST_DIGITS, half_line_draws, is_kept
from refdp.sampling.words import SYSTEM_WORDS, Source

MARGIN = 2.0**-40
"""How far V must be from what decides, at least, for floats to tell."""
CHUNK = 1 << 15
"""Draws that are made at a time: they stay in the cache."""
UNIT = 2.0**-53
STEEPEST = 32.0
"""How fast x may rise with U where floats tell."""
EXACT = 2**52
"""Twice a whole number below this is a float without an error."""


@lru_cache(maxsize=64)
def known(sigma: Fraction) -> tuple[BulkSlots, float]:
    """The sampler of K, and 1 / (2 sigma^2) as the nearest float; made once."""
    return BulkSlots(half_line_draws(sigma)), float(1 / (2 * sigma**2))


def rounded_normals(sigma: Exactly, n: int, source: Source = SYSTEM_WORDS, margin: float = MARGIN) -> Integers:
    """n independent draws, where sigma > 0 is in units of the grid; the same numbers whatever the margin.

    Raises ValueError for other sigma or a margin that is too small, OverflowError where a draw is no int64.
    """
    deviation = positive(sigma, "sigma")
    if not margin >= MARGIN:
        raise ValueError(f"margin must be >= {MARGIN}, got {margin}")
    drawn = np.empty(n, np.int64)
    for i in range(0, n, CHUNK):
        part = drawn[i : i + CHUNK]
        due = np.arange(part.size)
        while due.size:
            kept, numbers = _attempts(deviation, due.size, source, margin)
            part[due[kept]] = numbers[kept]
            due = due[~kept]
    signs = np.unpackbits(np.frombuffer(source.octets((n + 7) // 8), np.uint8), count=n).astype(np.bool_)
    np.negative(drawn, out=drawn, where=signs)
    return drawn


def _attempts(sigma: Fraction, n: int, source: Source, margin: float) -> tuple[Mask, Integers]:
    """Which of n attempts are kept, and the absolute values that these give.

    Where x = (2 k + U) U / (2 sigma^2) <= 1, (2 k + 2) / (2 sigma^2) <= 2^5 and k < 2^52: U cut to 53 digits moves x by
    at most 2^-48, and the operations on it by at most 5 2^-53, so that x and the two polynomials around e^-x,

        1 - x + x^2 / 2 - x^3 / 6 <= e^-x <= 1 - x + x^2 / 2    for x >= 0,

    are off by less than 2^-46, as is V by 2^-53: far less than the margin.
    """
    slots, rate = known(sigma)
    k = slots.sample(n, source)
    u, v = (np.frombuffer(source.octets(n * FIRST_DIGITS // 8), "<u8") for _ in range(2))
    share, level = (((one >> np.uint64(FIRST_DIGITS - 53)).astype(np.float64) * UNIT) for one in (u, v))
    twice = 2.0 * k
    x = (twice + share) * share * rate
    above = 1 - x + x * x * 0.5
    below = above - x * x * x * (1 / 6)
    kept = level + margin < below
    told = (kept | (level - margin > above)) & (x <= 1) & ((twice + 2) * rate <= STEEPEST) & (k < EXACT)
    for i in np.flatnonzero(~told).tolist():
        left, right = (Uniform(source, int(one[i]), FIRST_DIGITS) for one in (u, v))
        kept[i] = is_kept(int(k[i]), sigma, left, right)
    return kept, k + (u >> np.uint64(FIRST_DIGITS - 1)).astype(np.int64)
