"""One event alone: delta as a function of x = e^epsilon > 0 for each pair of laws, sampled or not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball, real
from refdp.accounting.closed_forms.formula import unknown
from refdp.accounting.closed_forms.normal import normal_delta
from refdp.accounting.losses import (
    Base,
    BoundedRange,
    DiscreteLaplace,
    Finite,
    FixedSize,
    Laplace,
    Loss,
    Mixture,
    Normal,
    Response,
    Sampled,
)
from refdp.numerics.enclosures import normal_tail
from refdp.numerics.exact import ExactReal

if TYPE_CHECKING:
    from flint import arb

Profile = Callable[["arb"], "arb"]
"""delta at e^epsilon = x, for every x > 0; a ball of x gives a ball that holds delta for each number in it."""


def single_formula(loss: Loss) -> Callable[[Fraction, int], arb] | None:
    """delta(epsilon) of one event, or None if it has no closed form here."""
    profile = profile_of(loss)
    return None if profile is None else lambda epsilon, bits: profile(ball(epsilon).exp())


def profile_of(loss: Loss) -> Profile | None:
    """The profile of one event, or None."""
    match loss:
        case Sampled(base, rate, "replace"):
            return replaced(base, rate)
        case Sampled(base, rate, direction):
            sampled = removed if direction == "remove" else added
            inner = base_profile(base)
            return None if inner is None else partial(sampled, inner if direction == "remove" else reverse(inner), rate)
        case FixedSize(base, rate):
            inner = base_profile(base)
            return None if inner is None else partial(fixed_size, inner, rate)
        case BoundedRange(epsilon):
            return partial(bounded_range_delta, epsilon)
        case Mixture(parts):
            return mixed([(weight, profile_of(part)) for weight, part in parts])
        case Normal() | Laplace() | Response() | Finite() | DiscreteLaplace():
            return base_profile(loss)
    return None


def mixed(parts: list[tuple[Fraction, Profile | None]]) -> Profile | None:
    """The mean of the profiles (Lemma 1.15), if all are known."""
    known = [(weight, profile) for weight, profile in parts if profile is not None]
    if len(known) < len(parts):
        return None
    return lambda x: sum((ball(weight) * profile(x) for weight, profile in known), ball(0))


def base_profile(base: Base) -> Profile | None:
    """The profile of a pair without sampling (Lemma 2.7), or None."""
    match base:
        case Normal():
            return lambda x: normal_delta(base, x.log(), x)
        case Laplace(epsilon):
            return lambda x: greatest(ball(0), 1 - x, 1 - x.sqrt() * (ball(-epsilon) / 2).exp())
        case Response():
            return partial(response_delta, base)
        case Finite(outcomes):
            return lambda x: sum(((ball(p) - x * ball(q)).max(ball(0)) for p, q in outcomes), ball(0))
        case DiscreteLaplace():
            return partial(discrete_laplace_delta, base)
    return None


def greatest(*balls: arb) -> arb:
    """The greatest of the numbers."""
    found = balls[0]
    for one in balls[1:]:
        found = found.max(one)
    return found


def response_delta(loss: Response, x: arb) -> arb:
    """d + (1 - d) max(0, 1 - x, (e^e - x) / (1 + e^e))."""
    largest, d = real(loss.epsilon).exp(), ball(loss.delta)
    return d + (1 - d) * greatest(ball(0), 1 - x, (largest - x) / (1 + largest))


def discrete_laplace_delta(loss: DiscreteLaplace, x: arb) -> arb:
    """The greatest of 0, 1 - x and P[Y >= t] - x Q[Y >= t], 1 <= t <= shift; the two t around ln x suffice."""
    e, shift = ball(loss.epsilon), loss.shift
    middle = (x.log() / e + shift) / 2  # the loss at t exceeds ln x if and only if t exceeds this
    low, high = (end.floor().unique_fmpz() for end in (middle.lower(), middle.upper()))
    if low is None or high is None or high > low + 1:
        return unknown()
    at_zero = 1 + (-e).exp()
    found = greatest(ball(0), 1 - x)
    for t in range(max(1, int(low)), min(shift, int(high) + 1) + 1):
        found = found.max(1 - ((t - 1 - shift) * e).exp() / at_zero - x * (-t * e).exp() / at_zero)
    return found


def bounded_range_delta(epsilon: ExactReal, x: arb) -> arb:
    """(e^(e/2) - sqrt x)^2 / (e^e - 1) for x from e^-e to e^e, 1 - x below and 0 above (Lemma 1.19)."""
    whole = real(epsilon)
    most, least = whole.exp(), (-whole).exp()
    inside = ((whole / 2).exp() - x.sqrt()) ** 2 / whole.expm1()
    if x <= least:
        return 1 - x
    if x >= most:
        return ball(0)
    return inside if x >= least and x <= most else inside.union(ball(0) if x > 1 else 1 - x)


def reverse(inner: Profile) -> Profile:
    """The profile of (Q, P): 1 - x + x delta(1 / x) (Lemma 2.1)."""
    return lambda x: 1 - x + x * inner(1 / x)


def removed(inner: Profile, rate: Fraction, x: arb) -> arb:
    """The profile of (rate P + (1 - rate) Q, Q), from that of (P, Q) (Lemma 2.8)."""
    at = 1 + (x - 1) / ball(rate)
    if at > 0:
        return ball(rate) * inner(at)
    return 1 - x if at <= 0 else unknown()


def added(inner: Profile, rate: Fraction, x: arb) -> arb:
    """The profile of (Q, rate P + (1 - rate) Q), from that of (Q, P) (Lemma 2.8)."""
    share = 1 - x * ball(1 - rate)
    if share > 0:
        return share * inner(x * ball(rate) / share)
    return ball(0) if share <= 0 else unknown()


def fixed_size(inner: Profile, rate: Fraction, x: arb) -> arb:
    """The profile of a sample of a fixed size, from that of its base pair; both forms are rate delta(1) at x = 1."""
    above, below = removed(inner, rate, x), added(inner, rate, x)
    if x >= 1:
        return above
    return below if x <= 1 else above.union(below)


def replaced(base: Base, rate: Fraction) -> Profile | None:
    """The profile of (rate P + (1 - rate) Q, rate P' + (1 - rate) Q), P' being P reflected (Lemma 2.9), or None."""
    match base:
        case Normal():
            return partial(mirrored_below, partial(replaced_normal, base, rate))
        case Laplace():
            return partial(mirrored_below, partial(replaced_laplace, base, rate))
    return None


def mirrored_below(above: Profile, x: arb) -> arb:
    """The profile of a pair that is like its reverse, from its values at x >= 1 (Lemma 2.1)."""
    if x >= 1:
        return above(x)
    return 1 - x + x * above(1 / x) if x < 1 else unknown()


def replaced_normal(base: Normal, rate: Fraction, x: arb) -> arb:
    """The half line from t on, where q c v^2 + (1 - q) (1 - x) v = x q c at v = e^(mu t), c = e^(-mu^2 / 2)."""
    mu, q, rest = ball(base.mu_squared).sqrt(), ball(rate), ball(1 - rate)
    c, linear = q * (-ball(base.mu_squared) / 2).exp(), rest * (x - 1)
    t = ((linear + (linear**2 + 4 * x * c**2).sqrt()) / (2 * c)).log() / mu
    return q * (normal_tail(t - mu) - x * normal_tail(t + mu)) + rest * (1 - x) * normal_tail(t)


def replaced_laplace(base: Laplace, rate: Fraction, x: arb) -> arb:
    """q (1 - e^(t - e))_+ where 1 - q + q e^(2 t - e) = x (1 - q + q e^-e), q being the rate."""
    shrink, q = ball(-base.epsilon).exp(), ball(rate)
    squared = x + ball(1 - rate) * (x - 1) / (q * shrink)  # e^(2 t)
    return (q * (1 - squared.sqrt() * shrink)).max(ball(0))
