"""Bounds are true without any guard digits: they hide errors of the last places, which rounding must not need.

`GUARD` is width, never truth: at 0 the integer arithmetic stands bare, and every ulp that a bound forgets is seen.
"""

from collections.abc import Callable
from fractions import Fraction
from math import floor

import mpmath
import pytest

from refdp.numerics import elementary, normal
from refdp.numerics.elementary import exp_bounds, ln_bounds, sqrt_bounds
from refdp.numerics.normal import density, mills_bounds, normal_tail_bounds, pi_bounds, series_bounds
from tests.numerics.oracle import fraction, number

BITS = range(40, 104)
"""Fewer than 40 binary digits are never worked with."""
ARGUMENTS = [Fraction(n, d) for n, d in ((1, 3), (2, 7),
                                         (1, 1000), (7, 10), (9, 10), (1, 1), (1_000_001, 10**6), (4, 3),
                                         (5, 2), (7, 2), (6, 1), (13, 2), (33, 4), (20, 1), (345, 7))]  # fmt: skip


@pytest.fixture(params=[-1, 0], ids=["ln 2 a unit low", "ln 2 as it is"])
def bare(monkeypatch, request) -> None:
    """No guard digits; ln 2 at either end of what its bounds allow."""

    def ln2_bounds(w: int) -> tuple[int, int]:
        with mpmath.workprec(w + 100):
            low = floor(fraction(mpmath.log(2)) * 2**w) + request.param
        return low, low + 2

    monkeypatch.setattr(elementary, "ln2_bounds", ln2_bounds)
    monkeypatch.setattr(elementary, "GUARD", 0)
    monkeypatch.setattr(normal, "GUARD", 0)
    pi_bounds.cache_clear()
    yield
    pi_bounds.cache_clear()


def holds(found: tuple[Fraction, Fraction], exact: Fraction, width: Fraction) -> bool:
    """Whether the bounds are on both sides, and no further apart than is said."""
    return found[0] <= exact <= found[1] and found[1] - found[0] <= width


FUNCTIONS: dict[str, tuple[Callable[[Fraction, int], tuple[Fraction, Fraction]], Callable, int]] = {
    "sqrt": (sqrt_bounds, mpmath.sqrt, 8),
    "exp": (exp_bounds, mpmath.exp, 2000),
    "exp of the negative": (lambda x, bits: exp_bounds(-x, bits), lambda x: mpmath.exp(-x), 2000),
    "ln": (ln_bounds, mpmath.log, 800),
    "normal tail of the negative": (lambda x, bits: normal_tail_bounds(-x, bits),
                                    lambda x: 1 - mpmath.erfc(x / mpmath.sqrt(2)) / 2, 10**5),
}  # fmt: skip
"""What is bounded, and how many units of the last place the bounds may lie apart."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bounds_need_no_guard_digits(bare: None, name: str) -> None:
    bounds, function, units = FUNCTIONS[name]
    for x in ARGUMENTS:
        with mpmath.workprec(900):
            exact = fraction(function(number(x)))
        for bits in BITS:
            assert holds(bounds(x, bits), exact, abs(exact) * Fraction(units, 2**bits)), (x, bits)


def test_pi_needs_no_guard_digits(bare: None) -> None:
    with mpmath.workprec(2000):
        exact = fraction(+mpmath.pi)
    for bits in range(40, 500):
        assert holds(pi_bounds(bits), exact, Fraction(300 + 40 * bits, 2**bits))


def test_the_parts_of_the_normal_tail_need_no_guard_digits(bare: None) -> None:
    for x in ARGUMENTS:
        with mpmath.workprec(4000):
            middle = mpmath.exp(-(number(x) ** 2) / 2) / mpmath.sqrt(2 * mpmath.pi)
            beyond = mpmath.erfc(number(x) / mpmath.sqrt(2)) / 2
            values = [fraction(v) for v in (middle, (mpmath.mpf(1) / 2 - beyond) / middle, beyond / middle, beyond)]
        for bits in BITS:
            found = density(x, bits)
            assert found.lower <= values[0] <= found.upper, (x, bits)
            if x < 8:
                found = series_bounds(x, bits)
                assert found.lower <= values[1] <= found.upper, (x, bits)
                lower, upper = normal_tail_bounds(x, bits)
                assert lower <= values[3] <= upper, (x, bits)
            if x >= 1:
                found = mills_bounds(x, bits)
                assert found.lower <= values[2] <= found.upper, (x, bits)
