"""Geometric noise renormalised to {0, ..., upper}: P[M(x) = y] proportional to exp(-|y - x| / scale).

It is often taken to be (d_in / scale)-DP like the truncated geometric mechanism.  It is not: the normaliser depends
on x.  It stands here for that false claim, which the ledger refutes; it has no constructor and no sampler.
"""

from __future__ import annotations

from refdp.spec.finite import FiniteWeights
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def size(upper: Real) -> Real:
    """The number of values."""
    return upper + 1


@formula
def log_weight(output: Real, input: Real, scale: Real) -> Real:  # noqa: A002
    """ln P[M(input) = output], up to a constant in output."""
    return -abs(output - input) / scale


RENORMALISED_GEOMETRIC = register(
    FiniteWeights(
        stem="renormalised_geometric",
        parameters=("scale", "upper"),
        conditions=(read("0 < scale"), read("integer(upper)"), read("1 <= upper")),
        example={"scale": term(1), "upper": term(2)},
        size=size,
        log_weight=log_weight,
    )
)
