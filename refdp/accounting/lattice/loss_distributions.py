"""Distributions of the finite loss of pairs, on a lattice: losses first + spacing i, each with a ball of its mass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball, real
from refdp.accounting.curves import OutOfReach
from refdp.accounting.lattice.spacings import Gap, Spacing, common_step, multiple
from refdp.accounting.losses import DiscreteGaussian, DiscreteLaplace, Finite, Loss, Response, Sampled
from refdp.numerics.cancellation import size
from refdp.numerics.exact import LARGEST_SIZE, ExactReal

if TYPE_CHECKING:
    from flint import arb

MOST_ATOMS = 1_000_000
"""A distribution with more atoms that count is out of reach."""


@dataclass(frozen=True, slots=True)
class LossDistribution:
    """The distribution of a privacy loss given that it is finite; balls are worked out at the precision that is set."""

    first: Callable[[], arb]
    """The loss at index 0."""
    spacing: Spacing | None
    """None for a loss that has one value only."""
    atoms: Callable[[int], Iterable[tuple[int, arb]]]
    """(i, mass of first + spacing i), each i once; masses within 2^-bits of 0 may be missing."""
    extent: int
    """The greatest distance of two atoms, in spacings; a large number where there are infinitely many."""
    infinite: Fraction = Fraction(0)
    """The mass of an infinite loss."""


def loss_distribution(loss: Loss) -> LossDistribution | None:
    """The distribution of the pair's loss on a lattice, or None if it is on none or none is known (Lemma 3.2)."""
    match loss:
        case Response():
            return response_losses(loss)
        case Finite(outcomes):
            return finite_losses(outcomes)
        case DiscreteLaplace():
            return discrete_laplace_losses(loss)
        case DiscreteGaussian():
            return discrete_gaussian_losses(loss)
        case Sampled(Finite(outcomes), rate, ("remove" | "add") as direction):
            return finite_losses(tuple(mixed(p, q, rate, direction) for p, q in outcomes))
        case Sampled(Response(epsilon, delta), _, _) if epsilon > 0 and delta == 0:
            return sampled_response(loss)
    return None


def point(infinite: Fraction) -> LossDistribution:
    """The loss 0."""
    return LossDistribution(lambda: ball(0), None, lambda bits: [(0, ball(1))], 0, infinite)


def mixed(p: Fraction, q: Fraction, rate: Fraction, direction: str) -> tuple[Fraction, Fraction]:
    """One outcome of a pair under Poisson sampling."""
    mixture = rate * p + (1 - rate) * q
    return (mixture, q) if direction == "remove" else (q, mixture)


def response_losses(loss: Response) -> LossDistribution:
    """-e with mass 1 / (1 + e^e), e with the rest."""
    if loss.epsilon == 0:
        return point(loss.delta)

    def atoms(bits: int) -> Iterable[tuple[int, arb]]:
        e = real(loss.epsilon)
        return [(0, 1 / (1 + e.exp())), (1, 1 / (1 + (-e).exp()))]

    return LossDistribution(lambda: -real(loss.epsilon), loss.epsilon + loss.epsilon, atoms, 1, loss.delta)


def sampled_response(loss: Sampled) -> LossDistribution:
    """One response e with Poisson sampling: two losses."""

    def atoms(bits: int) -> Iterable[tuple[int, arb]]:
        return enumerate(p for p, _ in sampled_outcomes(loss))

    return LossDistribution(lambda: sampled_losses(loss)[0], Gap(loss), atoms, 1)


def sampled_losses(loss: Sampled) -> tuple[arb, arb]:
    """The two losses of a sampled response, the lesser first."""
    (p, q), (r, s) = sampled_outcomes(loss)
    return (p / q).log(), (r / s).log()


def sampled_outcomes(loss: Sampled) -> tuple[tuple[arb, arb], tuple[arb, arb]]:
    """(P(y), Q(y)) of the two outcomes of a sampled response, that with the lesser loss first."""
    if not isinstance(loss.base, Response):
        raise TypeError(f"the base must be a Response, got {loss.base}")
    e, rate = real(loss.base.epsilon), ball(loss.rate)
    truth, lie = 1 / (1 + (-e).exp()), 1 / (1 + e.exp())
    high, low = rate * truth + (1 - rate) * lie, rate * lie + (1 - rate) * truth
    return ((low, truth), (high, lie)) if loss.direction == "remove" else ((lie, high), (truth, low))


def finite_losses(outcomes: tuple[tuple[Fraction, Fraction], ...]) -> LossDistribution | None:
    """ln(p / q) with the mass of P given that q > 0; None if these losses are not found to be on a lattice."""
    masses: dict[Fraction, Fraction] = {}
    for p, q in outcomes:
        if p > 0 and q > 0:
            masses[p / q] = masses.get(p / q, Fraction(0)) + p
    if len(masses) < 2 and set(masses) <= {Fraction(1)}:
        return point(1 - sum(masses.values(), Fraction(0)))
    total, least = sum(masses.values(), Fraction(0)), min(masses)
    if any(size(r / least) > LARGEST_SIZE for r in masses):
        return None
    spacings: dict[Fraction, Spacing] = {r: ExactReal(argument=r / least) for r in masses if r != least}
    step = common_step(list(spacings.values())) if spacings else None
    if spacings and step is None:
        return None
    indices = {least: 0} | {r: multiple(spacing, step) for r, spacing in spacings.items() if step is not None}

    def atoms(bits: int) -> Iterable[tuple[int, arb]]:
        return [(indices[r], ball(p / total)) for r, p in masses.items()]

    return LossDistribution(lambda: ball(least).log(), step, atoms, max(indices.values()), 1 - total)


def discrete_laplace_losses(loss: DiscreteLaplace) -> LossDistribution:
    """epsilon (2 i - shift) for 0 <= i <= shift, the masses of all integers <= 0 and >= shift at the ends."""
    e, shift = loss.epsilon, loss.shift

    def atoms(bits: int) -> Iterable[tuple[int, arb]]:
        q = ball(-e).exp()
        yield shift, 1 / (1 + q)
        mass = (1 - q) / (1 + q)
        for i in range(shift - 1, 0, -1):
            mass = mass * q
            yield i, mass
        yield 0, ball(-e * shift).exp() / (1 + q)

    return LossDistribution(lambda: ball(-e * shift), ExactReal(2 * e), atoms, shift)


def discrete_gaussian_losses(loss: DiscreteGaussian) -> LossDistribution:
    """(2 shift i - shift^2) / (2 variance) for all integers i, with the weights e^(-(i - shift)^2 / (2 variance))."""
    variance, shift = loss.variance, loss.shift

    def atoms(bits: int) -> Iterable[tuple[int, arb]]:
        weights, tail = half_gaussian(variance, bits)
        total = weights[0] + 2 * sum(weights[1:], ball(0)) + (2 * tail).union(ball(0))
        yield shift, weights[0] / total
        for i, weight in enumerate(islice(weights, 1, None), 1):
            yield from ((shift + i, weight / total), (shift - i, weight / total))

    return LossDistribution(
        lambda: ball(-Fraction(shift**2) / (2 * variance)), ExactReal(shift / variance), atoms, MOST_ATOMS
    )


def half_gaussian(variance: Fraction, bits: int) -> tuple[list[arb], arb]:
    """e^(-i^2 / (2 variance)) for i = 0, 1, ..., until their rest is at most 2^-bits, and that rest (Lemma 3.3)."""
    small, shrink = ball(Fraction(1, 2**bits)), ball(-1 / variance).exp()
    weights, ratio = [ball(1)], ball(-1 / (2 * variance)).exp()
    while len(weights) <= MOST_ATOMS:
        following = weights[-1] * ratio
        if following <= small * (1 - ratio):
            return weights, following / (1 - ratio)
        weights.append(following)
        ratio = ratio * shrink
    raise OutOfReach(f"a discrete Gaussian of variance {variance} has more than {2 * MOST_ATOMS} atoms that count")
