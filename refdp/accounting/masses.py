"""The mass of infinite loss: delta is never below it, and epsilon is infinite where delta is."""

from __future__ import annotations

from fractions import Fraction

from refdp.accounting import losses
from refdp.accounting.losses import Composition, Loss
from refdp.numerics.intervals import Interval

BITS = 128


def infinity_mass(composition: Composition) -> Interval:
    """1 - the product of (1 - m)^count, m being the P-probability of Q-impossible outcomes; 0 <= m <= 1.

    m is 0 for bounds of Renyi divergences, and counts as 0 for a `Profile`, of which no mass is known from below.
    """
    kept, most = Interval(Fraction(1), Fraction(1), BITS), Fraction(0)
    for loss, count in composition.parts:
        mass = one_mass(loss)
        kept, most = kept * Interval(1 - mass, 1 - mass, BITS) ** count, most + count * mass
    found = Interval(Fraction(1), Fraction(1), BITS) - kept
    return Interval(found.lower, min(found.upper, most), BITS)  # the sum is closer where masses are tiny


def one_mass(loss: Loss) -> Fraction:
    """The P-probability of outcomes that are impossible under Q."""
    match loss:
        case losses.Response(delta=delta):
            return delta
        case losses.Finite(outcomes=outcomes):
            return sum((p for p, q in outcomes if not q), Fraction(0))
        case losses.Sampled(base=base, rate=rate, direction="remove"):
            return rate * one_mass(base)
        case losses.Sampled():
            return Fraction(0)
        case losses.FixedSize(base=base, rate=rate):
            return rate * one_mass(base)
        case losses.Mixture(parts=parts):
            return sum((weight * one_mass(part) for weight, part in parts), Fraction(0))
    return Fraction(0)
