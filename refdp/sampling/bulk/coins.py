"""Arrays of independent coins of one rational rate, exactly: 64 digits of a uniform real, and more where these tie."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from refdp.numerics.exact import Exactly, exact
from refdp.numerics.intervals import Interval
from refdp.sampling.bulk.tables import Mask
from refdp.sampling.lazy import Uniform, less
from refdp.sampling.words import SYSTEM_WORDS, WORD, Source


def coins(rate: Exactly, n: int, source: Source = SYSTEM_WORDS) -> Mask:
    """For each of n places whether a coin of that rate came up, 0 <= rate <= 1; ValueError for other rates."""
    p = exact(rate, "rate")
    if not 0 <= p <= 1:
        raise ValueError(f"rate must be from 0 to 1, got {p}")
    if p in (0, 1):
        return np.full(n, p == 1)
    digits = np.frombuffer(source.octets(n * WORD // 8), "<u8")
    first = (p.numerator << WORD) // p.denominator
    found: Mask = digits < np.uint64(first)
    for i in np.flatnonzero(digits == np.uint64(first)).tolist():
        found[i] = less(Uniform(source, first, WORD), lambda bits: Interval(Fraction(p), Fraction(p), bits))
    return found
