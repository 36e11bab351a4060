"""delta(epsilon) from the masses on a grid: sums over all points from each one on are made once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from flint import arb, fmpq

from refdp import work
from refdp.accounting.grids.chords import ceiling, floor
from refdp.accounting.grids.measures import Measure
from refdp.accounting.grids.tails import LOSS_BITS, point
from refdp.numerics.enclosures import precision
from refdp.numerics.intervals import Interval

DECAY_BITS = 128
"""Binary digits after the point of the bounds of e^-step."""
READ = 4
"""Steps of work that a bound counts as that is read off."""
LONG = 256
"""Digits of a mass that count as no more work than shorter ones."""


@dataclass(frozen=True, slots=True)
class Sums:
    """For each point i, the sums over j >= i of m_j, and of m_j e^((i - j) step), rounded against the side."""

    measure: Measure
    masses: list[int]
    decayed: list[int]

    def delta(self, epsilon: Fraction) -> Fraction:
        """A bound of delta on the measure's side (Lemma 4.10)."""
        work.step(READ)
        measure = self.measure
        n, d = epsilon.as_integer_ratio()
        i = -((measure.start * d - (n << LOSS_BITS)) // (measure.step * d))  # the first point at or above epsilon
        i = max(i, 0)
        if i >= len(self.masses):
            return Fraction(measure.infinite, 1 << measure.bits)
        excess = (arb(fmpq(n, d)) - point(measure.start + i * measure.step)).exp()
        factor = excess * self.decayed[i]
        found = self.masses[i] + measure.infinite
        found -= floor(factor) if measure.side == "upper" else ceiling(factor)
        return Fraction(max(found, 0), 1 << measure.bits)


def sums(measure: Measure) -> Sums:
    """The sums from each point on: one pass from the last point to the first."""
    work.step(measure.masses.length() * (1 + measure.digits // LONG))
    masses = [int(mass) for mass in measure.masses.coeffs()][::-1]
    decay = (-point(measure.step)).exp() * arb(2) ** DECAY_BITS
    if measure.side == "upper":
        z = floor(decay)
        decayed = accumulate(masses, lambda total, mass: mass + (total * z >> DECAY_BITS))
    else:
        z = ceiling(decay)
        decayed = accumulate(masses, lambda total, mass: mass - (-total * z >> DECAY_BITS))
    return Sums(measure, list(accumulate(masses))[::-1], list(decayed)[::-1])


@dataclass(frozen=True, slots=True)
class GridCurve:
    """Chords above, tangents below."""

    engine: str
    trusts: frozenset[str]
    lower: Sums | None
    upper: Sums
    bits: int

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at e^epsilon."""
        with precision(self.bits):
            upper = min(self.upper.delta(epsilon), Fraction(1))
            lower = self.lower.delta(epsilon) if self.lower is not None else Fraction(0)
            if epsilon < 0:  # delta >= 1 - e^epsilon
                rise = 1 - arb(fmpq(epsilon.numerator, epsilon.denominator)).exp()
                lower = max(lower, Fraction(floor(rise * 2**64), 2**64))
        return Interval(lower, upper)
