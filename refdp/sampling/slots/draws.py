"""Draws by a certificate that has been checked: in exact arithmetic, one at a time or many, without numpy.

One round takes a slot and an offset L, uniform and independent.  In a full slot it returns start + L; at level i of a
block that is not full, it returns k = start + L if (i + V) height < w(k), V uniform; in a tail see `beyond`; where it
returns nothing, there is another round.  So P(k) = w(k) / sum w, exactly: docs/bulk_sampling.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import GUARD, Enclosure, Uniform, bernoulli, exp_minus, geometric, less
from refdp.sampling.slots.certificate import Block, Certificate, Tail
from refdp.sampling.slots.check import check, tail_share
from refdp.sampling.words import Source, words

WIDTHS = (16, 32, 64)
"""Sizes of the words, in digits, from which the rounds of many draws are read."""
FIRST_DIGITS = 64
"""Digits of V that are read at once."""


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

    __slots__ = ("_ends", "_owners", "_shares", "certificate", "word")

    def __init__(self, certificate: Certificate) -> None:
        check(certificate)
        self.certificate = certificate
        self._ends = tuple(accumulate(certificate.sizes()))
        self._owners: tuple[Block | Tail, ...] = (*certificate.blocks, *certificate.tails)
        self._shares = {tail: tail_share(certificate, tail, FIRST_DIGITS + GUARD) for tail in certificate.tails}
        digits = certificate.slot_digits + certificate.offset_digits
        self.word = next(width for width in WIDTHS if digits <= width)

    def place(self, slot: int, offset: int) -> Place:
        """What stands at a slot and an offset."""
        index = bisect_right(self._ends, slot)
        if index == len(self._owners):
            return Place(None, 0, 0)
        owner = self._owners[index]
        return Place(owner, slot - (self._ends[index] - owner.slots), owner.start + offset)

    def one(self, source: Source) -> int:
        """One draw."""
        c = self.certificate
        while True:
            place = self.place(*divmod(source.digits(c.slot_digits + c.offset_digits), c.width))
            k = place.k if place.is_full else self.decided(place, Uniform(source))
            if k is not None:
                return k

    def decided(self, place: Place, v: Uniform) -> int | None:
        """What a round returns at a place that is not full, if anything."""
        if not less(v, self.bound(place)):
            return None
        return place.k if isinstance(place.owner, Block) else self.beyond(place.owner, v.source)

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
        """n draws, from digits in the order in which arrays read them.

        All rounds that are due, then V for each at a place that is not full, then what these need besides; then the
        rounds that are due again.  Each in the order of the draws.
        """
        drawn, due = [0] * n, list(range(n))
        while due:
            places = dict(zip(due, self._places(len(due), source), strict=True))
            drawn_now = {i: place.k for i, place in places.items() if place.is_full}
            undecided = [i for i in due if i not in drawn_now]
            for i, v in zip(undecided, words(source, len(undecided), FIRST_DIGITS), strict=True):
                k = self.decided(places[i], Uniform(source, v, FIRST_DIGITS))
                drawn_now |= {} if k is None else {i: k}
            for i, k in drawn_now.items():
                drawn[i] = k
            due = [i for i in undecided if i not in drawn_now]
        return drawn

    def _places(self, n: int, source: Source) -> Iterator[Place]:
        """The places of n rounds: a word begins with the slot and ends with the offset."""
        c = self.certificate
        return (self.place(w >> self.word - c.slot_digits, w % c.width) for w in words(source, n, self.word))
