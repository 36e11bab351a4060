"""Measures on the points start, start + step, ... of a grid, in integers, and their products with directed rounding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from flint import fmpz, fmpz_poly

from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.lattice.powers import SECONDS_PER_BIT

Side = Literal["upper", "lower"]
BYTES = 400
"""Bytes per point that a product and a curve take at most, for masses of up to 256 bits."""


@dataclass(frozen=True, slots=True)
class Spare:
    """What may be cut off the ends of a measure, in units of mass: `left` where the loss is below 0, `right` elsewhere.

    The mass e at a loss below 0 adds at most e delta to delta at any epsilon, so that `left` may be far more.
    """

    left: int
    right: int

    def share(self, part: int, count: int) -> Spare:
        """part / count of it."""
        return Spare(self.left * part // count, self.right * part // count)


@dataclass(frozen=True, slots=True)
class Measure:
    """Mass masses[i] 2^-bits at the loss (start + i step) 2^-LOSS_BITS, and infinite 2^-bits at infinity.

    side says how it is rounded: "upper", its delta is at least that of what it stands for, or "lower", at most.
    """

    side: Side
    bits: int
    start: int
    step: int
    masses: fmpz_poly
    infinite: int

    @property
    def digits(self) -> int:
        """Binary digits of the greatest mass: more than `bits` where bounds of masses sum to far more than 1."""
        return max(self.bits, int(self.masses.height_bits()))

    @property
    def total(self) -> int:
        """The finite masses, summed."""
        return int(self.masses(fmpz(1)))


def quotient(n: int, bits: int, side: Side) -> int:
    """n 2^-bits, rounded as the side is."""
    return n >> bits if side == "lower" else -(-n >> bits)


def product(a: Measure, b: Measure) -> Measure:
    """The law of the sum of independent losses: masses are convolved, infinity stays (Lemma 4.8)."""
    masses = a.masses * b.masses
    unit = fmpz(1) << a.bits
    if a.side == "upper":  # flint's quotient is the floor of each coefficient where none is negative, and only there
        masses += fmpz_poly([unit - 1] * masses.length())
    masses = masses // unit
    infinite = quotient(a.infinite * (b.total + b.infinite) + a.total * b.infinite, a.bits, a.side)
    return replace(a, start=a.start + b.start, masses=masses, infinite=infinite)


def trimmed(measure: Measure, spare: Spare) -> Measure:
    """The measure without its ends, of mass <= spare each (Lemma 4.9).

    upper: the right end goes to infinity, the left one to the first point that is kept.  lower: both are dropped.
    """
    masses, first, last = measure.masses, 0, measure.masses.length()
    left = right = 0
    while last > 1 and right + (mass := int(masses[last - 1])) <= spare.right:
        last, right = last - 1, right + mass
    below = -(measure.start // measure.step)  # points before it are at losses below 0
    while first < last - 1 and left + (mass := int(masses[first])) <= (spare.left if first < below else spare.right):
        first, left = first + 1, left + mass
    kept, infinite = masses.truncate(last).right_shift(first), measure.infinite
    if measure.side == "upper":
        kept, infinite = kept + left, infinite + right
    return replace(measure, start=measure.start + first * measure.step, masses=kept, infinite=infinite)


def power(measure: Measure, count: int, spare: Spare, effort: Effort) -> Measure:
    """The product of `count` equal measures, by squaring; ends of about `spare` in all are cut off."""
    result, square, done = None, measure, 1
    while True:
        if count & done:
            result = square if result is None else _step(result, square, spare.share(done, count), effort)
        done *= 2
        if done > count:
            return square if result is None else result
        square = _step(square, square, spare.share(done, count), effort)


def _step(a: Measure, b: Measure, spare: Spare, effort: Effort) -> Measure:
    """The trimmed product; OutOfReach if it takes more work or memory than there is."""
    length, digits = a.masses.length() + b.masses.length(), max(a.digits, b.digits)
    effort.afford(length * digits * SECONDS_PER_BIT, "the grid needs more work than is allowed")
    if length * max(BYTES, digits) > effort.memory:
        raise OutOfReach("the grid needs more memory than there is")
    return trimmed(product(a, b), spare)


def joined(measures: list[Measure], spare: Spare, effort: Effort) -> Measure:
    """The product of measures on grids with one step."""
    first, *others = sorted(measures, key=lambda measure: measure.masses.length())
    for other in others:
        first = _step(first, other, spare, effort)
    return first
