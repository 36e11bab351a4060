"""Exact numbers as balls of real numbers, at the precision that is set (`refdp.numerics.enclosures.precision`)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.numerics.exact import ExactReal

if TYPE_CHECKING:
    from flint import arb

LONG = 400
"""Binary digits from which on a number takes more work than a shorter one."""


def digit_steps(bits: int) -> int:
    """Steps of work that a number counts as for its binary digits: none, as long as they are few."""
    return bits * bits // LONG**2


def ball(x: Fraction | int) -> arb:
    """The rational number x."""
    from flint import arb, fmpq

    return arb(fmpq(x.numerator, x.denominator))


def real(x: ExactReal) -> arb:
    """a + ln b."""
    return ball(x.rational) if x.argument == 1 else ball(x.rational) + ball(x.argument).log()
