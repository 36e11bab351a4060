"""The integer sums behind enclosures err by what is proved of them, neither by more nor by less, at every size.

The sums are formed again here from the series, in rational arithmetic; mpmath tells the values of the functions.
"""

from collections.abc import Callable
from fractions import Fraction
from math import factorial

import mpmath
import pytest

from refdp.numerics.elementary import artanh_bounds, exp_bounds, exp_series, ln2_bounds, ln_bounds, sqrt_bounds
from refdp.numerics.intervals import Interval
from refdp.numerics.lattice import tail_sum
from refdp.numerics.normal import arctan_bounds, density, mills_bounds, normal_tail_bounds, pi_bounds, series_bounds
from tests.numerics.oracle import fraction, number

SIZES = (40, 64, 1000, 4000)
"""Binary digits; the last has series of more than 1,000 terms."""


@pytest.mark.parametrize("w", SIZES)
@pytest.mark.parametrize("z", [Fraction(1, 3), Fraction(1, 4), Fraction(3, 10), Fraction(1, 1000), Fraction(0)])
def test_artanh_is_short_by_three_a_term_and_three(w: int, z: Fraction) -> None:
    """Terms are needed while z^(2i+1) is an ulp or more; each is short by at most 3, and so is what is left."""
    s, error = artanh_bounds(z.numerator, z.denominator, w)
    with mpmath.workprec(2 * w + 300):
        exact = fraction(mpmath.atanh(number(z))) * 2**w
    assert s <= exact + Fraction(1, 2**100)
    assert exact <= s + error
    with mpmath.workprec(100):
        terms = 0 if z == 0 else (w / mpmath.log(1 / number(z), 2) + 1) / 2
    assert abs(error - 3 - 3 * terms) <= 9
    assert error % 3 == 0


@pytest.mark.parametrize("w", SIZES)
@pytest.mark.parametrize("share", [0, 1, 2**19, 2**20])
def test_the_exponential_series_is_short_by_two_a_term_and_four(w: int, share: int) -> None:
    """The terms before the first that is less than an ulp, and those from it on."""
    r = share * (7 * 2**w // 10) >> 20
    s, error = exp_series(r, w)
    with mpmath.workprec(2 * w + 300):
        exact = fraction(mpmath.exp(mpmath.mpf(r) / 2**w)) * 2**w
    assert s <= exact + Fraction(1, 2**100)
    assert exact <= s + error
    y, i = Fraction(r, 2**w), 1
    if w <= 1000:
        while y**i * 2**w >= factorial(i):
            i += 1
        assert abs(error - (2 * i + 4)) <= 2
        assert error % 2 == 0


@pytest.mark.parametrize("w", SIZES)
@pytest.mark.parametrize("n", [2, 5, 239])
def test_arctan_errs_by_one_a_term_and_one(w: int, n: int) -> None:
    s, error = arctan_bounds(n, w)
    powers = [n**k for k in range(1, w + 1, 2) if k * (n.bit_length() - 1) <= w and n**k <= 2**w]
    assert s == sum((-1) ** i * (2**w // ((2 * i + 1) * power)) for i, power in enumerate(powers))
    assert error == len(powers) + 1
    with mpmath.workprec(2 * w + 300):
        exact = fraction(mpmath.atan(mpmath.mpf(1) / n)) * 2**w
    assert s - error <= exact <= s + error


@pytest.mark.parametrize("bits", [24, 64, 200, 1000])
@pytest.mark.parametrize("start", [0, 1, 3])
def test_a_sum_of_halves_reaches_the_exact_sum(bits: int, start: int) -> None:
    """Partial sums of 2^-k need no rounding, so that all that is left of the tail must come from the bound of it."""
    found = tail_sum(lambda k: Interval(Fraction(1, 2**k), Fraction(1, 2**k), bits), start, bits)
    assert found.lower < Fraction(2, 2**start) <= found.upper
    assert found.upper - found.lower <= Fraction(8, 2**bits)


NARROW: dict[str, tuple[Callable[[Fraction, int], tuple[Fraction, Fraction]], Callable]] = {
    "sqrt": (sqrt_bounds, mpmath.sqrt),
    "exp": (exp_bounds, mpmath.exp),
    "ln": (ln_bounds, mpmath.log),
    "normal tail": (normal_tail_bounds, lambda x: mpmath.erfc(x / mpmath.sqrt(2)) / 2),
}
ARGUMENTS = [Fraction(*x) for x in ((1, 10**9), (1, 3), (999_999, 10**6), (1_000_001, 10**6), (2, 1), (7, 2), (9, 1),
                                    (40, 3), (101, 7), (30, 1), (700, 1))]  # fmt: skip


@pytest.mark.parametrize("bits", [8, 53, 64, 300])
@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("x", ARGUMENTS, ids=str)
def test_bounds_are_on_both_sides_and_narrow(name: str, x: Fraction, bits: int) -> None:
    """They lie within 2^-bits of the value, relatively, times 8; beyond the largest argument there is but an upper one.

    Near 1 the logarithm is small, and it loses no digits there.
    """
    bounds, function = NARROW[name]
    lower, upper = bounds(x, bits)
    with mpmath.workprec(3 * bits + 2000):
        exact = fraction(function(number(x)))
    assert lower <= exact <= upper
    assert upper - lower <= abs(exact) * Fraction(8, 2**bits)


@pytest.mark.parametrize("root", [Fraction(0), Fraction(1, 2), Fraction(3, 4), Fraction(5), Fraction(7, 2**20)])
def test_the_root_of_a_square_of_few_binary_digits_is_exact(root: Fraction) -> None:
    for bits in (24, 64, 200):
        assert sqrt_bounds(root * root, bits) == (root, root)


@pytest.mark.parametrize("bits", [2, 8, 64, 1000])
def test_pi_lies_between_narrow_bounds(bits: int) -> None:
    lower, upper = pi_bounds(bits)
    with mpmath.workprec(bits + 300):
        exact = fraction(+mpmath.pi)
    assert lower < exact < upper
    assert upper - lower <= Fraction(16, 2**bits)


@pytest.mark.parametrize("w", [40, 64, 300])
@pytest.mark.parametrize("x", [x for x in ARGUMENTS if x <= 30], ids=str)
def test_the_series_of_the_normal_tail_and_its_fraction_are_bounded_on_both_sides(x: Fraction, w: int) -> None:
    """S = (1/2 - Q) / density, and r_0 = Q / density."""
    with mpmath.workprec(3000):
        middle = mpmath.exp(-(number(x) ** 2) / 2) / mpmath.sqrt(2 * mpmath.pi)
        beyond = mpmath.erfc(number(x) / mpmath.sqrt(2)) / 2
        total, ratio, exact = (fraction(v) for v in ((mpmath.mpf(1) / 2 - beyond) / middle, beyond / middle, middle))
    found = series_bounds(x, w)
    assert found.lower <= total <= found.upper
    found = density(x, w)
    assert found.lower <= exact <= found.upper
    if x >= 1:
        found = mills_bounds(x, w)
        assert found.lower <= ratio <= found.upper


@pytest.mark.parametrize("w", SIZES)
def test_ln_2_lies_between_neighbours_but_one(w: int) -> None:
    low, high = ln2_bounds(w)
    with mpmath.workprec(w + 300):
        assert low <= fraction(mpmath.log(2)) * 2**w <= high == low + 2
