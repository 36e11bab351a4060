"""What is known from below under rho-zCDP and Renyi bounds: laws that are within them, and what these cost."""

from fractions import Fraction as F
from itertools import product
from math import comb
from random import Random

import pytest
from mpmath import exp, log, mp, mpf

from refdp.accounting.accounts import WITHIN, Account, Limits, Question
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.events import Concentrated, Event, FixedSize, Gaussian, Laplace, Poisson, Profile, Renyi
from refdp.accounting.losses import Composition, Finite, Normal, Response, composition
from refdp.accounting.losses import Concentrated as Rho
from refdp.accounting.losses import Profile as Curve
from refdp.accounting.losses import Renyi as Orders
from refdp.accounting.theorems.attained import ENGINE, attained, first_curve, normal_within, response_within
from refdp.accounting.theorems.rare_outcome import is_within, pairs_within, rare_outcomes
from refdp.accounting.theorems.renyi_engine import ENGINE as RENYI
from refdp.numerics.elementary import exp_bounds
from tests.examples import few, lots

QUICK = Limits(F(1, 1000), timeout=20)


def to_mp(x):
    return mpf(x.numerator) / x.denominator


def random_orders(random):
    """One to three bounds, in any order, at times of the same order."""
    return Orders(
        tuple(
            (1 + F(random.randrange(1, 200), random.choice([1, 10])), F(random.randrange(1, 300), 100))
            for _ in range(random.randrange(1, 4))
        )
    )


def divergence(e, order):
    """The Renyi divergence of a randomised response of epsilon e, by its definition."""
    t = exp(e) / (1 + exp(e))
    return log(t**order * (1 - t) ** (1 - order) + (1 - t) ** order * t ** (1 - order)) / (order - 1)


@pytest.mark.parametrize("seeds", lots(few(1000)), ids=str)
def test_laws_within_the_bounds_are_within_them_at_every_order(seeds):
    for seed in seeds:
        insist_on_laws_within(random_orders(Random(seed)))


def insist_on_laws_within(loss):
    (normal,), (response,) = normal_within(loss), response_within(loss)
    with mp.workdps(60):
        e = to_mp(response.epsilon.rational)
        for order, bound in loss.bounds:
            assert order * normal.mu_squared / 2 <= bound
            assert divergence(e, to_mp(order)) <= to_mp(bound) * (1 + mpf(10) ** -40)
    assert any(order * normal.mu_squared / 2 == bound for order, bound in loss.bounds)  # no greater mu is


@pytest.mark.parametrize("seed", range(few(100)))
def test_a_response_within_rho_is_within_every_order(seed):
    rho = F(Random(seed).randrange(1, 4000), 1000)
    (response,) = response_within(Rho(rho))
    with mp.workdps(60):
        e = to_mp(response.epsilon.rational)
        for order in (mpf("1.001"), mpf("1.5"), 2, 3, 10, 100, 10**4):
            assert divergence(e, mpf(order)) <= order * to_mp(rho)
    assert e**2 >= 2 * to_mp(rho) * (1 - mpf(2) ** -50)


def enumerated(pairs, x):
    """The sum over sequences of outcomes of (P - x Q)+."""
    total = F(0)
    for outcomes in product(*pairs):
        p = q = F(1)
        for a, b in outcomes:
            p, q = p * a, q * b
        total += max(p - x * q, F(0))
    return total


def of_copies(pair, count, x):
    """The sum over sequences of outcomes of (P - x Q)+, where each copy has an outcome with the pair (p, q) or not."""
    p, q = pair
    kinds = ((comb(count, k), p**k * (1 - p) ** (count - k), q**k * (1 - q) ** (count - k)) for k in range(count + 1))
    return sum((many * max(a - x * b, F(0)) for many, a, b in kinds), F(0))


@pytest.mark.parametrize("seed", range(few(60)))
def test_the_lower_end_is_at_most_what_finite_laws_of_those_divergences_cost(seed):
    """A finite law and bounds that it has just so: the interval holds its delta, whatever else is composed."""
    random = Random(seed)
    weights = [[random.randrange(1, 9) for _ in range(3)] for _ in "PQ"]
    cells = [(F(p, sum(weights[0])), F(q, sum(weights[1]))) for p, q in zip(*weights, strict=True)]
    beside = [(F(2, 3), F(1, 3)), (F(1, 3), F(2, 3))]
    bounds = []
    with mp.workdps(40):
        for order in random.sample(range(2, 30), 2):
            sums = [
                sum(to_mp(p) ** order * to_mp(q) ** (1 - order) for p, q in pairs)
                for pairs in (cells, [(q, p) for p, q in cells])
            ]
            bounds.append((F(order), F(int(log(max(sums)) / (order - 1) * 10**9) + 1, 10**9)))
    parts = composition([(Orders(tuple(bounds)), 2), (Finite(tuple(beside)), 1)])
    curve = list(RENYI.curves(parts, Effort()))[-1]
    for epsilon in (F(0), F(1, 2), F(1)):
        x = exp_bounds(epsilon, 100)[0]
        found = curve.delta(epsilon)
        assert enumerated([cells, cells, beside], x) - F(1, 10**20) <= found.upper
        for law in attained(parts):  # each is a mechanism with those bounds
            low = first_curve(law, Effort()).delta(epsilon)
            assert low.lower <= found.lower + F(1, 10**12) or low.upper <= found.lower
            assert found.lower <= found.upper


def test_what_is_attained_is_what_the_laws_in_their_place_cost():
    """Three responses in the place of Renyi bounds, beside a finite law, enumerated; and of many copies none."""
    bounds = Orders(((F(4), F(1, 2)),))
    (response,) = response_within(bounds)
    beside = ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))
    curve = next(iter(RENYI.curves(composition([(bounds, 3), (Finite(beside), 1)]), Effort())))
    grown = exp_bounds(response.epsilon.rational, 120)[0]
    cells = [(grown / (1 + grown), 1 / (1 + grown)), (1 / (1 + grown), grown / (1 + grown))]
    truth = enumerated([cells] * 3 + [list(beside)], F(1))
    assert curve.delta(F(0)).lower >= truth - F(1, 10**12)
    assert len(attained(composition([(bounds, 64)]))) == 2
    assert attained(composition([(bounds, 65)])) == [composition([(normal_within(bounds)[0], 65)])]


@pytest.mark.parametrize("seeds", lots(few(1000)), ids=str)
def test_a_rare_outcome_is_within_the_bounds_and_costs_what_it_is_said_to(seeds):
    """Of up to four copies, by enumeration; each pair by the definition of the divergence, in both orders."""
    for seed in seeds:
        insist_on_a_rare_outcome(seed)


def insist_on_a_rare_outcome(seed):
    random = Random(f"rare {seed}")
    loss, count = random_orders(random), random.randrange(1, 5)
    (found,) = rare_outcomes(composition([(loss, count)]), Effort())
    epsilon = F(random.randrange(0, 400), 100)
    low, high = exp_bounds(epsilon, 200)
    pairs = random.sample(found.pairs, 3)
    with mp.workdps(60):
        for p, q in pairs:
            for a, b in ((to_mp(p), to_mp(q)), (to_mp(q), to_mp(p))):
                for order, bound in loss.bounds:
                    n = to_mp(order)
                    total = (a / b) ** n * b + ((1 - a) / (1 - b)) ** n * (1 - b)
                    assert log(total) <= (n - 1) * to_mp(bound)
    truth = max(of_copies(pair, count, low) for pair in found.pairs)
    bound = found.delta(epsilon)
    assert bound.lower <= truth
    assert bound.upper == 1
    if count == 1:  # then the event is the best one
        again = max(of_copies(pair, 1, high) for pair in found.pairs)
        assert bound.lower >= again * (1 - F(1, 1000))


def test_an_outcome_that_is_a_hair_rarer_than_the_bounds_allow_is_refused():
    for bounds in (((F(2), F(1, 10)),), ((F(3), F(1)), (F(20), F(2)))):
        loss = Orders(bounds)
        for p, q in pairs_within(loss, F(1, 10**6)):
            assert is_within((p, q), loss)
            assert not is_within((p, q * (1 - F(1, 10**4))), loss)


def test_few_orders_leave_room_for_rare_outcomes():
    """One order alone: the lower end comes from a rare outcome, far beyond that of Gaussian noise."""
    one = Orders(((F(2), F(1, 10)),))
    curve = next(iter(RENYI.curves(composition([(one, 1)]), Effort(delta=F(1, 10**6)))))
    noise = first_curve(composition([(normal_within(one)[0], 1)]), Effort()).delta(F(5))
    assert curve.delta(F(5)).lower > 1000 * noise.upper


def test_bounds_that_are_nothing_leave_the_others():
    nothing = Orders(((F(2), F(0)), (F(3), F(1))))
    assert attained(composition([(nothing, 5)])) == []
    law = Normal(F(1))
    assert attained(composition([(nothing, 5), (law, 1)])) == [composition([(law, 1)])]
    curve = Curve("p", lambda e: F(1))
    assert attained(composition([(curve, 2), (law, 1), (Rho(F(1, 2)), 1)])) == [
        composition([(Normal(F(2)), 1)]),
        Composition(((law, 1), (Response(response_within(Rho(F(1, 2)))[0].epsilon), 1))),
    ]


def test_the_greatest_mu_is_needed_no_smaller_and_no_greater():
    """2 e / a of the worst order: with 2 e, or of another order, the divergence is beyond the bound."""
    (normal,) = normal_within(Orders(((F(2), F(1)), (F(10), F(2)))))
    assert normal.mu_squared == F(2, 5)


@pytest.mark.parametrize(
    ("events", "neighbours"),
    [
        ((Event(Renyi(((2, "1/10"), (8, "1/2"))), 10),), "add_remove"),
        ((Event(Renyi(((2, "1/10"),)), 3), Event(Laplace(10), 5)), "change_one"),
        ((Event(Renyi(((2, "1/10"),))), Event(Gaussian(2), 100, Poisson("1/100"))), "change_one"),
        ((Event(Concentrated("1/100"), 10), Event(Gaussian(10), 1, FixedSize(100, 10))), "change_one"),
        ((Event(Concentrated("1/100"), 10), Event(Profile("p", lambda e: F(1)))), "add_remove"),
    ],
)
def test_accounts_of_what_is_known_by_bounds_have_a_lower_end_and_say_what_it_means(events, neighbours):
    found = Account(neighbours, events).answers([Question(F(1, 10**5)), Question(epsilon=F(1, 10))], QUICK)
    for answer in found:
        assert answer.bounds.lower > 0
        assert answer.note == WITHIN


def test_other_accounts_have_no_such_note():
    (answer,) = Account("add_remove", (Event(Gaussian(1)),)).answers([Question(F(1, 10**5))], QUICK)
    assert answer.note is None
    (nothing,) = Account("add_remove", (Event(Renyi(((2, 0),))),)).answers([Question(F(1, 10**5))], QUICK)
    assert (nothing.bounds.lower, nothing.note) == (0, None)


def test_no_engine_of_lower_bounds_is_asked_where_it_has_nothing_to_say():
    for loss in (Normal(F(1)), Curve("p", lambda e: F(1))):
        assert (
            ENGINE.why_not(composition([(loss, 1)]))
            == "no part is known by rho, by Renyi bounds or by the range of its losses"
        )
    assert ENGINE.why_not(composition([(Rho(F(1)), 1)])) == "Renyi divergences have what is attained"
    with pytest.raises(OutOfReach, match="no engine has a curve"):
        next(ENGINE.curves(composition([(Curve("p", lambda e: F(1)), 1)]), Effort()))
