"""A search for certificates, in floats: nothing here is believed, as `check` accepts or refuses what it finds."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil, exp, expm1, factorial, floor, fsum

from refdp.numerics.floats import added
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.certificate import HIGHEST_TAYLOR, MARGIN, Block, Certificate, Tail
from refdp.sampling.slots.check import MOST_OFFSET_DIGITS, MOST_SLOT_DIGITS

SLACK = 1e-12
"""By how much counts of slots are rounded outward."""
RESOLUTION = 16
"""At least so many blocks stand for the range where the weight falls to 1/e, if it has so many integers."""
MANY_BLOCKS = 600
"""Blocks are halved while that makes no more than these: fewer draws are left open, but checking takes longer."""
MOST_BLOCKS = 1024
"""Most blocks of a side: more take longer to check than they are worth, as the one table of every scale draws too."""
MOST_RISE = Fraction(1, 2)
"""Most that q may rise within a block: the bound on the floats' error grows with its ninth power."""
NEAR = 1e-3
"""How near the height is to the least one."""
LARGEST_RATE = Fraction(2**900)
TAIL_SHARE = 1 / 4
"""Most of a slot that a tail may need; of many slots a quarter of that, as blocks cost less there than tails do."""
MANY_SLOTS = 1 << 14


def certificate(q: Potential, slot_digits: int = MOST_SLOT_DIGITS, resolution: int = RESOLUTION) -> Certificate:
    """A certificate for weights e^-q; ValueError if the slots do not suffice."""
    digits = min(MOST_OFFSET_DIGITS, offset_digits(q, resolution))
    search = Search(q, slot_digits, digits)
    while search.offset_digits > 0 and search.is_coarse:
        search = Search(q, slot_digits, search.offset_digits - 1)
    height, rates = Fraction(search.height), tuple(search.coefficients)
    blocks = [search.block(j) for j in range(-search.blocks if q.two_sided else 0, search.blocks)]
    edge = search.blocks * search.width
    tails = (Tail(edge, 1, 1), Tail(edge + 1, -1, 1))[: search.sides]
    return Certificate(q, slot_digits, search.offset_digits, height, rates, tuple(blocks), tails, search.taylor)


def offset_digits(q: Potential, resolution: int) -> int:
    """log2 of the width of blocks of which `resolution` to 2 `resolution` make q rise from 0 to 1; or 0."""
    reach = 1
    while q(reach) <= 1:
        reach *= 2
    return max(0, (reach // 2 // resolution).bit_length() - 1)


class Search:
    """The floats that a certificate is made from."""

    def __init__(self, q: Potential, slot_digits: int, offset_digits: int) -> None:
        self.q, self.offset_digits, self.width = q, offset_digits, 1 << offset_digits
        if any(c > LARGEST_RATE or 0 < c < 1 / LARGEST_RATE for c in q.coefficients):
            raise ValueError(f"coefficients must be 0 or in [2^-900, 2^900], got {q.coefficients}")
        self.coefficients = [float(c) for c in q.coefficients]
        self.sides = 2 if q.two_sided else 1
        self.slots = 1 << slot_digits
        self.blocks = self._extent()

    def exponent(self, n: int) -> float:
        """q(n)."""
        value = 0.0
        for c in reversed(self.coefficients):
            value = (value + c) * n
        return value

    def weight(self, n: int) -> float:
        """e^-q(n)."""
        return exp(-self.exponent(n))

    def _slope(self, n: int) -> float:
        """q(n + 1) - q(n)."""
        return fsum(c * ((n + 1) ** i - n**i) for i, c in enumerate(self.coefficients, 1))

    def _extent(self) -> int:
        """How many blocks a side is worth: until the tail fits a slot."""
        mass, share = 0.0, TAIL_SHARE * min(1, MANY_SLOTS / self.slots)
        for j in range(min(self.slots, MOST_BLOCKS)):
            mass += self.sides * self.weight(j * self.width)
            edge = (j + 1) * self.width
            if self.weight(edge) / -expm1(-self._slope(edge)) < share * self.width * mass / self.slots:
                return j + 1
        raise ValueError(f"{MOST_BLOCKS} blocks and {self.slots} slots do not suffice for weights as wide as these")

    @property
    def is_coarse(self) -> bool:
        """Whether there should be more blocks: there are few, or q rises by more than 1/2 in the last."""
        few = MANY_BLOCKS * self.slots >> MOST_SLOT_DIGITS
        edge = self.blocks * self.width
        return 2 * self.blocks * self.sides <= few or self.q(edge) - self.q(edge - self.width) > MOST_RISE

    @cached_property
    def height(self) -> float:
        """About the least height with which the slots suffice, by bisection."""
        tops = [self.weight(j * self.width + side) for j in range(self.blocks) for side in range(self.sides)]
        free = self.slots - self.sides
        if free <= len(tops):
            raise ValueError(f"{self.slots} slots do not suffice for {len(tops)} blocks")
        weight = added(tops)
        low, high = weight / free, weight / (free - len(tops)) * (1 + 2 * SLACK)
        while high - low > NEAR * low:
            middle = (low + high) / 2
            fits = sum(taken(top / middle) for top in tops) <= free
            low, high = (low, middle) if fits else (middle, high)
        return high

    def block(self, j: int) -> Block:
        """The integers j B .. (j + 1) B - 1."""
        start = j * self.width
        top, bottom = sorted((abs(start), abs(start + self.width - 1)))
        level, least = self.weight(top) / self.height, self.weight(bottom) / self.height
        return Block(start, taken(level), floor(least * (1 - SLACK)), level)

    @cached_property
    def taylor(self) -> int:
        """The least degree with which the floats are within half the margin."""
        falls = [(taken(self.weight(top) / self.height), self.exponent(top + self.width - 1) - self.exponent(top))
                 for top in range(0, self.blocks * self.width, self.width)]  # fmt: skip
        degrees = range(1, HIGHEST_TAYLOR)
        errors = (max(level * x ** (m + 1) for level, x in falls) / factorial(m + 1) for m in degrees)
        return next((m for m, error in zip(degrees, errors, strict=True) if error < MARGIN / 2), HIGHEST_TAYLOR)


def taken(level: float) -> int:
    """The number of slots of a block with this greatest weight, in slots."""
    return max(1, ceil(level * (1 + SLACK)))
