"""Exact numbers: arithmetic, signs, digits and closed forms."""

from fractions import Fraction
from math import factorial
from random import Random

import mpmath
import pytest

from refdp.numerics.elementary import Undecided
from refdp.programs.probabilities import (
    NotComputed,
    Number,
    approximately,
    decimal,
    enclosure,
    exponential,
    is_more,
    number,
    sign,
    text,
)
from refdp.programs.probabilities.numbers import logarithm, power
from tests.examples import few

HALF = number(Fraction(1, 2))


def some(random: Random) -> Number:
    """A number that may be a quotient, a root or a logarithm."""
    found = number(Fraction(random.randint(-5, 5), random.randint(1, 4)))
    for _ in range(random.randint(1, 2)):
        other = exponential(number(Fraction(random.randint(-4, 4), 3)))
        other = random.choice([other, power(number(random.randint(2, 12)), number(Fraction(1, 3))), other])
        other = random.choice([other, logarithm(number(Fraction(random.randint(1, 9), 5)))])
        found = random.choice([found + other, found * (other + number(2)), found / (other * other + number(1))])
    return found


@pytest.mark.parametrize("seed", range(few(30)))
def test_arithmetic_agrees_with_that_of_floats(seed: int) -> None:
    random = Random(seed)
    a, b = some(random), some(random)
    x, y = approximately(a), approximately(b)
    for found, expected in ((a + b, x + y), (a - b, x - y), (a * b, x * y), (a * a, x * x)):
        assert approximately(found) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    if sign(b):
        assert approximately(a / b) == pytest.approx(x / y, rel=1e-9)
        assert sign(a / b * b - a) == 0
    assert sign((a + b) * (a - b) - a * a + b * b) == 0
    assert sign(a - b) == (x > y) - (x < y)


def test_roots_of_products_cancel() -> None:
    root = {n: power(number(n), HALF) for n in (2, 3, 6, 8, 12)}
    assert sign(root[2] * root[3] - root[6]) == 0
    assert sign(root[8] - number(2) * root[2]) == 0
    assert sign(root[12] / root[3] - number(2)) == 0
    assert sign(root[2] + root[3] - root[6]) == 1
    assert exponential(logarithm(number(3)) * HALF) == root[3]
    assert exponential(logarithm(number(Fraction(2, 9)))) == number(Fraction(2, 9))
    assert sign(logarithm(number(6)) - logarithm(number(2)) - logarithm(number(3))) == 0


def test_numbers_that_differ_by_little_are_told_apart() -> None:
    tiny = number(Fraction(1, 10**200))
    e = exponential(number(1))
    assert sign(e + tiny - e) == 1
    near = enclosure(e, 500)
    assert sign(e - number(near.lower)) == 1
    assert sign(e - number(near.upper)) == -1
    assert is_more(number(near.upper), e)


def test_a_number_that_is_too_close_to_0_is_undecided() -> None:
    near = sum((Fraction(1, factorial(k)) for k in range(2000)), Fraction(0))  # e but for 10^-5735
    with pytest.raises(Undecided, match="not decided by 16384 bits"):
        sign(exponential(number(1)) - number(near))


def test_closed_forms_read_as_they_are() -> None:
    e = exponential(number(1))
    assert text(number(0)) == "0"
    assert text(number(Fraction(-3, 4))) == "-3/4"
    assert text(e - HALF) == "(2*e - 1)/2"
    assert text(exponential(number(2)) * number(3)) == "3*e^2"
    assert text(number(1) / (number(1) + e)) == "1/(e + 1)"
    assert text((e - number(1)) / (e + number(2)) * number(Fraction(2, 3))) == "(2*e - 2)/(3*(e + 2))"
    assert text(logarithm(number(3)) ** 2 * power(number(2), HALF)) == "2^(1/2)*ln(3)^2"


def test_digits_are_certain() -> None:
    e = exponential(number(1))
    assert decimal(e, 15) == "2.71828182845904..."
    assert decimal(-e * number(10**20), 5) == "-2.7182...e20"
    assert decimal(exponential(number(-20)), 4) == "2.061...e-9"
    assert decimal(number(Fraction(1, 8))) == "0.125"
    assert decimal(number(1234567), 3) == "1.23...e6"
    assert decimal(number(1200), 2) == "1.2e3"
    assert decimal(number(120), 3) == "120"
    assert decimal(number(0)) == "0"


def test_digits_are_those_of_a_division() -> None:
    random = Random(0)
    for _ in range(1000):
        value = Fraction(random.randint(1, 10 ** random.randint(1, 30)), random.randint(1, 10 ** random.randint(1, 30)))
        digits = random.randint(1, 12)
        mantissa, _, exponent = decimal(number(-value), digits).partition("e")
        shown = -Fraction(mantissa.replace("...", "")) * Fraction(10) ** int(exponent or 0)
        assert 0 <= value - shown < value / Fraction(10) ** (digits - 1)
        assert mantissa.endswith("...") or shown == value
    large = Fraction(10) ** 40
    assert [decimal(number(one), 3) for one in (large, large - 1, 1 / (large - 1))] == [
        "1e40",
        "9.99...e39",
        "1.00...e-40",
    ]


def test_digits_of_numbers_that_are_far_from_1_are_not_counted_one_by_one() -> None:
    """A counterexample at an epsilon of 1000000 took minutes to print."""
    with mpmath.workdps(30):
        for exponent in (-1_000_000, 1_000_000):
            logarithm_10 = mpmath.mpf(exponent) / mpmath.log(10)
            power_10 = int(mpmath.floor(logarithm_10))
            first = mpmath.nstr(mpmath.mpf(10) ** (logarithm_10 - power_10), 12)[:9]
            assert decimal(exponential(number(exponent)), 8) == f"{first}...e{power_10}"


def test_what_has_no_closed_form_is_said() -> None:
    e = exponential(number(1))
    with pytest.raises(NotComputed):
        exponential(e)
    with pytest.raises(NotComputed):
        logarithm(e + number(1))
    with pytest.raises(NotComputed):
        logarithm(number(-1))
    with pytest.raises(ZeroDivisionError):
        number(1) / (e - e)
