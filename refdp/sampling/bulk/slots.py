"""Arrays of draws by exact slots: the same numbers, from the same digits, as `SlotDraws.many`.

Most draws are one look into a table.  The others compare (level + V) height with w(k) in floats, by + - * only; what is
within the margin is left to `SlotDraws`, and so is what may lie in a tail.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from refdp.sampling.bulk.addition import add, added
from refdp.sampling.bulk.tables import Floats, Integers, Mask, table
from refdp.sampling.lazy import Uniform
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.certificate import MARGIN
from refdp.sampling.slots.draws import FIRST_DIGITS, SlotDraws
from refdp.sampling.slots.floats import UNIT, weight
from refdp.sampling.words import SYSTEM_WORDS, Source

CHUNK = 1 << 15
"""Draws whose words are fetched at a time: they stay in the cache."""
FEW = 24
"""So many rounds are decided faster one by one than in arrays."""
TYPES = {16: "<u2", 32: "<u4", 64: "<i8"}
TOP = 16
"""Digits of a word among which the slot is."""


class BulkSlots:
    """Arrays of independent draws.  Nothing in it changes, so threads may share it."""

    __slots__ = ("_digits", "_entries", "_mask", "_rows", "_shift", "_word", "draws", "margin")

    def __init__(self, draws: SlotDraws, margin: float = MARGIN) -> None:
        if not margin >= MARGIN:
            raise ValueError(f"margin must be >= {MARGIN}, got {margin}")
        self.draws, self.margin = draws, margin
        self._digits, self._word = draws.certificate.offset_digits, draws.word
        self._shift = TOP - draws.certificate.slot_digits
        self._mask = np.dtype(TYPES[self._word]).type(draws.certificate.width - 1)
        self._entries, self._rows = table(draws)

    def sample(self, n: int, source: Source = SYSTEM_WORDS) -> Integers:
        """n draws."""
        drawn = np.zeros(n, np.int64)
        self.add(drawn, drawn, source)
        return drawn

    def add(self, data: Integers, out: Integers, source: Source = SYSTEM_WORDS) -> None:
        """out = data + a draw for each element, of vectors which may be one; OverflowError if a sum is no int64."""
        due, entries = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for i in range(0, data.size, CHUNK):
            part = data[i : i + CHUNK]
            k = self._looked_up(part.size, source)
            (here,) = (k < self._entries.limit).nonzero()
            if here.size:
                due.append(here + i)
                entries.append(k[here].astype(np.int64))
                k[here] = 0
            add(part, k, out[i : i + CHUNK])
        places = np.concatenate(due)
        if places.size:
            entry = np.concatenate(entries) - self._entries.open
            out[places] = added(out[places], self._settled(entry, source))

    def _looked_up(self, n: int, source: Source) -> Any:
        """A round for each of n draws, as far as the table goes; below the limit is what it does not decide."""
        words = np.frombuffer(source.octets(n * self._word // 8), TYPES[self._word])
        slots = words.view("<u2")[self._word // TOP - 1 :: self._word // TOP]
        k = self._entries.table.take(slots >> self._shift if self._shift else slots, mode="clip")  # "raise" would copy
        if self._digits:
            offset = words & self._mask
            k += offset.view(k.dtype) if offset.itemsize == k.itemsize else offset.astype(k.dtype)
        return k

    def _settled(self, entry: Integers, source: Source) -> Integers:
        """The draws of which the first rounds are not decided: these, and the next where one returned nothing."""
        row, offset = entry >> self._digits, entry & int(self._mask)
        if entry.size <= FEW:
            rounds = zip(self._rows.slot[row].tolist(), offset.tolist(), strict=True)
            return np.array(self.draws.settled(rounds, source, self.margin), np.int64)
        drawn, accepted = self._decide(row, offset, source)
        again = np.flatnonzero(~accepted)
        drawn[again] = self.sample(again.size, source)
        return drawn

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
        level = self._rows.weight[row]
        if self._digits == 0:
            return level
        rates, distance = self.draws.certificate.rates, (offset ^ self._rows.flip[row]).astype(np.float64)
        distance[row >= self._rows.blocks] = 0  # the share remains
        top, end = self._rows.top[row], np.abs(k).astype(np.float64)
        found: Floats = weight(level, rates, self.draws.taylor, top, end, distance)
        return found


@lru_cache(maxsize=64)
def bulk_slots(potential: Potential) -> BulkSlots:
    """The sampler of weights e^-q, made once."""
    return BulkSlots(SlotDraws(certificate(potential)))
