"""Moments of the likelihood ratio: ln of the integral of p^order q^(1 - order) where q > 0, from above.

Divided by order - 1 it is the Renyi divergence, if no outcome is possible under P only; `infinity_mass` is the
probability of those.  Lemmas 6.6 to 6.9 of docs/accounting_proofs.md.  Inside `precision` only.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball, real
from refdp.accounting.curves import OutOfReach
from refdp.accounting.losses import (
    BoundedRange,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    Laplace,
    Loss,
    Mixture,
    Normal,
    Renyi,
    Response,
    Sampled,
)
from refdp.accounting.stated.laws import lower_hull

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

REFLECTED = (Normal, Laplace, DiscreteLaplace, DiscreteGaussian)
"""Pairs that a reflection exchanges: what Lemma 6.9 asks of the pair that is sampled."""


def why_not(loss: Loss) -> str | None:
    """None if the moments of the pair are bounded here, else one sentence."""
    if isinstance(loss, Mixture):
        return next((reason for _, part in loss.parts if (reason := why_not(part))), None)
    if not isinstance(loss, Sampled):
        if isinstance(loss, (*REFLECTED, Response, Finite, Concentrated, Renyi, BoundedRange)):
            return None
        return f"no Renyi divergence is known of {type(loss).__name__}"
    if loss.direction == "replace":
        return "the Renyi divergence of a sampled mechanism under replacement is not bounded here"
    if isinstance(loss.base, (*REFLECTED, Finite)) or isinstance(loss.base, Response) and loss.base.delta == 0:
        return None
    return "Renyi divergences of a sampled mechanism are bounded for noise around a centre, responses and finite laws"


def log_moment(loss: Loss, order: Fraction) -> Ball:
    """A ball of which the upper end is at least ln of the moment, order > 1; OutOfReach where there is no bound."""
    match loss:
        case Normal():
            return ball(order * (order - 1) * loss.mu_squared / 2)
        case Concentrated():
            return ball(order * (order - 1) * loss.rho)
        case DiscreteGaussian():
            return ball(order * (order - 1) * Fraction(loss.shift**2) / (2 * loss.variance))
        case Renyi():
            return ball(_chord(loss, order))
        case Laplace():
            return _laplace(loss.epsilon, order).log()
        case DiscreteLaplace():
            return _discrete_laplace(loss, order).log()
        case BoundedRange():
            return _bounded_range(real(loss.epsilon), order)
        case Response():
            return _response(loss, order).log()
        case Finite():
            return _finite(loss, order).log()
        case Sampled(base=Finite()):
            return _finite(_mixed(loss), order).log()
        case Sampled():
            return _sampled(loss, order).log()
        case Mixture():
            (weight, first), *rest = loss.parts
            moments = [ball(share) * log_moment(part, order).exp() for share, part in rest]
            return sum(moments, ball(weight) * log_moment(first, order).exp()).log()
    raise OutOfReach(why_not(loss) or f"no Renyi divergence is known of {loss}")


def terms(loss: Loss, order: Fraction) -> int:
    """How many powers a moment of that order is made of."""
    match loss:
        case Finite(outcomes) | Sampled(base=Finite(outcomes)):
            return len(outcomes)
        case Sampled():
            return int(order)
        case Mixture(parts):
            return sum(terms(part, order) for _, part in parts)
    return 1


def _chord(loss: Renyi, order: Fraction) -> Fraction:
    """(order - 1) D: ln of a moment is convex in the order and 0 at 1, so it is below its chords (Lemma 6.6)."""
    for (a, f), (b, g) in pairwise(_least_chords(loss)):
        if a <= order <= b:
            return f + (g - f) * (order - a) / (b - a)
    raise OutOfReach(f"no Renyi divergence of an order >= {order} is given")


@lru_cache(maxsize=64)
def _least_chords(loss: Renyi) -> tuple[tuple[Fraction, Fraction], ...]:
    """The corners of the least of all chords, from the order 1 on."""
    return tuple(lower_hull([(Fraction(1), Fraction(0)), *((a, (a - 1) * e) for a, e in loss.bounds)]))


def _laplace(epsilon: Fraction, order: Fraction) -> Ball:
    """(a e^((a - 1) e) + (a - 1) e^(-a e)) / (2 a - 1) for a = order (Lemma 6.7)."""
    rises, falls = ball((order - 1) * epsilon).exp(), ball(-order * epsilon).exp()
    return (ball(order) * rises + ball(order - 1) * falls) / ball(2 * order - 1)


def _discrete_laplace(loss: DiscreteLaplace, order: Fraction) -> Ball:
    """The masses k <= 0, 0 < k < shift, shift <= k, of which the middle ones are a geometric sum (Lemma 6.7)."""
    e, s = loss.epsilon, loss.shift
    step, far = ball(-e).exp(), ball(order * e * s)
    ends = ((-far).exp() + ball(-e * s).exp() * far.exp()) / (1 + step)
    growth = ball((2 * order - 1) * e).exp()
    middle = growth * (ball((2 * order - 1) * e * (s - 1)).exp() - 1) / (growth - 1)
    return ends + (1 - step) / (1 + step) * (-far).exp() * middle


def _response(loss: Response, order: Fraction) -> Ball:
    """(1 - delta) (t^order + t^(1 - order)) / (1 + t) (Lemma 6.7)."""
    e = real(loss.epsilon)
    moment = ((ball(order) * e).exp() + (ball(1 - order) * e).exp()) / (1 + e.exp())
    return ball(1 - loss.delta) * moment


def _bounded_range(epsilon: Ball, order: Fraction) -> Ball:
    """ln of (A / a) ((a - 1) A / (a B))^(a - 1) / (e^e - 1), A = e^e - e^((1 - a) e), B = 1 - e^((1 - a) e) (6.7)."""
    first = epsilon.exp() * -(-ball(order) * epsilon).expm1()
    second = -(-ball(order - 1) * epsilon).expm1()
    ratio = ball((order - 1) / order) * first / second
    return (first / ball(order)).log() + ball(order - 1) * ratio.log() - epsilon.expm1().log()


def _finite(loss: Finite, order: Fraction) -> Ball:
    """The sum over the outcomes that are possible under Q."""
    terms = [(ball(order) * ball(p / q).log()).exp() * ball(q) for p, q in loss.outcomes if p > 0 and q > 0]
    if not terms:
        raise OutOfReach("no outcome is possible under both laws: delta is 1")
    return sum(terms[1:], terms[0])


def _mixed(loss: Sampled) -> Finite:
    """The pair of a sampled finite pair, outcome by outcome."""
    if not isinstance(loss.base, Finite):
        raise OutOfReach(f"no finite laws: {loss.base}")
    both = [(loss.rate * p + (1 - loss.rate) * q, q) for p, q in loss.base.outcomes]
    return Finite(tuple(both if loss.direction == "remove" else [(q, p) for p, q in both]))


def _sampled(loss: Sampled, order: Fraction) -> Ball:
    """The binomial sum of the base's moments, for whole orders; added rows cost no more (Lemmas 6.8 and 6.9)."""
    refusal = why_not(loss)
    if refusal is not None or order.denominator != 1:
        raise OutOfReach(refusal or f"the order of a sampled mechanism must be whole, got {order}")
    n, rate = int(order), loss.rate
    chance, odds = ball(1 - rate) ** n, ball(rate / (1 - rate))
    total = chance
    for j in range(1, n + 1):
        chance = chance * odds * (n - j + 1) / j  # C(n, j) rate^j (1 - rate)^(n - j)
        total = total + (chance * log_moment(loss.base, Fraction(j)).exp() if j > 1 else chance)
    return total
