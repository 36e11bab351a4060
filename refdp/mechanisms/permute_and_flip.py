"""Permute and flip: the candidates in random order, the first accepted with probability exp((score - best) / scale).

The same law as reporting the greatest score after adding one-sided exponential noise of that scale to each.
Claim: (2 d_in / scale)-DP for scores each of which moves by at most d_in.
Source: MS20 Alg. 1 and Thm 1; DKSS21 (the same law as noisy max), proved in docs/soundness.md.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import OrderAndFlip, draws
from refdp.spec.selection import FlipSelection
from refdp.spec.signatures import mechanism_signature
from refdp.spec.tails import Tails
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def log_flip(gap: Real, scale: Real) -> Real:
    """ln of the probability that a candidate whose score is `gap` below the best is accepted."""
    return -gap / scale


@formula
def log_survival(z: Real, scale: Real) -> Real:
    """ln P[E >= z] for the one-sided exponential noise E."""
    return -max(z, 0) / scale


@formula
def privacy_map(d_in: Real, scale: Real) -> Real:
    """Epsilon when each score moves by at most d_in."""
    return 2 * d_in / scale


@formula
def log_tail(alpha: Real, scale: Real) -> Real:
    """ln of an upper bound of the probability that one candidate alpha or more below the best is chosen."""
    return -alpha / scale


@formula
def radius(level: Real, scale: Real) -> Real:
    """Where log_tail is -level."""
    return scale * level


PERMUTE_AND_FLIP = register(
    FlipSelection(
        stem="permute_and_flip",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(2)},
        log_flip=log_flip,
        log_survival=log_survival,
        privacy_map=privacy_map,
        tails=Tails(log_tail, radius),
    )
)
draws("permute_and_flip", OrderAndFlip())


def permute_and_flip(scale: Exactly) -> Measurement:
    """scores -> index of a candidate, as report noisy max with exponential noise; scale > 0, exact.

    Raises ValueError for others.

    >>> permute_and_flip(scale=2).map(1)
    Fraction(1, 1)
    """
    return measurement(PERMUTE_AND_FLIP, mechanism_signature(PERMUTE_AND_FLIP), scale=exact(scale, "scale"))
