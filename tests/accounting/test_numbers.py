"""Numbers are read exactly, and written on the safe side."""

from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.accounting.losses import LossError
from refdp.accounting.numbers import (
    decimal_above,
    decimal_below,
    exponent_of_ten,
    float_above,
    float_below,
    number,
    probability,
    real,
    scientific_above,
    scientific_below,
    whole,
)
from refdp.numerics.exact import Ln

ANY = st.fractions(min_value=0, max_value=10**6, max_denominator=10**12)


@pytest.mark.parametrize(
    ("given_", "read"),
    [
        (3, Fraction(3)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        ("1/10", Fraction(1, 10)),
        ("1e-20", Fraction(1, 10**20)),
        (0.5, Fraction(1, 2)),
        (0.01, Fraction(*(0.01).as_integer_ratio())),
    ],
)
def test_numbers_are_read_exactly(given_, read):
    assert number(given_, "x") == read


def test_the_scalars_of_array_libraries_are_numbers():
    numpy = pytest.importorskip("numpy")
    assert number(numpy.float64(0.25), "x") == Fraction(1, 4)
    assert number(numpy.float32(0.25), "x") == Fraction(1, 4)
    assert number(numpy.int64(7), "x") == 7
    assert whole(numpy.int64(7), "x", 10) == 7


@pytest.mark.parametrize(
    "wrong",
    [nan, inf, -inf, True, None, "", "abc", "1/0", [1], {}, Decimal("nan"), Decimal("inf"), Decimal("1e999999"), 1j,
     "ln(3)", "9" * 500, 10**301, Fraction(1, 10**301), Fraction(1, 3**6000)],
)  # fmt: skip
def test_what_is_no_number_is_refused_in_one_sentence(wrong):
    with pytest.raises(LossError, match=r"^sigma must be ") as error:
        number(wrong, "sigma")
    assert len(str(error.value)) < 300
    assert "\n" not in str(error.value)


def test_an_epsilon_may_be_a_logarithm():
    assert real("ln(3)", "epsilon") == Ln(3)
    assert real("1/2", "epsilon") == Fraction(1, 2)
    assert real(Ln(2), "epsilon") == Ln(2)
    for wrong in ("ln(-1)", "x", "ln(", nan, None):
        with pytest.raises(LossError, match="epsilon must be"):
            real(wrong, "epsilon")


@pytest.mark.parametrize("wrong", [0, -1, 11, "1.5", 1.5, None, True, nan, "ten"])
def test_counts_are_whole_and_bounded(wrong):
    with pytest.raises(LossError, match="count must be a whole number from 1 to 10, got"):
        whole(wrong, "count", 10)
    assert whole("10", "count", 10) == whole(1.0, "count", 10) + 9 == 10


@given(ANY, st.integers(min_value=0, max_value=15))
def test_decimals_are_rounded_outward_by_less_than_a_unit(x, digits):
    low, high = Fraction(decimal_below(x, digits)), Fraction(decimal_above(x, digits))
    assert low <= x <= high
    assert high - low <= Fraction(1, 10**digits)
    assert (low == high) == (x * 10**digits == int(x * 10**digits))
    assert Fraction(decimal_below(-x, digits)) == -high


@given(ANY, st.integers(min_value=1, max_value=15), st.integers(min_value=-300, max_value=0))
def test_scientific_numbers_are_rounded_outward_by_less_than_a_unit(x, digits, exponent):
    x *= Fraction(10) ** exponent
    low, high = Fraction(scientific_below(x, digits)), Fraction(scientific_above(x, digits))
    assert low <= x <= high
    assert high - low <= x * Fraction(10) ** (1 - digits)
    if x:
        assert Fraction(10) ** exponent_of_ten(x) <= x < Fraction(10) ** (exponent_of_ten(x) + 1)


@given(ANY, st.integers(min_value=-320, max_value=300))
def test_floats_are_rounded_to_the_safe_side(x, exponent):
    x *= Fraction(10) ** exponent
    above, below = float_above(x), float_below(x)
    assert below <= x <= above
    assert above == below or Fraction(below) < x < Fraction(above)
    assert Fraction(above) - Fraction(below) <= max(x * Fraction(1, 2**52), Fraction(1, 2**1074))


def test_probabilities_are_rounded_to_the_side_that_is_asked_for():
    for value in (5e-324, Fraction(1, 3**2000), Fraction(2**3000, 3**1900), 0.1, "1/3", 0, 1, 2, 1e300):
        low, high = (probability(value, "delta", upward) for upward in (False, True))
        truth = min(Fraction(value), Fraction(1))
        assert 0 <= low <= truth <= high <= 1
        assert high - low <= max(truth * Fraction(1, 2**250), Fraction(1, 10**300))
    for wrong in (-1, nan, None, "x", True, inf):
        with pytest.raises(LossError, match="delta must be a number >= 0, got"):
            probability(wrong, "delta", True)


def test_infinity_is_written_as_such():
    assert (decimal_above(None, 3), decimal_below(None, 3), float_above(None)) == ("inf", "inf", inf)
    assert float_above(Fraction(10**400)) == inf
    assert float_below(Fraction(10**400)) < inf
