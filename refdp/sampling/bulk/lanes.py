"""Lanes: a scalar sampler of coin flips run for many draws at once, each on flips of its own.

Each function does in arrays what the function of the same name of `refdp.sampling.coins` does for one draw: a lane's
flips decide it, and the sampler run alone on the flips of that lane gives the same.  Lanes are independent, as no flip
is read by two of them.  Flips that are left over when a lane is decided are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refdp.sampling.words import Source

Words = NDArray[np.uint64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

WORD = 64
"""Lanes of a word of bits: lane 64 i + j is bit j of word i."""
ALL = np.uint64(2**64 - 1)
AT_ONCE = 6
"""So many flips are read for all words; then words whose lanes are decided are left out: e^-1 of them by then."""
STEP = 16
"""Flips of a lane that are read at a time where lanes have probabilities of their own."""
SIXTEEN = np.array(STEP)
MOST = 1 << 61
"""The greatest number that a uniform number is below."""
KINDS = ((16, "<u2"), (32, "<u4"), (64, "<u8"))
"""Digits, and the words that hold so many."""


class Lanes:
    """Independent draws in arrays, from the digits of a source; the order in which they are read is fixed."""

    __slots__ = ("source",)

    def __init__(self, source: Source) -> None:
        self.source = source

    def planes(self, active: Integers) -> Words:
        """The next flip of each lane of these words."""
        return np.frombuffer(self.source.octets(8 * active.size), "<u8")

    def digits(self, active: Integers, counts: Integers) -> Integers:
        """The next flips of each of these lanes as a number, the first the most significant; so many, at most 63."""
        width, kind = next((width, kind) for width, kind in KINDS if counts.max() <= width)
        words = np.frombuffer(self.source.octets(width // 8 * active.size), kind)
        found: Integers = (words >> (width - counts).astype(words.dtype)).astype(np.int64)
        return found

    def bits(self, where: Words, one: Fraction, zero: Fraction) -> Words:
        """A bit for each lane: 1 with probability `one` where the bit of `where` is 1, else with probability `zero`.

        A lane's flips are the digits of a uniform real, which is below the probability or not as soon as two digits
        differ.  So the first digit that differs decides, and a lane is open while none does.
        """
        found, is_open = np.zeros(where.size, "<u8"), np.full(where.size, ALL, "<u8")
        every, place, rests = np.arange(where.size), 0, [Fraction(one), Fraction(zero)]
        active = every
        while any(rests):
            if place >= AT_ONCE:
                active = active[is_open[active] != 0] if place > AT_ONCE else np.flatnonzero(is_open)
            if not active.size:
                break
            (high, low), rests = _next_digits(rests)
            flips = self.planes(active)
            if active is every:
                found |= _settled(is_open, flips, where, high, low)
            else:
                part = is_open[active]
                found[active] |= _settled(part, flips, where[active], high, low)
                is_open[active] = part
            place += 1
        return found

    def bernoulli(self, n: int, p: Fraction) -> Mask:
        """n times whether a coin of probability p shows 1."""
        return unpacked(self.bits(np.zeros(-(-n // WORD), "<u8"), p, p))[:n]

    def bernoulli_each(self, which: Integers, chances: Sequence[Fraction]) -> Mask:
        """For each lane whether a coin of the probability chances[which] shows 1."""
        found, active, rests = np.zeros(which.size, np.bool_), np.arange(which.size), list(chances)
        while active.size:
            parts = [divmod(rest * 2**STEP, 1) for rest in rests]
            whole, rests = [digits for digits, _ in parts], [rest for _, rest in parts]
            own, flips = which[active], self.digits(active, SIXTEEN)
            bounds = np.array(whole, np.int64)[own]
            found[active] = flips < bounds
            active = active[(flips == bounds) & np.array([rest > 0 for rest in rests], np.bool_)[own]]
        return found

    def uniform(self, n: int, bound: int) -> Integers:
        """n numbers from 0 to bound - 1, each as likely; 1 <= bound <= 2^61."""
        return self.uniform_each(np.zeros(n, np.int64), [bound])

    def uniform_each(self, which: Integers, bounds: Sequence[int]) -> Integers:
        """For each lane a number from 0 to bounds[which] - 1, each as likely.  Source: LUM13 Sec 2.

        Lanes of one bound that are not decided are all at the same size, which depends on the bound alone.
        """
        if any(not 1 <= bound <= MOST for bound in bounds):
            raise ValueError(f"bounds must be in [1, 2^61], got {bounds}")
        found, active = np.zeros(which.size, np.int64), np.arange(which.size)
        limits, sizes = np.array(bounds, np.int64), [1] * len(bounds)
        while active.size:
            counts = [max(0, (-(-b // size) - 1).bit_length()) for b, size in zip(bounds, sizes, strict=True)]
            own, part = which[active], found[active]
            if any(counts):
                flips = np.array(counts) if len(counts) == 1 else np.array(counts)[own]
                part = (part << flips) | self.digits(active, flips)
            sizes = [max(1, (size << count) - b) for b, size, count in zip(bounds, sizes, counts, strict=True)]
            limit = limits if limits.size == 1 else limits[own]
            is_over = part >= limit
            found[active] = np.where(is_over, part - limit, part)
            active = active[is_over]
        return found

    def first(self, n: int, size: int, count: int, more: Mask) -> NDArray[Any]:
        """The first `count` of n random orders of 0, ..., size - 1, and one more of those lanes where `more` says so.

        Columns as far as there are some: the last of count + 1 has no meaning where `more` does not say so.
        """
        kind = np.min_scalar_type(size)
        order = np.empty((n, size), kind)
        order[:] = np.arange(size, dtype=kind)
        rows, flat = np.arange(n) * size, order.ravel()
        if count:
            others = self.uniform_each(np.tile(np.arange(count), n), range(size, size - count, -1)).reshape(n, count)
            for place, other in enumerate(np.ascontiguousarray(others.T)):
                _swap(flat, rows + (size - 1 - place), rows + other)
        rows = rows[more]
        if rows.size:
            last = size - 1 - count
            _swap(flat, rows + last, rows + self.uniform(rows.size, last + 1))
        return order[:, ::-1][:, : count + 1]


def _swap(numbers: NDArray[Any], places: Integers, others: Integers) -> None:
    """Exchange the numbers at these places, each with that at the other: in rows of their own, so no two meet."""
    kept = numbers[others]
    numbers[others] = numbers[places]
    numbers[places] = kept


def _next_digits(rests: list[Fraction]) -> tuple[list[bool], list[Fraction]]:
    """The next binary digit of each number in [0, 1], and twice what is left; 1 is 0.111..."""
    digits = [2 * rest >= 1 for rest in rests]
    return digits, [2 * rest - digit for rest, digit in zip(rests, digits, strict=True)]


def _settled(is_open: Words, flips: Words, where: Words, high: bool, low: bool) -> Words:
    """Lanes, among those open, whose flip is 0 where the digit is 1; `is_open` keeps those whose flip is the digit.

    The digit is `high` where the bit of `where` is 1, else `low`.
    """
    if high == low:
        below = is_open & ~flips
        if high:
            is_open &= flips
            return below
        is_open[:] = below
        return np.zeros((), "<u8")
    digits = where if high else ~where
    below = is_open & digits & ~flips
    is_open &= ~(flips ^ digits)
    return below


def unpacked(words: Words) -> Mask:
    """The bits of each lane."""
    return np.unpackbits(words.view(np.uint8), bitorder="little").view(np.bool_)


def packed(bits: Mask) -> Words:
    """Words whose lanes have these bits, 0 beyond the last."""
    octets = np.zeros(-(-bits.size // WORD) * 8, np.uint8)
    found = np.packbits(bits, bitorder="little")
    octets[: found.size] = found
    return octets.view("<u8")
