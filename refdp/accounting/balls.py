"""Exact numbers as balls of real numbers, at the precision that is set (`refdp.numerics.enclosures.precision`)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from refdp.numerics.elementary import LARGEST_EXPONENT, Undecided
from refdp.numerics.exact import ExactReal

if TYPE_CHECKING:
    from flint import arb, fmpq

LONG = 400
"""Binary digits from which on a number takes more work than a shorter one."""


def digit_steps(bits: int) -> int:
    """Steps of work that a number counts as for its binary digits: none, as long as they are few."""
    return bits * bits // LONG**2


@cache
def _types() -> tuple[type[arb], type[fmpq]]:
    """Balls and rational numbers; once, as an import takes as long as what is called millions of times."""
    from flint import arb, fmpq

    return arb, fmpq


def ball(x: Fraction | int) -> arb:
    """The rational number x."""
    arb, fmpq = _types()
    return arb(fmpq(x.numerator, x.denominator))


@cache
def _largest() -> arb:
    """2^LARGEST_EXPONENT, exactly, whatever the precision."""
    arb, _ = _types()
    return arb(2) ** LARGEST_EXPONENT


def whole_below(x: arb) -> int | None:
    """The greatest integer <= each number in the ball; None where the ball has no lower end.

    Undecided where it is so great that no memory holds it: there Arb itself ends the process.
    """
    low = x.lower()
    if abs(low) > _largest():
        raise Undecided(f"a number exceeds 2^{LARGEST_EXPONENT}")
    found = low.floor().unique_fmpz()
    return None if found is None else int(found)


def real(x: ExactReal) -> arb:
    """a + ln b."""
    return ball(x.rational) if x.argument == 1 else ball(x.rational) + ball(x.argument).log()
