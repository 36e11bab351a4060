"""Cells of the line under a law: near-quantiles, finer ones in the tails, 0 for itself, and the low digits of integers.

Where the cells end is chosen in floats; the bounds of their masses are certified for the cells that were chosen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from refdp.auditing.evidence.partitions import Partition
from refdp.laws import End, Law
from refdp.numerics.elementary import up

SHARES = 64
"""The middle of the law is cut into about so many cells of equal mass."""
DEEPEST = 40
"""The outermost cells on both sides begin where about 2^-DEEPEST is left."""
LOW_DIGITS = 4
"""Binary digits of an integer that are looked at."""
DIGITS = 64
"""Bounds of masses are rounded up to so many binary digits."""


@dataclass(frozen=True, slots=True)
class Line:
    """Cells (b_(i - 1), b_i] of the line, with b_0 < b_1 < ... and infinite ends, and the law they were made for.

    An outcome x is counted where x - y for some y with |y| <= absolute + relative |x|, that the null speaks of, may lie
    in a neighbouring cell: `most` bounds the mass of each cell widened by so much.  Both are 0 for integers.
    """

    law: Law
    ends: tuple[Fraction, ...]
    absolute: Fraction = Fraction(0)
    relative: Fraction = Fraction(0)
    location: Fraction = Fraction(0)
    """Outcomes of a continuous law are around here; the cells are of what they are more."""

    @property
    def intervals(self) -> list[tuple[End, End]]:
        """The ends of each cell."""
        return list(zip((None, *self.ends), (*self.ends, None), strict=True))

    @property
    def cells(self) -> tuple[str, ...]:
        """The name of each cell."""
        return tuple(name(a, b, self.law.lattice) for a, b in self.intervals)

    def place(self) -> Callable[[int | float], int]:
        """The cell of an outcome, for many outcomes: whole ends are compared as int, others as float, both exactly."""
        whole = self.law.lattice
        ends = [int(e) if whole else float(e + self.location) for e in self.ends]
        return lambda x: bisect_left(ends, x)

    def upper(self, above: End, upto: End) -> Fraction:
        """An upper bound > 0 of the probability that an outcome is in the cell (above, upto]."""
        if self.absolute or self.relative:
            above = None if above is None else above - self._slack(above)
            upto = None if upto is None else upto + self._slack(upto)
        if above is not None and upto is not None and above < 0 < upto and not self.law.lattice:
            parts = [self.law.mass(above, Fraction(0)), self.law.mass(Fraction(0), upto)]
        elif above is None and upto is not None and upto > 0:
            parts = [self.law.mass(None, Fraction(0)), self.law.mass(Fraction(0), upto)]
        elif upto is None and above is not None and above < 0 and not self.law.lattice:
            parts = [self.law.mass(above, Fraction(0)), self.law.mass(Fraction(0), None)]
        else:
            parts = [self.law.mass(above, upto)]
        total = sum((p.upper for p in parts), Fraction(0))
        return min(Fraction(1), up(*total.as_integer_ratio(), DIGITS))

    def _slack(self, end: Fraction) -> Fraction:
        return self.absolute + self.relative * abs(end + self.location)

    def partition(self) -> Partition:
        """The cells with their bounds."""
        return Partition(self.cells, tuple(self.upper(a, b) for a, b in self.intervals))

    def under(self, law: Law) -> tuple[Fraction, ...]:
        """Upper bounds of the masses of the same cells under another law."""
        other = replace(self, law=law)
        return tuple(other.upper(a, b) for a, b in self.intervals)


def name(above: End, upto: End, lattice: bool) -> str:
    """The cell as text."""
    if lattice:
        low, high = None if above is None else above + 1, upto
        if low == high:
            return str(low)
        return f"<= {high}" if low is None else f">= {low}" if high is None else f"{low}..{high}"
    low_text, high_text = (None if e is None else f"{float(e):.6g}" for e in (above, upto))
    return f"<= {high_text}" if above is None else f"> {low_text}" if upto is None else f"({low_text}, {high_text}]"


def line(
    law: Law, absolute: Fraction = Fraction(0), relative: Fraction = Fraction(0), location: Fraction = Fraction(0)
) -> Line:
    """The cells for a law: ends at shares of 1 / SHARES, then where 2^-7, 2^-8, ... is left; both sides alike."""
    tails = [j / SHARES for j in range(SHARES // 2, 0, -1)] + [2.0**-j for j in range(7, DEEPEST + 1)]
    # Rounded, so that libraries of floats that differ in the last digits lead to the same cells.
    points = [Fraction(round(law.quantile(tail) * 2**20), 2**20) * law.spread for tail in tails]
    if law.lattice:
        right = {Fraction(max(0, round(x - Fraction(1, 2)))) for x in points} | {Fraction(0)}
        return Line(law, tuple(sorted({-b - 1 for b in right} | right)))
    if Fraction(float(location)) != location:
        raise ValueError(f"location must be a float's value, got {location}")
    ends = {nearest(x + location) - location for p in points for x in (p, -p)} | {Fraction(0)}
    return Line(law, tuple(sorted(ends)), absolute, relative, location)


def nearest(x: Fraction) -> Fraction:
    """The nearest float; ValueError where there is none."""
    if abs(x) > 2**1000:
        raise ValueError("a continuous law must be within the floats, got a scale beyond 2^990")
    return Fraction(float(x))


@dataclass(frozen=True, slots=True)
class LowDigits:
    """The last binary digits of an integer, k mod 2^LOW_DIGITS.

    Lemma: if f >= 0 rises up to some integer and falls after it, the sum of f over a class mod m is at most
    (1 / m) (the sum of f) + max f.  On either side of the top each member but the innermost one is at most the mean of
    the m values next to it on its inner side, itself included, and these stretches do not overlap.  Of the two
    innermost ones, the lesser is at most the mean of m of the values between them, and the greater at most max f.
    """

    law: Law

    def partition(self) -> Partition:
        """The classes, each with the bound 1 / m + P[0]."""
        m = 2**LOW_DIGITS
        greatest = self.law.mass(Fraction(-1), Fraction(0)).upper
        bound = min(Fraction(1), up(*(Fraction(1, m) + greatest).as_integer_ratio(), DIGITS))
        return Partition(tuple(f"{k} mod {m}" for k in range(m)), (bound,) * m)

    def place(self) -> Callable[[int | float], int]:
        """The class of an outcome."""
        mask = 2**LOW_DIGITS - 1
        return lambda x: int(x) & mask
