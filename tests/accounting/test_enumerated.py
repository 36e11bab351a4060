"""Accounts of small compositions against every sequence of outcomes: from events to the interval."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.events import Approximate, Event, Finite, FixedSize, KAryRandomisedResponse, Poisson
from refdp.numerics.elementary import exp_bounds
from tests.examples import few

WIDTH = Fraction(1, 1000)
EPSILONS = (Fraction(0), Fraction(1, 2), Fraction(2))
BITS = 200


def law(random, size=3):
    weights = [random.randrange(1, 9) for _ in range(size)]
    return [Fraction(w, sum(weights)) for w in weights]


def enumerated(pairs, x):
    """The sum over sequences of outcomes of (P - x Q)_+, for pairs as lists of (p, q)."""
    total = Fraction(0)
    for outcomes in product(*pairs):
        p = q = Fraction(1)
        for a, b in outcomes:
            p, q = p * a, q * b
        total += max(p - x * q, Fraction(0))
    return total


def sampled(cells, rate, side):
    mixed = [(rate * p + (1 - rate) * q, q) for p, q in cells]
    return mixed if side == "remove" else [(q, m) for m, q in mixed]


def backwards(cells, side):
    return cells if side == "remove" else [(q, p) for p, q in cells]


def assert_encloses(account, truth):
    """The interval holds the greater of the directions, and is about as narrow as was asked for."""
    answers = account.answers([Question(epsilon=e) for e in EPSILONS], Limits(WIDTH, timeout=20))
    for epsilon, answer in zip(EPSILONS, answers, strict=True):
        low, high = (truth(x) for x in reversed(exp_bounds(epsilon, BITS)))
        assert answer.bounds.lower <= high
        assert low <= answer.bounds.upper
        assert answer.reason is None or high < Fraction(1, 10**9), answer


@pytest.mark.parametrize("seed", range(few(60)))
def test_finite_laws_sampled_or_not_are_those_enumerated(seed):
    random = Random(seed)
    rate = Fraction(random.randrange(1, 10), 10)
    cells = [list(zip(law(random), law(random), strict=True)) for _ in range(2)]
    counts = [random.randrange(1, 3) for _ in cells]
    account = Account(
        "add_remove",
        (Event(Finite(tuple(cells[0])), counts[0]), Event(Finite(tuple(cells[1])), counts[1], Poisson(rate))),
    )

    def truth(x):
        sides = (
            [backwards(cells[0], side)] * counts[0] + [sampled(cells[1], rate, side)] * counts[1]
            for side in ("remove", "add")
        )
        return max(enumerated(pairs, x) for pairs in sides)

    assert_encloses(account, truth)


@pytest.mark.parametrize("seed", range(few(40)))
def test_responses_and_failures_are_those_enumerated(seed):
    random = Random(seed)
    k, truth_ = random.randrange(2, 6), Fraction(random.randrange(6, 10), 10)
    odds, delta = random.randrange(2, 6), Fraction(1, random.randrange(10, 100))
    account = Account(
        "change_one", (Event(KAryRandomisedResponse(k, truth_), 2), Event(Approximate(f"ln({odds})", delta), 2))
    )
    other = (1 - truth_) / (k - 1)
    response = [(truth_, other), (other, truth_), *[(other, other)] * (k - 2)]
    often, seldom = (1 - delta) * Fraction(odds, odds + 1), (1 - delta) * Fraction(1, odds + 1)
    failing = [(delta, Fraction(0)), (often, seldom), (seldom, often), (Fraction(0), delta)]
    assert_encloses(account, lambda x: enumerated([response, response, failing, failing], x))


@pytest.mark.parametrize("odds", [2, 5])
def test_one_sample_of_a_fixed_size_is_its_profile(odds):
    account = Account("change_one", (Event(Approximate(f"ln({odds})"), 1, FixedSize(10, 3)),))
    t, share = Fraction(odds, odds + 1), Fraction(3, 10)
    mixed = [(share * p + (1 - share) * q, q) for p, q in ((t, 1 - t), (1 - t, t))]
    assert_encloses(account, lambda x: enumerated([mixed], x))
