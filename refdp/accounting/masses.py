"""The mass of infinite loss: delta is never below it, and epsilon is infinite where delta is."""

from __future__ import annotations

from fractions import Fraction

from refdp.accounting import losses
from refdp.accounting.losses import Composition, Loss
from refdp.numerics.intervals import Interval

BITS = 128


def infinity_mass(composition: Composition) -> Interval:
    """1 - the product of (1 - m)^count, m being the P-probability of Q-impossible outcomes; 0 <= m <= 1.

    Of what is known by bounds alone, m counts as 0: no mass is known from below.
    """
    kept = Interval(Fraction(1), Fraction(1), BITS)
    for loss, count in composition.parts:
        rest = 1 - one_mass(loss)
        kept = kept * Interval(rest, rest, BITS) ** count
    return Interval(Fraction(1), Fraction(1), BITS) - kept


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
    return Fraction(0)
