"""delta(epsilon) read off split masses: from above as they are, from below less what splitting may have added."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from flint import arb

from refdp import work
from refdp.accounting.balls import ball, digit_steps
from refdp.accounting.closed_forms.formula import probability
from refdp.accounting.lattice.curve import Sums, sums
from refdp.accounting.lattice.powers import Masses
from refdp.numerics.enclosures import precision
from refdp.numerics.intervals import Interval

NAME = "cells (Lemmas 3.6 and 3.7 of docs/accounting_proofs.md)"


@dataclass(frozen=True, slots=True)
class Near:
    """The mean of e^(-rate |loss - epsilon|), from sums over all points on either side."""

    sums: Sums
    rate: arb
    rising: list[arb]
    """rising[i] = m[i] + e^(-rate step) m[i - 1] + ..., m[i] being the mass of point i."""
    falling: list[arb]
    """falling[i] = m[i] + e^(-rate step) m[i + 1] + ..."""

    @classmethod
    def of(cls, found: Sums, masses: list[int], rate: arb) -> Near:
        """Both sums from each point on."""
        work.step(2 * len(masses))
        shrink = (-rate * found.step).exp()
        rising = accumulate(map(arb, masses), lambda total, mass: total * shrink + mass)
        falling = accumulate(map(arb, masses[::-1]), lambda total, mass: total * shrink + mass)
        return cls(found, rate, list(rising), list(falling)[::-1])

    def ceiling(self, epsilon: arb) -> arb:
        """At least the mean at epsilon, in units; points that may be on either side of it count as near as they may be.

        The point of index `low` is at most epsilon.  If the next one is, too, the factor of the sum from there on is
        over 1 by as much as the triangle inequality asks for.
        """
        found = ((epsilon - self.sums.origin) / self.sums.step).lower().floor().unique_fmpz()
        if found is None or not self.rising:
            return ball(self.sums.above[0])
        low, last, total = int(found), len(self.rising) - 1, ball(0)
        if low >= 0:
            i = min(low, last)
            total += self.rising[i] * (self.rate * (self._point(i) - epsilon)).exp()
        if low < last:
            i = max(low + 1, 0)
            total += self.falling[i] * (self.rate * (epsilon - self._point(i))).exp()
        return total

    def _point(self, i: int) -> arb:
        return self.sums.origin + i * self.sums.step


@dataclass(frozen=True, slots=True)
class CellCurve:
    """delta of the sum of all losses."""

    infinite: arb
    sums: Sums
    near: Near
    added: arb
    """At most this times `near` is what splitting added (Lemma 3.7)."""
    bits: int
    precision: int
    engine: str = NAME
    trusts: frozenset[str] = frozenset({"Arb"})

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at any rational epsilon."""
        work.step(20 + digit_steps(self.precision))
        with precision(self.precision):
            at, unit = ball(epsilon), ball(Fraction(1, 1 << self.bits))
            found = self.sums.least(at)
            above = found + self.missing
            below = (found - self.added * (self.near.ceiling(at) + self.missing)).max(arb(0))
            finite = below.union(above) * unit
            floor = (1 - at.exp()).max(arb(0)) if epsilon < 0 else arb(0)
            read = probability(self.infinite + (1 - self.infinite) * finite, self.bits)
            return Interval(max(read.lower, probability(floor, self.bits).lower), read.upper)

    @property
    def missing(self) -> int:
        """1 - the sum of the bounds of masses, in units."""
        return (1 << self.bits) - self.sums.above[0]


def read_off(infinite: arb, first: arb, step: Fraction, masses: Masses, splits: int, working: int) -> CellCurve:
    """The curve of masses on a grid, made with so many splits; called at the precision `working`."""
    found = sums(first, ball(step), masses)
    rate, added = remainder(step, splits)
    return CellCurve(infinite, found, Near.of(found, masses.coefficients(), ball(rate)), added, masses.bits, working)


def remainder(step: Fraction, splits: int) -> tuple[Fraction, arb]:
    """A rate > 1, and the factor of `Near` at that rate that bounds what splitting adds (Lemma 3.7)."""
    spread = splits * step**2 / 4
    s = ball(spread).sqrt()
    rate = max(Fraction(2), Fraction(float((1 / s).mid())))
    r = ball(rate)
    height = (((r - 1) / r).log() * (r - 1)).exp() / r
    return rate, height * ((r + r * r) * ball(spread) / 2 + r * s * (1 + ball(spread) / 4).sqrt()).exp()
