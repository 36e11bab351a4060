"""Masses against direct sums and quadrature by mpmath; cells cover the line once; bounds hold for what they are of."""

from fractions import Fraction as F
from functools import cache

import mpmath
import pytest

from refdp.auditing.evidence.arms import arms, rough_masses
from refdp.auditing.evidence.cells import LOW_DIGITS, LowDigits, line
from refdp.auditing.evidence.lattice_laws import DiscreteGaussian, DiscreteLaplace
from refdp.auditing.evidence.law_tests import float_test, lattice_test
from refdp.auditing.evidence.real_laws import gaussian, laplace

LATTICE = [
    DiscreteLaplace(22), DiscreteLaplace("1/3"), DiscreteLaplace("1/1000"), DiscreteLaplace(2**48),
    DiscreteGaussian("1/3"), DiscreteGaussian(40), DiscreteGaussian(600), DiscreteGaussian(10**12 + F(1, 3)),
]  # fmt: skip
REAL = [laplace("5/2"), gaussian("1/3")]


cells_of = cache(line)


def weight_of(law):
    """The weight of k by the definition."""
    spread = mpmath.mpf(law.spread.numerator) / law.spread.denominator
    if law.shape == "laplace":
        return lambda k: mpmath.exp(-abs(k) / spread)
    return lambda k: mpmath.exp(-((k / spread) ** 2) / 2)


@cache
def whole(law) -> mpmath.mpf:
    """The sum of all weights, by symmetry; what is left out is below 10^-30 of it."""
    with mpmath.workdps(60):
        weight, far = weight_of(law), int((80 if law.shape == "laplace" else 14) * law.spread) + 3
        return 1 + 2 * mpmath.fsum(weight(k) for k in range(1, far))


def true_mass(law, above: int, upto: int) -> mpmath.mpf:
    """P[above < X <= upto] by summing the definition; 60 digits."""
    with mpmath.workdps(60):
        return mpmath.fsum(map(weight_of(law), range(above + 1, upto + 1))) / whole(law)


def close(interval, truth) -> bool:
    with mpmath.workdps(60):
        low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (interval.lower, interval.upper))
        return low <= truth + mpmath.mpf(10) ** -30 and truth <= high + mpmath.mpf(10) ** -30


@pytest.mark.parametrize("law", [law for law in LATTICE if law.spread <= 40], ids=str)
@pytest.mark.parametrize("interval", [(-1, 0), (0, 1), (0, 7), (3, 40), (-8, -1), (-2, -1)])
def test_masses_of_lattice_laws_are_sums(law, interval):
    assert close(law.mass(*map(F, interval)), true_mass(law, *interval))


@pytest.mark.parametrize("interval", [(-1, 0), (0, 15), (300, 345), (-2000, -1500), (4000, 4300)])
def test_masses_by_integrals_hold_the_sums_and_are_narrow(interval):
    law, truth = DiscreteGaussian(600), true_mass(DiscreteGaussian(600), *interval)
    found = law.mass(*map(F, interval))
    assert close(found, truth)
    assert (found.upper - found.lower) / found.upper < F(1, 10**4)


def test_half_lines_by_integrals_hold_the_sums():
    found = DiscreteGaussian(600).mass(F(2400), None)
    assert close(found, true_mass(DiscreteGaussian(600), 2400, 9600))
    assert (found.upper - found.lower) / found.upper < F(1, 100)


@pytest.mark.parametrize("law", REAL, ids=str)
def test_masses_of_continuous_laws_are_integrals(law):
    with mpmath.workdps(40):
        s = mpmath.mpf(law.spread.numerator) / law.spread.denominator
        density = (
            (lambda x: mpmath.exp(-abs(x) / s) / (2 * s))
            if law.shape == "laplace"
            else (lambda x: mpmath.npdf(x, 0, s))
        )
        truth = mpmath.quad(density, [s / 3, s, 2 * s])
        found = law.mass(law.spread / 3, 2 * law.spread)
        assert close(found, truth)
        assert close(law.mass(-2 * law.spread, -law.spread / 3), truth)


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
    assert LowDigits(DiscreteLaplace("1/3")).partition().most[0] <= 1
    assert LowDigits(DiscreteLaplace(10**6)).partition().most[0] < F(1, 16) + F(1, 10**6)


@pytest.mark.parametrize("law", [LATTICE[0], REAL[0]], ids=str)
def test_declared_weights_sum_to_at_most_1(law):
    test = lattice_test(law) if law.lattice else float_test(law)
    assert sum(view.weight * sum(view.process.weights) for view in test.views) <= 1
    cells = line(law)
    assert sum(w for w, _ in arms(cells, cells.partition())) <= 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DiscreteLaplace(0), "scale must be > 0"),
        (lambda: DiscreteGaussian("-1"), "sigma must be > 0"),
        (lambda: laplace(0.5), "scale must be exact"),
        (lambda: lattice_test(laplace(1)), "one of integers"),
        (lambda: float_test(DiscreteLaplace(1)), "continuous"),
        (lambda: lattice_test(DiscreteLaplace(1), alpha=0), "alpha"),
        (lambda: lattice_test(DiscreteLaplace(1), granularity=0), "granularity"),
        (lambda: lattice_test(DiscreteLaplace(1), resolution=1), "resolution"),
        (lambda: float_test(laplace(1), rounding=1), "rounding"),
        (lambda: float_test(laplace(1), location="1/3"), "location"),
        (lambda: float_test(laplace(2**1010)), "2\\^990"),
        (lambda: DiscreteLaplace(3).mass(F(-5), F(5)), "one side of 0"),
    ],
)
def test_laws_and_tests_refuse_what_has_no_meaning(make, message):
    with pytest.raises(ValueError, match=message):
        make()
