"""dBitFlip with one bucket: a uniform bucket of k, told, and a bit, which says truly whether it is the value's own.

Claim: ln(truth / (1 - truth))-DP between any two values, half the loss of `d_bit_flip` with more buckets.
Source: DKY17.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import SupportFirst, draws
from refdp.spec.signatures import mechanism_signature
from refdp.spec.supported import SupportedLaw
from refdp.spec.terms import read, term


@formula
def size(k: Real) -> Real:
    """The number of buckets."""
    return k


@formula
def told(truth: Real) -> Real:
    """With what probability the bit is true."""
    return truth


@formula
def ratio_bound(truth: Real) -> Real:
    """e^epsilon: one bit is sent."""
    return truth / (1 - truth)


ONE_BIT_FLIP = register(
    SupportedLaw(
        stem="one_bit_flip",
        parameters=("k", "truth"),
        conditions=(read("integer(k)"), read("1 <= k"), read("1/2 <= truth"), read("truth < 1")),
        example={"k": term(3), "truth": read("4/5")},
        support="one_bit",
        size=size,
        told=told,
        ratio_bound=ratio_bound,
    )
)
draws("one_bit_flip", SupportFirst())


def one_bit_flip(k: Exactly, truth: Exactly) -> Measurement:
    """value below k -> (bucket, bit); k >= 1 whole, 1/2 <= truth < 1, exact.

    Raises ValueError for others.

    >>> str(one_bit_flip(3, "4/5").map(1))
    'ln(4)'
    """
    return measurement(ONE_BIT_FLIP, mechanism_signature(ONE_BIT_FLIP), k=exact(k, "k"), truth=exact(truth, "truth"))
