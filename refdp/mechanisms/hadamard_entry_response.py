"""One entry of a Hadamard matrix: a uniform row, told, and its sign in the value's column, true with `truth`.

Claim: ln(truth / (1 - truth))-DP between any two values; truth = e^epsilon / (e^epsilon + 1).
Half of all reports support any one value, as in Hadamard response, whose formulas it has.
With a told choice of hash functions it is Apple's Hadamard count mean sketch.
Source: App17.
"""

from __future__ import annotations

from dataclasses import replace

from refdp.mechanisms.hadamard_response import HADAMARD_RESPONSE
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import SupportFirst, draws
from refdp.spec.signatures import mechanism_signature
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def size(m: Real) -> Real:
    """The number of values, and of rows."""
    return m


HADAMARD_ENTRY_RESPONSE = register(
    replace(
        HADAMARD_RESPONSE,
        stem="hadamard_entry_response",
        parameters=("m", "truth"),
        conditions=(read("integer(m)"), read("1 <= m"), read("1/2 <= truth"), read("truth < 1")),
        example={"m": term(4), "truth": read("4/5")},
        support="hadamard_entry",
        size=size,
    )
)
draws("hadamard_entry_response", SupportFirst())


def hadamard_entry_response(m: Exactly, truth: Exactly) -> Measurement:
    """value below m -> (row, 0 for +1 or 1 for -1); m >= 1 whole, a power of 2 to be decoded, 1/2 <= truth < 1, exact.

    Raises ValueError for others.

    >>> str(hadamard_entry_response(4, "4/5").map(1))
    'ln(4)'
    """
    return measurement(
        HADAMARD_ENTRY_RESPONSE,
        mechanism_signature(HADAMARD_ENTRY_RESPONSE),
        m=exact(m, "m"),
        truth=exact(truth, "truth"),
    )
