"""From the pairs of `losses` to what a grid must know of them."""

from __future__ import annotations

from flint import arb

from refdp.accounting.balls import ball, real
from refdp.accounting.grids.atoms import atoms
from refdp.accounting.grids.fixed_size import TwoBranches
from refdp.accounting.grids.mixed import Mixed
from refdp.accounting.grids.noise import Add, LaplaceNoise, Noise, NormalNoise, Plain, RangeNoise, Remove
from refdp.accounting.grids.outcomes import number, outcomes
from refdp.accounting.grids.replacement import ReplaceLaplace, ReplaceNormal
from refdp.accounting.grids.tails import Pair
from refdp.accounting.losses import (
    BoundedRange,
    Concentrated,
    FixedSize,
    Laplace,
    Loss,
    Mixture,
    Normal,
    Profile,
    Renyi,
    Sampled,
)


def pair(loss: Loss) -> Pair:
    """The tails of the loss; made and used at one precision."""
    match loss:
        case Sampled():
            return _sampled(loss)
        case FixedSize():
            return _fixed_size(loss)
        case BoundedRange(epsilon):
            return Plain(RangeNoise(real(epsilon)))
        case Mixture(parts):
            return Mixed([(ball(weight), pair(one)) for weight, one in parts])
        case Profile() | Concentrated() | Renyi():
            raise TypeError(f"{loss} is no pair of laws")
        case Normal() | Laplace():
            return Plain(_noise(loss))
        case _:
            return atoms(outcomes(loss))


def outcomes_of(loss: Loss) -> int:
    """About how many outcomes `pair` lists, at the precision that is set."""
    match loss:
        case Mixture(parts):
            return sum(outcomes_of(one) for _, one in parts)
        case Sampled(base):
            return outcomes_of(base)
        case FixedSize(base):
            return 2 * outcomes_of(base)
        case Normal() | Laplace() | BoundedRange() | Profile() | Concentrated() | Renyi():
            return 1
        case _:
            return number(loss)


def _noise(base: Normal | Laplace) -> Noise:
    if isinstance(base, Laplace):
        return LaplaceNoise(ball(base.epsilon))
    return NormalNoise(ball(base.mu_squared).sqrt(), arb(2).sqrt())


def _sampled(loss: Sampled) -> Pair:
    """Poisson sampling of the base."""
    base, rate = loss.base, ball(loss.rate)
    match base, loss.direction:
        case Normal(), "replace":
            return ReplaceNormal(ball(base.mu_squared).sqrt(), rate)
        case Laplace(), "replace":
            return ReplaceLaplace(ball(base.epsilon), rate)
        case ((Normal() | Laplace()), "remove"):
            return Remove(_noise(base), rate)
        case ((Normal() | Laplace()), _):
            return Add(_noise(base), rate)
        case _:
            return atoms(outcomes(base), loss.rate, loss.direction)


def _fixed_size(loss: FixedSize) -> Pair:
    """(rate P + (1 - rate) Q, Q) at x >= 1 and (P, rate Q + (1 - rate) P), the add direction of (Q, P), below 1."""
    base, rate = loss.base, ball(loss.rate)
    if isinstance(base, Normal | Laplace):  # (P, Q) is (Q, P) up to reflection
        return TwoBranches(Remove(_noise(base), rate), Add(_noise(base), rate))
    law = outcomes(base)
    return TwoBranches(atoms(law, loss.rate, "remove"), atoms(law.reversed(), loss.rate, "add"))
