"""Symmetric unary encoding: one bit for each of k values, each told truly with probability `truth`, else flipped.

Claim: ln(truth^2 / (1 - truth)^2)-DP between any two values, or a value and none; truth = t / (t + 1) with
t = e^(epsilon/2).  It is basic one-time RAPPOR, and with a told choice of hash functions Apple's count mean sketch.
Source: WBLJ17; EPK14.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import BitByBit, draws
from refdp.spec.signatures import mechanism_signature
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def dimension(k: Real) -> Real:
    """The number of bits: one for each value."""
    return k


@formula
def kept(truth: Real) -> Real:
    """With what probability the bit of the value is 1."""
    return truth


@formula
def raised(truth: Real) -> Real:
    """With what probability any other bit is 1."""
    return 1 - truth


@formula
def ratio_bound(truth: Real) -> Real:
    """e^epsilon: two bits differ, one falls and one rises."""
    return truth**2 / (1 - truth) ** 2


SYMMETRIC_UNARY_ENCODING = register(
    BitwiseLaw(
        stem="symmetric_unary_encoding",
        parameters=("k", "truth"),
        conditions=(read("integer(k)"), read("1 <= k"), read("1/2 <= truth"), read("truth < 1")),
        example={"k": term(3), "truth": read("2/3")},
        relation="value",
        dimension=dimension,
        kept=kept,
        raised=raised,
        ratio_bound=ratio_bound,
    )
)
draws("symmetric_unary_encoding", BitByBit())


def symmetric_unary_encoding(k: Exactly, truth: Exactly) -> Measurement:
    """value -> k bits, its own 1 and each other 0 with probability truth; -1 for none; 1/2 <= truth < 1, exact.

    Raises ValueError for others.

    >>> str(symmetric_unary_encoding(3, "2/3").map(1))
    'ln(4)'
    """
    return measurement(
        SYMMETRIC_UNARY_ENCODING,
        mechanism_signature(SYMMETRIC_UNARY_ENCODING),
        k=exact(k, "k"),
        truth=exact(truth, "truth"),
    )
