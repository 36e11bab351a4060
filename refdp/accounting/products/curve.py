"""delta(epsilon) of a product of few pairs, from all sums of losses of two halves.  Lemmas 8.1 and 8.2."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import repeat
from math import floor
from operator import mul
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import ball, digit_steps
from refdp.accounting.closed_forms.formula import probability
from refdp.accounting.products.groups import Sorted, Sums
from refdp.numerics.enclosures import precision
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from flint import arb

LOOKS = 5
"""So many sums that are looked up count as a step of work: each takes some three tenths of a microsecond."""
BLOCK = 128
"""So many sums, one after another, are looked up at a time, where the places of all of them are."""


@dataclass(frozen=True, slots=True)
class ProductCurve:
    """delta(epsilon), from the event of all sums whose rounded loss is at least epsilon less what rounding may take."""

    engine: str
    many: Sorted
    few: Sums
    """In the order of their losses."""
    few_from: Sorted
    """The same, added up."""
    shifts: Sums
    unit: int
    """Losses are in units of 2^-unit, and sums of losses are rounded down by at most `slack` units."""
    slack: int
    p_bits: int
    """Products of masses under P are in units of 2^-p_bits; and so on."""
    q_bits: int
    infinite: arb
    missing: arb
    """The finite mass under P that is not listed, or was lost in rounding."""
    excess: arb
    """At least x times what rounding added to the masses of any such event under Q, x = e^epsilon (Lemma 8.1)."""
    precision: int
    accuracy: int
    trusts: frozenset[str] = field(default=frozenset({"Arb"}))

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at any rational epsilon (Lemma 8.2)."""
        from flint import arb

        work.step(len(self.few.losses) * len(self.shifts.losses) // LOOKS + digit_steps(self.precision))
        p, q = self.masses(floor(epsilon * (1 << self.unit)) - self.slack)
        with precision(self.precision):
            mass = p * arb(2) ** -self.p_bits
            found = self.infinite + mass - ball(epsilon).exp() * (q * arb(2) ** -self.q_bits)
            beside = ball(Fraction(self.slack + 1, 1 << self.unit)).expm1()  # e^(how far the event may go) - 1
            most = found + self.missing + (mass + self.missing) * beside + self.excess * (1 + beside)
            return probability(found.max(self.infinite).union(most), self.accuracy)

    def masses(self, least: int) -> tuple[int, int]:
        """The masses under P and Q of all sums whose rounded loss is at least `least`."""
        p_total = q_total = 0
        for loss, p, q in zip(self.shifts.losses, self.shifts.p, self.shifts.q, strict=True):
            p_part, q_part = self.part(least - loss)
            p_total += p * p_part
            q_total += q * q_part
        return p_total, q_total

    def part(self, least: int) -> tuple[int, int]:
        """The same for the sums of the two lists."""
        many, few = self.many, self.few
        if not many.losses:
            return 0, 0
        none = bisect_left(few.losses, least - many.losses[-1])  # before this one, no sum is great enough
        every = bisect_left(few.losses, least - many.losses[0])  # from this one on, each is
        p = self.few_from.p_from[every] * many.p_from[0]
        q = self.few_from.q_from[every] * many.q_from[0]
        last = len(many.losses)
        for start in range(none, every, BLOCK):  # the places fall as the sums rise: those of a block are close together
            end = min(start + BLOCK, every)
            places = [least - loss for loss in few.losses[start:end]]
            first = bisect_left(many.losses, places[-1], 0, last)
            near = many.losses[first:last]
            places = list(map(bisect_left, repeat(near), places))
            p += sum(map(mul, few.p[start:end], map(many.p_from[first : last + 1].__getitem__, places)))
            q += sum(map(mul, few.q[start:end], map(many.q_from[first : last + 1].__getitem__, places)))
            last = first
        return p, q
