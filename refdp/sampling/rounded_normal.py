"""A normal variable rounded to a whole number, the nearest one: exactly, though no normal variable is ever computed.

P(k) = P[k - 1/2 < sigma N < k + 1/2].  The absolute value is K + U, K >= 0 whole and U in [0, 1), with a density in
proportion to

    e^(-(K + U)^2 / (2 sigma^2)) = e^(-K^2 / (2 sigma^2)) e^(-(2 K + U) U / (2 sigma^2)).

So K is drawn with the first factor as its weight, U uniformly, and both are kept with the second factor as the
probability, which a uniform V decides; else all is drawn anew.  The first digit of U rounds, and a fair sign is added.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from refdp.numerics.elementary import exp_bounds
from refdp.numerics.exact import Exactly, positive
from refdp.sampling.lazy import GUARD, Uniform
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.words import SYSTEM_WORDS, Source

FIRST_DIGITS = 64
"""Digits of U and V that are looked at first."""


def half_line(sigma: Exactly) -> Potential:
    """k^2 / (2 sigma^2) on k >= 0, where sigma > 0."""
    return Potential((Fraction(0), 1 / (2 * positive(sigma, "sigma") ** 2)), two_sided=False)


def is_kept(k: int, sigma: Fraction, u: Uniform, v: Uniform) -> bool:
    """Whether V < e^(-(2 k + U) U / (2 sigma^2)), exactly; more digits of both are revealed until they tell."""
    twice = 2 * sigma**2
    while True:
        (u_low, u_high), (v_low, v_high), bits = u.cell(), v.cell(), max(u.size, v.size) + GUARD
        if v_high <= exp_bounds(-(2 * k + u_high) * u_high / twice, bits)[0]:
            return True
        if exp_bounds(-(2 * k + u_low) * u_low / twice, bits)[1] <= v_low:
            return False
        u.reveal(u.source.step)
        v.reveal(v.source.step)


@lru_cache(maxsize=64)
def half_line_draws(sigma: Fraction) -> SlotDraws:
    """The sampler of K, made once."""
    return SlotDraws(certificate(half_line(sigma)))


def rounded_normal(sigma: Exactly, source: Source = SYSTEM_WORDS) -> int:
    """One draw, where sigma > 0 is in units of the grid; ValueError for others.

    >>> rounded_normal("1/1000")
    0
    """
    deviation = positive(sigma, "sigma")
    draws = half_line_draws(deviation)
    while (k := rounded(draws.one(source), deviation, source)) is None:
        pass
    return -k if source.digits(1) else k


def rounded(k: int, sigma: Fraction, source: Source) -> int | None:
    """K + U rounded to the nearest, where both are kept, else None; K = k."""
    u, v = Uniform(source), Uniform(source)
    u.reveal(1)
    return k + (u.digits >> u.size - 1) if is_kept(k, sigma, u, v) else None
