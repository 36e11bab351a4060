"""Spacer's invariants through the checker: claims that are true are proved, near misses are not."""

from fractions import Fraction

import pytest

from refdp.sensitivities.question import Question
from refdp.sensitivities.search.proving import Found, Missed, prove
from refdp.terms.leaves import integer, rational
from refdp.terms.operations import larger, multiply
from tests.sensitivities import hand_made as f

ADD, CHANGE = "add_remove", "change_one"
BARELY = rational(Fraction(999_999, 1_000_000))
TRUE_CLAIMS = [
    (f.clamp_sum, ADD, "L1", f.SIZE_OF),
    (f.clamp_sum, CHANGE, "L1", f.WIDTH),
    (f.count, ADD, "L1", integer(1)),
    (f.count_above, ADD, "L1", integer(1)),
    (f.count_above, CHANGE, "L1", integer(1)),
    (f.histogram, ADD, "L1", integer(1)),
    (f.histogram, CHANGE, "L1", integer(2)),
    (f.histogram, CHANGE, "Linf", integer(1)),
    (f.saturated_count, ADD, "L1", integer(1)),
    (f.running_max, ADD, "L1", f.WIDTH),
    (f.running_max, CHANGE, "L1", f.WIDTH),
    (f.late_clamp, ADD, "L1", f.WIDTH),
    (f.mean_of_ten, CHANGE, "L1", multiply(rational(Fraction(1, 10)), f.WIDTH)),
    (f.has_any, ADD, "Linf", integer(1)),
    (f.parity, ADD, "L1", integer(1)),
    (f.sum_twice, ADD, "L1", integer(2)),
    (f.sum_twice, CHANGE, "Linf", integer(1)),
]
TRUE_OF_LISTS = [
    (f.max_gap, CHANGE, "L1", f.WIDTH),
    (f.max_gap, ADD, "L1", f.WIDTH),
    (f.moving_average, CHANGE, "L1", f.half(f.WIDTH)),
    (f.moving_average, ADD, "L1", f.half(f.WIDTH)),
    (f.run_count, ADD, "L1", integer(2)),
    (f.first_two_sum, ADD, "L1", larger(f.SIZE_OF, f.WIDTH)),
]


def thinned(claims):
    """The claims, two thirds of them for the long run alone."""
    return [pytest.param(*c, marks=pytest.mark.long) if place % 3 else c for place, c in enumerate(claims)]


@pytest.mark.parametrize(("made", "neighbours", "norm", "claim"), thinned(TRUE_CLAIMS))
def test_multisets_true_claims_are_proved_and_smaller_ones_are_not(made, neighbours, norm, claim):
    found = prove(Question(made(), neighbours, norm, claim), 20)
    assert isinstance(found, Found), found
    assert all(solvers == ("z3", "cvc5") for _, solvers in found.judged.obligations)
    assert isinstance(prove(Question(made(), neighbours, norm, multiply(BARELY, claim)), 20), Missed)


@pytest.mark.parametrize(("made", "neighbours", "norm", "claim"), thinned(TRUE_OF_LISTS))
def test_lists_true_claims_are_proved_and_order_matters(made, neighbours, norm, claim):
    found = prove(Question(made(), neighbours, norm, claim, tables="lists"), 20)
    assert isinstance(found, Found), found
    smaller = Question(made(), neighbours, norm, multiply(BARELY, claim), tables="lists")
    assert isinstance(prove(smaller, 20), Missed)
    of_multisets = prove(Question(made(), neighbours, norm, claim, tables="multisets"), 20)
    assert isinstance(of_multisets, Missed), of_multisets
    assert isinstance(of_multisets.lists, Found), of_multisets
