"""Draws by a certificate that has been checked: in exact arithmetic, one at a time or many, without numpy.

One round takes a slot and an offset L, uniform and independent.  In a full slot it returns start + L; at level i of a
block that is not full, it returns k = start + L if (i + V) height < w(k), V uniform; in a tail see `beyond`; where it
returns nothing, there is another round.  So P(k) = w(k) / sum w, exactly: docs/bulk_sampling.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate
from math import inf
from typing import NamedTuple

from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import GUARD, Enclosure, Uniform, bernoulli, exp_minus, geometric, less
from refdp.sampling.slots.certificate import MARGIN, Block, Certificate, Tail
from refdp.sampling.slots.check import check, tail_share
from refdp.sampling.slots.floats import UNIT, taylor, weight
from refdp.sampling.words import WORD, Source, SystemWords, words

WIDTHS = (16, 32, 64)
"""Sizes of the words, in digits, from which the rounds of many draws are read."""
FIRST_DIGITS = 64
"""Digits of V that are read at once."""

OPEN = -(1 << 62)
"""In the table of starts, what a slot has that is not full."""


class Place(NamedTuple):
    """Where a slot and an offset lie: in a block, at a level and an integer; in a tail; or nowhere."""

    owner: Block | Tail | None
    level: int
    k: int

    @property
    def is_full(self) -> bool:
        """Whether a round returns k here, whatever V is."""
        return isinstance(self.owner, Block) and self.level < self.owner.full


class SlotDraws:
    """Independent draws; Refused unless `check` accepts the certificate."""

    __slots__ = ("_firsts", "_owner", "_owners", "_shares", "_starts", "certificate", "taylor", "word")

    def __init__(self, certificate: Certificate) -> None:
        check(certificate)
        self.certificate, self.taylor = certificate, taylor(certificate.taylor)
        self._owners: tuple[Block | Tail | None, ...] = (*certificate.blocks, *certificate.tails, None)
        self._firsts = tuple(accumulate(certificate.sizes(), initial=0))
        void = (1 << certificate.slot_digits) - self._firsts[-1]
        self._owner = array("H")  # each owner takes a slot, so that there are at most 2^16 with any slot
        for index, size in enumerate((*certificate.sizes(), void)):
            self._owner += array("H", [index] if size else []) * size
        self._starts = array("q")
        for block in certificate.blocks:
            self._starts += array("q", [block.start]) * block.full + array("q", [OPEN]) * (block.slots - block.full)
        self._starts += array("q", [OPEN]) * (len(self._owner) - len(self._starts))
        self._shares = {tail: tail_share(certificate, tail, FIRST_DIGITS + GUARD) for tail in certificate.tails}
        digits = certificate.slot_digits + certificate.offset_digits
        self.word = next(width for width in WIDTHS if digits <= width)

    def place(self, slot: int, offset: int) -> Place:
        """What stands at a slot and an offset."""
        index = self._owner[slot]
        owner = self._owners[index]
        return Place(owner, slot - self._firsts[index], owner.start + offset) if owner else Place(None, 0, 0)

    def one(self, source: Source, margin: float = MARGIN) -> int:
        """One draw; the same number whatever the margin, and all in exact arithmetic if it is infinite."""
        c = self.certificate
        while True:
            slot, offset = divmod(source.digits(c.slot_digits + c.offset_digits), c.width)
            start = self._starts[slot]
            if start != OPEN:
                return start + offset
            v = Uniform(source)
            if source.step >= FIRST_DIGITS:
                v.reveal(source.step)
            k = self.decided(self.place(slot, offset), v, margin)
            if k is not None:
                return k

    def single(self, system: SystemWords) -> Callable[[], int]:
        """`one`, of the system's digits, as a function that does as little as it can: a word, and a look at a table."""
        word, starts, rest = system.word, self._starts, self.certificate.width - 1
        high = WORD - self.certificate.slot_digits
        low = high - self.certificate.offset_digits

        def draw() -> int:
            digits = word()
            start = starts[digits >> high]
            if start != OPEN:
                return start + (digits >> low & rest)
            place = self.place(digits >> high, digits >> low & rest)
            k = self.decided(place, Uniform(system, word(), WORD), MARGIN)
            return self.one(system) if k is None else k

        return draw

    def decided(self, place: Place, v: Uniform, margin: float = inf) -> int | None:
        """What a round returns at a place that is not full, if anything; exact, but by floats beyond the margin."""
        below = None if margin == inf else self.told(place, v, margin)
        if not (less(v, self.bound(place)) if below is None else below):
            return None
        return place.k if isinstance(place.owner, Block) else self.beyond(place.owner, v.source)

    def told(self, place: Place, v: Uniform, margin: float) -> bool | None:
        """Whether V < w(k) / height - level, where floats tell: see `error_bound` in `check`."""
        if not isinstance(place.owner, Block) or v.size < FIRST_DIGITS:
            return None
        c, start, level = self.certificate, place.owner.start, place.owner.level
        top, end = (start, place.k) if start >= 0 else (1 - start - c.width, -place.k)
        found = weight(level, c.rates, self.taylor, float(top), float(end), float(end - top))
        excess: float = found - place.level - (v.digits >> v.size - 53) * UNIT
        return excess > 0 if abs(excess) > margin else None

    def bound(self, place: Place) -> Enclosure:
        """What V must be less than: w(k) / height - level in a block, a tail's share, or 0."""
        match place.owner:
            case Block():
                return self._excess(place.k, place.level)
            case Tail() as tail:
                return lambda bits: self.share(tail, bits)
        return lambda _: Interval(Fraction(0), Fraction(0))

    def share(self, tail: Tail, bits: int) -> Interval:
        """`tail_share`; what is asked for most often is not worked out again."""
        return self._shares[tail] if bits <= FIRST_DIGITS + GUARD else tail_share(self.certificate, tail, bits)

    def _excess(self, k: int, level: int) -> Enclosure:
        """w(k) / height - level."""
        weight, height = self.certificate.potential.weight(k), self.certificate.height

        def enclosure(bits: int) -> Interval:
            w = weight(bits + self.certificate.slot_digits)  # w / height is at most 2^slot_digits
            return Interval(w.lower / height - level, w.upper / height - level)

        return enclosure

    def beyond(self, tail: Tail | None, source: Source) -> int | None:
        """sign (K + g) with probability w(K + g) / (share n_T height B), where g >= 0; else None.

        The product of (1 - e^-rho) e^(-rho g) and e^-(q(K + g) - q(K) - rho g), whose exponent is <= 0 as q is convex.
        """
        if tail is None:
            return None
        q, rho = self.certificate.potential, self.certificate.potential.slope(tail.start)
        g = geometric(rho, source)
        bend = q(tail.start + g) - q(tail.start) - rho * g
        return tail.sign * (tail.start + g) if bend == 0 or bernoulli(exp_minus(bend), source) else None

    def many(self, n: int, source: Source) -> list[int]:
        """n draws in exact arithmetic, from digits in the order in which arrays read them."""
        return self.settled(self._rounds(n, source), source)

    def settled(self, rounds: Iterable[tuple[int, int]], source: Source, margin: float = inf) -> list[int]:
        """The draws whose first rounds take these slots and offsets; the same numbers whatever the margin.

        V for each at a place that is not full, then what these need besides; then all rounds that are due again, and
        so on.  Each in the order of the draws.
        """
        starts, due = self._starts, list(enumerate(rounds))
        drawn = [0] * len(due)
        while due:
            undecided, again = [], []
            for i, (slot, offset) in due:
                if (start := starts[slot]) == OPEN:
                    undecided.append((i, self.place(slot, offset)))
                else:
                    drawn[i] = start + offset
            for (i, place), v in zip(undecided, words(source, len(undecided), FIRST_DIGITS), strict=True):
                k = self.decided(place, Uniform(source, v, FIRST_DIGITS), margin)
                if k is None:
                    again.append(i)
                else:
                    drawn[i] = k
            due = list(zip(again, self._rounds(len(again), source), strict=True))
        return drawn

    def _rounds(self, n: int, source: Source) -> list[tuple[int, int]]:
        """The slots and offsets of n rounds: a word begins with the slot and ends with the offset."""
        shift, rest = self.word - self.certificate.slot_digits, self.certificate.width - 1
        return [(w >> shift, w & rest) for w in words(source, n, self.word)]
