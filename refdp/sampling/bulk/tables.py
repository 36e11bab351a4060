"""The table of a sampler by slots: what a slot says of a draw, and a row for each slot that does not say all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refdp.sampling.lazy import GUARD
from refdp.sampling.slots.certificate import Certificate
from refdp.sampling.slots.draws import FIRST_DIGITS, SlotDraws

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

DTYPES: dict[int, np.dtype[Any]] = {16: np.dtype(np.int16), 32: np.dtype(np.int32), 64: np.dtype(np.int64)}
"""The narrower the integers of a table are, the more of it stays in the cache."""


@dataclass(frozen=True, slots=True)
class Entries:
    """What a slot says: where the integers of a full one start, or `open` + row B: below `limit` with any offset."""

    table: NDArray[Any]
    open: int
    limit: int


@dataclass(frozen=True, slots=True)
class Rows:
    """A row for each slot that is not full: those of blocks, then those of tails and of the void."""

    slot: Integers
    start: Integers
    level: Floats
    weight: Floats
    """w(top) / height in a block, the share of a tail, 0 of the void."""
    flip: Integers
    """The offset, with these digits flipped, is the distance from the top."""
    top: Floats
    blocks: int
    """The number of rows of blocks."""


def table(draws: SlotDraws) -> tuple[Entries, Rows]:
    """The entries of all slots, and the rows of those that are not full."""
    c = draws.certificate
    owner, level = owners(c)
    is_open = np.ones(1 << c.slot_digits, np.bool_)
    is_open[: owner.size] = level >= np.array([b.full for b in c.blocks], np.int64)[owner]
    closed, slot = np.flatnonzero(~is_open), np.flatnonzero(is_open)
    kind = narrowest(draws, slot.size)
    found = np.iinfo(kind)
    entries = int(found.min) + (np.cumsum(is_open) - 1 << c.offset_digits)
    entries[closed] = np.array([b.start for b in c.blocks], np.int64)[owner[closed]]
    inside = slot[: int(np.count_nonzero(is_open[: owner.size]))]
    told = Entries(entries.astype(kind), int(found.min), int(found.min) // 2)
    return told, rows(draws, slot, owner[inside], level[inside])


def narrowest(draws: SlotDraws, rows: int) -> np.dtype[Any]:
    """Signed integers, no narrower than a word, half of which hold all draws of full slots, and a quarter all rows."""
    c = draws.certificate
    ends = max(-c.blocks[0].start, c.blocks[-1].start + c.width), 2 * (rows + 1) << c.offset_digits
    return next(
        kind for width, kind in DTYPES.items() if width >= draws.word and max(ends) <= -int(np.iinfo(kind).min) // 2
    )


def owners(c: Certificate) -> tuple[Integers, Integers]:
    """For each slot of a block the index of the block, and the level in it."""
    slots = np.array([b.slots for b in c.blocks], np.int64)
    owner = np.repeat(np.arange(slots.size), slots)
    return owner, np.arange(owner.size) - np.repeat(np.cumsum(slots) - slots, slots)


def rows(draws: SlotDraws, slot: Integers, owner: Integers, level: Integers) -> Rows:
    """The rows of these slots, where the first ones lie in blocks, the next in tails."""
    c = draws.certificate
    start, top = np.array([(b.start, abs(c.ends(b)[0])) for b in c.blocks], np.int64)[owner].T
    behind = np.zeros(slot.size - owner.size, np.int64)
    shares = behind.astype(np.float64)
    in_tails = [float(draws.share(tail, FIRST_DIGITS + GUARD).lower) for tail in c.tails for _ in range(tail.slots)]
    shares[: len(in_tails)] = in_tails
    return Rows(
        slot=slot,
        start=np.concatenate([start, behind]),
        level=np.concatenate([level, behind]).astype(np.float64),
        weight=np.concatenate([np.array([b.level for b in c.blocks])[owner], shares]),
        flip=np.concatenate([np.where(start < 0, c.width - 1, 0), behind]),
        top=np.concatenate([top, behind]).astype(np.float64),
        blocks=owner.size,
    )
