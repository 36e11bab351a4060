"""dBitFlip with one bucket: a uniform bucket of k, told, and a bit, which says truly whether it is the value's own.

Claim: ln(truth / (1 - truth))-DP between any two values, half the loss of `d_bit_flip` with more buckets.
Half of all reports support any one value, as in Hadamard response, whose formulas it has.
Source: DKY17.
"""

from __future__ import annotations

from dataclasses import replace

from refdp.mechanisms.hadamard_response import HADAMARD_RESPONSE
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.registry import register
from refdp.spec.samplers import SupportFirst, draws
from refdp.spec.signatures import mechanism_signature

ONE_BIT_FLIP = register(replace(HADAMARD_RESPONSE, stem="one_bit_flip", support="one_bit"))
draws("one_bit_flip", SupportFirst())


def one_bit_flip(k: Exactly, truth: Exactly) -> Measurement:
    """value below k -> (bucket, bit); k >= 1 whole, 1/2 <= truth < 1, exact.

    Raises ValueError for others.

    >>> str(one_bit_flip(3, "4/5").map(1))
    'ln(4)'
    """
    return measurement(ONE_BIT_FLIP, mechanism_signature(ONE_BIT_FLIP), k=exact(k, "k"), truth=exact(truth, "truth"))
