"""Exponential mechanism on a finite set: candidate i with probability proportional to exp(score_i / scale).

Claim: (2 d_in / scale)-DP for scores each of which moves by at most d_in; scale = 2 sensitivity / epsilon.
Source: MT07 Thm 6.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import UniformRejection, draws
from refdp.spec.selection import WeightedSelection
from refdp.spec.signatures import mechanism_signature
from refdp.spec.tails import Tails
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def log_weight(score: Real, scale: Real) -> Real:
    """ln P[candidate], up to a constant over the candidates."""
    return score / scale


@formula
def privacy_map(d_in: Real, scale: Real) -> Real:
    """Epsilon when each score moves by at most d_in: once for the weight, once for the sum of the weights."""
    return 2 * d_in / scale


@formula
def log_acceptance(score: Real, best: Real, scale: Real) -> Real:
    """ln of the probability with which a uniform candidate is accepted."""
    return (score - best) / scale


@formula
def log_tail(alpha: Real, scale: Real) -> Real:
    """ln of how much less weight a candidate has whose score is alpha below the best."""
    return -alpha / scale


@formula
def radius(level: Real, scale: Real) -> Real:
    """Where log_tail is -level."""
    return scale * level


EXPONENTIAL = register(
    WeightedSelection(
        stem="exponential",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(2)},
        log_weight=log_weight,
        privacy_map=privacy_map,
        tails=Tails(log_tail, radius),
    )
)
draws("exponential", UniformRejection(log_acceptance))


def exponential(scale: Exactly) -> Measurement:
    """scores -> index i with probability proportional to exp(score_i / scale); scale > 0, exact, in the scores' unit.

    Raises ValueError for others.

    >>> exponential(scale=2).map(1)
    Fraction(1, 1)
    """
    return measurement(EXPONENTIAL, mechanism_signature(EXPONENTIAL), scale=exact(scale, "scale"))
