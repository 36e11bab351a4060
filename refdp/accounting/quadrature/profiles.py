"""Profiles delta(x) as analytic functions, piece by piece: what a disc of x > 0 must lie in for one formula to hold.

Each function takes a disc of complex x and the real numbers in it, and gives the formula's values if one analytic
formula is delta at all of these real numbers, and is analytic on the whole disc; else None.  The formulas are those of
Lemmas 2.2 and 2.7 to 2.9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from refdp.accounting.balls import ball
from refdp.accounting.closed_forms.single import profile_of
from refdp.accounting.losses import Direction, FixedSize, Laplace, Loss, Normal, Sampled

Analytic = Callable[[acb, arb], acb | None]


@dataclass(frozen=True, slots=True)
class Formulas:
    """A profile by analytic formulas, and how much lower than it they may be (never higher)."""

    at: Analytic
    below: arb


def formulas(loss: Loss, bits: int) -> Formulas | None:
    """The profile of a pair of continuous laws, up to about 2^-bits; None for others.

    The constants in it are worked out once, at the precision that is set.
    """
    match loss:
        case Normal() | Laplace():
            return Formulas(noise(loss), arb(0))
        case Sampled(Normal() as base, rate, "replace"):
            return Formulas(replaced_normal(base, rate), arb(0))
        case Sampled(Laplace() as base, rate, "replace"):
            return Formulas(replaced_laplace(base, rate), arb(0))
        case Sampled(Normal() | Laplace() as base, rate, direction):
            least = least_share(base, rate, bits)
            below = left_out(base, rate, least, direction)
            return Formulas((removed if direction == "remove" else added)(noise(base), ball(rate), least), below)
        case FixedSize(Normal() | Laplace() as base, rate):
            least = least_share(base, rate, bits)
            below = left_out(base, rate, least, "remove").max(left_out(base, rate, least, "add"))
            return Formulas(fixed_size(noise(base), ball(rate), least), below)
    return None


def noise(base: Normal | Laplace) -> Analytic:
    """The profile of noise without sampling, which is that of its reverse, too."""
    return normal(base) if isinstance(base, Normal) else laplace(base)


def least_share(base: Normal | Laplace, rate: Fraction, bits: int) -> arb:
    """A number up to which 1 - x or 0 is near enough to the profile of sampled noise, and analytic: Lemma 9.2."""
    if isinstance(base, Laplace):
        return ball(rate) * ball(-base.epsilon).exp() / 4
    return ball(rate) * (-(ball(2 * bits * base.mu_squared)).sqrt() - ball(base.mu_squared)).exp() / 4


def left_out(base: Normal | Laplace, rate: Fraction, least: arb, direction: Direction) -> arb:
    """At least how much greater the profile is than 1 - x or 0 there (Lemma 9.2)."""
    inner = profile_of(base)
    if inner is None:
        raise TypeError(f"{base} has no profile")
    share = ball(rate)
    if direction == "remove":
        return share * least * inner(1 / least)
    return least * inner(share * (1 - least) / (ball(1 - rate) * least))


def right_half(*discs: acb) -> bool:
    """Whether all these numbers have positive real parts: logarithms and roots of them are analytic."""
    return all(bool(disc.real > 0) for disc in discs)


def normal(loss: Normal) -> Analytic:
    """Phi(mu/2 - ln x / mu) - x Phi(-mu/2 - ln x / mu)."""
    mu, root = ball(loss.mu_squared).sqrt(), ball(2 * loss.mu_squared).sqrt()
    half = mu * mu / 2

    def at(x: acb, _: arb) -> acb | None:
        if not right_half(x):
            return None
        log = x.log()
        return (((log - half) / root).erfc() - x * ((log + half) / root).erfc()) / 2

    return at


def laplace(loss: Laplace) -> Analytic:
    """1 - x up to e^-e, 1 - sqrt(x) e^(-e/2) up to e^e, then 0."""
    least, shrink = ball(-loss.epsilon).exp(), ball(-loss.epsilon / 2).exp()

    def at(x: acb, here: arb) -> acb | None:
        if here <= least:
            return 1 - x
        if here * least >= 1:
            return acb(0)
        inside = here >= least and here * least <= 1 and right_half(x)
        return 1 - x.sqrt() * shrink if inside else None

    return at


def removed(inner: Analytic, share: arb, least: arb) -> Analytic:
    """q D(1 + (x - 1) / q) where 1 + (x - 1) / q is at least `least`, else 1 - x."""

    def at(x: acb, here: arb) -> acb | None:
        moved, real = 1 + (x - 1) / share, 1 + (here - 1) / share
        if real <= least:
            return 1 - x
        found = inner(moved, real) if real >= least else None
        return None if found is None else share * found

    return at


def added(inner: Analytic, share: arb, least: arb) -> Analytic:
    """s D(q x / s) where s = 1 - (1 - q) x is at least `least`, else 0; D is the profile of the reverse, too."""
    rest = 1 - share

    def at(x: acb, here: arb) -> acb | None:
        left, real = 1 - rest * x, 1 - rest * here
        if real <= least:
            return acb(0)
        if not (real >= least and right_half(left)):
            return None
        found = inner(share * x / left, share * here / real)
        return None if found is None else left * found

    return at


def fixed_size(inner: Analytic, share: arb, least: arb) -> Analytic:
    """The first of the above for x >= 1, the second for x <= 1."""
    above, below = removed(inner, share, least), added(inner, share, least)

    def at(x: acb, here: arb) -> acb | None:
        if here >= 1:
            return above(x, here)
        return below(x, here) if here <= 1 else None

    return at


def replaced_normal(base: Normal, rate: Fraction) -> Analytic:
    """The half line from t on, where q c v^2 + (1 - q) (1 - x) v = x q c at v = e^(mu t), c = e^(-mu^2 / 2)."""
    mu, q, rest, root_two = ball(base.mu_squared).sqrt(), ball(rate), ball(1 - rate), arb(2).sqrt()
    c = q * (-ball(base.mu_squared) / 2).exp()

    def at(x: acb, _: arb) -> acb | None:
        linear = rest * (x - 1)
        square = linear**2 + 4 * x * c**2
        if not right_half(square):
            return None
        root = square.sqrt()
        v = (linear + root) / (2 * c) if linear.real.mid() >= 0 else 2 * c * x / (root - linear)  # no cancellation
        if not right_half(v):
            return None
        t = v.log() / mu
        right, left, centre = (((t - move) / root_two).erfc() / 2 for move in (mu, -mu, arb(0)))
        return q * (right - x * left) + rest * (1 - x) * centre

    return at


def replaced_laplace(base: Laplace, rate: Fraction) -> Analytic:
    """q (1 - e^(t - e))_+ where 1 - q + q e^(2 t - e) = x (1 - q + q e^-e) for x >= 1, and mirrored below."""
    shrink, q, rest = ball(-base.epsilon).exp(), ball(rate), ball(1 - rate)

    def above(x: acb, here: arb) -> acb | None:
        slope = 1 + rest / (q * shrink)
        squared, real = 1 + (x - 1) * slope, 1 + (here - 1) * slope  # e^(2 t)
        if real * shrink**2 >= 1:
            return acb(0)
        inside = real * shrink**2 <= 1 and right_half(squared)
        return q * (1 - squared.sqrt() * shrink) if inside else None

    def at(x: acb, here: arb) -> acb | None:
        if here >= 1:
            return above(x, here)
        found = above(1 / x, 1 / here) if here <= 1 else None
        return None if found is None else 1 - x + x * found

    return at
