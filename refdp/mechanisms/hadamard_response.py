"""Hadamard response: a column of the Hadamard matrix in which the value's row has +1, with probability `truth`.

Claim: ln(truth / (1 - truth))-DP between any two values; truth = e^epsilon / (e^epsilon + 1).
Rows are numbered from 0; value x has row x + 1, since row 0, of nothing but +1, would be supported by every column.
Source: ASZ19.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import SupportFirst, draws
from refdp.spec.signatures import mechanism_signature
from refdp.spec.supported import SupportedLaw
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def size(k: Real) -> Real:
    """The number of values."""
    return k


@formula
def told(truth: Real) -> Real:
    """With what probability the value's row has +1 in the column."""
    return truth


@formula
def ratio_bound(truth: Real) -> Real:
    """e^epsilon: half of all columns support any one value."""
    return truth / (1 - truth)


HADAMARD_RESPONSE = register(
    SupportedLaw(
        stem="hadamard_response",
        parameters=("k", "truth"),
        conditions=(read("integer(k)"), read("1 <= k"), read("1/2 <= truth"), read("truth < 1")),
        example={"k": term(3), "truth": read("4/5")},
        support="hadamard",
        size=size,
        told=told,
        ratio_bound=ratio_bound,
    )
)
draws("hadamard_response", SupportFirst())


def hadamard_response(k: Exactly, truth: Exactly) -> Measurement:
    """value below k -> a column 0, ..., K - 1, K the least power of 2 above k; k >= 1 whole, 1/2 <= truth < 1, exact.

    Raises ValueError for others.

    >>> str(hadamard_response(3, "4/5").map(1))
    'ln(4)'
    """
    return measurement(
        HADAMARD_RESPONSE, mechanism_signature(HADAMARD_RESPONSE), k=exact(k, "k"), truth=exact(truth, "truth")
    )
