"""RAPPOR's permanent response: each bit of a filter is drawn anew, 0 or 1 as likely, with probability f, else kept.

Claim: d_in ln((1 - f/2) / (f/2))-DP between filters that differ in at most d_in bits: with h hash functions 2 h.
Source: EPK14 Thm 1.
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
def dimension(bits: Real) -> Real:
    """The number of bits of a filter."""
    return bits


@formula
def kept(f: Real) -> Real:
    """With what probability a bit that is 1 stays 1."""
    return 1 - f / 2


@formula
def raised(f: Real) -> Real:
    """With what probability a bit that is 0 becomes 1."""
    return f / 2


@formula
def ratio_bound(f: Real) -> Real:
    """e to the loss of one bit."""
    return (1 - f / 2) / (f / 2)


PERMANENT_RESPONSE = register(
    BitwiseLaw(
        stem="permanent_response",
        parameters=("bits", "f"),
        conditions=(read("integer(bits)"), read("1 <= bits"), read("0 < f"), read("f <= 1")),
        example={"bits": term(4), "f": read("1/2")},
        relation="l1",
        dimension=dimension,
        kept=kept,
        raised=raised,
        ratio_bound=ratio_bound,
    )
)
draws("permanent_response", BitByBit())


def permanent_response(bits: Exactly, f: Exactly) -> Measurement:
    """filter -> its bits, each drawn anew with probability f; bits >= 1 whole, 0 < f <= 1, exact.

    Raises ValueError for others.

    >>> permanent_response(4, "1/2").check(4, "4 * ln(3)")
    True
    """
    return measurement(
        PERMANENT_RESPONSE, mechanism_signature(PERMANENT_RESPONSE), bits=exact(bits, "bits"), f=exact(f, "f")
    )
