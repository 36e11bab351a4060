"""Enclosures of the variance of noise on a grid, in units of the grid; the mean is 0, as the weights are symmetric."""

from __future__ import annotations

from fractions import Fraction

from refdp.numerics.intervals import Interval
from refdp.sampling.lazy import exp_minus
from refdp.sampling.potentials import Potential

MOST_TERMS = 3000
"""Most weights that are added up."""
NEGLIGIBLE = 80
"""Weights below e^-80 are left to the bound of the tail."""


def variance(q: Potential, bits: int = 64) -> Interval | None:
    """An enclosure of (sum of k^2 e^-q(k)) / (sum of e^-q(k)) over the integers; None where none is at hand."""
    if not q.two_sided:
        return None
    if not any(q.coefficients[1:]):
        return geometric_variance(q.coefficients[0], bits)
    if len(q.coefficients) == 2 and not q.coefficients[0] and q.coefficients[1] <= Fraction(1, 4):
        return gaussian_variance(1 / (2 * q.coefficients[1]), bits)
    return summed_variance(q, bits)


def geometric_variance(rate: Fraction, bits: int) -> Interval:
    """2 r / (1 - r)^2 with r = e^-rate: the variance of weights r^|k|."""
    more = bits + 2 * (1 / rate).__ceil__().bit_length() + 8  # for the digits that 1 - r loses
    ratio = exp_minus(rate)(more)
    rest = _exactly(Fraction(1), more) - ratio
    return _exactly(Fraction(2), more) * ratio / (rest * rest)


def gaussian_variance(square: Fraction, bits: int) -> Interval:
    """The variance of weights e^(-k^2 / (2 s)), where s = `square` >= 1: within 158 s e^(-19 s) s below s.

    By Poisson's summation formula with q = e^(-2 pi^2 s), sum of k^2 w(k) / sum of w(k) = s - s D,
    D = 4 pi^2 s (sum over m in Z of m^2 q^(m^2)) / (sum over m in Z of q^(m^2)) >= 0.  As s >= 1, q < 1/1000, so
    sum over m >= 1 of m^2 q^(m^2 - 1) < 2, and the denominator is >= 1: D <= 16 pi^2 s q <= 158 s e^(-19 s), by
    9.5 < pi^2 < 9.87.
    """
    least = exp_minus(min(19 * square, Fraction(2**19)))(bits)
    return Interval(max(Fraction(0), square * (1 - 158 * square * least.upper)), square, bits)


def summed_variance(q: Potential, bits: int) -> Interval | None:
    """By adding weights up to K, and bounds of the tails: w(K + g) <= w(K) r^g with r = e^-(q(K + 1) - q(K)).

    The sum over g >= 0 of (K + g)^2 r^g is at most (K + 1)^2 times that of (1 + g)^2 r^g = (1 + r) / (1 - r)^3.
    """
    end = next((k for k in range(2, MOST_TERMS) if q(k) > NEGLIGIBLE), None)
    if end is None:
        return None
    total, squares = _exactly(Fraction(1), bits), _exactly(Fraction(0), bits)
    for k in range(1, end):
        weight = q.weight(k)(bits)
        total, squares = total + weight + weight, squares + _exactly(Fraction(2 * k * k), bits) * weight
    one, ratio = _exactly(Fraction(1), bits), exp_minus(q.slope(end))(bits)
    tail = _exactly(Fraction(2 * (end + 1) ** 2), bits) * q.weight(end)(bits) * (one + ratio) / (one - ratio) ** 3
    beyond = Interval(Fraction(0), Fraction(1), bits) * tail
    return (squares + beyond) / (total + beyond)


def _exactly(x: Fraction, bits: int) -> Interval:
    """The point x."""
    return Interval(x, x, bits)
