"""A search for certificates, in floats: nothing here is believed, as `check` accepts or refuses what it finds."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, expm1, floor

from refdp.sampling.potentials import Potential
from refdp.sampling.slots.certificate import Block, Certificate, Tail
from refdp.sampling.slots.check import MOST_OFFSET_DIGITS, MOST_SLOT_DIGITS

SLACK = 1e-12
"""By how much counts of slots are rounded outward."""
RESOLUTION = 16
"""About how many blocks stand for the range where the weight falls to 1/e."""
TAIL_SHARE = 0.25
"""Most of a slot that a tail may need."""


def certificate(q: Potential, slot_digits: int = MOST_SLOT_DIGITS, resolution: int = RESOLUTION) -> Certificate:
    """A certificate for weights e^-q, with blocks as wide as `resolution` lets them be."""
    search = Search(q, slot_digits, min(MOST_OFFSET_DIGITS, offset_digits(q, resolution)))
    blocks = [search.block(j) for j in range(-search.blocks if q.two_sided else 0, search.blocks)]
    edge = search.blocks * search.width
    tails = (Tail(edge, 1, 1), Tail(edge + 1, -1, 1)) if q.two_sided else (Tail(edge, 1, 1),)
    height, rates = Fraction(search.height), tuple(search.coefficients)
    return Certificate(q, slot_digits, search.offset_digits, height, rates, tuple(blocks), tails)


def offset_digits(q: Potential, resolution: int) -> int:
    """log2 of the width of the blocks, where q reaches 1 after `resolution` to 2 `resolution` of them."""
    reach = 1
    while q(reach) <= 1:
        reach *= 2
    return max(0, (reach // 2 // resolution).bit_length() - 1)


class Search:
    """The floats that a certificate is made from."""

    def __init__(self, q: Potential, slot_digits: int, offset_digits: int) -> None:
        self.q, self.offset_digits, self.width = q, offset_digits, 1 << offset_digits
        self.coefficients = [float(c) for c in q.coefficients]
        self.sides = 2 if q.two_sided else 1
        self.slots = 1 << slot_digits
        self.blocks, mass = self._extent()
        self.height = self._height(mass)

    def weight(self, n: int) -> float:
        """e^-q(n)."""
        return exp(-sum(c * float(n) ** i for i, c in enumerate(self.coefficients, 1)))

    def _slope(self, n: int) -> float:
        """q(n + 1) - q(n)."""
        return sum(c * ((n + 1) ** i - n**i) for i, c in enumerate(self.coefficients, 1))

    def _extent(self) -> tuple[int, float]:
        """How many blocks a side is worth, with about the sum of their greatest weights: until the tail fits a slot."""
        j, mass = 0, 0.0
        while True:
            mass += self.sides * self.weight(j * self.width)
            j += 1
            edge = j * self.width
            if self.weight(edge) / -expm1(-self._slope(edge)) < TAIL_SHARE * self.width * mass / self.slots:
                return j, mass

    def _height(self, mass: float) -> float:
        """About the least height with which the slots suffice, by bisection."""
        tops = [self.weight(j * self.width + side) for j in range(self.blocks) for side in range(self.sides)]
        free = self.slots - self.sides
        if free < len(tops):
            raise ValueError(f"{self.slots} slots do not suffice for {len(tops)} blocks")
        low, high = mass / self.slots / 4, mass / max(free - len(tops), 1)
        for _ in range(16):
            middle = (low + high) / 2
            fits = sum(taken(top / middle) for top in tops) <= free
            low, high = (low, middle) if fits else (middle, high)
        return high

    def block(self, j: int) -> Block:
        """The integers j B .. (j + 1) B - 1."""
        start = j * self.width
        top, bottom = (start, start + self.width - 1) if j >= 0 else (-start - self.width, -start)
        top, bottom = (top, bottom) if j >= 0 else (top + 1, bottom)
        level, least = self.weight(top) / self.height, self.weight(bottom) / self.height
        return Block(start, taken(level), floor(least * (1 - SLACK)), level)


def taken(level: float) -> int:
    """The number of slots of a block with this greatest weight, in slots."""
    return max(1, ceil(level * (1 + SLACK)))
