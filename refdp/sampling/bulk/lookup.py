"""Arrays of draws from a finite law: the same numbers, from the same digits, as `LookupDraws.many`; no float at all."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refdp.sampling.bulk.slots import CHUNK
from refdp.sampling.bulk.tables import Integers
from refdp.sampling.lazy import Uniform
from refdp.sampling.lookup import DIGITS, FIRST_DIGITS, Categorical, LookupDraws
from refdp.sampling.words import SYSTEM_WORDS, Source

Words = NDArray[np.uint64]

MORE = DIGITS - FIRST_DIGITS
OPEN = -1
"""What the table and `_known` have where the digits do not decide."""


class BulkLookup:
    """Arrays of independent draws.  Nothing in it changes, so threads may share it."""

    __slots__ = ("_below", "_from", "_table", "draws")

    def __init__(self, draws: LookupDraws) -> None:
        self.draws = draws
        self._below = np.array(draws.bounds.low, np.uint64)
        self._from = np.array([high - 1 for high in draws.bounds.high], np.uint64)
        first = np.arange(1 << FIRST_DIGITS, dtype=np.uint64) << np.uint64(MORE)
        self._table = self._known(first, first + np.uint64((1 << MORE) - 1))

    def _known(self, least: Words, greatest: Words) -> Integers:
        """The draw where 2^64 U is in [least, greatest + 1), or OPEN: U >= F(j) for j < k, and U < F(k)."""
        k = np.searchsorted(self._from, least, side="left")
        if not self._below.size:
            return k
        sure = (k == self._below.size) | (greatest < self._below[np.minimum(k, self._below.size - 1)])
        return np.where(sure, k, OPEN)

    def sample(self, n: int, source: Source = SYSTEM_WORDS) -> Integers:
        """n draws."""
        drawn = np.empty(n, np.int64)
        first = np.empty(n, np.uint16)
        for i in range(0, n, CHUNK):
            part = drawn[i : i + CHUNK]
            first[i : i + CHUNK] = np.frombuffer(source.octets(part.size * FIRST_DIGITS // 8), "<u2")
            self._table.take(first[i : i + CHUNK], out=part, mode="clip")
        unknown = np.flatnonzero(drawn == OPEN)
        drawn[unknown] = self._decided(first[unknown].astype(np.uint64), source)
        return drawn

    def _decided(self, first: Words, source: Source) -> Integers:
        """The draws where 16 digits do not decide."""
        more = np.frombuffer(source.octets(first.size * DIGITS // 8), "<u8") >> np.uint64(FIRST_DIGITS)
        digits = first << np.uint64(MORE) | more
        drawn = self._known(digits, digits)
        for i in np.flatnonzero(drawn == OPEN).tolist():
            drawn[i] = self.draws.decided(Uniform(source, int(digits[i]), DIGITS))
        return drawn


@lru_cache(maxsize=64)
def bulk_lookup(law: Categorical) -> BulkLookup:
    """The sampler of a finite law, made once."""
    return BulkLookup(LookupDraws(law))
