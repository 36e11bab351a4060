"""Optimised unary encoding: one bit for each of k values, a fair coin for the value, rarer ones for all others.

Claim: ln(ratio)-DP between any two values, or a value and none, where the others are 1 with probability 1/(ratio + 1).
Source: WBLJ17.
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
def kept() -> Real:
    """With what probability the bit of the value is 1."""
    return 1 / 2


@formula
def raised(ratio: Real) -> Real:
    """With what probability any other bit is 1."""
    return 1 / (ratio + 1)


@formula
def ratio_bound(ratio: Real) -> Real:
    """e^epsilon: two bits differ, one falls and one rises."""
    return ratio


OPTIMISED_UNARY_ENCODING = register(
    BitwiseLaw(
        stem="optimised_unary_encoding",
        parameters=("k", "ratio"),
        conditions=(read("integer(k)"), read("1 <= k"), read("1 <= ratio")),
        example={"k": term(3), "ratio": term(4)},
        relation="value",
        dimension=dimension,
        kept=kept,
        raised=raised,
        ratio_bound=ratio_bound,
    )
)
draws("optimised_unary_encoding", BitByBit())


def optimised_unary_encoding(k: Exactly, ratio: Exactly) -> Measurement:
    """value -> k bits, its own a fair coin, others 1 with probability 1/(ratio + 1); -1 for none; ratio >= 1, exact.

    Raises ValueError for others.

    >>> str(optimised_unary_encoding(3, 4).map(1))
    'ln(4)'
    """
    return measurement(
        OPTIMISED_UNARY_ENCODING,
        mechanism_signature(OPTIMISED_UNARY_ENCODING),
        k=exact(k, "k"),
        ratio=exact(ratio, "ratio"),
    )
