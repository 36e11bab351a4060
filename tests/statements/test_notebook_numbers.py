"""notebook_numbers: masses by mpmath, every interval tried; what doubles print is told from what is exact."""

import math
from collections import Counter
from fractions import Fraction as F

import mpmath
import pytest

from refdp.numerics.exact import enclose
from refdp.provers.witnesses import NoWitness, refuted_by_output
from refdp.statements.notebook_numbers import INTERVAL, PRINTED, SUM_WITHOUT, area, symmetric_distance
from refdp.terms.term import number
from tests.claimed import notebook_numbers as proofs
from tests.statements.checks import variant, verdict

SUPPORT = range(62)
"""The document's support: from 25 - 25 to 37 + 25."""


def in_doubles(a, b, centre):
    """The mass of [a, b] as the document computes it."""

    def cumulative(x):
        z = (x - centre) / 25
        return 1.0 - 0.5 * math.exp(-z) if z > 0 else 0.5 * math.exp(z)

    return cumulative(b) - cumulative(a)


def exactly(a, b, centre):
    """The mass of [a, b] by the integral of the density, with 40 digits."""
    with mpmath.workdps(40):
        density = lambda x: mpmath.exp(-abs(x - centre) / mpmath.mpf(25)) / 50  # noqa: E731
        return mpmath.quad(density, sorted({a, b, min(max(centre, a), b)}))


def test_areas_are_the_integrals():
    for contribution in (0, 12, 48, 100):
        found = enclose(area(number(contribution)), 200)
        with mpmath.workdps(40):
            midpoint = mpmath.mpf(found.lower.numerator) / found.lower.denominator
            assert abs(exactly(*INTERVAL, SUM_WITHOUT + contribution) - midpoint) < mpmath.mpf(10) ** -30


def test_interval_is_the_only_one_with_the_printed_areas():
    def near(a, b):
        return all(abs(in_doubles(a, b, SUM_WITHOUT + c) - float(PRINTED[c])) < 1e-12 for c in (12, 0))

    assert [(a, b) for a in SUPPORT for b in SUPPORT if a < b and near(a, b)] == [INTERVAL]


@pytest.mark.parametrize("contribution", PRINTED)
def test_areas_with_another_digit_are_not_decided_to_hold(contribution):
    printed = F(PRINTED[contribution])
    wrong = variant("notebook_numbers.areas", str(printed), str(printed + F(2, 10**15)))
    assert verdict(wrong) == "disproved"


@pytest.mark.parametrize(("key", "old", "new"), [
    ("divergence_of_12", "exp(12 / 25)", "exp(4799 / 10000)"),
    ("divergence_of_100", "exp(-52 / 25)", "exp(52 / 25)"),
    ("distance_without_alice", "1", "2"),
])  # fmt: skip
def test_numbers_that_are_a_little_off_are_not_decided_to_hold(key, old, new):
    assert verdict(variant(f"notebook_numbers.{key}", old, new)) == "disproved"


def test_distances_are_those_of_counters():
    for u, v in [((12, 10, 8, 7), (10, 8, 7)), ((1, 1, 2), (1, 3)), ((4, 4), (4, 4, 4))]:
        a, b = Counter(u), Counter(v)
        assert enclose(symmetric_distance(u, v)).lower == sum(((a - b) + (b - a)).values())


def test_doubles_give_more_than_twelve_over_25_on_some_intervals_and_the_masses_do_not():
    """[58, 60] prints 0.4800000000000139; the log ratio of the masses is 12/25 wherever S lies above both sums."""
    beyond = []
    for a in range(37, 61):
        for b in range(a + 1, 62):
            printed = abs(math.log(in_doubles(a, b, 37) / in_doubles(a, b, 25)))
            beyond += [(a, b)] if printed > 0.48 else []
    assert (58, 60) in beyond
    with mpmath.workdps(40):
        for a, b in beyond[:20]:
            ratio = mpmath.log(exactly(a, b, 37) / exactly(a, b, 25))
            assert abs(ratio - mpmath.mpf(12) / 25) < mpmath.mpf(10) ** -30


def test_greatest_divergence_is_never_exceeded_and_attained_above_both_sums():
    for far, limit in ((37, 12 / 25), (125, 4.0)):
        masses = [
            (in_doubles(a, b, far), in_doubles(a, b, 25)) for a in range(-20, 200, 7) for b in range(a + 1, 210, 9)
        ]
        assert max(math.log(p / q) for p, q in masses) == pytest.approx(limit, abs=1e-9)


def test_divergence_grows_is_false_where_it_is_said_to_be():
    assert proofs.divergence_grows().claim.claim.name == "divergence_grows"
    with mpmath.workdps(30):
        assert abs(mpmath.log(exactly(*INTERVAL, 73) / exactly(*INTERVAL, 25))) < mpmath.mpf(10) ** -25


def test_divergence_of_4_is_not_refuted():
    """The witness against 2.08 says nothing against 4."""
    claim = "private(discrete_laplace(25, 1), grid(1), absolute(100), pure(4))"
    with pytest.raises(NoWitness):
        refuted_by_output(claim, {}, [F(125), F(25)], [F(y) for y in range(0, 200, 5)])
