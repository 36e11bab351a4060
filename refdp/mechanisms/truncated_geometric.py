"""Truncated geometric mechanism: M(x) = clamp(x + Z, lower, upper), Z discrete Laplace.

The mass of the noise beyond an end is heaped on that end, so M is (d_in / scale)-DP.  (Renormalising the noise to
the range instead is not: see renormalised_geometric.)
Source: GRS12 Sec. 2.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import ClampedDraw, draws
from refdp.spec.signatures import mechanism_signature
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def log_weight(z: Real, scale: Real) -> Real:
    """ln P[Z = z], up to a constant in z."""
    return -abs(z) / scale


@formula
def interior(weight: Real, ratio: Real) -> Real:
    """P[M(x) = y] between the ends, where weight = ratio^|y - x| in grid steps."""
    return weight * (1 - ratio) / (1 + ratio)


@formula
def edge(weight: Real, ratio: Real) -> Real:
    """P[M(x) = y] at an end."""
    return weight / (1 + ratio)


@formula
def privacy_map(d_in: Real, scale: Real) -> Real:
    """The least epsilon at distance d_in (a multiple of the granularity)."""
    return d_in / scale


TRUNCATED_GEOMETRIC = register(
    ClampedGeometric(
        stem="truncated_geometric",
        parameters=("scale", "granularity", "lower", "upper"),
        conditions=(
            read("0 < scale"),
            read("0 < granularity"),
            read("lower < upper"),
            read("multiple(lower, granularity)"),
            read("multiple(upper, granularity)"),
        ),
        example={"scale": term(2), "granularity": term(1), "lower": term(0), "upper": term(10)},
        log_weight=log_weight,
        interior=interior,
        edge=edge,
        privacy_map=privacy_map,
    )
)
draws("truncated_geometric", ClampedDraw("discrete_laplace"))


def truncated_geometric(scale: Exactly, lower: Exactly, upper: Exactly, granularity: Exactly = 1) -> Measurement:
    """x -> x + Z clamped to [lower, upper], for x in that range, all multiples of `granularity`.

    scale > 0, granularity > 0, lower < upper, exact, in the unit of x.  Raises ValueError for others.

    >>> truncated_geometric(scale=2, lower=0, upper=10).map(1)
    Fraction(1, 2)
    """
    return measurement(
        TRUNCATED_GEOMETRIC,
        mechanism_signature(TRUNCATED_GEOMETRIC),
        scale=exact(scale, "scale"),
        granularity=exact(granularity, "granularity"),
        lower=exact(lower, "lower"),
        upper=exact(upper, "upper"),
    )
