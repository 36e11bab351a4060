"""posterior: Bayes' rule on laws of two outcomes, by counting; a factor a little smaller is not proved."""

from fractions import Fraction as F
from itertools import product

from refdp.spec.evaluation import evaluate
from refdp.spec.obligations import obligations
from refdp.statements.posterior import posterior
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
