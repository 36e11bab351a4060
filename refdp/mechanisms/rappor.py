"""RAPPOR, one report: the permanent response to a filter, then a coin of probability q for each 1, of p for each 0.

Claim: d_in ln(Q (1 - P) / (P (1 - Q)))-DP between filters of which d_in ones were exchanged, with h hash functions h;
Q and P are the probabilities that a bit is reported 1 if it is set and if not: Q = (1 - f/2) q + f/2 p,
P = (1 - f/2) p + f/2 q.
Source: EPK14 Thm 2.
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
def kept(f: Real, p: Real, q: Real) -> Real:
    """With what probability a bit that is set is reported 1."""
    return (1 - f / 2) * q + f / 2 * p


@formula
def raised(f: Real, p: Real, q: Real) -> Real:
    """With what probability any other bit is reported 1."""
    return (1 - f / 2) * p + f / 2 * q


@formula
def ratio_bound(f: Real, p: Real, q: Real) -> Real:
    """e to the loss of two bits, of which one falls and one rises."""
    return (
        ((1 - f / 2) * q + f / 2 * p)
        * (1 - ((1 - f / 2) * p + f / 2 * q))
        / (((1 - f / 2) * p + f / 2 * q) * (1 - ((1 - f / 2) * q + f / 2 * p)))
    )


RAPPOR = register(
    BitwiseLaw(
        stem="rappor",
        parameters=("bits", "f", "p", "q"),
        conditions=(
            read("integer(bits)"),
            read("1 <= bits"),
            read("0 <= f"),
            read("f <= 1"),
            read("0 < p"),
            read("p <= q"),
            read("q < 1"),
        ),
        example={"bits": term(4), "f": read("1/2"), "p": read("1/2"), "q": read("3/4")},
        relation="exchange",
        dimension=dimension,
        kept=kept,
        raised=raised,
        ratio_bound=ratio_bound,
    )
)
draws("rappor", BitByBit())


def rappor(bits: Exactly, f: Exactly, p: Exactly, q: Exactly) -> Measurement:
    """filter -> one report of its bits; bits >= 1 whole, 0 <= f <= 1, 0 < p <= q < 1, exact.

    The map is of one report: with the same permanent response to all of them, every number of reports has at most the
    loss of `permanent_response`.  Raises ValueError for others.

    >>> rappor(4, "1/2", "1/2", "3/4").check(1, "ln(77/45)")
    True
    """
    return measurement(
        RAPPOR,
        mechanism_signature(RAPPOR),
        bits=exact(bits, "bits"),
        f=exact(f, "f"),
        p=exact(p, "p"),
        q=exact(q, "q"),
    )
