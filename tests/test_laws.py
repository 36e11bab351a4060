"""Laws against direct sums and quadrature by mpmath; and that no other place has their weights, or their name."""

import re
from collections import Counter
from fractions import Fraction as F
from functools import cache

import mpmath
import pytest

from refdp.laws import Law, Reference, discrete_gaussian, discrete_laplace, gaussian, laplace
from refdp.terms.term import TermError
from tests.meta.repository import ROOT, python_files

LATTICE = [
    discrete_laplace(22), discrete_laplace("1/3"), discrete_laplace("1/1000"), discrete_laplace(2**48),
    discrete_gaussian("1/3"), discrete_gaussian(40), discrete_gaussian(600), discrete_gaussian(10**12 + F(1, 3)),
]  # fmt: skip
REAL = [laplace("5/2"), gaussian("1/3")]
NAMED_LAW = {"refdp/laws.py", "refdp/kernel/judgements.py"}
"""Of the kernel it is a judgement about a law."""
GAUSS = r"/ \(2 \* (sigma|v|variance)\b"
WEIGHT = re.compile(rf"exp\(-abs\(|{GAUSS}.*exp\(|exp\b.*{GAUSS}|\(1 - \w\) / \(1 \+ \w\)")
"""A weight e^(-|z| / scale) or e^(-z^2 / (2 variance)), or the normaliser of the first, in numbers of any kind."""
FORMULAS = ("refdp/mechanisms/", "refdp/spec/", "refdp/statements/", "refdp/rocq/", "refdp/programs/library/")
"""Where formulas are registered, stated, or are somebody else's."""
WRITTEN = {
    "refdp/laws.py": 1,  # floats
    "refdp/programs/refuting/laws.py": 2,  # floats
    "refdp/programs/running/enumeration.py": 1,  # symbols: scales may be irrational
    "refdp/kernel/rules/some_round.py": 1,  # intervals
    "refdp/accounting/grids/outcomes.py": 2,  # balls
    "refdp/accounting/lattice/loss_distributions.py": 2,  # balls, by recursion
    "refdp/accounting/contour/lattice_noise.py": 2,  # moments in closed form
}
"""Every other place where the weight of a registered law is written down: none may come, and each may go."""


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
    law, truth = discrete_gaussian(600), true_mass(discrete_gaussian(600), *interval)
    found = law.mass(*map(F, interval))
    assert close(found, truth)
    assert (found.upper - found.lower) / found.upper < F(1, 10**4)


def test_half_lines_by_integrals_hold_the_sums():
    found = discrete_gaussian(600).mass(F(2400), None)
    assert close(found, true_mass(discrete_gaussian(600), 2400, 9600))
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
def test_distribution_functions_are_near_the_certified_masses(law):
    for part in (F(1, 3), F(2), F(7)):
        end = F(round(part * law.spread)) if law.lattice else part * law.spread
        if law.stem == "discrete_gaussian" and law.spread > 512 and end < law.spread:
            continue  # a half line is certified from sigma on
        above = law.mass(end, None)
        assert abs(1 - law.below(end) - float(above.upper)) < 1e-6
        assert abs(law.below(-end - law.lattice) - float(above.upper)) < 1e-6


@pytest.mark.parametrize("tail", [0.5, 0.01, 1e-9])
def test_quantiles_of_continuous_laws_have_their_tails(tail):
    for law in REAL:
        assert law.mass(F(law.quantile(tail)) * law.spread, None).upper == pytest.approx(tail, rel=1e-9)


def test_laws_read_the_weight_of_their_mechanism():
    assert discrete_laplace("7/2").log_weight(-3) == laplace("7/2").log_weight(3) == F(-6, 7)
    assert discrete_gaussian("7/2").log_weight(-3) == gaussian("7/2").log_weight(3) == F(-18, 49)


def test_references_are_around_a_location_in_steps():
    law = Reference(discrete_laplace(2), F(1, 4), F(1, 2))
    assert str(law) == "discrete_laplace(scale=1, location=1/4, granularity=1/2)"
    assert law.spread == 1
    assert law.below(F(3, 4)) == law.below(F(1)) == discrete_laplace(2).below(F(1))
    assert Reference(masses=((0, F(1, 3)), (1, F(2, 3)))).outcomes == (0, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: discrete_laplace(0), "scale must be > 0"),
        (lambda: discrete_gaussian("-1"), "sigma must be > 0"),
        (lambda: laplace(0.5), "scale must be exact"),
        (lambda: Law("cauchy", F(1)), "law must be one of discrete_laplace, .*, got cauchy"),
        (lambda: discrete_laplace(3).mass(F(-5), F(5)), "one side of 0"),
        (lambda: discrete_gaussian(600).mass(F(100), None), "at least sigma"),
        (lambda: Reference(masses=((0, F(1)),)).spread, "a finite law has no spread"),
    ],
)
def test_laws_refuse_what_has_no_meaning(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_densities_have_no_potential():
    with pytest.raises(TermError, match="does not live on a grid"):
        _ = laplace(1).potential


def test_one_class_is_named_law():
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in python_files("refdp/")}
    named = {name for name, text in texts.items() if re.search(r"^class Law\b", text, re.MULTILINE)}
    assert named == NAMED_LAW


def test_weights_of_registered_laws_are_written_down_where_it_is_known():
    found = Counter(
        name
        for name in python_files("refdp/")
        if not name.startswith(FORMULAS)
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
        if WEIGHT.search(line.partition("#")[0]) and '"""' not in line
    )
    assert found == WRITTEN
