"""Probabilities with normal draws: one draw is compared with others, and the integral over it is enclosed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, Literal

from refdp.numerics.enclosures import GUARD, Balls, integral, precision

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball, Disc

Kind = Literal["gaussian", "laplace", "exponential", "minus exponential"]
Limit = Fraction | None
"""A bound, or none."""


@dataclass(frozen=True, slots=True)
class Noise:
    """A distribution with a density; `scale` is sigma of a normal one."""

    kind: Kind
    scale: Fraction


@dataclass(frozen=True, slots=True)
class Leaf:
    """A draw x with low <= x - z <= high and bottom <= x <= top."""

    noise: Noise
    low: Limit
    high: Limit
    bottom: Limit
    top: Limit

    def changes(self) -> list[Fraction]:
        """Where the formula for its probability given z may change, as a function of z."""
        ends = [end for end in (self.bottom, self.top, Fraction(0)) if end is not None]
        return [end - offset for end in ends for offset in (self.low, self.high) if offset is not None]


@dataclass(frozen=True, slots=True)
class Star:
    """P[bottom <= z <= top, and each leaf within its bounds], all draws independent."""

    centre: Noise
    bottom: Limit
    top: Limit
    leaves: tuple[Leaf, ...]

    def ball(self, bits: int) -> Ball:
        """A ball that holds it."""
        return enclosed(self, bits)

    def __str__(self) -> str:
        bounds, laws = [_between(self.bottom, "z", self.top)], [f"z ~ {_law(self.centre)}"]
        for i, leaf in enumerate(self.leaves, 1):
            bounds += [_between(leaf.low, f"x{i} - z", leaf.high), _between(leaf.bottom, f"x{i}", leaf.top)]
            laws.append(f"x{i} ~ {_law(leaf.noise)}")
        return f"P[{', '.join(filter(None, bounds))}; {', '.join(laws)}]"


def _between(low: Limit, what: str, high: Limit) -> str:
    """low <= what <= high, nothing where neither is given."""
    if low is None and high is None:
        return ""
    return f"{'' if low is None else f'{low} <= '}{what}{'' if high is None else f' <= {high}'}"


def _law(noise: Noise) -> str:
    """The distribution by its name."""
    return f"N(0, {noise.scale**2})" if noise.kind == "gaussian" else f"{noise.kind}({noise.scale})"


@lru_cache(maxsize=4096)
def enclosed(star: Star, bits: int) -> Ball:
    """The integral over z, cut where a formula changes, and far out, where hardly any mass is."""
    balls = Balls(bits + GUARD)
    far = _reach(star.centre, bits + GUARD)
    low = -far if star.bottom is None else max(star.bottom, -far)
    high = far if star.top is None else min(star.top, far)
    cuts = {place for leaf in star.leaves for place in leaf.changes()} | {Fraction(0)}
    places = [low, *sorted(place for place in cuts if low < place < high), high]
    with precision(bits + GUARD):
        # Beyond -far and far the integrand is >= 0 and no more than the density of z.
        total = balls.number(Fraction(0)).union(_beyond(star.centre, far, balls))
        for start, end in pairwise(places):
            if start < end:
                piece = _Piece(star, (start + end) / 2, balls)
                total += integral(piece.integrand, balls.number(start), balls.number(end), bits)
        return total


def _reach(noise: Noise, bits: int) -> Fraction:
    """So far out that about 2^-bits of the mass is beyond."""
    return noise.scale * (isqrt(2 * bits) + 1 if noise.kind == "gaussian" else bits)


def _beyond(noise: Noise, far: Fraction, balls: Balls) -> Ball:
    """A ball that reaches at least to the probability of more than far, or less than -far."""
    ratio = balls.number(far / noise.scale)
    return 2 * balls.function("normal_tail", ratio) if noise.kind == "gaussian" else balls.function("exp", -ratio)


@dataclass(frozen=True, slots=True)
class _Piece:
    """The integrand by the formulas that it has around `middle`."""

    star: Star
    middle: Fraction
    balls: Balls

    def integrand(self, z: Disc) -> Disc:
        """The density at z times the probabilities of the leaves given z."""
        value = self._density(self.star.centre, z)
        for leaf in self.star.leaves:
            value *= self._leaf(leaf, z)
        return value

    def _density(self, noise: Noise, z: Disc) -> Disc:
        """The density of a distribution."""
        scale = self.balls.number(noise.scale)
        if noise.kind == "gaussian":
            root = self.balls.function("sqrt", 2 * self.balls.function("pi"))
            return (-((z / scale) ** 2) / 2).exp() / (scale * root)
        positive = self.middle > 0
        if noise.kind != "laplace" and positive == (noise.kind == "minus exponential"):
            return z * 0
        return (-z / scale if positive else z / scale).exp() / (2 * scale if noise.kind == "laplace" else scale)

    def _leaf(self, leaf: Leaf, z: Disc) -> Disc:
        """The probability that the leaf lies within its bounds."""
        uppers = [u for u in (self._moving(leaf.high, z), self._fixed(leaf.top, z)) if u is not None]
        lowers = [u for u in (self._moving(leaf.low, z), self._fixed(leaf.bottom, z)) if u is not None]
        upper = min(uppers, key=lambda bound: bound[0], default=None)
        lower = max(lowers, key=lambda bound: bound[0], default=None)
        if upper is not None and lower is not None and upper[0] <= lower[0]:
            return z * 0
        most = z * 0 + 1 if upper is None else self._distribution(leaf.noise, *upper)
        return most if lower is None else most - self._distribution(leaf.noise, *lower)

    def _moving(self, offset: Limit, z: Disc) -> tuple[Fraction, Disc] | None:
        """z + offset, around the middle and as it is."""
        return None if offset is None else (self.middle + offset, z + self.balls.number(offset))

    def _fixed(self, bound: Limit, z: Disc) -> tuple[Fraction, Disc] | None:
        """A bound that does not depend on z."""
        return None if bound is None else (bound, z * 0 + self.balls.number(bound))

    def _distribution(self, noise: Noise, near: Fraction, x: Disc) -> Disc:
        """P[draw <= x], by the formula on the side of 0 on which `near` lies."""
        scale = self.balls.number(noise.scale)
        match noise.kind, near > 0:
            case "gaussian", _:
                return (-x / (scale * self.balls.function("sqrt", self.balls.number(Fraction(2))))).erfc() / 2
            case "laplace", True:
                return 1 - (-x / scale).exp() / 2
            case "laplace", False:
                return (x / scale).exp() / 2
            case "exponential", True:
                return 1 - (-x / scale).exp()
            case "minus exponential", False:
                return (x / scale).exp()
        return x * 0 + (1 if noise.kind == "minus exponential" else 0)
