"""Each attack succeeds totally without noise, stays under its bound with noise, and exceeds one that is too small."""

from fractions import Fraction as F
from math import comb

import mpmath
import pytest

from refdp.attacks.averaging import Averaging, admitted
from refdp.attacks.correlation import Correlation, odds_of_equal_bits
from refdp.attacks.differencing import Differencing
from refdp.attacks.inference import Inference
from refdp.attacks.linkage import Linkage
from refdp.attacks.membership import Membership
from refdp.attacks.reconstruction import Reconstruction
from refdp.claims import claim
from refdp.sampling.bulk import addition  # noqa: F401  (numpy is there)

RARE = F(1, 10**10)
"""The chance that a test of statistics here fails for nothing."""
TOTAL = [
    Averaging(answers=3),
    Averaging(answers=4, method="mean"),
    Correlation(people=2),
    Differencing(people=1),
    Differencing(people=50),
    Linkage(),
    Linkage(auxiliary=("body_mass_g", "flipper_length_mm"), secret="species"),
    Membership(people=2, answers=600),
    Reconstruction(people=20, answers=100, seed=1),
    Reconstruction(people=10, answers=50, seed=1, method="linear_programming"),
]
"""Each with parameters at which it cannot fail; of membership, but for a chance below 1e-15."""
GUESSED = [
    Averaging(),
    Averaging(method="mean"),
    Correlation(),
    Differencing(),
    Linkage(),
    Linkage(auxiliary=("body_mass_g", "flipper_length_mm"), secret="species"),
    Membership(people=5, answers=200),
    Reconstruction(people=20, answers=80, seed=1),
    Reconstruction(people=10, answers=40, seed=1, method="linear_programming"),
]


def named(attack):
    return f"{attack.name} {getattr(attack, 'method', '')}".strip()


def runs_of(attack, most=2000):
    return 40 if getattr(attack, "method", "") == "linear_programming" else most


def silent(done):
    """Nobody hears how far the work is."""


@pytest.mark.parametrize("attack", TOTAL, ids=named)
def test_without_noise_an_attack_succeeds_totally(attack):
    runs = runs_of(attack, 300)
    tally = attack.play(None, runs, silent)["success"]
    assert (tally.successes, tally.runs) == (runs, runs)
    assert tally.share in (None, 1)


@pytest.mark.parametrize("attack", GUESSED, ids=named)
@pytest.mark.parametrize("epsilon", [F(1, 50), F(1, 5), F(3, 2)])
def test_with_noise_an_attack_stays_under_its_bound(attack, epsilon):
    low, _ = attack.play(attack.scale(epsilon), runs_of(attack), silent)["success"].interval(RARE)
    assert low <= attack.bound(epsilon, 60.0).probability


@pytest.mark.parametrize("attack", GUESSED, ids=named)
def test_with_much_noise_nothing_is_learned(attack):
    bound = attack.bound(F(1, 10**6), 60.0).probability
    assert F(1, attack.values) <= bound <= F(1, attack.values) + F(1, 1000)


@pytest.mark.parametrize("attack", GUESSED, ids=named)
def test_the_bound_rises_with_epsilon_and_is_no_more_than_the_one_by_sums(attack):
    from refdp.commands.attack import by_sums

    epsilons = [F(1, 100), F(1, 10), F(1, 2), F(2)]
    bounds = [attack.bound(epsilon, 60.0).probability for epsilon in epsilons]
    assert bounds == sorted(bounds)
    slack = 1 + F(1, 10**6)
    assert all(bound <= slack * by_sums(attack, e) for bound, e in zip(bounds, epsilons, strict=True))


TOO_LITTLE = [
    (Averaging(), F(1, 10), 4),
    (Correlation(), F(1, 2), 4),
    (Differencing(), F(1), 8),
    (Linkage(), F(1), 4),
    (Membership(people=3, answers=500), F(1, 50), 40),
    (Reconstruction(people=20, answers=80, seed=1), F(1, 10), 40),
]


@pytest.mark.parametrize(("attack", "epsilon", "factor"), TOO_LITTLE, ids=lambda one: getattr(one, "name", str(one)))
def test_too_little_noise_is_seen_beyond_the_bound(attack, epsilon, factor):
    """The noise of a greater epsilon, where a bound is claimed of a smaller one."""
    low, _ = attack.play(attack.scale(epsilon * factor), 4000, silent)["success"].interval(RARE)
    assert low > attack.bound(epsilon, 60.0).probability


def excess(found, truth):
    """found - truth, in digits enough."""
    with mpmath.workdps(50):
        return mpmath.mpf(found.numerator) / found.denominator - truth


def binomial_vote(answers, epsilon):
    """How often the majority of so many randomised responses is right, ties by a fair coin."""
    with mpmath.workdps(50):
        p = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon.numerator) / epsilon.denominator))
        mass = [comb(answers, k) * p**k * (1 - p) ** (answers - k) for k in range(answers + 1)]
        tie = mass[answers // 2] / 2 if answers % 2 == 0 else 0
        return sum(mass[answers // 2 + 1 :]) + tie


@pytest.mark.parametrize("answers", [1, 2, 5, 40, 101])
@pytest.mark.parametrize("epsilon", [F(1, 30), F(1, 2), F(3)])
def test_the_vote_of_answers_attains_the_certified_bound(answers, epsilon):
    found = Averaging(answers=answers).bound(epsilon, 60.0).probability
    truth = binomial_vote(answers, epsilon)
    assert 0 <= excess(found, truth) <= 1e-6


def test_the_vote_is_as_often_right_as_its_law_says():
    low, high = Averaging(answers=7).play(F(2), 20_000, silent)["success"].interval(RARE)
    assert float(low) <= binomial_vote(7, F(1, 2)) <= float(high)


def half_line(people, epsilon):
    """How often a family is told by whether its noisy count is above the half: enumerated."""
    with mpmath.workdps(50):
        q = mpmath.exp(-mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        mass = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-900, 901)}
        return sum(m * (1 if 2 * (people + z) > people else mpmath.mpf("0.5") if 2 * (people + z) == people else 0)
                   for z, m in mass.items())  # fmt: skip


@pytest.mark.parametrize("people", [2, 3, 4, 9])
@pytest.mark.parametrize("epsilon", [F(1, 10), F(1), F(2)])
def test_a_family_is_told_as_often_as_the_bound_of_all_its_members_allows(people, epsilon):
    """And more often than if its members' rows were independent."""
    attack = Correlation(people=people)
    truth = half_line(people, epsilon)
    bound = attack.bound(epsilon, 60.0).probability
    assert 0 <= excess(bound, truth) <= 1e-6
    assert truth > mpmath.mpf(attack.more(epsilon, 60.0)["if_independent"])


def test_odds_of_equal_bits_are_those_of_the_claim():
    assert odds_of_equal_bits(3, F(3, 4)) == 27
    assert "by 27" in claim("posterior.three_equal_bits").sentence
    prior = F(1, 5)
    before, after = prior / (1 - prior), prior * F(27, 64) / ((1 - prior) * F(1, 64))
    assert after / before == 27
    assert claim("posterior.whatever_the_prior").expected == "REFUTED"


def test_what_is_known_of_a_population_is_known_of_those_who_are_not_in_the_table():
    """Far more often right than the third that chance gives; and as often, within the bound, in the table or not."""
    attack = Inference()
    tallies = attack.play(attack.scale(F(1, 10)), 4000, silent)
    (low, high), (low_out, high_out) = (tallies[key].interval(RARE / 2) for key in ("success", "without"))
    assert low_out > F(1, 2)
    assert low - high_out <= attack.bound(F(1, 10), 60.0).probability
    assert low_out - high <= attack.bound(F(1, 10), 60.0).probability


def test_the_bound_of_inference_is_the_total_variation_of_one_noisy_count():
    """tanh(epsilon / 2), the advantage of randomised response."""
    for epsilon in (F(1, 100), F(1), F(5)):
        found = Inference().bound(epsilon, 60.0).probability
        with mpmath.workdps(50):
            truth = mpmath.tanh(mpmath.mpf(epsilon.numerator) / epsilon.denominator / 2)
        assert 0 <= excess(found, truth) <= 1e-6


def test_rows_of_the_table_are_counted_by_what_singles_them_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("zip,age,ill\n1,30,yes\n1,30,no\n1,40,yes\n2,30,no\n2,50,NA\n", encoding="utf-8")
    attack = Linkage(table=path, auxiliary=("zip", "age"), secret="ill")
    assert [value for _, value in attack.facts()] == ["1 of 4 (0.25)", "2 of 4 (0.5)", "2 of 4 (0.5)"]
    assert attack.unique == [2, 3]
    assert attack.rows.values == ("no", "yes")


def test_the_bound_of_a_bit_is_of_the_person_who_is_in_most_subsets():
    attack = Reconstruction(people=7, answers=30, seed=3)
    assert attack.most_often == max(attack.subsets.sum(axis=0))
    assert attack.total(F(1, 3)) == F(attack.most_often, 3)
    alone = Averaging(answers=attack.most_often).bound(F(1, 3), 60.0).probability
    assert attack.bound(F(1, 3), 60.0).probability == alone


def test_a_bit_that_is_in_no_subset_is_left_to_chance():
    attack = next(one for seed in range(99) if (one := Reconstruction(people=1, answers=1, seed=seed)).most_often == 0)
    assert attack.bound(F(1), 60.0).probability == F(1, 2)


def test_subsets_that_nobody_said_are_drawn_and_told():
    one, other = Reconstruction(), Reconstruction()
    assert one.seed != other.seed
    assert Reconstruction(seed=one.seed).subsets.tolist() == one.subsets.tolist()


def test_a_budget_admits_as_many_answers_as_it_pays_for():
    assert admitted(F(1), F(3, 10), 100) == 3
    assert admitted(F(1), F(1, 10), 100) == 10
    assert admitted(F(1), F(2), 100) == 0
    assert admitted(F(100), F(1), 7) == 7
    assert Averaging(budget="1").more(F(1, 4), 60.0) == {"admitted": 4}
    assert Averaging().more(F(1, 4), 60.0) == {}
