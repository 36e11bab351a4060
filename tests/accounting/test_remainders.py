"""What is cut off is accounted for: every remainder against the sum that it bounds, worked out with few digits kept."""

from fractions import Fraction
from math import comb

import mpmath
import pytest

from refdp.accounting.balls import ball
from refdp.accounting.closed_forms.laplaces import laplaces_formula
from refdp.accounting.closed_forms.responses import Responses
from refdp.accounting.closed_forms.rows import Rows
from refdp.accounting.curves import Effort
from refdp.accounting.lattice.loss_distributions import half_gaussian
from refdp.accounting.lattice.powers import Masses, below, masses, product
from refdp.accounting.losses import Laplace, response
from refdp.numerics.enclosures import interval, precision

PRECISION = 512
FEW = 16
"""Binary digits to which sums are cut off here, so that what is left out matters."""


def number(x):
    return mpmath.mpf(x.numerator) / x.denominator


def within(found, truth):
    """The ball holds the truth (to 90 digits), and shows that something was cut off."""
    wide = interval(found, 400)
    error = abs(truth) * mpmath.mpf(10) ** -90
    assert number(wide.lower) - error <= truth <= number(wide.upper) + error
    assert wide.upper - wide.lower > abs(wide.upper) / 2**200


@pytest.mark.parametrize("first", [700, 760, 800])
def test_the_terms_of_a_binomial_sum_that_are_left_out_are_in_its_ball(first):
    """1000 responses with e = 1: the mode is at 731, so that the sum goes upward, or downward as well."""
    count = 1000
    with precision(PRECISION), mpmath.workdps(100):
        p, at = 1 / (1 + mpmath.exp(-1)), 2 * first - count
        terms = (
            mpmath.binomial(count, j) * p**j * (1 - p) ** (count - j) * (1 - mpmath.exp(at - 2 * j + count))
            for j in range(first + 1, count + 1)
        )
        within(Responses(response("1"), count).total(ball(at), first, first, FEW), mpmath.fsum(terms))


def series(count, j, y, terms=4000):
    """2 sum of g_j(n - 1) y^n / n!, the coefficients by multiplying out (1 + w)^(j - 1) (1 - w)^(count - j - 1)."""
    ups = [binomial(j - 1, i) for i in range(terms if j == 0 else max(j, 1))]
    downs = [(-1) ** i * binomial(count - j - 1, i) for i in range(terms if j == count else max(count - j, 1))]
    total, term = mpmath.mpf(0), mpmath.mpf(1)
    for n in range(1, terms):
        term *= y / n
        total += 2 * sum(ups[i] * downs[n - 1 - i] for i in range(max(0, n - len(downs)), min(len(ups), n))) * term
    return total


def binomial(top, i):
    """The coefficient of w^i in (1 + w)^top, for top >= -1."""
    return comb(top, i) if top >= 0 else (-1) ** i


@pytest.mark.parametrize(("j", "greatest"), [(40, 2), (39, 2), (25, 2), (0, 2), (40, 30), (0, 30)])
@pytest.mark.parametrize("share", [1, Fraction(1, 20)])
def test_the_terms_of_a_row_that_are_left_out_are_in_its_ball(j, greatest, share):
    """Cut off at about 16 digits for y = 2, while all terms are there for y = 30."""
    with precision(PRECISION), mpmath.workdps(200):
        rows = Rows(40 + FEW, 40, 40, {j: [(Fraction(2 * greatest), 1)]})
        found, y = rows.row(j), Fraction(greatest) * share
        assert (found.length < 40) == (greatest == 2)
        truth = series(40, j, number(y), 160 if greatest == 2 else 300)
        if greatest == 2:
            within(found(y), truth)
        else:
            wide, error = interval(found(y), 300), abs(truth) * mpmath.mpf(10) ** -70
            assert number(wide.lower) - error <= truth <= number(wide.upper) + error


@pytest.mark.parametrize("length", [8, 12, 20])
def test_the_rest_of_a_row_is_bounded_tightly_even_where_its_terms_fall_slowly(length):
    """sums(n) y^n / n! from n = length on, with y such that the first ratio is 9/10."""
    rows = Rows(56, 40, 40, {})
    y = Fraction(9, 10) / rows.ratio(length, Fraction(1))
    with precision(PRECISION), mpmath.workdps(100):
        sums = lambda n: sum(comb(39, i) for i in range(n))  # noqa: E731
        truth = mpmath.fsum(sums(n) * number(y) ** n / mpmath.factorial(n) for n in range(length, 400))
        found = interval(rows.rest(length, y), 300)
        assert truth <= number(found.lower) <= 10 * truth


def test_laplace_sums_of_few_digits_hold_those_of_many():
    value = laplaces_formula(((Laplace(Fraction(1, 4)), 40),))
    for at in (Fraction(0), Fraction(3), Fraction(8)):
        with precision(PRECISION):
            good = interval(value(at, PRECISION), 200)
        for bits in (48, 64, 96):
            with precision(bits):
                rough = interval(value(at, bits), 200)
            assert rough.lower <= good.lower <= good.upper <= rough.upper


@pytest.mark.parametrize("variance", [Fraction(1, 10), Fraction(1), Fraction(1000)])
def test_the_weights_of_the_discrete_gaussian_that_are_left_out_are_bounded(variance):
    with precision(PRECISION), mpmath.workdps(100):
        weights, tail = half_gaussian(variance, FEW)
        rest = mpmath.fsum(mpmath.exp(-(i**2) / (2 * number(variance))) for i in range(len(weights), 3000))
        found = interval(tail, 300)
        assert rest <= number(found.lower) <= mpmath.mpf(2) ** -FEW
        assert number(found.lower) < 3 * rest


def test_masses_are_rounded_down_and_ends_are_cut_off():
    from flint import arb, fmpz_poly

    with precision(PRECISION):
        third = ball(Fraction(1, 3))
        assert below(third * 2**10) == 341
        assert below(arb(ball(Fraction(1706, 5)), 1)) == 340
        assert below(ball(-1)) == 0
        found = masses([(-1, third), (2, third)], 2, 10, Effort())
        assert (found.start, found.coefficients()) == (-2, [341, 0, 0, 0, 0, 0, 341])
    one, other = Masses(5, fmpz_poly([3, 700, 300]), 10), Masses(-2, fmpz_poly([1000, 1, 2]), 10)
    exact = [3000, 3 + 700000, 6 + 700 + 300000, 1400 + 300, 600]
    rounded = [value // 1024 for value in exact]
    assert rounded == [2, 683, 293, 1, 0]
    lower = product(one, other, Effort())  # at most 5 units are cut off at each end
    assert (lower.start, lower.coefficients()) == (4, [683, 293])
