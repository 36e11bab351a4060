"""Noise scaled to a bound and rounded, by digits of real numbers that are revealed until they tell: no float decides.

How many digits that takes grows with the width of the noise in steps of the grid, and tells of it to whoever times it.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from refdp.sampling.coins import Coins
from refdp.spec.rounding import nearest


def digits_of_exponential(value: Fraction, width: Fraction, step: Fraction, coins: Coins) -> Fraction:
    """The multiple of step nearest to value + width Z, Z standard Laplace noise, where width >= 0.

    |Z| is exponential, its sign is fair.  Its whole part is geometric, and its digits behind the point are independent:
    the one of weight w is 1 with probability 1 / (1 + e^w).
    """
    if width == 0:
        return nearest(value, step)
    side, variable = 1 - 2 * coins.flip(), Exponential(coins)
    while True:
        low, high = (nearest(value + side * width * end, step) for end in variable.ends())
        if low == high:
            return low
        variable.reveal()


class Exponential:
    """E, P[E >= x] = e^-x, of which so many digits are known: digits <= size E <= digits + 1."""

    __slots__ = ("coins", "digits", "size")

    def __init__(self, coins: Coins) -> None:
        self.coins, self.digits, self.size = coins, coins.geometric_exp(1), 1

    def reveal(self) -> None:
        """Learn a digit more."""
        self.size *= 2
        self.digits = 2 * self.digits + _digit(Fraction(1, self.size), self.coins)

    def ends(self) -> tuple[Fraction, Fraction]:
        """Between which it lies."""
        return Fraction(self.digits, self.size), Fraction(self.digits + 1, self.size)


def _digit(weight: Fraction, coins: Coins) -> int:
    """1 with probability 1 / (1 + e^weight), else 0."""

    def attempt() -> int | None:
        if not coins.flip():
            return 0
        return 1 if coins.bernoulli_exp(weight) else None

    return coins.until(attempt)


class Point:
    """(X, Y), uniform in the unit square, of which the binary digits x and y are known: x <= size X <= x + 1."""

    __slots__ = ("coins", "size", "x", "y")

    def __init__(self, coins: Coins) -> None:
        self.coins, self.x, self.y, self.size = coins, 0, 0, 1

    def reveal(self) -> None:
        """Learn a digit more of each."""
        self.x, self.y = 2 * self.x + self.coins.flip(), 2 * self.y + self.coins.flip()
        self.size *= 2

    def is_in_disc(self) -> bool:
        """Whether X^2 + Y^2 < 1."""
        while True:
            self.reveal()
            if self.x**2 + self.y**2 >= self.size**2:
                return False
            if (self.x + 1) ** 2 + (self.y + 1) ** 2 <= self.size**2:
                return True

    def is_kept(self) -> bool:
        """Whether V < Y / sqrt(X^2 + Y^2), for a uniform real V of its own."""
        v, size = 0, 1
        while True:
            v, size = 2 * v + self.coins.flip(), 2 * size
            if (v + 1) ** 2 * ((self.x + 1) ** 2 + self.y**2) <= size**2 * self.y**2:
                return True
            if v**2 * (self.x**2 + (self.y + 1) ** 2) >= size**2 * (self.y + 1) ** 2:
                return False
            self.reveal()


def kept_point_of_disc(value: Fraction, width: Fraction, step: Fraction, degrees: int, coins: Coins) -> Fraction:
    """The multiple of step nearest to value + width Z, Z Student's noise of that many degrees, where width >= 0.

    |Z| is sqrt(degrees) X / Y for a point (X, Y) of the quarter of the disc whose angle to the axis of Y has a density
    in proportion to its cosine^(degrees - 1): a uniform point that is kept with that probability.  Its sign is fair.
    """
    if width == 0:
        return nearest(value, step)
    return coins.until(lambda: from_one_point(value, width, step, degrees, coins))


def from_one_point(value: Fraction, width: Fraction, step: Fraction, degrees: int, coins: Coins) -> Fraction | None:
    """The same, of one point of the square, width > 0; None if it is not in the disc or not kept."""
    side, point = 1 - 2 * coins.flip(), Point(coins)
    if not point.is_in_disc():
        return None
    for _ in range(degrees - 1):
        if not point.is_kept():
            return None
    return _rounded(value, side * width, step, degrees, point)


def _rounded(value: Fraction, width: Fraction, step: Fraction, degrees: int, point: Point) -> Fraction:
    """The multiple of step nearest to value + width sqrt(degrees) X / Y: digits are revealed until they tell."""
    while True:
        if point.y > 0:
            root = isqrt(degrees * point.size**2)
            least, greatest = (
                Fraction(root * point.x, point.size * (point.y + 1)),
                Fraction((root + 1) * (point.x + 1), point.size * point.y),
            )
            low, high = (nearest(value + width * z, step) for z in (least, greatest))
            if low == high:
                return low
        point.reveal()
