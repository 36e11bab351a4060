"""dBitFlip: of k buckets d are chosen and told, each with a bit, which says truly whether it is the value's own.

Claim: ln(truth^2 / (1 - truth)^2)-DP between any two values, or a value and none; truth = t / (t + 1) with
t = e^(epsilon/2).
With one bucket the loss is half as much: `one_bit_flip`.
Source: DKY17.
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
    """The number of buckets."""
    return k


@formula
def sent(d: Real) -> Real:
    """Of how many buckets a bit is sent."""
    return d


@formula
def kept(truth: Real) -> Real:
    """With what probability the bit of the value's own bucket is 1."""
    return truth


@formula
def raised(truth: Real) -> Real:
    """With what probability any other bit is 1."""
    return 1 - truth


@formula
def ratio_bound(truth: Real) -> Real:
    """e^epsilon: two bits differ, one falls and one rises."""
    return truth**2 / (1 - truth) ** 2


D_BIT_FLIP = register(
    BitwiseLaw(
        stem="d_bit_flip",
        parameters=("k", "d", "truth"),
        conditions=(
            read("integer(k)"),
            read("integer(d)"),
            read("1 <= d"),
            read("d <= k"),
            read("1/2 <= truth"),
            read("truth < 1"),
        ),
        example={"k": term(4), "d": term(2), "truth": read("2/3")},
        relation="value",
        dimension=dimension,
        kept=kept,
        raised=raised,
        ratio_bound=ratio_bound,
        sent=sent,
    )
)
draws("d_bit_flip", BitByBit())


def d_bit_flip(k: Exactly, d: Exactly, truth: Exactly) -> Measurement:
    """value -> (d of the k buckets, a bit for each); -1 for none; 1 <= d <= k whole, 1/2 <= truth < 1, exact.

    Raises ValueError for others.

    >>> str(d_bit_flip(4, 2, "2/3").map(1))
    'ln(4)'
    """
    return measurement(
        D_BIT_FLIP,
        mechanism_signature(D_BIT_FLIP),
        k=exact(k, "k"),
        d=exact(d, "d"),
        truth=exact(truth, "truth"),
    )
