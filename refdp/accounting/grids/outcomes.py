"""Laws on countably many outcomes, as lists of masses under P, Q and (for noise) P moved the other way.

Outcomes with the same ratios are one.  What lies beyond the list has at most the mass `rest`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from flint import arb, ctx

from refdp.accounting.balls import ball, real
from refdp.accounting.curves import OutOfReach
from refdp.accounting.losses import Base, DiscreteGaussian, DiscreteLaplace, Finite, Response

MOST_OUTCOMES = 200_000
"""A law with more outcomes than these is out of reach."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Masses (P, Q, P reflected) of each outcome, a bound of what each law has beyond, and the spacing of losses."""

    masses: list[tuple[arb, arb, arb]]
    rest: arb
    spacing: arb | None = None

    def reversed(self) -> Outcomes:
        """The same with P and Q exchanged."""
        return Outcomes([(q, p, arb(0)) for p, q, _ in self.masses], self.rest, self.spacing)


def number(base: Base) -> int:
    """About how many outcomes are listed."""
    match base:
        case Finite(outcomes):
            return len(outcomes)
        case DiscreteLaplace(_, shift):
            return 2 * shift + 1
        case DiscreteGaussian(variance, shift):
            return 2 * (isqrt(int(2 * variance * ctx.prec)) + shift) + 3
    return 4


def outcomes(base: Base) -> Outcomes:
    """The outcomes of a base pair that is not continuous."""
    match base:
        case Response():
            return _response(base)
        case Finite():
            pairs = [(ball(p), ball(q)) for p, q in base.outcomes]
            return Outcomes([(p, q, arb(0)) for p, q in pairs], arb(0))
        case DiscreteLaplace():
            return _laplace(base)
        case DiscreteGaussian():
            return _gaussian(base)
        case _:
            raise TypeError(f"{base} is continuous")


def _response(base: Response) -> Outcomes:
    """(delta, (1 - delta) t, (1 - delta) (1 - t), 0) with t = 1 / (1 + e^-epsilon), and the same backwards."""
    epsilon, delta = real(base.epsilon), ball(base.delta)
    t, u = (1 - delta) / (1 + (-epsilon).exp()), (1 - delta) / (1 + epsilon.exp())
    unseen = [(delta, arb(0), arb(0)), (arb(0), delta, arb(0))] if base.delta > 0 else []
    seen = [(t, u, arb(0)), (u, t, arb(0))] if base.delta < 1 else []
    return Outcomes(unseen + seen, arb(0), 2 * epsilon)


def _laplace(base: DiscreteLaplace) -> Outcomes:
    """With a = e^-epsilon, the masses are a^|k| (1 - a) / (1 + a); those of all k <= 0 sum to 1 / (1 + a).

    Outcomes: all k <= -shift, each k between, all k >= shift.
    """
    epsilon, shift = ball(base.epsilon), _affordable(base.shift, 0)
    a, powers = (-epsilon).exp(), [(-epsilon * k).exp() for k in range(2 * shift + 1)]
    near, scale = 1 / (1 + a), (1 - a) / (1 + a)
    far, farther = powers[shift] * near, powers[2 * shift] * near
    inner = [_around(powers, k, shift, scale) for k in range(1 - shift, shift)]
    return Outcomes([(farther, far, near), *inner, (near, far, farther)], arb(0), 2 * epsilon)


def _gaussian(base: DiscreteGaussian) -> Outcomes:
    """Weights w_k = e^(-k^2 / (2 v)); those beyond K sum to at most w_K / (e^(K / v) - 1) on each side (Lemma 4.3)."""
    v, shift = ball(base.variance), base.shift
    last = _affordable(isqrt(int(2 * base.variance * ctx.prec)) + 1, shift)
    weights = [(-k * k / (2 * v)).exp() for k in range(last + 2 * shift + 1)]
    beyond = 2 * weights[last] / (arb(last) / v).expm1()
    scale = 1 / (2 * sum(weights[1 : last + 1], arb(0)) + weights[0] + beyond.union(arb(0)))
    masses = [_around(weights, k, shift, scale) for k in range(-last - shift, last + shift + 1)]
    return Outcomes(masses, arb(beyond.upper()), shift / v)


def _around(weights: list[arb], k: int, shift: int, scale: arb) -> tuple[arb, arb, arb]:
    """The masses of k where the centre is at shift, 0, -shift."""
    return weights[abs(k - shift)] * scale, weights[abs(k)] * scale, weights[abs(k + shift)] * scale


def _affordable(most: int, shift: int) -> int:
    """`most`, if so many outcomes on each side can be listed; else OutOfReach."""
    if most + shift > MOST_OUTCOMES:
        raise OutOfReach(f"a law on the integers has more than {2 * MOST_OUTCOMES} outcomes that matter")
    return most
