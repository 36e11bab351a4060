"""Draws by a certificate that has been checked: in exact arithmetic, one at a time or many, without numpy.

One round takes a slot and an offset L, uniform and independent.  In a full slot it returns start + L; at level i of a
block that is not full, it returns k = start + L if (i + V) height < w(k), V uniform; in a tail see `_tail`; where it
returns nothing, there is another round.  So P(k) = w(k) / sum w, exactly: docs/bulk_sampling.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import Enclosure, Uniform, bernoulli, exp_minus, geometric, less
from refdp.sampling.slots.certificate import Block, Certificate, Tail
from refdp.sampling.slots.check import check, tail_share
from refdp.sampling.words import Source

WIDTHS = (16, 32, 64)
"""Sizes of the words, in digits, from which the rounds of many draws are read."""
FIRST_DIGITS = 64
"""Digits of V that are read at once."""

Place = tuple[Block | Tail | None, int, int]
"""Where a slot lies: its block, the level there and the integer at the offset; or its tail; or nothing."""


class SlotDraws:
    """Independent draws; Refused unless `check` accepts the certificate."""

    __slots__ = ("_ends", "_owners", "certificate", "word")

    def __init__(self, certificate: Certificate) -> None:
        check(certificate)
        self.certificate = certificate
        self._ends = tuple(accumulate(certificate.sizes()))
        self._owners = (*certificate.blocks, *certificate.tails)
        digits = certificate.slot_digits + certificate.offset_digits
        self.word = next(width for width in WIDTHS if digits <= width)

    def place(self, slot: int, offset: int) -> Place:
        """What stands at a slot and an offset."""
        index = bisect_right(self._ends, slot)
        if index == len(self._owners):
            return None, 0, 0
        owner = self._owners[index]
        level = slot - (self._ends[index] - owner.slots)
        return owner, level, owner.start + offset

    def one(self, source: Source) -> int:
        """One draw."""
        c = self.certificate
        while True:
            slot, offset = divmod(source.digits(c.slot_digits + c.offset_digits), c.width)
            place = self.place(slot, offset)
            k = place[2] if is_full(place) else self.decided(place, Uniform(source), source)
            if k is not None:
                return k

    def decided(self, place: Place, v: Uniform, source: Source) -> int | None:
        """What a round returns at a place that is not full, if anything."""
        owner, level, k = place
        match owner:
            case Block():
                return k if self.accepts(k, level, v) else None
            case Tail():
                return self.tail(owner, source)
        return None

    def accepts(self, k: int, level: int, v: Uniform) -> bool:
        """Whether (level + V) height < w(k)."""
        return less(v, self._excess(k, level))

    def _excess(self, k: int, level: int) -> Enclosure:
        """w(k) / height - level."""
        weight, height = self.certificate.potential.weight(k), self.certificate.height

        def enclosure(bits: int) -> Interval:
            w = weight(bits + self.certificate.slot_digits)  # w / height is below 2^slot_digits
            return Interval(w.lower / height - level, w.upper / height - level)

        return enclosure

    def tail(self, t: Tail, source: Source) -> int | None:
        """sign (K + g) with probability w(K + g) / (n_T height B), g >= 0; else None.

        It is the product of share = w(K) / ((1 - e^-rho) n_T height B), of (1 - e^-rho) e^(-rho g), and of
        e^-(q(K + g) - q(K) - rho g), where the exponent is <= 0 as q is convex.
        """
        q, rho = self.certificate.potential, self.certificate.potential.slope(t.start)
        if not bernoulli(lambda bits: tail_share(self.certificate, t, bits), source):
            return None
        g = geometric(rho, source)
        bend = q(t.start + g) - q(t.start) - rho * g
        return t.sign * (t.start + g) if bend == 0 or bernoulli(exp_minus(bend), source) else None

    def many(self, n: int, source: Source) -> list[int]:
        """n draws, from digits in the order in which arrays read them.

        All rounds that are due, then V for each level that is not full, then the tails; then the rounds that are due
        again; each in the order of the draws.
        """
        drawn, due = [0] * n, list(range(n))
        while due:
            places = dict(zip(due, self._places(len(due), source), strict=True))
            open_blocks = [i for i in due if isinstance(places[i][0], Block) and not is_full(places[i])]
            open_tails = [i for i in due if isinstance(places[i][0], Tail)]
            first = words(source, len(open_blocks), FIRST_DIGITS)
            starts = {i: Uniform(source, v, FIRST_DIGITS) for i, v in zip(open_blocks, first, strict=True)}
            found = {i: place[2] for i, place in places.items() if is_full(place)}
            for i in (*open_blocks, *open_tails):
                k = self.decided(places[i], starts.get(i, Uniform(source)), source)
                found |= {} if k is None else {i: k}
            for i, k in found.items():
                drawn[i] = k
            due = [i for i in due if i not in found]
        return drawn

    def _places(self, n: int, source: Source) -> Iterator[Place]:
        """The places of n rounds: a word begins with the slot and ends with the offset."""
        c = self.certificate
        for word in words(source, n, self.word):
            yield self.place(word >> self.word - c.slot_digits, word % c.width)


def is_full(place: Place) -> bool:
    """Whether a round at this place returns its integer, whatever V is."""
    owner, level, _ = place
    return isinstance(owner, Block) and level < owner.full


def words(source: Source, n: int, width: int) -> list[int]:
    """n numbers of `width` digits, each from octets of which the first is the least significant."""
    size = width // 8
    content = source.octets(n * size)
    return [int.from_bytes(content[i : i + size], "little") for i in range(0, n * size, size)]

