"""The minimum of a perturbed objective, rounded: digits of its random term are revealed until they tell.

A vector b with a density in proportion to e^(-rate |b|) has a direction that is independent of its length: that of a
vector of normal variables, and rate |b| is the sum of as many exponential ones.  Of each so many digits are known, so
that b lies in a ball.  For the centre of the ball a point is found where the gradient is short; the minimum is near it.

How long that takes depends on the table and on the draw, and tells of both to whoever times it, or sets a limit to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.numerics.elementary import exp_bounds, sqrt_bounds
from refdp.numerics.intervals import Interval
from refdp.sampling.coins import Coins
from refdp.sampling.far_and_wide import Exponential
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.rounding import nearest

HALF = Fraction(1, 2)
GUARD = 32
"""So many digits more e^-x is known to than U and V are: next to none of what they tell is lost."""
FINER = 2**16
"""How much better than the step the minimum is known at first, and each time again: it nearly always tells at once."""
Ball = tuple[tuple[Fraction, ...], Fraction]
"""A centre and a radius."""


class Normal:
    """|N| = k + U and a sign, N standard normal, of which digits are known: digits <= 2^size U <= digits + 1."""

    __slots__ = ("coins", "digits", "k", "sign", "size")

    def __init__(self, coins: Coins) -> None:
        self.coins = coins
        self.k, self.digits, self.size = coins.until(lambda: kept_place(coins))
        self.sign = 1 - 2 * coins.flip()

    def reveal(self) -> None:
        """Learn a digit more."""
        self.digits, self.size = 2 * self.digits + self.coins.flip(), self.size + 1

    def ends(self) -> tuple[Fraction, Fraction]:
        """Between which |N| lies."""
        return self.k + Fraction(self.digits, 2**self.size), self.k + Fraction(self.digits + 1, 2**self.size)


def kept_place(coins: Coins) -> tuple[int, int, int] | None:
    """k with the weight e^(-k^2 / 2) and U with the weight e^(-(2 k + U) U / 2); None if one is not kept.

    Of U those digits are given, and their number, that told that V < e^(-(2 k + U) U / 2), V uniform of its own.
    """
    k = coins.geometric_exp(HALF)
    if not coins.bernoulli_exp(Fraction(k * (k - 1), 2)):
        return None
    u, v, size = 0, 0, 0
    while True:
        u, v, size = 2 * u + coins.flip(), 2 * v + coins.flip(), size + 1
        least, greatest = (_decay(k, Fraction(end, 2**size), size + GUARD) for end in (u + 1, u))
        if Fraction(v + 1, 2**size) <= least[0]:
            return k, u, size
        if greatest[1] <= Fraction(v, 2**size):
            return None


def _decay(k: int, u: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of e^(-(2 k + u) u / 2), which falls as u grows."""
    return exp_bounds(-(2 * k + u) * u / 2, bits)


class RandomTerm:
    """b, a vector with a density in proportion to e^(-rate |b|)."""

    __slots__ = ("digits", "lengths", "normals", "rate")

    def __init__(self, dimension: int, rate: Fraction, coins: Coins) -> None:
        self.rate, self.digits = rate, 0
        self.lengths = [Exponential(coins) for _ in range(dimension)]
        self.normals = [Normal(coins) for _ in range(dimension)]

    def reveal(self) -> None:
        """Learn a digit more of each variable; of U some may be known already."""
        self.digits += 1
        for length in self.lengths:
            length.reveal()
        for normal in self.normals:
            if normal.size < self.digits:
                normal.reveal()

    def within(self, radius: Fraction) -> Ball:
        """A ball that holds it, of that radius > 0 or a smaller one."""
        while (ball := self.ball()) is None or ball[1] > radius:
            self.reveal()
        return ball

    def ball(self) -> Ball | None:
        """A ball that holds what the digits leave open; None where they do not tell a direction."""
        bits = self.digits + 64
        lengths, parts = ([one.ends() for one in those] for those in (self.lengths, self.normals))
        low, high = (sum((end[i] for end in lengths), Fraction(0)) / self.rate for i in range(2))
        least, greatest = (sum((end[i] ** 2 for end in parts), Fraction(0)) for i in range(2))
        norm = Interval(sqrt_bounds(least, bits)[0], sqrt_bounds(greatest, bits)[1], bits)
        if norm.lower == 0:
            return None
        share = Interval(low, high, bits) / norm
        found = [share * Interval(*ends, bits) for ends in parts]
        centre = [one.sign * (b.lower + b.upper) / 2 for one, b in zip(self.normals, found, strict=True)]
        return tuple(centre), sum(((b.upper - b.lower) / 2 for b in found), Fraction(0))


def rounded_minimum(
    m: PerturbedObjective, values: Mapping[str, Fraction], table: tuple[Any, ...], coins: Coins
) -> tuple[Fraction, ...]:
    """One draw: the multiples of the step nearest to the coefficients of the minimum, the greater of two.

    At a point w the gradient for the true b is no longer than that for the centre c of the ball and |b - c| together,
    and the minimum is no farther from w than that over the regularisation, for what is minimised is so convex.
    """
    m.require_reachable(values)
    term = RandomTerm(int(values["dimension"]), values["rate"], coins)
    weight, step = values["regularisation"], values["step"]
    short = step * weight
    while True:
        short /= FINER
        centre, radius = term.within(short)
        point = m.losses(values, table, centre).minimiser(short)
        far = (short + radius) / weight
        low, high = (tuple(nearest(c + side * far, step) for c in point) for side in (-1, 1))
        if low == high:
            return low
