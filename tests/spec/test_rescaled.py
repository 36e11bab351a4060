"""Roots above a square and rounding towards zero are what docs/soundness.md says of them, at numbers of every size."""

from fractions import Fraction as F
from random import Random

import pytest

from refdp.spec.rescaled import ROOT_BITS, root_above, towards_zero

SIZES = (1, 3, 60, 64, 65, 200, 1100)


def squares():
    """Numbers > 0 of every size, beside those where the exponent of 4 changes."""
    rng = Random("squares")
    for bits in SIZES:
        for other in SIZES:
            yield from (F(rng.getrandbits(bits) + 1, rng.getrandbits(other) + 1) for _ in range(10))
    for e in (-70, -1, 0, 1, 33):
        yield from (F(4) ** e + d for d in (0, F(1, 2**200), -F(1, 2**200)))


def test_root_of_a_rational_square_is_exact():
    assert [root_above(x) for x in (F(0), F(1), F(9, 4), F(1, 9), F(10**40))] == [0, 1, F(3, 2), F(1, 3), 10**20]
    for x in squares():
        assert root_above(x * x) == x


def test_root_is_above_by_less_than_a_step():
    """The step is 2^(e - 64) for the whole e with 4^(e - 1) < x <= 4^e."""
    tried = 0
    for x in squares():
        root = root_above(x)
        e = next(e for e in range(-1200, 1200) if x <= F(4) ** e)
        step = F(2) ** (e - ROOT_BITS)
        assert root * root >= x
        if root * root > x:
            assert (root / step).denominator == 1
            assert (root - step) ** 2 < x
            tried += 1
    assert tried > 300


@pytest.mark.parametrize("step", [F(1), F(1, 3), F(5, 2)])
def test_rounding_towards_zero_keeps_the_sign_and_never_grows(step):
    rng = Random(str(step))
    for _ in range(1000):
        x = F(rng.randint(-50, 50), rng.randint(1, 12))
        found = towards_zero(x, step)
        assert (found / step).denominator == 1
        assert abs(found) <= abs(x) < abs(found) + step
        assert found * x >= 0
