"""One pair as a list of atoms in whole numbers: losses and masses under P rounded down, masses under Q rounded up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball, whole_below
from refdp.accounting.losses import Base, DiscreteGaussian, DiscreteLaplace, Finite, Loss, Response, Sampled

if TYPE_CHECKING:
    from flint import arb

    from refdp.accounting.grids.tails import Event

ROUNDED = 2
"""A loss is between its whole number of units and so many units more."""
USUAL_BITS = 80
"""Binary digits to which the number of atoms that count is estimated beforehand."""


@dataclass(frozen=True, slots=True)
class Units:
    """Losses are in units of 2^-losses, masses under P of 2^-masses; atoms of mass up to `least` may be left out."""

    losses: int
    masses: int
    least: Fraction

    @property
    def precision(self) -> int:
        """Binary digits to work with."""
        return max(self.losses, self.masses) + 64


@dataclass(frozen=True, slots=True)
class Factor:
    """The atoms of a finite loss l with masses p = P and q = Q = p e^-l: rounded p <= p, rounded q >= q (Lemma 8.1)."""

    losses: list[int]
    """The greatest whole numbers of units that are known to be at most the losses, at most `ROUNDED` less."""
    p: list[int]
    q: list[int]
    bits: int
    """The masses q are in units of 2^-bits."""
    excess: arb
    """At least the sum over the atoms of e^l (rounded q) - p."""

    def __len__(self) -> int:
        return len(self.losses)


def base_of(loss: Loss) -> tuple[Base, Fraction | None, Sampled | None] | None:
    """The pair that has atoms, its rate, and the sampled pair itself; None for pairs without atoms alone."""
    sampled = loss if isinstance(loss, Sampled) else None
    base = sampled.base if sampled is not None else loss
    if not isinstance(base, Response | Finite | DiscreteLaplace | DiscreteGaussian):
        return None
    return base, sampled.rate if sampled is not None else None, sampled


def usual_size(base: Base) -> int:
    """About how many atoms count."""
    match base:
        case Response():
            return 2
        case Finite(outcomes):
            return len(outcomes)
        case DiscreteLaplace(_, shift):
            return 2 * shift + 1
        case DiscreteGaussian(variance, shift):
            return 2 * isqrt(int(2 * variance * USUAL_BITS) + 1) + shift
    raise TypeError(f"{base} must have atoms")


def events_of(loss: Loss) -> list[Event]:
    """(P, Q) of each outcome, but for outcomes of a mass that no working precision holds."""
    from refdp.accounting.grids.atoms import directed
    from refdp.accounting.grids.outcomes import outcomes

    found = base_of(loss)
    if found is None:
        raise TypeError(f"{loss} must have atoms")
    base, rate, sampled = found
    return directed(outcomes(base), rate, sampled.direction if sampled is not None else None)


def factor(loss: Loss, units: Units) -> Factor:
    """The atoms that count, at the precision that is set (Lemma 8.1)."""
    from flint import arb

    finite = [(event.p, event.q) for event in events_of(loss) if not (event.p.is_zero() or event.q.is_zero())]
    share = ball(units.least / max(len(finite), 1))
    kept = [(p, q, (p / q).log()) for p, q in finite if not p <= share]
    most = max((float(loss.mid()) for _, _, loss in kept), default=0.0)
    bits = units.masses + max(0, int(most * 1.5) + 2)  # e^most 2^-bits is less than a unit of P
    mass_unit, other_unit, loss_unit = (arb(2) ** n for n in (units.masses, bits, units.losses))
    p_masses = [max(floor(p * mass_unit), 0) for p, _, _ in kept]
    q_masses = [-floor(-q * other_unit) for _, q, _ in kept]
    excess = sum((p * (rounded / (q * other_unit) - 1) for (p, q, _), rounded in zip(kept, q_masses, strict=True)),
                 arb(0))  # fmt: skip
    losses = [close_floor(loss * loss_unit) for _, _, loss in kept]
    return Factor(losses, p_masses, q_masses, bits, arb(excess.upper()))


def floor(x: arb) -> int:
    """An integer <= each number in the ball."""
    found = whole_below(x)
    if found is None:
        raise ArithmeticError("the precision is too low for the masses of a product")
    return found


def close_floor(x: arb) -> int:
    """An integer n with n <= y <= n + ROUNDED for each number y in the ball."""
    found = floor(x)
    if not x <= found + ROUNDED:
        raise ArithmeticError("the precision is too low for the losses of a product")
    return found
