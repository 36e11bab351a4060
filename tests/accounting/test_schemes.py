"""Sampling schemes against every table, sample and outcome of small mechanisms, enumerated; and what is refused."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb
from random import Random

import pytest

from refdp.accounting import losses
from refdp.accounting.accounts import Account
from refdp.accounting.events import (
    Approximate,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Finite,
    FixedSize,
    FixedSizeOfAtLeast,
    Gaussian,
    Laplace,
    NoTheorem,
    Poisson,
    RandomisedResponse,
    TruncatedPoisson,
    WithReplacement,
)
from refdp.accounting.judging.attained import attained
from refdp.accounting.losses import LossError
from refdp.accounting.pairs import dominating_pairs
from refdp.numerics.exact import Ln
from tests.accounting.small_mechanisms import (
    Mechanism,
    dominating,
    hockey_stick,
    hockey_sticks,
    laws_of,
    mixture,
    possible_law,
    profile_of_laws,
    ratios,
)
from tests.examples import few

VALUES = range(3)
"""Values of a row."""


def both_ways(cells):
    """The least symmetric pair that dominates: of the cells, read forwards and backwards."""
    return dominating([tuple(zip(*cells, strict=True)), tuple(zip(*cells, strict=True))[::-1]])


def drawn(mechanism, table, size):
    """The law on a sample of that size, each set of rows as likely."""
    samples = list(combinations(table, size))
    return mixture([(Fraction(1, len(samples)), mechanism(sample)) for sample in samples])


def worst_replaced(mechanism, size):
    """A pair that dominates the mechanism on lots of that size that differ by one row, either way."""
    lots = list(product(VALUES, repeat=size))
    near = [(s, t) for s in lots for t in lots if sum(a != b for a, b in zip(s, t, strict=True)) == 1]
    return dominating([(mechanism(s), mechanism(t)) for s, t in near])


def assert_never_more(first, second, pairs):
    """Neither direction costs more than its pair, where the profiles bend and beside."""
    for p, q, loss in ((first, second, pairs["remove"]), (second, first, pairs["add"])):
        cost, bound = hockey_sticks(p, q), profile_of_laws(loss)
        for x in ratios(p, q):
            assert cost(x) <= bound(x)


@pytest.mark.parametrize("shard", range(few(4)))
def test_a_sample_of_a_fixed_size_never_costs_more_than_its_rate_where_a_row_is_added_or_removed(shard):
    """1,008 mechanisms; tables of the least number of rows and of more."""
    for seed in range(252 * shard, 252 * shard + 252):
        random = Random(seed)
        least, size = random.choice(((1, 1), (2, 1), (2, 2), (3, 2), (3, 3)))
        mechanism = Mechanism(seed)
        base = Finite(worst_replaced(mechanism, size))
        assert base.is_symmetric()
        pairs = dominating_pairs(Event(base, 1, FixedSizeOfAtLeast(least, size)), "add_remove")
        table = [random.choice(VALUES) for _ in range(least + random.randrange(3))]
        assert_never_more(drawn(mechanism, [*table, random.choice(VALUES)], size), drawn(mechanism, table, size), pairs)


def test_the_rate_of_a_sample_of_a_fixed_size_is_attained_and_none_smaller_holds():
    """All other rows equal, at the least number of rows; with one row more in the table the rate is too small."""
    for seed in range(50):
        mechanism = Mechanism(seed)
        base = Finite(dominating([(mechanism((1,)), mechanism((0,))), (mechanism((0,)), mechanism((1,)))]))
        p, q = mechanism((1,)), mechanism((0,))
        pairs = dominating_pairs(Event(Finite(both_ways(list(zip(p, q, strict=True)))), 1, FixedSizeOfAtLeast(3, 1)),
                                 "add_remove")  # fmt: skip
        assert base.is_symmetric()
        assert pairs["remove"].rate == Fraction(1, 4)
        first, second = drawn(mechanism, (0, 0, 0, 1), 1), drawn(mechanism, (0, 0, 0), 1)
        assert_never_more(first, second, pairs)
    p, q = (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))
    cells = Finite(tuple(zip(p, q, strict=True)))
    mixed = tuple(Fraction(1, 4) * a + Fraction(3, 4) * b for a, b in zip(p, q, strict=True))
    exact = dominating_pairs(Event(cells, 1, FixedSizeOfAtLeast(3, 1)), "add_remove")
    fewer = dominating_pairs(Event(cells, 1, FixedSizeOfAtLeast(4, 1)), "add_remove")
    x = Fraction(1)
    assert hockey_stick(mixed, q, x) == laws_of(exact["remove"], x) > laws_of(fewer["remove"], x)
    assert hockey_stick(q, mixed, x) == laws_of(exact["add"], x) > laws_of(fewer["add"], x)


def test_what_is_private_where_a_row_is_added_is_no_base_of_a_sample_of_a_fixed_size():
    """A count of rows with noise does not move in lots of one size: sensitivities are those of a row replaced."""
    pairs = dominating_pairs(Event(Gaussian(1, 2), 1, FixedSizeOfAtLeast(9, 2)), "add_remove")
    assert pairs == {
        side: losses.Sampled(losses.Normal(Fraction(4)), Fraction(1, 5), side) for side in ("remove", "add")
    }


def test_a_least_number_of_rows_serves_replaced_rows_too():
    event, exact = (Event(Gaussian(1), 1, scheme) for scheme in (FixedSizeOfAtLeast(10, 2), FixedSize(10, 2)))
    assert dominating_pairs(event, "change_one") == dominating_pairs(exact, "change_one")


def test_the_least_number_of_rows_is_believed_and_said():
    event = Event(Gaussian(1), 1, FixedSizeOfAtLeast(10, 2), frozenset({"somebody"}))
    believed = {"assumption: every table has at least 10 rows", "somebody"}
    assert event.trusts == believed
    answer = Account("add_remove", (event,)).epsilon_bounds("1/1000")
    assert answer.trusts == believed | {"Arb"}


def test_samples_of_a_least_number_of_rows_are_attained_where_a_row_is_added():
    event = Event(Gaussian(1), 3, FixedSizeOfAtLeast(10, 2))
    assert attained("add_remove", [(event, (event,))]).events == (event,)
    (found,) = attained("change_one", [(event, (event,))]).events
    assert (found.sampling.rate, found.count) == (Fraction(1, 5), 3)


def pure(mechanism, pairs_of_lots):
    """The mechanism's own epsilon between the pairs of lots, either way."""
    found = [Fraction(1)]
    for s, t in pairs_of_lots:
        found += [max(a / b, b / a) for a, b in zip(mechanism(s), mechanism(t), strict=True)]
    return Approximate(Ln(max(found)))


def subsets(table):
    return [s for n in range(len(table) + 1) for s in combinations(table, n)]


def truncated(mechanism, table, rate, largest, by_chance):
    """The law on the table's Poisson samples, of which `largest` rows are kept, by chance or in the table's order."""
    weighted = []
    for sample in subsets(table):
        weight = rate ** len(sample) * (1 - rate) ** (len(table) - len(sample))
        kept = list(combinations(sample, largest)) if len(sample) > largest else [sample]
        kept = kept if by_chance else kept[:1]
        weighted += [(weight / len(kept), mechanism(lot)) for lot in kept]
    return mixture(weighted)


@pytest.mark.parametrize("shard", range(few(4)))
def test_truncated_poisson_samples_never_cost_more_than_their_mixture(shard):
    """1,000 mechanisms; cut by chance and in an order, the row anywhere in it."""
    for seed in range(250 * shard, 250 * shard + 250):
        random = Random(seed)
        mechanism, largest, rate = (
            Mechanism(seed, possible_law),
            random.choice((1, 2)),
            Fraction(random.choice((1, 2)), 3),
        )
        lots = [t for n in range(largest) for t in product((0, 1), repeat=n)]
        base = pure(mechanism, [((*t, row), t) for t in lots for row in (0, 1)])
        shared = [random.choice((0, 1)) for _ in range(random.randrange(1, 5))]
        place, row = random.randrange(len(shared) + 1), random.choice((0, 1))
        table = [*shared[:place], row, *shared[place:]]
        scheme = TruncatedPoisson(rate, largest, len(table) + random.randrange(2))
        pairs = dominating_pairs(Event(base, 1, scheme), "add_remove")
        for by_chance in (True, False):
            first, second = (truncated(mechanism, t, rate, largest, by_chance) for t in (table, shared))
            assert_never_more(first, second, pairs)


def two_sided(ratio, centre, reach=24):
    """Weights of two-sided geometric noise around a centre, in a window; what lies outside is left out."""
    constant = (1 - ratio) / (1 + ratio)
    return tuple(constant * ratio ** abs(k - centre) for k in range(-reach, reach + 1))


HALF = Fraction(1, 2)
OUTSIDE = HALF**18
"""More than the mass of such noise outside its window, around a centre of at most 4."""


def noisy(table, rate, largest):
    """The law of the sum of what is kept of a Poisson sample, with noise."""
    return mixture_of([(w, two_sided(HALF, sum(lot))) for w, lot in cut(table, rate, largest)])


def cut(table, rate, largest):
    """(probability, lot) of what is kept by chance."""
    found = []
    for sample in subsets(table):
        weight = rate ** len(sample) * (1 - rate) ** (len(table) - len(sample))
        kept = list(combinations(sample, largest)) if len(sample) > largest else [sample]
        found += [(weight / len(kept), lot) for lot in kept]
    return found


def mixture_of(weighted):
    return [sum(column) for column in zip(*([w * p for p in law] for w, law in weighted), strict=True)]


def noise_pair(direction, rate, moved):
    """(P, Q) of that noise on a Poisson sample, by the definition in `losses.Sampled`."""
    centre, up, down = (two_sided(HALF, move) for move in (0, moved, -moved))
    first, second = (mixture_of([(rate, law), (1 - rate, centre)]) for law in (up, down))
    match direction:
        case "remove":
            return first, centre
        case "add":
            return centre, first
    return first, second


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(3, 4)])
def test_truncated_noise_never_costs_more_than_its_mixture_and_may_cost_more_than_a_poisson_sample(rate):
    """Rows of -1, 0 and 1, up to three shared ones, one more, or one replaced; the noise's ratio is 1/2."""
    exceeded, points = 0, [Fraction(n, 4) for n in range(1, 17)]
    bounds = {
        way: [[hockey_stick(*noise_pair(way, rate, moved), x) for x in points] for moved in (1, 2)]
        for way in ("remove", "add", "replace")
    }
    for size, largest in ((1, 1), (2, 1), (2, 2), (3, 2)):
        full = sum(w for w, number in weights(size, rate) if number >= largest)
        for shared in combinations_with_replacement((-1, 0, 1), size):
            laws = {row: noisy((*shared, *row), rate, largest) for row in ((), (-1,), (0,), (1,))}
            for one, other in product(laws, repeat=2):
                if one == other:
                    continue
                way = "replace" if one and other else "remove" if one else "add"
                for x, near, far in zip(points, *bounds[way], strict=True):
                    cost = hockey_stick(laws[one], laws[other], x)
                    assert cost <= (1 - full) * near + full * far + OUTSIDE
                    exceeded += cost > near + OUTSIDE
    assert exceeded > 0


def weights(size, rate):
    """(probability, number) of the rows in a Poisson sample."""
    return [(comb(size, k) * rate**k * (1 - rate) ** (size - k), k) for k in range(size + 1)]


def test_a_truncated_sample_is_a_mixture_of_one_row_and_two():
    """At most 3 of 5 rows, rate 1/2: the other four fill the sample with probability 5/16."""
    for neighbours in ("add_remove", "change_one"):
        pairs = dominating_pairs(Event(Gaussian(1), 1, TruncatedPoisson("1/2", 3, 5)), neighbours)
        for side, loss in pairs.items():
            (often, one), (seldom, two) = loss.parts
            assert (one.base, two.base) == (losses.Normal(Fraction(1)), losses.Normal(Fraction(4)))
            assert one.direction == two.direction == side
            assert Fraction(5, 16) <= seldom < Fraction(5, 16) + Fraction(1, 10**60)
            assert often == 1 - seldom


def test_a_sample_that_is_never_truncated_is_a_poisson_sample():
    plain, event = (Event(Gaussian(1), 1, scheme) for scheme in (Poisson("1/2"), TruncatedPoisson("1/2", 5, 5)))
    for neighbours in ("add_remove", "change_one"):
        assert dominating_pairs(event, neighbours) == dominating_pairs(plain, neighbours)
    certain = dominating_pairs(Event(Gaussian(1), 1, TruncatedPoisson(1, 4, 6)), "change_one")
    assert certain == {"replace": losses.Normal(Fraction(16))}


def with_replacement(mechanism, table, draws):
    """The law on so many draws, each of any row."""
    lots = list(product(table, repeat=draws))
    return mixture([(Fraction(1, len(lots)), mechanism(lot)) for lot in lots])


@pytest.mark.parametrize("shard", range(few(4)))
def test_draws_with_replacement_never_cost_more_than_their_mixture(shard):
    """1,000 mechanisms; a table of one row, too, which is drawn every time."""
    for seed in range(250 * shard, 250 * shard + 250):
        random = Random(seed)
        mechanism, rows, draws = Mechanism(seed, possible_law), random.randrange(1, 4), random.randrange(1, 4)
        lots = list(product((0, 1), repeat=draws))
        base = pure(mechanism, [(s, t) for s in lots for t in lots if sum(s) == sum(t) + 1])
        pairs = dominating_pairs(Event(base, 1, WithReplacement(rows, draws)), "change_one")
        shared = [random.choice((0, 1)) for _ in range(rows - 1)]
        first, second = (with_replacement(mechanism, [*shared, row], draws) for row in (0, 1))
        assert_never_more(first, second, {"remove": pairs["replace"], "add": pairs["replace"]})


def test_draws_with_replacement_may_cost_more_than_a_sample_without_repetition():
    """A sum with noise of ratio 1/2; two draws of two rows, one of them replaced: it may be drawn twice."""
    first, second = (
        mixture_of([(Fraction(1, 4), two_sided(HALF, sum(lot))) for lot in product((0, row), repeat=2)])
        for row in (0, 1)
    )
    x, share = Fraction(2), Fraction(3, 4)
    single, double = (
        hockey_stick(mixture_of([(share, two_sided(HALF, k)), (1 - share, two_sided(HALF, 0))]), two_sided(HALF, 0), x)
        for k in (1, 2)
    )
    cost = hockey_stick(second, first, x)
    assert single + OUTSIDE < cost <= Fraction(2, 3) * single + Fraction(1, 3) * double + OUTSIDE


def test_draws_with_replacement_are_a_mixture_over_how_often_a_row_is_drawn():
    loss = dominating_pairs(Event(Laplace(1), 1, WithReplacement(2, 2)), "change_one")["replace"]
    (often, once), (seldom, twice) = loss.parts
    assert (once.base, twice.base) == (losses.Laplace(Fraction(1)), losses.Laplace(Fraction(2)))
    assert once.rate == twice.rate
    assert 0 <= once.rate - Fraction(3, 4) < Fraction(1, 10**60)
    assert 0 <= Fraction(2, 3) - often < Fraction(1, 10**60)
    assert often + seldom == 1
    one_row = dominating_pairs(Event(Gaussian(1), 1, WithReplacement(1, 5)), "change_one")
    assert one_row == {"replace": losses.Normal(Fraction(25))}


def test_on_a_grid_a_row_that_is_drawn_very_often_is_told():
    loss = dominating_pairs(Event(DiscreteLaplace(1), 1, WithReplacement(10**6, 10**6)), "change_one")["replace"]
    assert loss.parts[-1][1].base == losses.response(Fraction(10**6))
    assert loss.parts[-1][0] < Fraction(1, 10**70)
    loss = dominating_pairs(Event(DiscreteGaussian(1), 1, WithReplacement(10**6, 10**6)), "change_one")["replace"]
    assert loss.parts[-1][1].base == losses.response(0, Fraction(1))


def test_bounds_that_no_tables_need_attain_judge_nobody():
    for scheme in (TruncatedPoisson("1/2", 3, 5), WithReplacement(5, 3)):
        event = Event(Gaussian(1), 1, scheme)
        assert attained("change_one", [(event, (event,))]) is None
        found = attained("change_one", [(event, (event,)), (1, (Event(Gaussian(2)),))])
        assert found.events == (Event(Gaussian(2)),)


def test_the_most_rows_are_believed_and_said():
    event = Event(Gaussian(1), 1, TruncatedPoisson("1/2", 3, 5))
    assert event.trusts == {"assumption: every table has at most 5 rows"}


REFUSED = {
    "draws of one more row": (Event(Gaussian(1), 1, WithReplacement(10, 2)), "add_remove", "give change_one"),
    "draws, not pure": (Event(Approximate(1, "1/2"), 1, WithReplacement(10, 2)), "change_one", "several rows"),
    "draws of zcdp": (Event(Concentrated(1), 1, WithReplacement(10, 2)), "change_one", "no pair of laws"),
    "truncated, not pure": (Event(Approximate(1, "1/2"), 1, TruncatedPoisson("1/2", 2, 9)), "add_remove", "several"),
    "truncated, replaced": (Event(Approximate(1), 1, TruncatedPoisson("1/2", 2, 9)), "change_one", "no amplification"),
    "truncated, no tables": (Event(Gaussian(1), 1, TruncatedPoisson("1/2", 2, 9)), "none", "sampled from tables"),
    "no least number of rows": (Event(Gaussian(1), 1, FixedSize(10, 2)), "add_remove", "least_rows"),
    "zcdp": (Event(Concentrated(1), 1, FixedSizeOfAtLeast(10, 2)), "add_remove", "no pair of laws"),
    "no tables": (Event(Gaussian(1), 1, FixedSizeOfAtLeast(10, 2)), "none", "rows are sampled from tables"),
    "answers of each row": (Event(RandomisedResponse("3/4"), 1, FixedSizeOfAtLeast(10, 2)), "add_remove", "each row"),
    "one direction alone": (
        Event(Finite((("1/2", "1/4"), ("1/2", "3/4"))), 1, FixedSizeOfAtLeast(10, 2)), "add_remove", "read backwards",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_proofs_do_not_cover_is_refused(case):
    event, neighbours, words = REFUSED[case]
    with pytest.raises(NoTheorem, match=words) as refusal:
        dominating_pairs(event, neighbours)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("scheme", "sentence"),
    [
        (lambda: FixedSizeOfAtLeast(2, 3), "sample must be at most least_rows = 2, got 3"),
        (lambda: FixedSizeOfAtLeast(0, 1), "least_rows must be a whole number from 1"),
        (lambda: FixedSizeOfAtLeast(3, 0), "sample must be a whole number from 1"),
        (lambda: TruncatedPoisson(2, 1, 5), "rate must be at most 1, got 2"),
        (lambda: TruncatedPoisson(1, 0, 5), "largest must be a whole number from 1"),
        (lambda: TruncatedPoisson(1, 1, 0), "most_rows must be a whole number from 1"),
        (lambda: WithReplacement(0, 1), "rows must be a whole number from 1"),
        (lambda: WithReplacement(3, -1), "sample must be a whole number from 1"),
        (lambda: FixedSizeOfAtLeast("7/2", 1), "least_rows must be a whole number from 1"),
    ],
)
def test_bad_schemes_get_one_clear_sentence(scheme, sentence):
    with pytest.raises(LossError, match=sentence):
        scheme()


def test_pure_mechanisms_may_be_the_base():
    pairs = dominating_pairs(Event(Approximate(1), 1, FixedSizeOfAtLeast(9, 1)), "add_remove")
    assert pairs["add"] == losses.Sampled(losses.response(1), Fraction(1, 10), "add")
