"""posterior: Bayes' rule on laws of two outcomes, by counting; a factor a little smaller is not proved."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from math import exp, isclose, prod

from refdp.numerics.exact import decide
from refdp.spec.obligations import obligations
from refdp.statements.posterior import independent_bits, posterior
from refdp.terms.evaluation import evaluate, truth
from refdp.terms.term import number, substitute
from tests.statements.checks import variant, verdict


def test_posterior_is_the_share_among_the_people_who_would_answer_so():
    """Of 60 people, a share of whom have the value 1, those who give the answer are counted."""
    for ones, p, q in product(range(1, 60, 7), (F(1, 4), F(1, 2), F(3, 4)), (F(1, 4), F(2, 3))):
        right, wrong = ones * p, (60 - ones) * q
        values = {"prior": F(ones, 60), "p": p, "q": q}
        assert evaluate(posterior(), values) == right / (right + wrong)


def test_odds_move_by_the_factor_and_by_no_less():
    assert verdict(obligations("posterior")["odds_move_by_the_factor"]) == "proved"
    smaller = variant("posterior.odds_move_by_the_factor", "t * prior", "999 / 1000 * t * prior")
    assert verdict(smaller) == "disproved"


def test_nothing_new_holds_only_if_the_answer_does_not_depend_on_the_value():
    assert verdict(obligations("posterior")["nothing_new"]) == "disproved"


TRUTH = F(3, 4)
TABLES = tuple(product((0, 1), repeat=3))


def likelihood(table, answers):
    """The probability of the answers of randomised response with truth 3/4, one for each row."""
    return prod((TRUTH if bit == answer else 1 - TRUTH for bit, answer in zip(table, answers, strict=True)), start=F(1))


def odds_move(prior, answers, person=0):
    """By what the answers multiply the odds of the person's bit, by Bayes' rule on the tables of the prior."""
    before, after = [F(0), F(0)], [F(0), F(0)]
    for table, weight in prior.items():
        before[table[person]] += weight
        after[table[person]] += weight * likelihood(table, answers)
    return (after[1] / after[0]) / (before[1] / before[0])


def test_odds_of_a_bit_move_by_27_where_all_three_are_equal():
    for ones in (F(1, 10), F(1, 2), F(4, 5)):
        equal_bits = {(1, 1, 1): ones, (0, 0, 0): 1 - ones}
        assert [odds_move(equal_bits, (1, 1, 1), person) for person in range(3)] == [27, 27, 27]
        assert max(odds_move(equal_bits, answers) for answers in TABLES) == 27
    statement = obligations("posterior")["three_equal_bits"]
    assert verdict(statement) == "proved"
    assert verdict(variant("posterior.three_equal_bits", "27 * prior", "26 * prior")) == "disproved"


def test_odds_of_a_bit_move_by_3_where_the_bits_are_independent():
    for shares in product((F(1, 10), F(1, 2), F(7, 8)), repeat=3):
        prior = {t: prod(s if bit else 1 - s for s, bit in zip(shares, t, strict=True)) for t in TABLES}
        assert {odds_move(prior, answers) for answers in TABLES} == {F(3), F(1, 3)}


def test_odds_where_others_are_independent_move_by_the_factor_and_by_no_less():
    key = "odds_where_others_are_independent"
    statement = obligations("posterior")[key]
    assert verdict(statement) == "proved"
    assert verdict(variant(f"posterior.{key}", "t * (w_10 + w_11)", "999 / 1000 * t * (w_10 + w_11)")) == "disproved"
    dependent = replace(statement, given=tuple(c for c in statement.given if c != independent_bits()))
    assert verdict(dependent) == "disproved"


def test_whatever_the_prior_fails_at_three_equal_bits_and_holds_where_they_are_independent():
    statement = obligations("posterior")["whatever_the_prior"]

    def holds(prior, answers):
        named = {"t": F(3)} | {f"w_{''.join(map(str, t))}": prior.get(t, F(0)) for t in TABLES}
        named |= {f"p_{''.join(map(str, t))}": likelihood(t, answers) for t in TABLES}
        assert all(truth(condition, named) for condition in statement.given)
        return truth(statement.show, named)

    assert not holds({(1, 1, 1): F(1, 2), (0, 0, 0): F(1, 2)}, (1, 1, 1))
    assert holds({(1, 1, 1): F(1, 2), (0, 0, 0): F(1, 2)}, (0, 0, 0))
    assert holds({t: F(1, 8) for t in TABLES}, (1, 1, 1))


def test_family_of_four_moves_the_odds_by_e_to_the_4_and_one_person_by_e():
    """The noise, of mass proportional to e^-|z|, on counts that differ by the members who come and go together."""
    mass = {count: exp(-abs(4 - count)) for count in range(5)}
    assert isclose(mass[4] / mass[0], exp(4))
    assert isclose(mass[4] / mass[3], exp(1))
    assert str(obligations("posterior")["family_of_four"]) == "1/2 * exp(0) == exp(4) * (1/2 * exp(-4))"


def test_participation_whatever_the_prior_fails_only_where_relatives_come_along():
    statement = obligations("posterior")["participation_whatever_the_prior"]
    assert set(statement.variables) == {"y", *(f"w_{i}{j}" for i in (0, 1) for j in range(4))}
    alone = {f"w_{i}{j}": F(1, 2) if j == 3 else F(0) for i in (0, 1) for j in range(4)}
    family = {f"w_{i}{j}": F(1, 2) if (i, j) in ((1, 3), (0, 0)) else F(0) for i in (0, 1) for j in range(4)}
    assert [decided(statement, weights | {"y": F(4)}) for weights in (alone, family)] == [True, False]


def decided(statement, values):
    """Whether the conclusion holds at these values, its exponentials compared exactly."""
    return decide(substitute(statement.show, {key: number(value) for key, value in values.items()}))
