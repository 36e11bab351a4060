"""What a sampler by slots is made of: numbers that anyone may bring, and that `slots.check` must accept.

The integers are cut into blocks of B = 2^offset_digits and a tail on each side.  Block j gets n_j of S = 2^slot_digits
slots, the first f_j of them full, such that with w(k) = e^-q(k)
    n_j height >= w(k)  on the block (coverage)     and     f_j height <= w(k)  on the block (soundness).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from refdp.sampling.potentials import Potential

HIGHEST_TAYLOR = 8
"""Highest degree of the polynomial that stands for e^-x in the floats' path."""
MARGIN = 2.0**-16
"""Largest error of the floats' path that `check` lets pass: what is nearer than this is decided exactly.

Any value is sound; one draw in 10^6 is that near.
"""


@dataclass(frozen=True, slots=True)
class Block:
    """The integers start .. start + B - 1; `level` is about w(top) / height, top being the one nearest to 0."""

    start: int
    slots: int
    full: int
    level: float


@dataclass(frozen=True, slots=True)
class Tail:
    """sign k for k >= start."""

    start: int
    sign: int
    slots: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """Blocks from left to right, then tails: each takes as many slots as it says, in this order; the rest are void.

    `rates` are the coefficients of the potential as floats: with levels, what the floats' path reckons with.
    `taylor` is the degree of the polynomial that stands for e^-x there.
    """

    potential: Potential
    slot_digits: int
    offset_digits: int
    height: Fraction
    rates: tuple[float, ...]
    blocks: tuple[Block, ...]
    tails: tuple[Tail, ...]
    taylor: int = HIGHEST_TAYLOR

    @property
    def width(self) -> int:
        """B, the number of integers in a block."""
        return 1 << self.offset_digits

    def ends(self, block: Block) -> tuple[int, int]:
        """The integer of the block nearest to 0, and the one farthest from it."""
        first, last = block.start, block.start + self.width - 1
        return (first, last) if first >= 0 else (last, first)

    def sizes(self) -> Iterator[int]:
        """The numbers of slots, in their order."""
        yield from (block.slots for block in self.blocks)
        yield from (tail.slots for tail in self.tails)
