"""Potentials of Laplace and Gauss, as the definition has them: the oracle of what is read from the mechanisms."""

from fractions import Fraction as F

from refdp.sampling.potentials import Potential


def laplace(scale) -> Potential:
    """|k| / scale."""
    return Potential((1 / F(scale),))


def gaussian(sigma) -> Potential:
    """k^2 / (2 sigma^2)."""
    return Potential((F(0), 1 / (2 * F(sigma) ** 2)))
