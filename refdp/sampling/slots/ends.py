"""Enclosures of the weights at the ends of all blocks: of a few exponentials, by products that are rounded outward."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, lcm

from refdp.numerics.elementary import exp_bounds
from refdp.sampling.slots.certificate import Certificate

UNIT = 96
"""Weights are enclosed by whole multiples of 2^-96 height."""
FINER = 2 * UNIT
"""Binary digits behind the point in the products on the way."""
Ends = tuple[int, int, int]
"""q(k) in units of 1 / unit, and whole numbers around 2^UNIT w(k) / height."""


class Weights:
    """`Ends` at the first and last integer of each block, where these are 0, 1 or B - 1 and multiples of B more."""

    def __init__(self, c: Certificate) -> None:
        self.certificate, self.unit = c, lcm(*(a.denominator for a in c.potential.coefficients))
        last = max(abs(block.start) for block in c.blocks) + c.width
        self.known = {n: ends for first in {0, 1 % c.width, c.width - 1} for n, ends in self._from(first, last)}

    def __call__(self, k: int) -> Ends:
        return self.known[abs(k)]

    def _from(self, first: int, last: int) -> Iterator[tuple[int, Ends]]:
        """n and its ends for n = first, first + B, ... up to last.

        With D q(n) = q(n + B) - q(n), e^-q(n + B) = e^-q(n) e^-D q(n), and likewise for D q, D^2 q, ...: the degree
        of q is that of the last one that is not 0, which is constant.  low and high are around 2^FINER times these
        powers at the start, and remain so: none is negative, and products are rounded down or up.
        """
        c, rows = self.certificate, list(self._differences(first))
        q = [int(d * self.unit) for d in rows]
        powers = [exp_bounds(-d, FINER) for d in rows]
        low, high = [floor(end * 2**FINER) for end, _ in powers], [ceil(end * 2**FINER) for _, end in powers]
        above, below = c.height.denominator, c.height.numerator << FINER - UNIT
        for n in range(first, last + 1, c.width):
            yield n, (q[0], low[0] * above // below, -(-high[0] * above // below))
            for i in range(len(rows) - 1):
                q[i] += q[i + 1]
                low[i] = low[i] * low[i + 1] >> FINER
                high[i] = -(-high[i] * high[i + 1] >> FINER)

    def _differences(self, first: int) -> Iterator[Fraction]:
        """q(first), D q(first), D^2 q(first), ..., as many as q has a degree, and one."""
        c = self.certificate
        row = [c.potential(first + i * c.width) for i in range(len(c.potential.coefficients) + 1)]
        while row:
            yield row[0]
            row = [b - a for a, b in pairwise(row)]
