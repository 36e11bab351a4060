"""Rows of the table of dominating pairs against every table, sample and outcome of small mechanisms, enumerated."""

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest

from refdp.accounting import losses
from refdp.accounting.events import (
    Approximate,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Finite,
    FixedSize,
    Gaussian,
    KAryRandomisedResponse,
    Laplace,
    NoTheorem,
    Poisson,
    Profile,
    RandomisedResponse,
    Renyi,
    TradeOff,
)
from refdp.accounting.losses import LossError
from refdp.accounting.pairs import compositions, dominating_pairs
from tests.accounting.small_mechanisms import Mechanism, dominating, hockey_stick, law, laws_of, mixture, ratios
from tests.examples import few

RATE = Fraction(1, 3)


@pytest.mark.parametrize("shard", range(few(4)))
def test_poisson_sampling_never_costs_more_than_its_row_when_a_row_is_added_or_removed(shard):
    for seed in range(100 * shard, 100 * shard + 100):
        m, others, row = Mechanism(seed), (0, 1), 2
        tables = [t for n in range(3) for t in combinations(others, n)]
        base = Finite(dominating([(m((*t, row)), m(t)) for t in tables]))
        event = Event(base, 1, Poisson(RATE))
        share = {t: RATE ** len(t) * (1 - RATE) ** (2 - len(t)) for t in tables}
        without = mixture([(share[t], m(t)) for t in tables])
        with_row = mixture([(share[t] * w, m(u)) for t in tables for w, u in ((1 - RATE, t), (RATE, (*t, row)))])
        pairs = dominating_pairs(event, "add_remove")
        for x in ratios(with_row, without):
            assert hockey_stick(with_row, without, x) <= laws_of(pairs["remove"], x)
        for x in ratios(without, with_row):
            assert hockey_stick(without, with_row, x) <= laws_of(pairs["add"], x)


def test_poisson_sampling_attains_its_row_where_no_other_row_matters():
    for seed in range(100):
        p, q = law(Random(seed)), law(Random(seed + 1000))
        pairs = dominating_pairs(Event(Finite(tuple(zip(p, q, strict=True))), 1, Poisson(RATE)), "add_remove")
        mixed = mixture([(RATE, p), (1 - RATE, q)])
        for x in ratios(mixed, q):
            assert hockey_stick(mixed, q, x) == laws_of(pairs["remove"], x)
            assert hockey_stick(q, mixed, x) == laws_of(pairs["add"], x)


@pytest.mark.parametrize(("rows", "sample"), [(3, 1), (3, 2), (4, 2)])
def test_a_sample_of_a_fixed_size_never_costs_more_than_its_row_when_a_row_is_replaced(rows, sample):
    for seed in range(60):
        m, values = Mechanism(seed), range(2)
        samples = list(product(values, repeat=sample))
        near = [(s, t) for s in samples for t in samples if sum(a != b for a, b in zip(s, t, strict=True)) == 1]
        cells = dominating([(m(s), m(t)) for s, t in near])
        base = Finite(cells)
        pair = losses.FixedSize(base.loss(), Fraction(sample, rows))
        for others in product(values, repeat=rows - 1):
            drawn = [
                mixture([(Fraction(1, count), m(s)) for s in chosen])
                for table in ((*others, 0), (*others, 1))
                for chosen in [list(combinations(table, sample))]
                for count in [len(chosen)]
            ]
            for p, q in (drawn, drawn[::-1]):
                for x in ratios(p, q):
                    assert hockey_stick(p, q, x) <= laws_of(pair, x)


def test_a_sample_of_a_fixed_size_has_the_pair_of_its_share():
    found = dominating_pairs(Event(Gaussian(2, 3), 1, FixedSize(10, 4)), "change_one")
    assert found == {"replace": losses.FixedSize(losses.Normal(Fraction(9, 4)), Fraction(2, 5))}


def discrete_laplace(ratio, centre, reach):
    """Exact weights of two-sided geometric noise around a centre, in a window; what lies outside is left out."""
    constant = (1 - ratio) / (1 + ratio)
    return {k: constant * ratio ** abs(k - centre) for k in range(-reach, reach + 1)}


def test_poisson_sampled_noise_never_costs_more_than_its_row_when_a_row_is_replaced():
    """Sums of up to three rows; noise whose ratio is rational: the lemma speaks of every log-concave noise."""
    ratio, reach, moved, rate = Fraction(1, 2), 24, 2, RATE
    noise = {c: discrete_laplace(ratio, c, reach) for c in range(-4, 5)}

    def sampled(rows):
        found = dict.fromkeys(range(-reach, reach + 1), Fraction(0))
        for kept in product((False, True), repeat=len(rows)):
            weight = rate ** sum(kept) * (1 - rate) ** (len(rows) - sum(kept))
            total = sum(row for row, is_kept in zip(rows, kept, strict=True) if is_kept)
            for k, p in noise[total].items():
                found[k] += weight * p
        return found

    def mixed(move):
        return {k: rate * noise[move][k] + (1 - rate) * noise[0][k] for k in noise[0]}

    worst = mixed(moved), mixed(-moved)
    rest = ratio ** (reach - 4) * 4  # more than the mass outside the window
    for first, second, other in product((-2, -1, 0, 1, 2), (-2, -1, 0, 1, 2), (0, 1, -2)):
        p, q = sampled((first, other)), sampled((second, other))
        for x in (Fraction(1, 2), Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2)):
            most = hockey_stick(worst[0].values(), worst[1].values(), x)
            assert hockey_stick(p.values(), q.values(), x) <= most + rest
    exact = [hockey_stick(worst[0].values(), worst[1].values(), x) for x in (Fraction(1), Fraction(3, 2))]
    narrower = [hockey_stick(mixed(1).values(), mixed(-1).values(), x) for x in (Fraction(1), Fraction(3, 2))]
    assert all(a > b + rest for a, b in zip(exact, narrower, strict=True))


def test_noise_has_the_same_pair_in_every_direction():
    for mechanism, loss in (
        (Gaussian(2, 3), losses.Normal(Fraction(9, 4))),
        (Laplace(2, 3), losses.Laplace(Fraction(3, 2))),
        (DiscreteLaplace(2, 3, "1/2"), losses.DiscreteLaplace(Fraction(1, 4), 6)),
        (DiscreteGaussian(2, 3, "1/2"), losses.DiscreteGaussian(Fraction(16), 6)),
        (Approximate("ln(3)", "1/100"), losses.response("ln(3)", Fraction(1, 100))),
    ):
        for neighbours, sides in (("add_remove", {"remove", "add"}), ("change_one", {"replace"})):
            assert dominating_pairs(Event(mechanism), neighbours) == dict.fromkeys(sides, loss)


def test_noise_on_poisson_samples_is_moved_by_an_added_row():
    replaced = dominating_pairs(Event(Gaussian(2, 3), 1, Poisson("1/10")), "change_one")
    assert replaced == {"replace": losses.Sampled(losses.Normal(Fraction(9, 4)), Fraction(1, 10), "replace")}
    for mechanism, twice in (
        (Gaussian(2, 3), losses.Normal(Fraction(9))),
        (Laplace(2, 3), losses.Laplace(Fraction(3))),
        (DiscreteLaplace(2, 3), losses.DiscreteLaplace(Fraction(1, 2), 6)),
        (DiscreteGaussian(2, 3), losses.DiscreteGaussian(Fraction(4), 6)),
    ):
        assert dominating_pairs(Event(mechanism, 1, Poisson(1)), "change_one") == {"replace": twice}
        assert dominating_pairs(Event(mechanism, 1, Poisson(1)), "add_remove")["add"] == mechanism.loss()


def test_randomised_response_is_that_of_its_values():
    assert dominating_pairs(Event(RandomisedResponse("3/4")), "none")["remove"] == losses.response("ln(3)")
    (loss,) = set(dominating_pairs(Event(KAryRandomisedResponse(4, "1/2")), "change_one").values())
    assert loss.outcomes == (
        (Fraction(1, 2), Fraction(1, 6)), (Fraction(1, 6), Fraction(1, 2)), (Fraction(1, 3), Fraction(1, 3)),
    )  # fmt: skip
    assert len(KAryRandomisedResponse(2, "3/4").loss().outcomes) == 2


def test_a_finite_law_is_read_backwards_in_the_other_direction():
    event = Event(Finite((("1/2", "1/4"), ("1/2", "3/4"))))
    pairs = dominating_pairs(event, "add_remove")
    assert pairs["remove"] == event.mechanism.loss()
    assert pairs["add"].outcomes == tuple((q, p) for p, q in pairs["remove"].outcomes)
    with pytest.raises(NoTheorem, match="read backwards"):
        dominating_pairs(event, "change_one")
    split = Event(Finite((("1/2", "1/4"), ("1/8", "1/4"), ("1/8", "1/4"), ("1/4", "1/4"), (0, 0))))
    assert split.mechanism.is_symmetric()  # the outcomes of ratio 1/2 together are those of ratio 2, read backwards
    assert dominating_pairs(split, "change_one") == {"replace": split.mechanism.loss()}
    assert not Finite((("1/2", "1/4"), ("1/8", "1/4"), ("1/8", "1/8"), ("1/4", "3/8"))).is_symmetric()


def test_a_trade_off_is_bounded_by_its_steps():
    """Every pair of finite laws, told by some points of its trade-off, is dominated by what is made of them."""
    for seed in range(100):
        random = Random(seed)
        p, q = law(random), law(random)
        error = {alpha: least_error(p, q, alpha) for alpha in (Fraction(k, 7) for k in range(8))}
        loss = TradeOff(tuple(error.items())).loss()
        for x in ratios(p, q):
            assert hockey_stick(p, q, x) <= laws_of(loss, x)
    coarse, fine = (
        TradeOff(tuple((Fraction(k, n), (1 - Fraction(k, n)) ** 2) for k in range(n + 1))).loss() for n in (4, 64)
    )
    assert laws_of(fine, Fraction(1)) < laws_of(coarse, Fraction(1))


def least_error(p, q, alpha):
    """The least error of the second kind of a random test of Q-level alpha."""
    power, left = Fraction(0), alpha
    for a, b in sorted(zip(p, q, strict=True), key=lambda ab: ab[0] / ab[1] if ab[1] else 10**9, reverse=True):
        share = min(Fraction(1), left / b) if b else Fraction(1)
        power, left = power + share * a, left - share * b
    return 1 - power


REFUSED = {
    "poisson, private under replacement only": (Event(Approximate(1), 1, Poisson("1/2")), "change_one"),
    "poisson of randomised response": (Event(RandomisedResponse("3/4"), 1, Poisson("1/2")), "change_one"),
    "poisson of a finite law": (Event(Finite((("1/2", "1/2"), ("1/2", "1/2"))), 1, Poisson("1/2")), "change_one"),
    "poisson of zcdp": (Event(Concentrated(1), 1, Poisson("1/2")), "add_remove"),
    "poisson of renyi": (Event(Renyi(((2, 1),)), 1, Poisson("1/2")), "add_remove"),
    "poisson of a profile": (Event(Profile("p", lambda e: e), 1, Poisson("1/2")), "add_remove"),
    "fixed size, a row more": (Event(Gaussian(1), 1, FixedSize(10, 2)), "add_remove"),
    "fixed size of zcdp": (Event(Concentrated(1), 1, FixedSize(10, 2)), "change_one"),
    "sampling of no table": (Event(Gaussian(1), 1, Poisson("1/2")), "none"),
    "fixed size of no table": (Event(Gaussian(1), 1, FixedSize(10, 2)), "none"),
    "answers of rows that are missing": (Event(RandomisedResponse("3/4")), "add_remove"),
    "k-ary answers of rows that are missing": (Event(KAryRandomisedResponse(3, "3/4")), "add_remove"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_row_is_refused(case):
    event, neighbours = REFUSED[case]
    with pytest.raises(NoTheorem) as refusal:
        dominating_pairs(event, neighbours)
    assert "\n" not in str(refusal.value)


def test_neighbours_must_be_named():
    with pytest.raises(LossError, match="neighbours must be one of add_remove, change_one, none, got bounded"):
        dominating_pairs(Event(Gaussian(1)), "bounded")


def test_directions_that_cost_the_same_are_worked_out_once():
    assert list(compositions("add_remove", [Event(Gaussian(1), 3), Event(Laplace(1))])) == ["remove"]
    assert list(compositions("add_remove", [Event(Gaussian(1), 3, Poisson("1/2"))])) == ["remove", "add"]
    assert compositions("change_one", [])["replace"].parts == ((losses.response(0), 1),)
