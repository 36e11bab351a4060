"""Cells cover the line once; bounds hold for what they are of."""

from fractions import Fraction as F
from functools import cache

import pytest

from refdp.auditing.evidence.arms import arms, rough_masses
from refdp.auditing.evidence.cells import LOW_DIGITS, LowDigits, line
from refdp.auditing.evidence.law_tests import float_test, lattice_test
from refdp.laws import discrete_gaussian, discrete_laplace, gaussian, laplace

LATTICE = [
    discrete_laplace(22), discrete_laplace("1/3"), discrete_laplace("1/1000"), discrete_laplace(2**48),
    discrete_gaussian("1/3"), discrete_gaussian(40), discrete_gaussian(600), discrete_gaussian(10**12 + F(1, 3)),
]  # fmt: skip
REAL = [laplace("5/2"), gaussian("1/3")]


cells_of = cache(line)


@pytest.mark.parametrize("law", LATTICE + REAL, ids=str)
def test_cells_cover_the_line_once_and_their_bounds_hardly_exceed_1(law):
    cells = cells_of(law)
    assert list(cells.ends) == sorted(set(cells.ends))
    assert 1 <= sum(cells.partition().most) < 1 + F(1, 10**5)
    place = cells.place()
    for i, (above, upto) in enumerate(cells.intervals):
        whole = law.lattice
        for end, step in ((upto, 0), (above, 1 if whole else F(1, 2**60))):
            if end is not None and (whole or step == 0):
                assert place(int(end + step) if whole else float(end)) == i


@pytest.mark.parametrize("law", LATTICE + REAL, ids=str)
def test_rough_masses_are_near_the_certified_ones(law):
    cells = cells_of(law)
    for (above, upto), rough in zip(cells.intervals, rough_masses(cells, law), strict=True):
        assert abs(float(cells.upper(above, upto)) - rough) < 1e-6 + 1e-3 * rough


def test_float_cells_are_widened_by_the_rounding_allowed():
    law, location = laplace(1), F(3)
    plain, wide = line(law, location=location), line(law, F(1, 1000), F(1, 10**6), location)
    assert all(a < b for a, b in zip(plain.partition().most, wide.partition().most, strict=True))
    i = len(plain.ends) // 2 + 5
    above, upto = wide.intervals[i]
    slack = [F(1, 1000) + F(1, 10**6) * abs(end + location) for end in (above, upto)]
    assert wide.upper(above, upto) >= law.mass(above - slack[0], upto + slack[1]).lower


@pytest.mark.parametrize("law", [law for law in LATTICE if 1 < law.spread <= 600], ids=str)
def test_low_digits_are_bounded_by_the_lemma(law):
    m, bound = 2**LOW_DIGITS, LowDigits(law).partition().most[0]
    far = int(20 * law.spread)
    for k in range(m):
        if law.spread <= 40:
            truth = sum(law.mass(F(j - 1), F(j)).lower if j > 0 else law.mass(F(-j - 1), F(-j)).lower if j else
                        law.mass(F(-1), F(0)).lower for j in range(-far, far) if j % m == k)  # fmt: skip
            assert truth <= bound


def test_bounds_of_classes_are_attained_nearly():
    """The lemma is not generous: for a narrow law, 0 mod 16 has nearly all the mass and the bound is 1."""
    assert LowDigits(discrete_laplace("1/3")).partition().most[0] <= 1
    assert LowDigits(discrete_laplace(10**6)).partition().most[0] < F(1, 16) + F(1, 10**6)


@pytest.mark.parametrize("law", [LATTICE[0], REAL[0]], ids=str)
def test_declared_weights_sum_to_at_most_1(law):
    test = lattice_test(law) if law.lattice else float_test(law)
    assert sum(view.weight * sum(view.process.weights) for view in test.views) <= 1
    cells = line(law)
    assert sum(w for w, _ in arms(cells, cells.partition())) <= 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: lattice_test(laplace(1)), "one of integers"),
        (lambda: float_test(discrete_laplace(1)), "continuous"),
        (lambda: lattice_test(discrete_laplace(1), alpha=0), "alpha"),
        (lambda: lattice_test(discrete_laplace(1), granularity=0), "granularity"),
        (lambda: lattice_test(discrete_laplace(1), resolution=1), "resolution"),
        (lambda: float_test(laplace(1), rounding=1), "rounding"),
        (lambda: float_test(laplace(1), location="1/3"), "location"),
        (lambda: float_test(laplace(2**1010)), "2\\^990"),
    ],
)
def test_tests_refuse_what_has_no_meaning(make, message):
    with pytest.raises(ValueError, match=message):
        make()
