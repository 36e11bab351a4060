"""One exponential variable for every scale: E with P(E >= x) = e^-x, of which G = floor(2^digits E) is known.

floor(t E) is geometric with ratio e^(-1/t), and E >= gamma has probability e^-gamma.  G nearly always tells; where it
does not, the rest F = 2^digits E - G in [0, 1) is compared: it is independent of G, P(F < f) = (1 - e^-cf) / (1 - e^-c)
with c = 2^-digits.  A variable may answer one question only.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import Enclosure, Uniform, bernoulli, exp_minus, inverse_cdf
from refdp.sampling.potentials import Potential
from refdp.sampling.words import Source

DIGITS = 49
"""Digits of E behind the point that a table draws."""


def prefix(digits: int = DIGITS) -> Potential:
    """The law of G: P(G = g) is proportional to e^-(g / 2^digits), g >= 0."""
    return Potential((Fraction(1, 1 << digits),), two_sided=False)


def floor_of(scale: Fraction, g: int, source: Source, digits: int = DIGITS) -> int:
    """floor(scale E), where G = g: the least k with scale E < k + 1."""
    step = scale / (1 << digits)
    first, last = floor(step * g), ceil(step * (g + 1)) - 1
    return inverse_cdf(Uniform(source), lambda k: rest_below((k + 1) / step - g, digits), first, last)


def at_least(gamma: Fraction, g: int, source: Source, digits: int = DIGITS) -> bool:
    """Whether E >= gamma, where G = g."""
    f = gamma * (1 << digits) - g
    return f <= 0 or f < 1 and not bernoulli(rest_below(f, digits), source)


def rest_below(f: Fraction, digits: int) -> Enclosure:
    """P(F < f) = (1 - e^-cf) / (1 - e^-c), where 0 < f < 1."""
    c = Fraction(1, 1 << digits)

    def enclosure(bits: int) -> Interval:
        more = bits + digits + (1 / f).__ceil__().bit_length() + 4  # for the digits that the differences lose
        one = Interval(Fraction(1), Fraction(1), more)
        return (one - exp_minus(c * f)(more)) / (one - exp_minus(c)(more))

    return enclosure
