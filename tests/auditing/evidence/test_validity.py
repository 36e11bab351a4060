"""E-processes have expectation <= 1 under the null, at fixed times and at stops: by enumerating all sequences."""

from fractions import Fraction as F
from functools import cache
from itertools import pairwise, product
from math import e as euler
from random import Random

import pytest

from refdp.auditing.evidence.e_values import EValue
from refdp.auditing.evidence.pairs import BETS, Event, Four, PairTest, capital, claim, factors, falling_factors, merged
from refdp.auditing.evidence.partitions import Dirichlet, Mixture, Partition, SimpleAlternative
from refdp.numerics.elementary import exp_bounds
from tests.auditing.evidence.sequences import expectation

SLACK = F(1, 2**60)
"""Enclosures are that narrow: upper ends are held against 1 plus this."""


def upper(value: EValue) -> F:
    """An upper bound of the e-value."""
    return F(0) if value.ln is None else exp_bounds(value.ln.upper, 128)[1]


def lower(value: EValue) -> F:
    return F(0) if value.ln is None else exp_bounds(value.ln.lower, 128)[0]


def law(cells: int, random: Random) -> tuple[F, ...]:
    units = [random.randint(1, 9) for _ in range(cells)]
    return tuple(F(u, sum(units)) for u in units)


def arm(cells: int, random: Random) -> SimpleAlternative | Dirichlet:
    if random.random() < 0.5:
        return SimpleAlternative("law", law(cells, random))
    groups = random.randint(1, cells)
    group = (*range(groups), *(random.randrange(groups) for _ in range(cells - groups)))
    return Dirichlet("dirichlet", group, tuple(F(random.randint(1, 20), 4) for _ in range(groups)))


def instance(seed: int) -> tuple[tuple[F, ...], Mixture, int]:
    """A null law, a mixture against bounds that it keeps, and a number of draws."""
    random = Random(seed)
    cells, n = random.choice([(2, 6), (3, 4), (4, 3)])
    null = law(cells, random)
    most = tuple(min(F(1), p * random.choice([1, 1, F(11, 10)])) for p in null)
    arms = [(F(1, 2), arm(cells, random)), (F(1, 4), arm(cells, random))]
    return null, Mixture(Partition(tuple("abcd"[:cells]), most), arms), n


def first_cell_again(past: tuple[int, ...]) -> bool:
    """A stopping rule: the last two outcomes are alike."""
    return len(past) > 1 and past[-1] == past[-2]


def expected(null, process: Mixture, n: int, stop=lambda past: False, bound=upper) -> F:
    known: dict[tuple[int, ...], F] = {}

    def value(counts):
        if counts not in known:
            known[counts] = bound(process.e_value(counts))
        return known[counts]

    return expectation(null, n, value, stop)


@pytest.mark.parametrize("block", [*range(8), *(pytest.param(b, marks=pytest.mark.long) for b in range(8, 40))])
def test_mixtures_expect_at_most_their_weight(block):
    for seed in range(25 * block, 25 * block + 25):
        null, process, n = instance(seed)
        assert expected(null, process, n) <= F(3, 4) + SLACK
        assert expected(null, process, n, first_cell_again) <= F(3, 4) + SLACK


def test_mixtures_expect_exactly_one_where_bounds_are_the_law_and_arms_are_laws():
    for seed in range(50):
        random = Random(seed)
        null = law(3, random)
        process = Mixture(Partition(tuple("abc"), null), [(F(1, 3), arm(3, random)), (F(2, 3), arm(3, random))])
        assert abs(expected(null, process, 3) - 1) < SLACK  # it is a martingale: nothing is wasted
        assert abs(expected(null, process, 4, first_cell_again) - 1) < SLACK


def test_e_value_is_the_product_that_it_is_defined_as():
    partition = Partition(("a", "b"), (F(2, 3), F(1, 3)))
    process = Mixture(partition, [(F(1, 2), SimpleAlternative("x", (F(1, 4), F(3, 4))))])
    assert lower(process.e_value((2, 1))) <= F(1, 2) * (F(3, 8)) ** 2 * F(9, 4) <= upper(process.e_value((2, 1)))
    flat = Mixture(partition, [(F(1), Dirichlet("flat", (0, 1), (F(1), F(1))))])
    integral = F(2 * 1, 4 * 3 * 2)  # of q^2 (1 - q) over [0, 1]: 2! 1! / 4!
    truth = integral / (F(2, 3) ** 2 * F(1, 3))
    assert lower(flat.e_value((2, 1))) <= truth <= upper(flat.e_value((2, 1)))


def test_mutants_are_seen_by_the_same_expectation():
    """A bound that is too small, a prior that is none, an alternative of mass > 1: the expectation is above 1."""
    null = (F(1, 2), F(1, 4), F(1, 4))
    low = Mixture(
        Partition(tuple("abc"), (F(1, 2), F(1, 5), F(3, 10))),
        [(F(1), SimpleAlternative("x", (F(1, 5), F(3, 5), F(1, 5))))],
    )
    assert expected(null, low, 3, bound=lower) > 1


@pytest.mark.parametrize("weights", [(F(3, 4), F(1, 2)), (F(1), F(1))])
def test_mixtures_refuse_weights_above_1(weights):
    partition = Partition(("a", "b"), (F(1, 2), F(1, 2)))
    arms = [(w, SimpleAlternative("x", (F(1, 2), F(1, 2)))) for w in weights]
    with pytest.raises(ValueError, match="at most 1"):
        Mixture(partition, arms)


def test_parts_refuse_what_would_not_be_valid():
    with pytest.raises(ValueError, match="at most 1"):
        SimpleAlternative("x", (F(3, 4), F(1, 2)))
    with pytest.raises(ValueError, match="at least 1"):
        Partition(("a", "b"), (F(1, 2), F(1, 3)))
    with pytest.raises(ValueError, match="> 0"):
        Partition(("a", "b"), (F(1), F(0)))
    with pytest.raises(ValueError, match="> 0"):
        Dirichlet("d", (0, 1), (F(1), F(0)))
    process = Mixture(Partition(("a", "b"), (F(1, 2), F(1, 2))), [(F(1), SimpleAlternative("x", (F(1, 2), F(1, 2))))])
    for counts in ((1,), (1, -1), (1, 0.5), (True, 1)):
        with pytest.raises(ValueError, match="counts"):
            process.e_value(counts)


def tight_pair(random: Random) -> tuple[F, F, F, F]:
    """P(S), Q(S), factor and delta with P(S) <= factor Q(S) + delta, often with equality."""
    factor, delta = F(random.randint(4, 12), 4), random.choice([F(0), F(1, 100), F(1, 5)])
    q = F(random.randint(0, 20), 60)
    p = min(F(1), factor * q + delta)
    return (p if random.random() < 0.8 else p / 2), q, factor, delta


def pair_expectation(p: F, q: F, n: int, value, stop=lambda past: False) -> F:
    return expectation((p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)), n, value, stop)


@pytest.mark.parametrize("rule", [factors, falling_factors])
def test_capital_of_pairs_expects_at_most_1(rule):
    for seed in range(60):
        p, q, factor, delta = tight_pair(Random(seed))

        @cache
        def value(counts, factor=factor, delta=delta):
            return upper(capital(Four(*counts), factor, delta, rule))

        assert pair_expectation(p, q, 3, value) <= 1 + SLACK
        assert pair_expectation(p, q, 3, value, lambda past: past[-1] == 1) <= 1 + SLACK


def test_capital_is_the_mean_of_products_over_the_bets():
    for seed in range(400):
        random = Random(seed)
        _, _, factor, delta = tight_pair(random)
        counts = [random.randint(0, 5) for _ in range(4)]
        steps = (1 - factor - delta, 1 - delta, -factor - delta, -delta)
        exact = F(0)
        for bet in BETS:
            x = F(1, len(BETS))
            for z, n in zip(steps, counts, strict=True):
                x *= (1 + bet / (factor + delta) * z) ** n
            exact += x
        found = capital(Four(*counts), factor, delta)
        assert lower(found) <= exact <= upper(found)
        assert upper(capital(Four(*counts), factor, delta, falling_factors)) <= exact + SLACK


def test_falling_capital_does_not_rise_with_epsilon():
    for seed in range(100):
        random = Random(seed)
        counts, delta = Four(*(random.randint(0, 50) for _ in range(4))), random.choice([F(0), F(1, 3)])
        values = [capital(counts, F(j, 4), delta, falling_factors) for j in (4, 5, 7, 12, 40)]
        assert all(upper(b) <= upper(a) * (1 + SLACK) for a, b in pairwise(values))


def test_capital_with_a_mistake_expects_more_than_1():
    """Without delta, and with the sides exchanged, a true claim would be refuted too often: the test above sees it."""
    p, q, factor = F(1, 2), F(1, 5), F(2)  # true with delta = 1/10
    without = pair_expectation(p, q, 3, lambda c: lower(capital(Four(*c), factor, F(0))))
    assert without > 1
    p, q = F(1, 10), F(1, 2)
    exchanged = pair_expectation(p, q, 3, lambda c: lower(capital(Four(c[0], c[2], c[1], c[3]), factor, F(0))))
    assert exchanged > 1
    assert pair_expectation(p, q, 3, lambda c: upper(capital(Four(*c), factor, F(0)))) <= 1


def test_pair_test_expects_at_most_1_over_both_directions():
    """Events of both directions on the same pairs: their mean, for randomised response at exactly its epsilon."""
    events = (
        Event("1", lambda y: y == 1, 1, F(1, 2)),
        Event("0", lambda y: y == 0, -1, F(1, 4)),
        Event("0 again", lambda y: y == 0, -1, F(1, 4)),
    )
    test = PairTest(claim("ln(3)"), events, F(1, 100))
    first, second = {1: F(3, 4), 0: F(1, 4)}, {1: F(1, 4), 0: F(3, 4)}
    outcomes = [(x, y) for x in (0, 1) for y in (0, 1)]
    total = F(0)
    for run in product(outcomes, repeat=3):
        chance, counts = F(1), {}
        for x, y in run:
            chance *= first[x] * second[y]
            key = (1 if x else 6, 1 if y else 6)
            counts = merged(counts, {key: 1})
        total += chance * upper(test.e_value(counts))
    assert F(9, 10) < total <= 1 + SLACK


def test_claims_use_an_upper_bound_of_the_exponential():
    assert claim("ln(3)").factor == 3
    assert 0 < claim(1).factor - F(euler) < F(1, 2**50)
    assert claim(1).factor >= exp_bounds(F(1), 256)[0]
    for epsilon, delta in ((-1, 0), (1, 1), (1, "-1/2")):
        with pytest.raises(ValueError, match="must be >= 0"):
            claim(epsilon, delta)
    with pytest.raises(ValueError, match="at most 1"):
        PairTest(claim(1), (Event("S", bool, 1, F(1)), Event("T", bool, -1, F(1, 10))), F(1, 10))
    with pytest.raises(ValueError, match="direction"):
        Event("S", bool, 0, F(1))
