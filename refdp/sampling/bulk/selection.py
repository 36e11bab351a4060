"""One draw of the exponential mechanism from an array of scores: the same as `sampling.selection`, and its proofs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refdp.numerics.exact import Exactly, positive
from refdp.sampling.bulk.tables import Floats, Integers
from refdp.sampling.lazy import Uniform, exp_minus, less
from refdp.sampling.selection import (
    BYTE,
    DIGITS,
    NEAR,
    UNIT,
    Parts,
    below,
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
    gaps, checked = (scores.max() - scores).view(np.uint64), positive(rate, "rate")  # what wraps is right modulo 2^64

    def parts(k: int) -> Parts:
        return counts(gaps[: k + 1]), counts(gaps[k + 1 :])

    u = first_digits(source)
    first, last = limits(u, weights(gaps, checked), slack)
    return decided(u, checked, parts, first, last)


def flipped(scores: Integers, rate: Exactly, source: Source = SYSTEM_WORDS, slack: float = 1.0) -> int:
    """k uniform among the candidates whose flips come up: the same candidate as `sampling.selection.flipped`."""
    if scores.dtype != np.int64 or scores.ndim != 1 or not scores.size:
        raise ValueError(f"scores must be int64, in one dimension, at least one, got {scores.dtype} {scores.shape}")
    gaps, checked = (scores.max() - scores).view(np.uint64), positive(rate, "rate")
    words = np.frombuffer(source.octets(8 * gaps.size), ">u8").astype(np.uint64)
    excess = weights(gaps, checked)
    excess -= (words >> np.uint64(DIGITS - 53)) * UNIT
    up = excess > NEAR * slack
    for i in np.flatnonzero(np.abs(excess) <= NEAR * slack).tolist():
        u = Uniform(source, int(words[i]), DIGITS)
        up[i] = gaps[i] == 0 or less(u, exp_minus(checked * int(gaps[i])))
    among = np.flatnonzero(up)
    return int(among[below(among.size, source)])


def counts(gaps: Gaps) -> Counter[int]:
    """How often each gap occurs."""
    values, numbers = np.unique(gaps, return_counts=True)
    return Counter(dict(zip(values.tolist(), numbers.tolist(), strict=True)))


def weights(gaps: Gaps, rate: Fraction) -> Floats:
    """About e^(-rate gap), a product of powers as `selection.weights` are."""
    found = np.ones(gaps.size)
    for place in range((int(gaps.max()).bit_length() + BYTE - 1) // BYTE):
        power = _powers(rate, place)
        for i in range(0, gaps.size, CHUNK):
            found[i : i + CHUNK] *= power[(gaps[i : i + CHUNK] >> np.uint64(BYTE * place)).astype(np.uint8)]
    return found


@lru_cache(maxsize=256)
def _powers(rate: Fraction, place: int) -> Floats:
    """`powers` as an array, of which nobody changes anything."""
    return np.array(powers(rate, place))


def limits(u: Uniform, weight: Floats, slack: float) -> tuple[int, int]:
    """The first and the last k that may be the draw."""
    blocks, last = -(-weight.size // BLOCK), weight.size - 1
    if u.size < DIGITS:
        return 0, last
    table = np.concatenate([weight, np.zeros(blocks * BLOCK - weight.size)]).reshape(blocks, BLOCK)
    ends = np.add.reduce(table, 1).cumsum()
    t, near = target(u, float(ends[-1])), margin(float(ends[-1]), blocks + BLOCK) * slack
    low, high = ends.searchsorted((t - near, t + near), "right").clip(0, blocks - 1).tolist()
    return min(_least(table, ends, low, t - near), last), min(_least(table, ends, high, t + near), last)


def _least(table: Floats, ends: Floats, block: int, t: float) -> int:
    """The least k in a block with c_k > t, where c_k sums all blocks before and then within it; or the end of it."""
    sums = table[block].cumsum()
    if block:
        sums += ends[block - 1]
    return int(block * table.shape[1] + sums.searchsorted(t, "right"))
