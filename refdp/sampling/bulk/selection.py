"""One draw of the exponential mechanism from an array of scores: the same as `sampling.selection`, and its proofs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refdp.numerics.exact import Exactly
from refdp.sampling.bulk.tables import Floats, Integers
from refdp.sampling.lazy import Uniform
from refdp.sampling.selection import (
    BYTE,
    DIGITS,
    Parts,
    checked_rate,
    decided,
    first_digits,
    margin,
    powers,
    target,
)
from refdp.sampling.words import SYSTEM_WORDS, Source

Gaps = NDArray[np.uint64]

BLOCK = 1 << 10
"""Sums are of blocks, and then of the weights in one block: few additions in each."""
CHUNK = 1 << 15
"""Candidates whose weights are worked out at a time: they stay in the cache."""


def selected(scores: Integers, rate: Exactly, source: Source = SYSTEM_WORDS, slack: float = 1.0) -> int:
    """k with probability proportional to e^(rate scores[k]), exactly, where rate > 0; `slack` widens the margin."""
    if scores.dtype != np.int64 or scores.ndim != 1 or not scores.size:
        raise ValueError(f"scores must be int64, in one dimension, at least one, got {scores.dtype} {scores.shape}")
    gaps, checked = (scores.max() - scores).view(np.uint64), checked_rate(rate)  # what wraps is right modulo 2^64

    def parts(k: int) -> Parts:
        return counts(gaps[: k + 1]), counts(gaps[k + 1 :])

    u = first_digits(source)
    first, last = limits(u, weights(gaps, checked), slack)
    return decided(u, checked, parts, first, last)


def counts(gaps: Gaps) -> Counter[int]:
    """How often each gap occurs."""
    values, numbers = np.unique(gaps, return_counts=True)
    return Counter(dict(zip(values.tolist(), numbers.tolist(), strict=True)))


def weights(gaps: Gaps, rate: Fraction) -> Floats:
    """About e^(-rate gap), a product of powers as `selection.weight` is."""
    found = np.ones(gaps.size)
    for place in range((int(gaps.max()).bit_length() + BYTE - 1) // BYTE):
        power = np.array(powers(rate, place))
        for i in range(0, gaps.size, CHUNK):
            found[i : i + CHUNK] *= power[(gaps[i : i + CHUNK] >> np.uint64(BYTE * place)).astype(np.uint8)]
    return found


def limits(u: Uniform, weight: Floats, slack: float) -> tuple[int, int]:
    """The first and the last k that may be the draw."""
    blocks, last = -(-weight.size // BLOCK), weight.size - 1
    if u.size < DIGITS:
        return 0, last
    padded = np.zeros(blocks * BLOCK)
    padded[: weight.size] = weight
    table = padded.reshape(blocks, BLOCK)
    ends = np.cumsum(table.sum(axis=1))
    t, near = target(u, float(ends[-1])), margin(float(ends[-1]), blocks + BLOCK) * slack
    return min(_least(table, ends, t - near), last), min(_least(table, ends, t + near), last)


def _least(table: Floats, ends: Floats, t: float) -> int:
    """The least k with c_k > t, where sums are of all blocks before and then within one; past the block if none is."""
    block = min(int(np.searchsorted(ends, t, side="right")), ends.size - 1)
    sums = np.cumsum(table[block]) + (ends[block - 1] if block else 0.0)
    return block * BLOCK + int(np.searchsorted(sums, t, side="right"))
