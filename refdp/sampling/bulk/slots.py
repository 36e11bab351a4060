"""Arrays of draws by exact slots: the same numbers, from the same digits, as `SlotDraws.many`.

Most draws are one look into a table.  The others compare (level + V) height with w(k) in floats, by + - * only; what is
within the margin is left to `SlotDraws`, and so is what may lie in a tail.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial

import numpy as np

from refdp.sampling.bulk.tables import LIMIT, OPEN, Floats, Integers, Mask, table
from refdp.sampling.lazy import Uniform
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.certificate import MARGIN, TAYLOR_DEGREE
from refdp.sampling.slots.draws import FIRST_DIGITS, SlotDraws
from refdp.sampling.words import SYSTEM_WORDS, Source

CHUNK = 1 << 16
"""Draws whose words are fetched at a time: they stay in the cache."""
TYPES = {16: "<u2", 32: "<u4", 64: "<i8"}
TAYLOR = tuple((-1.0) ** i / factorial(i) for i in range(TAYLOR_DEGREE, -1, -1))
"""The coefficients of e^-x, from the highest on."""
UNIT = 2.0**-53
"""A float holds the first 53 digits of V."""


class BulkSlots:
    """Arrays of independent draws.  Nothing in it changes, so threads may share it."""

    __slots__ = ("_digits", "_rows", "_shift", "_table", "_word", "draws", "margin")

    def __init__(self, draws: SlotDraws, margin: float = MARGIN) -> None:
        if not margin >= MARGIN:
            raise ValueError(f"margin must be >= {MARGIN}, got {margin}")
        self.draws, self.margin = draws, margin
        self._digits, self._word = draws.certificate.offset_digits, draws.word
        self._shift = draws.word - draws.certificate.slot_digits
        self._table, self._rows = table(draws)

    def sample(self, n: int, source: Source = SYSTEM_WORDS) -> Integers:
        """n draws."""
        drawn = np.empty(n, np.int64)
        due = self._begin(drawn, source)
        while due.size:
            due = self._settle(drawn, due, source)
        return drawn

    def _begin(self, drawn: Integers, source: Source) -> Integers:
        """A round for each draw, as far as the table goes; which of them are not decided."""
        starts = range(0, max(drawn.size, 1), CHUNK)
        return np.concatenate([self._look_up(drawn[i : i + CHUNK], source) + i for i in starts])

    def _look_up(self, drawn: Integers, source: Source) -> Integers:
        """The same for a chunk."""
        words = np.frombuffer(source.octets(drawn.size * self._word // 8), TYPES[self._word])
        slots = (words >> self._shift).astype(np.intp) & self._table.size - 1 if self._shift else words
        self._table.take(slots, out=drawn, mode="clip")  # nothing is clipped: with "raise" numpy would copy
        if self._digits:
            drawn += words & (1 << self._digits) - 1
        return np.flatnonzero(drawn < LIMIT)

    def _settle(self, drawn: Integers, due: Integers, source: Source) -> Integers:
        """Decide the rounds that are not decided, and begin the next where one returned nothing."""
        entry = drawn[due] - OPEN
        drawn[due], accepted = self._decide(entry >> self._digits, entry & (1 << self._digits) - 1, source)
        again = due[~accepted]
        fresh = np.empty(again.size, np.int64)
        left = self._begin(fresh, source)
        drawn[again] = fresh
        return again[left]

    def _decide(self, row: Integers, offset: Integers, source: Source) -> tuple[Integers, Mask]:
        """What rounds return at places that are not full, and whether they return it."""
        v = np.frombuffer(source.octets(row.size * FIRST_DIGITS // 8), "<i8")
        k = self._rows.start[row] + offset
        excess = self._weight(row, offset, k)
        excess -= self._rows.level[row]
        excess -= (v >> FIRST_DIGITS - 53 & (1 << 53) - 1) * UNIT
        accepted, exactly = excess > self.margin, np.abs(excess) <= self.margin
        exactly |= accepted & (row >= self._rows.blocks)
        for i in np.flatnonzero(exactly).tolist():
            place = self.draws.place(int(self._rows.slot[row[i]]), int(offset[i]))
            found = self.draws.decided(place, Uniform(source, int(v[i]) % (1 << FIRST_DIGITS), FIRST_DIGITS))
            k[i], accepted[i] = found or 0, found is not None
        return k, accepted

    def _weight(self, row: Integers, offset: Integers, k: Integers) -> Floats:
        """w(k) / height, with an error of at most `error_bound` in `slots.check`; in a tail its share."""
        weight = self._rows.weight[row]
        if self._digits == 0:
            return weight
        d = (offset ^ self._rows.flip[row]).astype(np.float64)
        x = self._fall(self._rows.top[row], np.abs(k).astype(np.float64), d)
        x[row >= self._rows.blocks] = 0
        power = np.full(row.size, TAYLOR[0])
        for coefficient in TAYLOR[1:]:
            power *= x
            power += coefficient
        weight *= power
        return weight

    def _fall(self, n: Floats, end: Floats, d: Floats) -> Floats:
        """q(end) - q(n) = d (c_1 + c_2 h_2 + ...) where end = n + d, h_1 = 1 and h_j = end h_(j-1) + n^(j-1)."""
        rates = self.draws.certificate.rates
        total, h, power = np.full(n.size, rates[0]), np.ones(n.size), np.ones(n.size)
        for rate in rates[1:]:
            power *= n
            h *= end
            h += power
            total += rate * h
        total *= d
        return total


@lru_cache(maxsize=64)
def bulk_slots(potential: Potential) -> BulkSlots:
    """The sampler of weights e^-q, made once."""
    return BulkSlots(SlotDraws(certificate(potential)))
