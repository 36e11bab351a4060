"""Composition theorems as numbers: against enumeration and mpmath, rounded up, and refused where a hypothesis fails."""

from fractions import Fraction as F
from itertools import product
from math import prod
from random import Random

import pytest
from mpmath import mp, mpf

from refdp.accounting.theorems.composition import advanced, group, parallel, replaced, sequential
from refdp.accounting.theorems.guarantees import Guarantee, HypothesisError, guarantee
from refdp.accounting.theorems.optimal import exact_optimal_delta, optimal_delta, optimal_epsilon
from tests.examples import few


def to_mp(x):
    return mpf(x.numerator) / x.denominator


def response(t, d):
    """(P, Q) of the response with ratio t that fails with probability d."""
    p = [d, (1 - d) * t / (1 + t), (1 - d) / (1 + t), F(0)]
    return list(zip(p, p[::-1], strict=True))


def excess(parts, factor):
    """The hockey-stick divergence of the product, outcome by outcome."""
    total = F(0)
    for outcome in product(*parts):
        p, q = (prod(masses) for masses in zip(*outcome, strict=True))
        total += max(p - factor * q, F(0))
    return total


def pure(epsilon, **more):
    return guarantee("pure", epsilon, neighbours="add_remove", **more)


@pytest.mark.parametrize("seed", range(few(200)))
def test_optimal_delta_is_that_of_the_responses(seed):
    chance = Random(f"optimal {seed}")
    ratios = [(F(chance.randint(4, 12), 4), F(chance.randint(0, 2), 10), chance.randint(1, 2)) for _ in range(2)]
    factor = chance.choice([F(1, 3), F(1), F(3, 2), F(4), F(20)])
    parts = [response(t, d) for t, d, count in ratios for _ in range(count)]
    assert exact_optimal_delta(ratios, factor) == excess(parts, factor)


@pytest.mark.parametrize("seed", range(few(40)))
def test_optimal_delta_of_rational_epsilons_is_enclosed(seed):
    chance = Random(f"enclosed {seed}")
    losses = [(F(chance.randint(0, 8), 4), F(chance.randint(0, 2), 10)) for _ in range(chance.randint(1, 4))]
    epsilon = F(chance.randint(-2, 12), 4)
    parts = [guarantee("approximate", *loss, neighbours="change_one") for loss in losses]
    found = optimal_delta(parts, epsilon)
    with mp.workdps(40):
        total, z = mpf(0), prod(1 + mp.exp(to_mp(e)) for e, _ in losses)
        for signs in product((-1, 1), repeat=len(losses)):
            up = sum(to_mp(e) for (e, _), s in zip(losses, signs, strict=True) if s == 1)
            down = sum(to_mp(e) for (e, _), s in zip(losses, signs, strict=True) if s == -1)
            total += max(mp.exp(up) - mp.exp(to_mp(epsilon) + down), 0) / z
        truth = 1 - prod(1 - to_mp(d) for _, d in losses) * (1 - total)
        assert to_mp(found.lower) - mpf(10) ** -38 <= truth <= to_mp(found.upper) + mpf(10) ** -38
        assert found.upper - found.lower < F(1, 10**60)


def test_optimal_epsilon_of_a_hundred_responses_has_the_known_digits():
    """Digits worked out by binomial sums apart from this package."""
    for delta, digits in (("1e-6", "4.774567588107986153285948"), ("1e-12", "6.891377199770608309400063")):
        found = optimal_epsilon([pure("1/10")] * 100, delta)
        assert found.lower <= F(digits) <= found.upper
        assert found.upper - found.lower <= F(1, 10**6)


def test_optimal_epsilon_is_0_where_delta_suffices_and_refused_where_none_does():
    two = [guarantee("approximate", "1", "1/10", neighbours="add_remove")] * 2
    assert optimal_epsilon(two, "9/10").upper == 0
    assert optimal_epsilon(two, "19/100").upper >= 2 - F(1, 10**5)
    for delta in ("18/100", "2"):
        with pytest.raises(HypothesisError, match="delta must be from 19/100"):
            optimal_epsilon(two, delta)


@pytest.mark.parametrize("seed", range(few(100)))
def test_advanced_composition_is_no_less_than_the_best_and_as_printed(seed):
    chance = Random(f"advanced {seed}")
    losses = [(F(chance.randint(1, 9), chance.choice([4, 40])), F(chance.randint(0, 1), 100)) for _ in range(3)]
    losses = [loss for loss in losses for _ in range(chance.randint(1, 5))]
    parts, delta = (
        [guarantee("approximate", *loss, neighbours="add_remove") for loss in losses],
        F(1, 10 ** chance.randint(1, 6)),
    )
    epsilon, total = advanced(parts, delta).loss
    assert total == delta + sum(d for _, d in losses)
    assert optimal_delta(parts, epsilon).upper <= total
    with mp.workdps(40):
        es = [to_mp(e) for e, _ in losses]
        printed = sum(e * mp.tanh(e / 2) for e in es) + mp.sqrt(2 * mp.log(1 / to_mp(delta)) * sum(e * e for e in es))
        assert 0 <= to_mp(epsilon) - printed < printed * mpf(10) ** -18


def test_sequential_losses_add_up_exactly():
    assert sequential([pure("ln(3)"), pure("1/2")]).loss == (
        guarantee("pure", "ln(3) + 1/2", neighbours="add_remove").loss
    )
    two = [guarantee("approximate", "1/2", "1/10", neighbours="add_remove")] * 2
    assert sequential(two).loss == (1, F(1, 5))
    for measure in ("concentrated", "gaussian"):
        assert sequential([guarantee(measure, "1/4", neighbours="add_remove")] * 3).loss == (F(3, 4),)
    renyi = [guarantee("renyi", "3", "1/4", neighbours="add_remove")] * 2
    assert sequential(renyi).loss == (3, F(1, 2))


@pytest.mark.parametrize(
    "theorem", [sequential, lambda parts: advanced(parts, "1/10"), lambda parts: optimal_delta(parts, 1)]
)
def test_theorems_about_the_same_data_check_what_they_need(theorem):
    with pytest.raises(HypothesisError, match="at least one mechanism"):
        theorem([])
    with pytest.raises(HypothesisError, match="needs one measure throughout, got pure, approximate"):
        theorem([pure("1"), guarantee("approximate", "1", "0", neighbours="add_remove")])
    with pytest.raises(HypothesisError, match="needs one neighbours throughout"):
        theorem([pure("1"), guarantee("pure", "1", neighbours="change_one")])
    with pytest.raises(HypothesisError, match="needs one edits throughout"):
        theorem([pure("1"), group(pure("1"), 2)])
    with pytest.raises(HypothesisError, match="fixed beforehand; for losses chosen adaptively take a filter"):
        theorem([pure("1"), pure("1", chosen="adaptively")])


def test_renyi_losses_of_different_orders_do_not_add_up():
    with pytest.raises(HypothesisError, match="needs one order"):
        sequential([guarantee("renyi", order, "1", neighbours="add_remove") for order in ("2", "3")])


def test_theorems_of_epsilons_refuse_other_measures():
    rho = [guarantee("concentrated", "1", neighbours="add_remove")]
    with pytest.raises(HypothesisError, match="advanced composition is of epsilons"):
        advanced(rho, "1/10")
    with pytest.raises(HypothesisError, match="optimal composition is of epsilons"):
        optimal_delta(rho, 1)
    for delta in (0, 1, -1, 2):
        with pytest.raises(HypothesisError, match="strictly between 0 and 1"):
            advanced([pure("1")], delta)


def test_parallel_costs_the_greatest_and_needs_a_partition():
    parts = [
        guarantee("approximate", e, d, neighbours="add_remove", reads=f"part {e}")
        for e, d in (("1", "1/10"), ("2", "0"))
    ]
    assert parallel(parts, disjoint=True).loss == (2, F(1, 10))
    with pytest.raises(HypothesisError, match="needs the parts of a partition"):
        parallel(parts, disjoint=False)
    with pytest.raises(HypothesisError, match="each part needs a name of its own"):
        parallel([parts[0], parts[0]], disjoint=True)
    with pytest.raises(HypothesisError, match="each part needs a name of its own"):
        parallel([pure("1")], disjoint=True)
    with pytest.raises(HypothesisError, match="one row added or removed"):
        parallel([guarantee("pure", "1", neighbours="change_one", reads="a")], disjoint=True)
    with pytest.raises(HypothesisError, match="stated for one edit"):
        parallel([group(parts[0], 2)], disjoint=True)
    with pytest.raises(HypothesisError, match="losses fixed beforehand"):
        parallel([pure("1", reads="a", chosen="adaptively")], disjoint=True)
    orders = [guarantee("renyi", n, "1", neighbours="add_remove", reads=n) for n in ("2", "3")]
    with pytest.raises(HypothesisError, match="needs one order"):
        parallel(orders, disjoint=True)


def test_parallel_under_replacement_is_a_group_of_two():
    parts = [pure("1", reads="a"), pure("1/2", reads="b")]
    found = replaced(group(parallel(parts, disjoint=True), 2))
    assert (found.loss, found.neighbours, found.edits) == ((2,), "change_one", 1)
    with pytest.raises(HypothesisError, match="a group of two"):
        replaced(pure("1"))


def test_group_of_k_is_that_of_each_measure():
    assert group(pure("ln(2)"), 3).loss == (guarantee("pure", "ln(8)", neighbours="add_remove").loss)
    approximate = guarantee("approximate", "ln(2)", "1/100", neighbours="add_remove")
    assert group(approximate, 3).loss[1] == F(7, 100)
    assert group(approximate, 1).loss == approximate.loss
    irrational = group(guarantee("approximate", "1", "1/100", neighbours="add_remove"), 2).loss[1]
    with mp.workdps(40):
        assert 0 < to_mp(irrational) - (1 + mp.e) / 100 < mpf(10) ** -18
    for measure in ("concentrated", "gaussian"):
        assert group(guarantee(measure, "1/4", neighbours="add_remove"), 3).loss == (F(9, 4),)
    renyi = guarantee("renyi", "8", "1", neighbours="add_remove")
    assert group(renyi, 2).loss == (4, F(15, 7))
    assert group(renyi, 1) == renyi
    assert group(pure("1"), 2).edits == 2


def test_group_that_no_theorem_is_about_is_refused():
    for k in (0, -1, F(1, 2), True):
        with pytest.raises(HypothesisError, match="k must be a whole number"):
            group(pure("1"), k)
    with pytest.raises(HypothesisError, match="two edits"):
        group(guarantee("renyi", "8", "1", neighbours="add_remove"), 3)
    with pytest.raises(HypothesisError, match="an order > 2"):
        group(guarantee("renyi", "2", "1", neighbours="add_remove"), 2)


@pytest.mark.parametrize(
    ("measure", "loss", "neighbours", "sentence"),
    [
        ("pure", ("-1",), "add_remove", "epsilon must be >= 0"),
        ("approximate", ("1", "-1/10"), "add_remove", "delta must be >= 0"),
        ("approximate", ("1",), "add_remove", "has epsilon, delta, got 1 numbers"),
        ("renyi", ("1", "1"), "add_remove", "order must be > 1"),
        ("profile", (), "add_remove", "measure must be one of"),
        ("pure", ("1",), "hamming", "neighbours must be add_remove or change_one"),
        ("pure", ("1", "2"), "add_remove", "measure must be one of|got 2 numbers"),
    ],
)
def test_guarantees_are_checked(measure, loss, neighbours, sentence):
    with pytest.raises(HypothesisError, match=sentence):
        guarantee(measure, *loss, neighbours=neighbours)


def test_guarantees_take_no_floats():
    with pytest.raises(ValueError, match="must be exact"):
        guarantee("pure", 0.1, neighbours="add_remove")
    with pytest.raises(HypothesisError, match="edits must be >= 1"):
        Guarantee("pure", (F(1),), "add_remove", edits=0)


def test_too_many_sums_are_refused():
    parts = [guarantee("pure", f"ln({n})", neighbours="add_remove") for n in range(2, 20)]
    with pytest.raises(HypothesisError, match="at most 100000 sums"):
        optimal_delta(parts, 1)
    with pytest.raises(HypothesisError, match="e\\^epsilon must be >= 1"):
        exact_optimal_delta([(F(1, 2), F(0), 1)], F(1))
    with pytest.raises(HypothesisError, match="delta must be in"):
        exact_optimal_delta([(F(2), F(2), 1)], F(1))
