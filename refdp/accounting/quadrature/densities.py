"""Pairs (P, Q) as densities on a line: atoms at both ends, analytic pieces between, and a bound of what lies beyond.

Outputs of the same ratio are one atom: Laplace noise of scale 1 that is moved from 0 to e has the same ratio at all y
from e on, and at all y up to 0 (up to -e under replacement, which looks at noise moved to -e, too).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt

from flint import acb, arb

from refdp.accounting.balls import ball
from refdp.accounting.contour.atoms import mixed
from refdp.accounting.losses import Direction, Laplace, Loss, Normal, Sampled

Two = tuple[acb, acb]
"""The density of P at a number, or in a disc, and that of Q divided by it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Densities of P and Q between two whole numbers, analytic everywhere."""

    start: int
    end: int
    densities: Callable[[acb], Two]


@dataclass(frozen=True, slots=True)
class Density:
    """A pair of laws: (P, Q) of atoms, analytic pieces, and at least what P has elsewhere."""

    atoms: list[tuple[arb, arb]]
    pieces: list[Piece]
    beyond: arb


def density_of(loss: Loss, bits: int) -> Density | None:
    """The pair of continuous laws, up to a P-mass of about 2^-bits; None for others."""
    match loss:
        case Laplace(epsilon):
            return laplace(epsilon, Fraction(1), "remove")
        case Sampled(Laplace(epsilon), rate, direction):
            return laplace(epsilon, rate, direction)
        case Normal(mu_squared):
            return normal(mu_squared, Fraction(1), "remove", bits)
        case Sampled(Normal(mu_squared), rate, direction):
            return normal(mu_squared, rate, direction, bits)
    return None


def laplace(epsilon: Fraction, rate: Fraction, direction: Direction) -> Density:
    """Laplace noise of scale 1, around e = epsilon, 0 and -e, sampled at the rate (1: not sampled), at y = e u."""
    e, half = ball(epsilon), arb(1) / 2
    least, far, farther = (-e).exp(), (-e).exp() / 2, (-2 * e).exp() / 2
    high = (half, far, farther)
    low = high[::-1] if direction == "replace" else (far, half, arb(0))
    sampled = sampling(rate, direction)

    def right(u: acb) -> Two:
        return sampled((-e * u).exp() * e / 2, (e * (2 * u - 1)).exp(), acb(least))

    def left(u: acb) -> Two:
        return sampled((e * u).exp() * e / 2, acb(least), (e * (-2 * u - 1)).exp())

    pieces = [Piece(-1, 0, left), Piece(0, 1, right)]
    return Density(
        [mixed(low, rate, direction), mixed(high, rate, direction)],
        pieces if direction == "replace" else pieces[1:],
        arb(0),
    )


def normal(mu_squared: Fraction, rate: Fraction, direction: Direction, bits: int) -> Density:
    """N(mu, 1), N(0, 1) and N(-mu, 1), sampled at the rate (1: not sampled), from -far to at least mu + far."""
    mu, half, root = ball(mu_squared).sqrt(), ball(mu_squared / 2), (2 * arb.pi()).sqrt()
    far = int((1.4 * bits) ** 0.5) + 1  # e^(-far^2 / 2) is at most about 2^-bits
    end = far + isqrt(ceil(mu_squared)) + 1
    sampled = sampling(rate, direction)

    def densities(y: acb) -> Two:
        return sampled((-y * y / 2).exp() / root, (mu * y - half).exp(), (-mu * y - half).exp())

    return Density([], [Piece(-far, end, densities)], (arb(far) / arb(2).sqrt()).erfc())


def sampling(rate: Fraction, direction: Direction) -> Callable[[acb, acb, acb], Two]:
    """From a density, and those of the noise moved either way divided by it: of the sampled P, and Q divided by it."""
    share, rest = ball(rate), ball(1 - rate)

    def removed(still: acb, moved: acb, _: acb) -> Two:
        mixture = share * moved + rest
        return still * mixture, 1 / mixture

    def added(still: acb, moved: acb, _: acb) -> Two:
        return still, share * moved + rest

    def replaced(still: acb, moved: acb, back: acb) -> Two:
        mixture = share * moved + rest
        return still * mixture, (share * back + rest) / mixture

    return {"remove": removed, "add": added, "replace": replaced}[direction]
