"""Exact binomial tails and Clopper-Pearson bounds by their definition; certified power by enumeration."""

from fractions import Fraction as F
from math import comb

import pytest

from refdp.auditing.evidence.binomial import at_least, tail
from refdp.auditing.evidence.pair_bounds import certified_epsilon, detectable, power
from refdp.auditing.evidence.pairs import Event, Four, PairTest, claim, factors, four
from refdp.auditing.evidence.partitions import Mixture, Partition, SimpleAlternative
from refdp.auditing.evidence.power import Alternative
from refdp.numerics.elementary import exp_bounds
from tests.auditing.evidence.sequences import expectation

ALPHA = F(1, 10**9)


def true_tail(n: int, k: int, p: F) -> F:
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), F(0))


@pytest.mark.parametrize("n", [1, 2, 7, 30])
@pytest.mark.parametrize("p", [F(0), F(1, 1000), F(1, 3), F(1, 2), F(99, 100), F(1)])
def test_tail_is_the_sum_of_its_terms(n, p):
    for k in range(n + 1):
        found, truth = tail(n, k, p), true_tail(n, k, p)
        assert found.lower <= truth <= found.upper
        assert found.upper - found.lower < F(1, 2**50)


@pytest.mark.parametrize(("n", "k", "p"), [(10**6, 501_000, F(1, 2)), (10**5, 3, F(1, 10**4)), (2000, 1900, F(9, 10))])
def test_long_tails_are_enclosed_as_their_complements_are(n, k, p):
    found, other = tail(n, k, p), tail(n, n - k + 1, 1 - p)
    assert found.lower <= 1 - other.lower
    assert 1 - other.upper <= found.upper
    assert 0 < found.lower <= found.upper < 1


@pytest.mark.parametrize(("n", "k"), [(1, 0), (1, 1), (10, 0), (10, 3), (10, 10), (40, 39)])
@pytest.mark.parametrize("alpha", [F(1, 20), ALPHA])
def test_bounds_are_those_of_clopper_and_pearson(n, k, alpha):
    low = at_least(n, k, alpha)
    assert low <= F(k, n)
    if k:
        assert true_tail(n, k, low) <= alpha < true_tail(n, k, low + F(1, 10**6) * low + F(1, 10**11))
    else:
        assert low == 0


def test_bounds_cover_at_their_rate_exactly():
    """The probability that the bound exceeds p is summed over all k: at most alpha."""
    n, alpha = 12, F(1, 10)
    bounds = [at_least(n, k, alpha) for k in range(n + 1)]
    for p in (F(j, 40) for j in range(1, 40)):
        missed = sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if bounds[k] > p)
        assert missed <= alpha


@pytest.mark.parametrize(("n", "k"), [(0, 0), (5, 6), (5, -1), (5, 2.0), (True, 1)])
def test_bounds_refuse_counts_that_are_none(n, k):
    with pytest.raises(ValueError, match="successes"):
        at_least(n, k, "1/2")


EVENT = Event("1", lambda y: y == 1, 1, F(1))
TEST = PairTest(claim("ln(2)"), (EVENT,), F(1, 20))


def test_power_of_pairs_is_below_the_true_one():
    """Against the probability, summed over all sequences of 4 pairs, that the claim is refuted."""
    test = PairTest(claim(0), (EVENT,), F(1, 2))
    for p, q in ((F(1), F(0)), (F(9, 10), F(1, 20))):
        refuted = lambda c: F(test.refutes({(1, 1): c[0], (1, 0): c[1], (0, 1): c[2], (0, 0): c[3]}))  # noqa: E731
        truth = expectation((p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)), 4, refuted)
        assert power(test, F(1), p, q, 4) <= truth
    assert power(test, F(1), F(1), F(0), 40) > F(999, 1000)


def test_power_of_cells_is_below_the_true_one():
    null, wrong = (F(1, 2), F(1, 2)), (F(15, 16), F(1, 16))
    process = Mixture(Partition(("a", "b"), null), [(F(1), SimpleAlternative("x", wrong))])
    alternative = Alternative("x", wrong, wrong, null, F(1))
    seen = lambda c: F(process.e_value(c).refutes(F(1, 10)))  # noqa: E731
    for n in (5, 8, 10):
        assert alternative.power(n, F(1, 10)) <= expectation(wrong, n, seen)
    needed = alternative.draws_needed(F(1, 10))
    assert alternative.power(needed, F(1, 10)) >= F(999, 1000)
    assert alternative.power(needed // 2, F(1, 10)) < F(999, 1000)


def test_power_is_none_where_the_alternative_is_the_null():
    null = (F(1, 2), F(1, 2))
    same = Alternative("same", null, null, null, F(1))
    assert same.draws_needed(ALPHA) is None
    assert same.power(10**6, ALPHA) == 0


def test_certified_epsilon_is_refuted_and_a_little_more_is_not():
    counts = {(1, 1): 100, (1, 0): 700, (0, 1): 20, (0, 0): 180}
    v = certified_epsilon(TEST, counts)
    factor = exp_bounds(v, 128)
    assert v < F(19, 10)  # the frequencies are 0.8 and 0.12: ln(0.8 / 0.12) = 1.897
    assert TEST.e_value(counts, factor[0]).refutes(TEST.alpha)
    assert not TEST.e_value(counts, factor[1] * F(101, 100)).refutes(TEST.alpha)
    assert certified_epsilon(TEST, {(1, 1): 5, (0, 0): 5}) is None


def test_detectable_epsilon_is_detected_and_falls_with_the_pairs():
    found = [detectable(TEST, F(1), F(1, 10), n) for n in (500, 2000, 20000)]
    assert found == sorted(found, reverse=True)
    assert found[-1] > F(693, 1000)  # more than the claim
    p = exp_bounds(found[1], 128)[1] / 10
    assert power(TEST, F(1), p, F(1, 10), 2000) >= F(998, 1000)
    assert detectable(TEST, F(1), F(1, 10), 3) is None
    assert detectable(TEST, F(1), F(0), 10) is None


def test_direction_exchanges_the_sides():
    counts = {(1, 0): 7, (0, 1): 3, (1, 1): 2, (2, 1): 5}
    assert four(counts, 0, 1) == Four(2, 7, 8, 0)
    assert four(counts, 0, -1) == Four(2, 8, 7, 0)
    assert four(counts, 1, 1) == Four(0, 5, 0, 12)
    assert all(x > 0 for x in factors(F(3), F(1, 10), F(94, 100)))
