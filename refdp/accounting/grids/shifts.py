"""Losses with few values, composed exactly: they shift the losses of all other parts.  Lemma 4.12 of
docs/accounting_proofs.md.

Atoms between the points of a grid cost about a step each from below; where they are few they need not be on one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.grids.atoms import Atoms
from refdp.accounting.grids.build import Part
from refdp.accounting.grids.chords import ceiling, floor
from refdp.accounting.grids.curve import READ, GridCurve
from refdp.accounting.grids.tails import LOSS_UNIT, nearest
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.intervals import Interval

MOST_VALUES, MOST_PRODUCTS = 1500, 200_000
"""Losses with more values, or with more products of values on the way there, are put on the grid."""
FEW = 64
MASS_BITS = 200
NEAR = 1 << 40
"""Units 2^-LOSS_BITS within which an atom is on a point."""
LossMasses = list[tuple[arb, arb]]
"""Losses and their masses."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A loss between low and high, with a P-mass between least and most."""

    low: Fraction
    high: Fraction
    least: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class ShiftedCurve:
    """delta(epsilon) = infinite mass + the sum of mass delta'(epsilon - loss), delta' being that of the other parts."""

    engine: str
    trusts: frozenset[str]
    others: GridCurve | None
    shifts: list[Shift]
    infinite: Interval
    bits: int

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at e^epsilon."""
        lower, upper = self.infinite.lower, self.infinite.upper
        for shift in self.shifts:
            lower += shift.least * self._others(epsilon - shift.low).lower
            upper += shift.most * self._others(epsilon - shift.high).upper
        return Interval(lower, min(upper, Fraction(1)))

    def _others(self, epsilon: Fraction) -> Interval:
        """(1 - e^epsilon)_+ if there are no others."""
        if self.others is not None:
            return self.others.delta(epsilon)
        work.step(READ)
        if epsilon >= 0:
            return Interval(Fraction(0), Fraction(0))
        with precision(self.bits):
            rise = (1 - ball(epsilon).exp()) * arb(2) ** self.bits
            return Interval(Fraction(max(floor(rise), 0), 1 << self.bits), Fraction(ceiling(rise), 1 << self.bits))


@dataclass(frozen=True, slots=True)
class Sum:
    """The distribution of a sum of losses with few values; at most `lost` is not listed."""

    masses: LossMasses
    infinite: arb
    lost: arb


NOTHING = Sum([(arb(0), arb(1))], arb(0), arb(0))


def aside(one: Part, step: int) -> bool:
    """Whether the part has few atoms and one of them is between the points of every grid of that step."""
    law = one.law
    if not isinstance(law, Atoms) or law.anchor is None or not law.rest.is_zero() or len(law.masses) > FEW:
        return False
    gaps = [(nearest((p / q).log()) - law.anchor.last) % step for p, q in law.masses]
    return any(min(gap, step - gap) > NEAR for gap in gaps)


def power_of(law: Atoms, count: int, spare: float) -> Sum | None:
    """The sum of `count` losses; None if it has too many values."""
    square: Sum | None = Sum([((p / q).log(), p) for p, q in law.masses], law.infinite, arb(0))
    found: Sum | None = NOTHING
    while count and square is not None and found is not None:
        if count & 1:
            found = total(found, square, spare)
        count >>= 1
        square = total(square, square, spare) if count else square
    return found if not count else None


def total(a: Sum, b: Sum, spare: float) -> Sum | None:
    """The sum of two losses; values whose balls overlap become one.  None if there are too many."""
    if len(a.masses) * len(b.masses) > MOST_PRODUCTS:
        return None
    work.step(len(a.masses) * len(b.masses))
    lost = a.lost + b.lost
    found: LossMasses = []
    pairs = [(x + y, p * q) for x, p in a.masses for y, q in b.masses]
    for loss, mass in sorted(pairs, key=lambda pair: float(pair[0].mid())):
        if mass < spare:
            lost = lost + mass
        elif found and found[-1][0].overlaps(loss):
            found[-1] = (found[-1][0].union(loss), found[-1][1] + mass)
        else:
            found.append((loss, mass))
    if len(found) > MOST_VALUES:
        return None
    return Sum(found, a.infinite + b.infinite - a.infinite * b.infinite, lost)


def listed(one: Sum) -> tuple[list[Shift], Interval]:
    """The shifts, and the infinite mass; what is not listed counts as infinite from above."""
    found = []
    for loss, mass in one.masses:
        low, high = (Fraction(f(loss * LOSS_UNIT), LOSS_UNIT) for f in (floor, ceiling))
        masses = interval(mass, MASS_BITS)
        found.append(Shift(low, high, masses.lower, masses.upper))
    lost = interval(one.lost, MASS_BITS).upper
    infinite = interval(one.infinite, MASS_BITS)
    return found, Interval(max(infinite.lower, Fraction(0)), infinite.upper + lost)
