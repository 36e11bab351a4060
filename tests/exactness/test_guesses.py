"""The bounds of guesses against the best guess of random finite laws, which is found by looking at every outcome."""

from fractions import Fraction as F
from itertools import permutations, product

import pytest

from refdp.attacks.bounds import (
    account_of_noise,
    guess_bound,
    guess_probability,
    guess_probability_by_factor,
)
from refdp.spec.distances import hockey_stick
from tests.exactness.laws import chances, joint, random_laws, share

FACTORS = (F(1), F(11, 10), F(3, 2), F(2), F(3), F(10))


def best(laws):
    """With what probability the best guess of a uniform secret is right: at each outcome the likeliest secret."""
    outcomes = next(iter(laws.values()))
    return sum(max(law[y] for law in laws.values()) for y in outcomes) / len(laws)


def best_by_search(laws):
    """The same, as the greatest over all functions from outcomes to secrets."""
    outcomes = list(next(iter(laws.values())))
    every = (dict(zip(outcomes, named, strict=True)) for named in product(laws, repeat=len(outcomes)))
    return max(sum(laws[guess[y]][y] for y in outcomes) / len(laws) for guess in every)


def delta(laws, factor):
    """The least delta of any two of the laws, either way round."""
    return max(hockey_stick(p, q, factor) for p, q in permutations(laws.values(), 2))


def test_no_guess_of_any_laws_is_right_more_often_than_the_bound_at_any_epsilon():
    tight = 0
    for chance in chances("guess bound"):
        k = chance.choice([2, 2, 3, 4, 6])
        laws = random_laws(chance, range(k), chance.choice([1, 2, 3, 5]), least=chance.choice([0, 0, 1]))
        for factor in FACTORS:
            bound = guess_probability_by_factor(k, factor, delta(laws, factor))
            assert best(laws) <= bound
            tight += best(laws) == bound
    assert tight >= share(100)


def test_the_best_guess_looks_at_each_outcome():
    for chance in chances("best guess", 200):
        laws = random_laws(chance, range(chance.choice([2, 3])), 3, least=0)
        assert best(laws) == best_by_search(laws)


def test_of_two_laws_the_bound_at_epsilon_0_is_the_best_guess_and_no_other_is_less():
    for chance in chances("guess of two"):
        laws = random_laws(chance, range(2), chance.choice([1, 2, 3, 6]), least=0)
        assert guess_probability(2, F(0), delta(laws, F(1))) == best(laws)
        assert all(guess_probability_by_factor(2, t, delta(laws, t)) >= best(laws) for t in FACTORS)


def test_the_bound_of_an_account_is_the_best_guess_of_its_laws_rounded_up():
    """Of one law, and of two or three draws, which the account composes and the guess sees together."""
    for chance in chances("guess of accounts"):
        laws, count = random_laws(chance, range(2), chance.choice([2, 3]), least=0), chance.choice([1, 1, 2, 3])
        outcomes = [[str(laws[0][y]), str(laws[1][y])] for y in laws[0]]
        account = account_of_noise([{"mechanism": "finite", "outcomes": outcomes, "count": count}], "none")
        found = guess_bound(account, 2)
        exactly = best({z: joint([laws[z]] * count) for z in laws})
        assert 0 <= found.probability - exactly <= F(1, 10**6)


def published_or_told(k, factor, chance):
    """With that chance the secret is published, else it is told by k-ary randomised response of that factor."""
    total, outcomes = factor + k - 1, [*range(k), *(("published", z) for z in range(k))]
    return {
        z: {y: chance if y == ("published", z) else F(0) if isinstance(y, tuple) else
            (1 - chance) * (factor if y == z else 1) / total for y in outcomes}
        for z in range(k)
    }  # fmt: skip


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("chance", [F(0), F(1, 100), F(1, 2)])
def test_the_bound_is_attained_by_responses_that_are_sometimes_published(k, factor, chance):
    laws = published_or_told(k, factor, chance)
    assert delta(laws, factor) == chance
    assert best(laws) == guess_probability_by_factor(k, factor, chance)


NEAR_MISSES = {
    "delta counted once": lambda k, t, d: (t + d) / (t + k - 1),
    "no delta": lambda k, t, d: t / (t + k - 1),
    "one value too many": lambda k, t, d: (t + (k - 1) * d) / (t + k),
    "half of delta(0)": lambda k, t, d: (1 + d / 2) / 2,
}


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_a_slightly_smaller_bound_is_exceeded(name):
    """By laws that are within the factor and the delta; where k = 2, `delta counted once` is the bound itself."""
    k, factor, chance = (2, F(1), F(1, 2)) if name == "half of delta(0)" else (3, F(2), F(1, 4))
    laws = published_or_told(k, factor, chance)
    assert best(laws) > NEAR_MISSES[name](k, factor, delta(laws, factor))


def test_the_bound_rises_with_its_factor_so_that_rounding_up_is_safe():
    for chance in chances("guess rises"):
        k, d = chance.randint(2, 9), F(chance.randint(0, 10), 10)
        low = 1 + F(chance.randint(0, 100), 10)
        high = low + F(chance.randint(0, 100), 10)
        assert guess_probability_by_factor(k, low, d) <= guess_probability_by_factor(k, high, d) <= 1


def test_e_to_the_epsilon_is_rounded_up():
    import mpmath

    with mpmath.workdps(60):
        for epsilon in (F(1, 1000), F(1), F(7, 3), F(40)):
            t = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
            for k in (2, 3, 10):
                found, truth = guess_probability(k, epsilon, F(0)), t / (t + k - 1)
                assert 0 <= mpmath.mpf(found.numerator) / found.denominator - truth < mpmath.mpf(10) ** -20


@pytest.mark.parametrize(
    ("values", "factor", "delta"),
    [(1, F(1), F(0)), (2, F(1, 2), F(0)), (2, F(1), F(-1, 10)), (2, F(1), F(11, 10))],
)
def test_what_is_no_claim_of_privacy_has_no_bound(values, factor, delta):
    with pytest.raises(ValueError, match="must be"):
        guess_probability_by_factor(values, factor, delta)


def test_a_negative_epsilon_has_no_bound():
    with pytest.raises(ValueError, match="epsilon must be >= 0"):
        guess_probability(2, F(-1), F(0))


def test_an_account_of_nothing_leaves_a_guess_to_chance():
    assert guess_bound(account_of_noise([], "change_one"), 2).probability == F(1, 2)
