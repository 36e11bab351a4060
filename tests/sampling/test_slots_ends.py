"""Weights at the ends of blocks: whole numbers around them, by mpmath, and narrow."""

from fractions import Fraction as F

import pytest

from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.ends import UNIT, Weights
from tests.sampling import laws
from tests.sampling.families import SLOTS


@pytest.mark.parametrize("family", SLOTS)
def test_weights_are_around_those_of_the_ends(family: str) -> None:
    c = certificate(SLOTS[family])
    weights = Weights(c)
    for block in c.blocks[:: max(1, len(c.blocks) // 40)]:
        for k in c.ends(block):
            q, low, high = weights(k)
            (least, most), unit = laws.exp_minus(c.potential(k)), 2**UNIT / c.height
            assert F(q, weights.unit) == c.potential(k)
            assert low <= most * unit
            assert least * unit <= high <= low + 2
