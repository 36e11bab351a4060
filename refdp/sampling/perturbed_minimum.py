"""The minimum of a perturbed objective, rounded: digits of its random term are revealed until they tell.

A vector b with a density in proportion to e^(-rate |b|) has a direction that is independent of its length: that of a
vector of normal variables, and rate |b| is the sum of as many exponential ones.  Of each so many digits are known, so
that b lies in a ball.  For the centre of the ball a point is found where the gradient is short; the minimum is near it.

How long that takes depends on the table and on the draw, and tells of both to whoever times it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.numerics.elementary import sqrt_bounds
from refdp.numerics.intervals import Interval
from refdp.sampling.coins import Coins
from refdp.sampling.far_and_wide import Exponential
from refdp.sampling.lazy import Uniform
from refdp.sampling.rounded_normal import is_kept
from refdp.sampling.words import Flipped
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.rounding import nearest

HALF = Fraction(1, 2)
FINER = 2**16
"""How much better than the step the minimum is known at first, and each time again: it nearly always tells at once."""
Ball = tuple[tuple[Fraction, ...], Fraction]
"""A centre and a radius."""


class Normal:
    """|N| = k + U, N standard normal, and a sign: U in [0, 1) is known to as many digits as are revealed."""

    __slots__ = ("k", "sign", "u")

    def __init__(self, coins: Coins) -> None:
        self.k, self.u = coins.until(lambda: _kept(coins))
        self.sign = 1 - 2 * coins.flip()

    def ends(self) -> tuple[Fraction, Fraction]:
        """Between which |N| lies."""
        low, high = self.u.cell()
        return self.k + low, self.k + high


def _kept(coins: Coins) -> tuple[int, Uniform] | None:
    """k with the weight e^(-k^2 / 2) and U with the weight e^(-(2 k + U) U / 2); None if one is not kept."""
    k = coins.geometric_exp(HALF)
    if not coins.bernoulli_exp(Fraction(k * (k - 1), 2)):
        return None
    u, v = (Uniform(Flipped(coins.bits)) for _ in range(2))
    return (k, u) if is_kept(k, Fraction(1), u, v) else None


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
            normal.u.reveal(max(0, self.digits - normal.u.size))

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
    m.require_drawable(values)
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
