"""Sampling schemes against every table, sample and outcome of small mechanisms, enumerated; and what is refused."""

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest

from refdp.accounting import losses
from refdp.accounting.accounts import Account
from refdp.accounting.events import (
    Approximate,
    Concentrated,
    Event,
    Finite,
    FixedSize,
    FixedSizeOfAtLeast,
    Gaussian,
    NoTheorem,
    RandomisedResponse,
)
from refdp.accounting.judging.attained import attained
from refdp.accounting.losses import LossError
from refdp.accounting.pairs import dominating_pairs
from tests.accounting.small_mechanisms import Mechanism, dominating, hockey_stick, laws_of, mixture, ratios

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
        for x in ratios(p, q):
            assert hockey_stick(p, q, x) <= laws_of(loss, x)


@pytest.mark.parametrize("shard", range(4))
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


REFUSED = {
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
        (lambda: FixedSizeOfAtLeast("7/2", 1), "least_rows must be a whole number from 1"),
    ],
)
def test_bad_schemes_get_one_clear_sentence(scheme, sentence):
    with pytest.raises(LossError, match=sentence):
        scheme()


def test_pure_mechanisms_may_be_the_base():
    pairs = dominating_pairs(Event(Approximate(1), 1, FixedSizeOfAtLeast(9, 1)), "add_remove")
    assert pairs["add"] == losses.Sampled(losses.response(1), Fraction(1, 10), "add")
