"""Laws on the line, symmetric around 0, as tests of samplers ask for them: masses of intervals, certified and rough.

Certified masses are enclosures and carry verdicts.  Rough ones are floats: they choose cells and alternatives only.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from refdp.numerics.intervals import Interval

BITS = 128
End = Fraction | None
"""An end of an interval; None for infinity."""


class LineLaw(Protocol):
    """A law, symmetric around 0: of the integers, or continuous."""

    @property
    def lattice(self) -> bool:
        """Whether it is a law of integers."""

    @property
    def spread(self) -> Fraction:
        """The scale or standard deviation: the unit of arguments below."""

    @property
    def shape(self) -> str:
        """The name of its family."""

    def rescaled(self, factor: Fraction) -> LineLaw:
        """The law of the same family with spread times the factor."""

    def mass(self, above: End, upto: End) -> Interval:
        """Enclosure of P[above < X <= upto]; neither end is strictly on the other side of 0 than the other.

        For integers, "on the side of 0" means that both are >= 0, both are <= -1, or that they are -1 and 0.
        """

    def rough(self, above: End, upto: End, factor: float = 1.0) -> float:
        """About P[above < factor X <= upto], for such ends."""

    def quantile(self, tail: float) -> float:
        """About the x >= 0 in units of the spread with P[X > x spread] = tail, for tail <= 1/2."""


def mirrored(above: End, upto: End, lattice: bool) -> tuple[Fraction, End]:
    """The interval of the right side that a symmetric law gives the same mass: (a, b] with 0 <= a."""
    if above is not None and above >= 0:
        return above, upto
    if upto is None or upto > (-1 if lattice else 0):
        raise ValueError(f"an interval must be on one side of 0, got ({above}, {upto}]")
    # Integers: a < X <= b is -b <= -X < -a, that is -b - 1 < -X <= -a - 1.  Else single points have no mass.
    shift = int(lattice)
    return -upto - shift, None if above is None else -above - shift


def is_atom(above: End, upto: End, lattice: bool) -> bool:
    """Whether the interval is {0}, for integers."""
    return lattice and above == -1 and upto == 0


def ratio(x: Fraction, unit: Fraction) -> float:
    """x / unit as a float, 1e300 where it is more."""
    found = x / unit
    return float(found) if found < 10**300 else 1e300
