"""Arrays of draws by exact slots: the same numbers, from the same digits, as `SlotDraws.many`.

Most draws are one look into a table.  The others compare (level + V) height with w(k) in floats, by + - * only; what is
within the margin is left to `SlotDraws`, and so are the tails.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from refdp.sampling.lazy import Uniform
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.certificate import MARGIN, TAYLOR_DEGREE
from refdp.sampling.slots.draws import FIRST_DIGITS, SlotDraws
from refdp.sampling.words import SYSTEM_WORDS, Source

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

CHUNK = 1 << 16
"""Draws whose words are fetched at a time: they stay in the cache."""
OPEN = -(1 << 62)
"""The table has OPEN + rank B for a slot that is not full: below LIMIT, whatever offset is added."""
LIMIT = -(1 << 61)
TYPES = {16: "<u2", 32: "<u4", 64: "<i8"}
TAYLOR = tuple((-1.0) ** i / factorial(i) for i in range(TAYLOR_DEGREE, -1, -1))
"""The coefficients of e^-x, from the highest on."""
UNIT = 2.0**-53
"""A float holds the first 53 digits of V."""


class BulkSlots:
    """Arrays of independent draws.  Nothing in it changes, so threads may share it."""

    __slots__ = ("_flips", "_level", "_levels", "_partial", "_start", "_table", "_top", "draws", "margin")

    def __init__(self, draws: SlotDraws, margin: float = MARGIN) -> None:
        if not margin >= MARGIN:
            raise ValueError(f"margin must be >= {MARGIN}, got {margin}")
        self.draws, self.margin = draws, margin
        self._tabulate()

    def _tabulate(self) -> None:
        """The table: where each slot's integers start, or its rank among those not full, with what they compare."""
        c = self.draws.certificate
        start, slots, full = np.array([(b.start, b.slots, b.full) for b in c.blocks], np.int64).T
        owner = np.repeat(np.arange(start.size), slots)
        level = np.arange(owner.size) - np.repeat(np.cumsum(slots) - slots, slots)
        is_open = np.ones(1 << c.slot_digits, np.bool_)
        is_open[: owner.size] = level >= full[owner]
        self._table = OPEN + (np.cumsum(is_open) - 1 << c.offset_digits)
        self._table[: owner.size][~is_open[: owner.size]] = start[owner[~is_open[: owner.size]]]
        level, owner = level[is_open[: owner.size]], owner[is_open[: owner.size]]
        self._partial, self._level, self._start = owner.size, level.astype(np.float64), start[owner]
        self._levels = np.array([b.level for b in c.blocks])[owner]
        self._flips = np.where(self._start < 0, c.width - 1, 0)
        self._top = np.array([abs(c.ends(b)[0]) for b in c.blocks], np.float64)[owner]

    def sample(self, n: int, source: Source = SYSTEM_WORDS) -> Integers:
        """n draws."""
        drawn = np.empty(n, np.int64)
        self._fill(drawn, source)
        due = np.flatnonzero(drawn < LIMIT)
        while due.size:
            due = self._settle(drawn, due, source)
        return drawn

    def _fill(self, drawn: Integers, source: Source) -> None:
        """A round for each draw, as far as the table goes."""
        word, offsets, slots = self.draws.word, self.draws.certificate.width - 1, self._table.size
        shift = word - self.draws.certificate.slot_digits
        for first in range(0, drawn.size, CHUNK):
            part = drawn[first : first + CHUNK]
            words = np.frombuffer(source.octets(part.size * word // 8), TYPES[word])
            index = (words >> shift).astype(np.intp) & (slots - 1) if shift else words
            self._table.take(index, out=part, mode="clip")  # no index is clipped: with "raise", numpy would copy
            if offsets:
                part += words & offsets

    def _settle(self, drawn: Integers, due: Integers, source: Source) -> Integers:
        """Decide the rounds at places that are not full, and begin the next where one returned nothing."""
        entry = drawn[due] - OPEN
        rank, offset = entry >> self.draws.certificate.offset_digits, entry & self.draws.certificate.width - 1
        partial = np.flatnonzero(rank < self._partial)
        missing = np.ones(due.size, np.bool_)
        k, accepted = self._decide(rank[partial], offset[partial], source)
        drawn[due[partial]], missing[partial] = k, ~accepted
        for i in np.flatnonzero(rank >= self._partial).tolist():
            z = self._beyond(int(rank[i]) - self._partial, source)
            if z is not None:
                drawn[due[i]], missing[i] = z, False
        again = due[missing]
        fresh = np.empty(again.size, np.int64)
        self._fill(fresh, source)
        drawn[again] = fresh
        return again[fresh < LIMIT]

    def _beyond(self, index: int, source: Source) -> int | None:
        """What a round returns in the slot of that index among those after the blocks."""
        place = self.draws.place(sum(b.slots for b in self.draws.certificate.blocks) + index, 0)
        return self.draws.decided(place, Uniform(source), source)

    def _decide(self, rank: Integers, offset: Integers, source: Source) -> tuple[Integers, Mask]:
        """The integers at places that are not full, and whether (level + V) height is less than their weight."""
        v = np.frombuffer(source.octets(rank.size * FIRST_DIGITS // 8), "<i8")
        k, level = self._start[rank] + offset, self._level[rank]
        excess = self._weight(rank, offset, k) - level
        excess -= (v >> 11 & (1 << 53) - 1) * UNIT
        accepted = excess > self.margin
        for i in np.flatnonzero(np.abs(excess) <= self.margin).tolist():
            digits = int(v[i]) % (1 << FIRST_DIGITS)
            accepted[i] = self.draws.accepts(int(k[i]), int(level[i]), Uniform(source, digits, FIRST_DIGITS))
        return k, accepted

    def _weight(self, rank: Integers, offset: Integers, k: Integers) -> Floats:
        """w(k) / height, with an error of at most `error_bound` in `slots.check`."""
        level = self._levels[rank]
        if self.draws.certificate.offset_digits == 0:
            return level
        x = self._fall(self._top[rank], np.abs(k).astype(np.float64), (offset ^ self._flips[rank]).astype(np.float64))
        power = np.full(rank.size, TAYLOR[0])
        for coefficient in TAYLOR[1:]:
            power *= x
            power += coefficient
        return np.multiply(power, level, out=power)

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
