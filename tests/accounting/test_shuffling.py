"""Shuffled answers against their definition: all answers in all orders, and all numbers of ones among the others."""

from fractions import Fraction as F
from functools import cache
from itertools import permutations, product
from math import comb, factorial
from random import Random

import pytest

from refdp.accounting import shuffling
from refdp.accounting.accounts import Account, Limits
from refdp.accounting.events import (
    BallsInBins,
    Event,
    FixedSize,
    Gaussian,
    NoTheorem,
    Poisson,
    Shuffled,
    ShuffledRandomisedResponse,
)
from refdp.accounting.losses import LossError
from refdp.accounting.shuffling import attained_alone, attained_pair, clones_pair, response_pair
from refdp.accounting.stated.shuffles import ends, odds
from refdp.numerics.exact import ExactReal, exact_real
from tests.exactness.laws import chances

HALF = F(1, 2)
FACTORS = (F(1, 3), F(4, 5), F(1), F(21, 20), F(5, 4), F(3, 2), F(2), F(5, 2), F(6))
"""Values of e^epsilon; below 1, too, as in compositions."""


def excess(outcomes, x):
    """The sum of P - x Q, where it is > 0."""
    return sum((max(p - x * q, F(0)) for p, q in outcomes), F(0))


def profile(pair, x):
    return excess(pair.outcomes, x)


def told(ones, zeros, truth):
    """The law of the number of ones that are told, by its definition."""
    mass = [F(1)]
    for chance in [truth] * ones + [1 - truth] * zeros:
        mass = [a * (1 - chance) + b * chance for a, b in zip([*mass, 0], [0, *mass], strict=True)]
    return mass


@cache
def laws(users, truth, ones):
    """Where so many of the others hold a one: the numbers of ones if the user holds a one, and if not."""
    others = users - 1 - ones
    return list(zip(told(ones + 1, others, truth), told(ones, others + 1, truth), strict=True))


def worst(users, truth, x):
    """The greatest over all others and both orders."""
    both = [laws(users, truth, ones) for ones in range(users)]
    return max(max(excess(one, x), excess([(q, p) for p, q in one], x)) for one in both)


def in_all_orders(values, answer):
    """The law of the answers in random order: `answer` has the law of one, by its value."""
    law, orders = {}, list(permutations(range(len(values))))
    for told_ in product(*(answer[v].items() for v in values)):
        mass = F(1)
        for _, p in told_:
            mass *= p
        for order in orders:
            seen = tuple(told_[i][0] for i in order)
            law[seen] = law.get(seen, 0) + mass / len(orders)
    return law


def side_by_side(first, second):
    return [(first.get(y, F(0)), second.get(y, F(0))) for y in {**first, **second}]


@pytest.mark.parametrize("users", [1, 2, 3, 4, 5])
def test_all_answers_in_all_orders_cost_what_the_number_of_ones_does(users):
    truth = F(2, 3)
    answer = {1: {1: truth, 0: 1 - truth}, 0: {1: 1 - truth, 0: truth}}
    found = dict.fromkeys(FACTORS, F(0))
    for others in product((0, 1), repeat=users - 1):
        if users > 4 and list(others) != sorted(others):
            continue  # the order of the others makes no difference, as smaller numbers of users show
        pair = side_by_side(in_all_orders((1, *others), answer), in_all_orders((0, *others), answer))
        for x in FACTORS:
            found[x] = max(found[x], excess(pair, x), excess([(q, p) for p, q in pair], x))
    for x in FACTORS:
        assert found[x] == worst(users, truth, x) == profile(response_pair(users, truth), x)


def test_six_users_in_all_orders():
    truth, users = F(3, 4), 6
    weights = {(a, v): 3 if a == v else 1 for a in (0, 1) for v in (0, 1)}
    found = F(0)
    for ones in range(users):
        masses = []
        for own in (1, 0):
            values, law = [own, *([1] * ones), *([0] * (users - 1 - ones))], {}
            for answers in product((0, 1), repeat=users):
                mass = 1
                for a, v in zip(answers, values, strict=True):
                    mass *= weights[a, v]
                for order in set(permutations(answers)):  # each distinct order of these answers is as likely
                    law[order] = law.get(order, 0) + F(mass, comb(users, sum(answers)))
            masses.append({y: p / 4**users for y, p in law.items()})
        found = max(found, excess(side_by_side(*masses), F(3, 2)), excess(side_by_side(*masses[::-1]), F(3, 2)))
    assert found == profile(response_pair(users, truth), F(3, 2))


@pytest.mark.parametrize("truth", [F(2, 3), F(3, 4), F(19, 20), F(501, 1000)])
def test_the_pair_is_the_worst_number_of_ones_exactly(truth):
    for users in [*range(1, 7), 20]:
        for x in FACTORS:
            assert profile(response_pair(users, truth), x) == worst(users, truth, x), (users, x)
            assert profile(attained_alone(users, truth), x) == worst(users, truth, x), (users, x)


@pytest.mark.long
def test_the_pair_is_the_worst_number_of_ones_of_up_to_sixty_users():
    for users in range(1, 61):
        for x in (F(1), F(11, 10), F(3, 2)):
            assert profile(response_pair(users, F(3, 4)), x) == worst(users, F(3, 4), x), (users, x)


def test_the_worst_number_of_ones_is_not_always_at_an_end():
    at = [excess(laws(3, F(2, 3), ones), F(1)) for ones in range(3)]
    assert at == [F(4, 27), F(5, 27), F(4, 27)]
    assert profile(response_pair(3, F(2, 3)), F(1)) == F(5, 27)
    x = F(13495, 10000)
    at = [excess(laws(100, F(2, 3), ones), x) for ones in (0, 49, 98, 99)]
    assert at[2] > at[3] > at[1] > at[0]
    assert (round(float(at[2]) * 1e6, 5), round(float(at[3]) * 1e6, 5)) == (1.00692, 0.96657)
    assert profile(response_pair(100, F(2, 3)), x) == at[2]


def test_either_order_costs_the_same():
    for users, truth in ((1, F(3, 4)), (5, F(2, 3)), (30, F(9, 10))):
        pair = response_pair(users, truth)
        for x in FACTORS:
            assert profile(pair, x) == excess([(q, p) for p, q in pair.outcomes], x)


@pytest.fixture
def rounded(monkeypatch):
    """Masses rounded down, few ranges and few corners, as for many users."""
    monkeypatch.setattr(shuffling, "MOST_EXACT", 0)
    cached = (response_pair, attained_alone, attained_pair, clones_pair)
    for one in cached:
        one.cache_clear()
    yield monkeypatch
    for one in cached:
        one.cache_clear()


def test_rounded_masses_and_ranges_hold_the_truth_between_them(rounded):
    """1,000 random instances: the upper pair is nowhere below the worst number of ones, the lower one nowhere above."""
    near = 0
    for chance in chances("shuffled"):
        users, truth = chance.randint(1, 14), F(chance.randint(51, 99), 100)
        rounded.setattr(shuffling, "MOST_PIECES", chance.choice((4, 16, 240)))
        rounded.setattr(shuffling, "WORK", chance.choice((1, 10**6)))
        rounded.setattr(shuffling, "MOST_POINTS", chance.choice((3, 9, 1200)))
        response_pair.cache_clear(), attained_alone.cache_clear()
        upper, lower = response_pair(users, truth), attained_alone(users, truth)
        some = attained_pair(users, truth, ones := chance.randint(0, users - 1))
        for x in (chance.choice(FACTORS), 1 + F(chance.randint(0, 300), 100)):
            true = worst(users, truth, x)
            assert profile(lower, x) <= true <= profile(upper, x), (users, truth, x)
            assert profile(some, x) <= excess(laws(users, truth, ones), x)
            near += profile(upper, x) <= true * F(11, 10) + F(1, 1000)
        e = truth / (1 - truth)
        assert all(p <= e * q and q <= e * p for p, q in upper.outcomes)  # delta = 0 from epsilon of one answer on
    assert near > 0


@pytest.mark.parametrize("users", [151])
def test_many_users_have_narrow_bounds_that_hold_the_truth(users):
    truth, x = F(3, 4), F(6, 5)
    upper, lower = profile(response_pair(users, truth), x), profile(attained_alone(users, truth), x)
    true = max(excess(laws(users, truth, ones), x) for ones in range(users - 3, users))
    assert lower <= upper <= lower * (1 + F(1, 10**9))
    assert true <= upper
    assert true >= lower * (1 - F(1, 10**9))


def test_ranges_leave_no_number_out():
    for most in (0, 1, 2, 5, 99, 1000, 12_345):
        for pieces in (1, 4, 16, 240):
            found = list(shuffling.ranges(most, pieces))
            assert [n for low, high in found for n in range(low, high + 1)] == list(range(most + 1))
    assert len(list(shuffling.ranges(999_999, 30))) <= 2 * 30


def test_binomial_masses_are_below_the_truth_and_near_it():
    for trials, chance in ((0, F(1, 3)), (1, F(9, 10)), (40, F(1, 3)), (40, F(1, 10**9)), (40, 1 - F(1, 10**9))):
        start, masses = shuffling.binomial(trials, chance)
        whole = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
        lost = 1 - sum(masses) * F(1, 1 << shuffling.BITS)
        assert 0 <= lost < F(1, 2**100)
        for k, mass in enumerate(masses):
            assert F(mass, 1 << shuffling.BITS) <= whole[start + k]


def test_lines_around_a_curve_are_nowhere_below_it():
    for chance in chances("around"):
        edges = sorted(
            ((chance.randint(0, 50), chance.randint(0, 50)) for _ in range(chance.randint(1, 40))),
            key=lambda edge: F(edge[1], edge[0]) if edge[0] else F(10**6), reverse=True,
        )  # fmt: skip
        points = [(0, 0)]
        for q, p in edges:
            points.append((points[-1][0] + q, points[-1][1] + p))
        curve = shuffling.corners(points)
        found = shuffling.around(curve, chance.randint(1, 8))
        some = shuffling.some_of(curve, chance.randint(1, 8))
        for x in (F(0), F(1, 9), F(1), F(3), F(100)):
            greatest = max(p - x * q for q, p in curve)
            assert max(p - x * q for q, p in points) == greatest
            assert max(p - x * q for q, p in found) >= greatest >= max(p - x * q for q, p in some)
        assert (found[0], found[-1], some[0], some[-1]) == (curve[0], curve[-1]) * 2


def test_a_curve_is_cut_where_one_answer_alone_tells_less():
    found = shuffling.within_odds(shuffling.Hull(((0, 0), (0, 10), (20, 60), (90, 100), (100, 100)), 100), F(4))
    assert (found.corners[0], found.corners[-1]) == ((0, 0), (100, 100))
    assert all(p <= 4 * q and q <= 4 * p for p, q in found.pair().outcomes)
    assert {(20, 60), (90, 100)} & set(found.corners) == {(20, 60)}
    alone = shuffling.within_odds(shuffling.Hull(((0, 0), (0, 100), (100, 100)), 100), F(4)).pair()
    for x in FACTORS:
        assert profile(alone, x) >= excess([(F(4, 5), F(1, 5)), (F(1, 5), F(4, 5))], x)
    assert all(p <= 4 * q and q <= 4 * p for p, q in alone.outcomes)


def clones(users, odds_):
    """(A + D, C - A + 1 - D) in the two cases, by its definition."""
    truth, found = odds_ / (1 + odds_), []
    for c in range(users):
        weight = comb(users - 1, c) * (1 / odds_) ** c * (1 - 1 / odds_) ** (users - 1 - c)
        sum_ = [F(comb(c, a), 2**c) for a in range(c + 1)]
        for a in range(c + 2):
            more, same = (sum_[a - 1] if a else 0), (sum_[a] if a <= c else 0)
            found.append((weight * (truth * more + (1 - truth) * same), weight * ((1 - truth) * more + truth * same)))
    return found


@pytest.mark.parametrize("users", [1, 2, 3, 8, 20])
def test_clones_are_bounded_from_above_and_nearly(users):
    for e in (F(3, 2), F(3), F(20)):
        whole, pair = clones(users, e), clones_pair(users, e)
        assert sum(p for p, _ in whole) == sum(q for _, q in whole) == 1
        for x in FACTORS:
            true = excess(whole, x)
            assert true <= profile(pair, x) <= true + F(1, 2**90)


def test_fewer_ranges_of_clones_cost_more(rounded):
    whole = clones(30, F(3))
    for bunches, edges in ((1, 300), (3, 300), (100, 3), (4, 5)):
        rounded.setattr(shuffling, "MOST_BUNCHES", bunches)
        rounded.setattr(shuffling, "MOST_EDGES", edges)
        clones_pair.cache_clear()
        for x in FACTORS:
            assert excess(whole, x) <= profile(clones_pair(30, F(3)), x)


def random_randomiser(chance, e, values, outcomes):
    """A law for each value, any two within the odds."""
    base = [chance.randint(1, 9) for _ in range(outcomes)]
    root = F(1) + (e - 1) * F(chance.randint(1, 4), 9)  # its square is at most e, mostly; what is not is drawn again
    while True:
        answer = {}
        for v in range(values):
            weights = [b * chance.choice([F(1), root]) for b in base]
            answer[v] = {y: w / sum(weights) for y, w in enumerate(weights)}
        if all(answer[a][y] <= e * answer[b][y] for a in answer for b in answer for y in range(outcomes)):
            return answer


def test_no_randomiser_within_the_odds_costs_more_than_clones():
    """1,000 random randomisers of three values, in all orders, and k-ary randomised response."""
    chance, e = Random("randomisers"), F(3)
    response = {v: {y: F(3, 5) if v == y else F(1, 5) for y in range(3)} for v in range(3)}
    for place, _ in enumerate(chances("randomisers")):
        users = 2 if place % 4 else 3
        answer = response if place < 4 else random_randomiser(chance, e, 3, 3)
        others = [chance.randrange(3) for _ in range(users - 1)]
        first, second = (in_all_orders((own, *others), answer) for own in chance.sample(range(3), 2))
        for x in (F(1), F(3, 2), F(9, 4)):
            assert excess(side_by_side(first, second), x) <= profile(clones_pair(users, e), x), (answer, others)


def test_two_rounds_cost_no_more_than_the_product_whatever_the_others_hold():
    users, truth = 3, F(2, 3)
    pair = response_pair(users, truth).outcomes
    product_ = [(p * r, q * s) for p, q in pair for r, s in pair]
    for one, two in product(range(users), repeat=2):
        both = [(p * r, q * s) for p, q in laws(users, truth, one) for r, s in laws(users, truth, two)]
        for x in FACTORS:
            assert excess(both, x) <= excess(product_, x)
    event = Event(ShuffledRandomisedResponse(users, truth), 2)
    found = Account("change_one", [event]).delta_bounds(0, Limits(width=F(1, 10**6)))
    true = max(
        excess([(p * r, q * s) for p, q in laws(users, truth, a) for r, s in laws(users, truth, b)], F(1))
        for a in range(users) for b in range(users)
    )  # fmt: skip
    assert 0 < found.bounds.lower <= true <= found.bounds.upper
    assert found.bounds.upper <= excess(product_, F(1)) * (1 + F(1, 10**4))
    assert "what some values of the other users reach" in found.reason


@pytest.mark.parametrize(
    ("users", "truth", "epsilon"),
    [(100, F(3, 4), 0.550066), (1000, F(3, 4), 0.142058), (100, F(2, 3), 0.299856), (200, F(5, 6), 0.628513)],
)
def test_epsilon_at_a_millionth(users, truth, epsilon):
    """Against the numbers that all j give in floats, or in 60 digits."""
    bounds = Account("change_one", [Event(ShuffledRandomisedResponse(users, truth))]).epsilon_bounds("1e-6").bounds
    assert bounds.upper - bounds.lower <= F(1, 10**8)
    assert abs(float(bounds.upper) - epsilon) < 2e-6


@pytest.mark.parametrize(("users", "truth"), [(1000, F(999, 1000)), (400, F(3, 4))])
def test_at_epsilon_zero_the_worst_number_of_ones_is_found_in_the_middle(users, truth):
    """Where the greatest delta is not that of few zeros among the others, by which the lower end is tried first."""
    bounds = Account("change_one", [Event(ShuffledRandomisedResponse(users, truth))]).delta_bounds(0).bounds
    few = excess(laws(users, truth, 0), F(1)) if users < 500 else bounds.lower
    assert few <= bounds.lower <= bounds.upper <= bounds.lower * F(101, 100)


@pytest.mark.parametrize("neighbours", ["change_one", "none"])
@pytest.mark.parametrize("users", [1, 2, 10, 1000])
def test_at_delta_zero_shuffling_gains_nothing(users, neighbours):
    for mechanism in (ShuffledRandomisedResponse(users, F(3, 4)), Shuffled(users, "ln(3)")):
        found = Account(neighbours, [Event(mechanism)]).epsilon_bounds(0)
        assert found.note == "epsilon is ln(3), exactly"
        assert found.reason is None
        several = Account(neighbours, [Event(mechanism, 3), Event(Shuffled(7, 1))]).epsilon_bounds(0)
        assert several.note == "epsilon is 1 + ln(27), exactly"
        assert several.bounds.upper - several.bounds.lower < F(1, 10**9)
    with_noise = [Event(ShuffledRandomisedResponse(users, F(3, 4))), Event(Gaussian(3))]
    assert Account(neighbours, with_noise).epsilon_bounds(0).bounds.lower is None


def test_answers_that_tell_nothing():
    for mechanism in (ShuffledRandomisedResponse(50, HALF), Shuffled(50, 0), ShuffledRandomisedResponse(5000, HALF)):
        account = Account("change_one", [Event(mechanism)])
        assert account.delta_bounds(0).bounds.upper == 0
        assert account.epsilon_bounds(0).bounds.upper == account.epsilon_bounds("1e-6").bounds.upper == 0


def test_one_user_is_not_hidden():
    for x in FACTORS:
        alone = excess([(F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))], x)
        assert profile(response_pair(1, F(3, 4)), x) == profile(attained_alone(1, F(3, 4)), x) == alone
        assert alone <= profile(clones_pair(1, F(3)), x) <= alone + F(1, 2**90)


@pytest.mark.parametrize("truth", [1 - F(1, 10**9), 1 - F(1, 2**128), HALF + F(1, 10**9), F(10**30 + 7, 10**30 + 57)])
def test_extreme_truths_have_bounds_that_hold_the_truth(truth):
    for users in (2, 5, 160 if truth.denominator < 10**12 else 20):
        upper, lower = (ShuffledRandomisedResponse(users, truth) for _ in range(2))
        for x in (F(1), F(2)):
            true = excess(laws(users, truth, users - 1), x)
            assert profile(lower.attained(True), x) <= profile(upper.loss(), x)
            assert true <= profile(upper.loss(), x)


def test_more_users_cost_less_and_more_truth_more():
    for x in FACTORS[2:]:
        by_users = [profile(response_pair(users, F(3, 4)), x) for users in (1, 2, 5, 20, 80, 160, 500)]
        assert by_users == sorted(by_users, reverse=True)
        by_truth = [profile(response_pair(9, truth), x) for truth in (HALF, F(3, 5), F(3, 4), F(9, 10))]
        assert by_truth == sorted(by_truth)
        assert profile(clones_pair(50, F(3)), x) >= profile(response_pair(50, F(3, 4)), x)


def test_long_numbers_are_rounded_to_either_side():
    long = F(3**80, 3**80 + 2**120)
    below, above = ends(long)
    assert below < long < above < below + F(1, 2**150)
    assert ends(F(3, 4)) == (F(3, 4), F(3, 4))
    low, high = odds(ExactReal(F(1)))
    below = sum((F(1, factorial(k)) for k in range(60)), F(0))  # less than e by less than 10^-80
    assert low < below + F(1, 10**80)
    assert below < high < low + F(1, 2**140)
    assert odds(exact_real("ln(3)", "epsilon")) == (3, 3)
    assert odds(ExactReal()) == (1, 1)


@pytest.mark.parametrize(
    ("event", "neighbours", "why"),
    [
        (Event(ShuffledRandomisedResponse(9, F(3, 4))), "add_remove", "no two tables under add_remove have answers"),
        (Event(Shuffled(9, 1)), "add_remove", "no two tables under add_remove have answers"),
        (Event(ShuffledRandomisedResponse(9, F(3, 4)), 1, Poisson(HALF)), "change_one", "shuffled answers of a sample"),
        (Event(Shuffled(9, 1), 1, FixedSize(90, 9)), "change_one", "shuffled answers of a sample"),
        (Event(Shuffled(9, 1), 1, BallsInBins(9)), "change_one", "shuffled answers of a sample"),
        (Event(Shuffled(9, 1), 1, Poisson(HALF)), "none", "shuffled answers of a sample"),
    ],
)
def test_what_has_no_theorem_is_refused(event, neighbours, why):
    with pytest.raises(NoTheorem, match=why) as said:
        Account(neighbours, [event])
    assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda: ShuffledRandomisedResponse(0, "3/4"), "users must be a whole number from 1 to 1000000, got 0"),
        (lambda: ShuffledRandomisedResponse(10**6 + 1, "3/4"), "users must be a whole number from 1 to 1000000, got"),
        (lambda: ShuffledRandomisedResponse("3/2", "3/4"), "users must be a whole number"),
        (lambda: ShuffledRandomisedResponse(9, "1/4"), "truth must be at least 1/2 and below 1, got 1/4"),
        (lambda: ShuffledRandomisedResponse(9, 1), "truth must be at least 1/2 and below 1, got 1"),
        (lambda: ShuffledRandomisedResponse(9, 1 - F(1, 2**129)), "truth must be at most 1 - 2"),
        (lambda: Shuffled(9, -1), "epsilon must be from 0 to 80, got -1"),
        (lambda: Shuffled(9, 81), "epsilon must be from 0 to 80, got 81"),
        (lambda: Shuffled(-1, 1), "users must be a whole number"),
        (lambda: Shuffled(9, "x"), "epsilon must be"),
    ],
)
def test_bad_parameters_are_refused_with_one_sentence(made, why):
    with pytest.raises(LossError, match=why) as said:
        made()
    assert "\n" not in str(said.value)


def test_believed_of_the_users_is_printed():
    event = Event(ShuffledRandomisedResponse(9, F(3, 4)))
    assert str(event) == "1 x shuffled_randomised_response(users=9, truth=3/4)"
    (said,) = Account("change_one", [event]).epsilon_bounds("1e-3").trusts - {"Arb"}
    assert said == "assumption: 9 users answer so, and nobody sees whose answer is which"
