"""Chunks of draws in arrays, with exact moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from refdp.sampling.bulk.addition import GREATEST, LEAST
from refdp.sampling.bulk.tables import Integers
from refdp.sampling.moments import Moments
from refdp.sampling.plans import Clamped, Plan, Shifted
from refdp.sampling.tables import Table
from refdp.sampling.words import Source

LIMB = 23
"""Binary digits of a limb: 2^16 products of two of them are less than 2^62, so int64 holds their sum."""
PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class ArrayChunk:
    """Whole numbers k with |k| < 2^63 in an array of int64."""

    numbers: Integers

    def moments(self) -> Moments:
        """Exact."""
        pieces = [self.numbers[i : i + PIECE] for i in range(0, self.numbers.size, PIECE)]
        least, greatest = int(self.numbers.min()), int(self.numbers.max())
        if max(-least, greatest) < 1 << LIMB:
            totals, squares = (int(k.sum()) for k in pieces), (int(k.dot(k)) for k in pieces)
        else:
            totals, squares = (total_of(k) for k in pieces), (squares_of(k) for k in pieces)
        return Moments(self.numbers.size, sum(totals), sum(squares), least, greatest)

    def plus(self, constant: int) -> Sequence[int]:
        """Each number plus the constant."""
        numbers: list[int] = self.numbers.tolist()
        return [constant + k for k in numbers] if constant else numbers

    def octets(self, constant: int, unit: int) -> bytes | memoryview:
        """As int64."""
        if constant == 0 and unit == 1:
            return self.numbers.astype("<i8", copy=False).data
        ends = (unit * (constant + int(end)) for end in (self.numbers.min(), self.numbers.max()))
        if not all(LEAST <= end <= GREATEST for end in ends):
            raise OverflowError("a draw exceeds the range of int64")
        if not LEAST <= constant <= GREATEST:
            return np.array([unit * k for k in self.plus(constant)], "<i8").tobytes()
        return ((self.numbers + constant) * unit).astype("<i8", copy=False).tobytes()


def total_of(k: Integers) -> int:
    """The sum of at most 2^16 numbers: its high and its low digits are added up apart."""
    return (int((k >> 32).sum()) << 32) + int((k & (1 << 32) - 1).sum())


def squares_of(k: Integers) -> int:
    """The sum of the squares of at most 2^16 numbers, by limbs of |k|."""
    rest, limbs = np.abs(k), []
    while rest.any():
        limbs.append(rest & (1 << LIMB) - 1)
        rest >>= LIMB
    return sum(int((a * b).sum()) << LIMB * (i + j) for i, a in enumerate(limbs) for j, b in enumerate(limbs))


def drawn(plan: Plan, table: Table, x: int, n: int, source: Source) -> ArrayChunk:
    """n draws at the input x, as a chunk: what is not the same in every draw."""
    k: Integers = table.array(n, source)
    if isinstance(plan, Shifted):
        k = (k + x) % plan.law.size
    elif isinstance(plan, Clamped):
        lower, upper = max(LEAST, plan.lower - x), min(GREATEST, plan.upper - x)
        k = np.clip(k, lower, upper)
    return ArrayChunk(k)
