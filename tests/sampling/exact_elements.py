"""Noise with a scale for each element, in exact arithmetic and without numpy: what `PerElement` must hold.

Digits are read in the order in which arrays read them.
"""

from fractions import Fraction as F
from math import floor

from refdp.sampling.bulk.slots import bulk_slots
from refdp.sampling.exponential import at_least, floor_of, prefix
from refdp.sampling.words import Source


def prefixes(n: int, source: Source) -> list[int]:
    """n draws of G = floor(2^49 E)."""
    return bulk_slots(prefix()).draws.many(n, source)


def geometric(scales: list[F], source: Source) -> list[int]:
    """floor(t E)."""
    return [floor_of(t, g, source) for t, g in zip(scales, prefixes(len(scales), source), strict=True)]


def laplace(scales: list[F], source: Source) -> list[int]:
    """A geometric draw with a fair sign; where that is minus zero, another.  Signs: a binary digit each."""
    n = len(scales)
    if n == 0:
        return []
    magnitudes = geometric(scales, source)
    signs = "".join(f"{octet:08b}" for octet in source.octets((n + 7) // 8))
    minus_zero = [i for i in range(n) if signs[i] == "1" and magnitudes[i] == 0]
    drawn = [-k if sign == "1" else k for k, sign in zip(magnitudes, signs, strict=False)]
    for i, k in zip(minus_zero, laplace([scales[i] for i in minus_zero], source), strict=True):
        drawn[i] = k
    return drawn


def gaussian(sigmas: list[F], source: Source) -> list[int]:
    """CKS20 Alg. 3: y, Laplace of scale t = floor(sigma) + 1, with probability e^-((|y| - sigma^2/t)^2 / 2 sigma^2)."""
    n = len(sigmas)
    if n == 0:
        return []
    whole = [F(floor(sigma) + 1) for sigma in sigmas]
    drawn = laplace(whole, source)
    refused = []
    for i, g in enumerate(prefixes(n, source)):
        variance = sigmas[i] ** 2
        gamma = (abs(drawn[i]) - variance / whole[i]) ** 2 / (2 * variance)
        if not at_least(gamma, g, source):
            refused.append(i)
    for i, k in zip(refused, gaussian([sigmas[i] for i in refused], source), strict=True):
        drawn[i] = k
    return drawn
