"""Means, variances and dictionaries as people write them: sharp claims are proved, and a little less is not."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from refdp.sensitivities.campaign import read_campaign
from refdp.sensitivities.fusion import fused
from refdp.sensitivities.judging import Case, claim_of
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.proposals import sum_invariants
from refdp.sensitivities.search.proving import Found, prove
from refdp.sensitivities.search.settling import settled
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, rational, variable
from refdp.terms.operations import add, choice, disjunction, less, multiply
from tests.meta.repository import ROOT
from tests.sensitivities.folds import ONE, fold, numbers
from tests.sensitivities.thinning import mostly_long

X, TEN = variable("row", "Real"), numbers(0, 10)
F = Fraction(10**6 - 1, 10**6)


def asked(campaign, function, neighbours):
    """The true claim of a campaign about a function."""
    requests = read_campaign(Path(ROOT) / "examples" / "sensitivity" / f"{campaign}.toml")
    wanted = [
        r
        for r in requests
        if r.target.endswith(f":{function}") and (r.neighbours, r.expected) == (neighbours, "PROVED")
    ]
    one = Case.of(wanted[-1], 20)
    claim = claim_of(wanted[-1], one.given)
    return Question(one.program, one.neighbours, one.norm, claim, 1, "multisets")


SHARP = [
    ("queries", "variance", "change_one"),
    ("queries", "sums_by_species", "change_one"),
    ("library", "mean", "change_one"),
]
LITTLE_LESS = [
    ("queries", "squared_deviations", "change_one"),
    ("queries", "covariance", "change_one"),
    ("queries", "clipped_gradient", "add_remove"),
    ("penguins", "mean_mass_by_species", "add_remove"),
    ("library", "attribute_means", "change_one"),
]


@pytest.mark.parametrize("name", mostly_long(SHARP, 2))
def test_quotients_a_sharp_bound_is_proved(name):
    assert isinstance(prove(asked(*name), 15), Found)


@pytest.mark.long
@pytest.mark.parametrize("name", LITTLE_LESS)
def test_quotients_other_sharp_bounds_are_proved(name):
    assert isinstance(prove(asked(*name), 20), Found)


@pytest.mark.parametrize("name", mostly_long([*SHARP, *LITTLE_LESS], 3))
def test_quotients_a_millionth_less_is_not_found(name):
    question = asked(*name)
    less_by_a_millionth = replace(
        question, program=fused(question.program), claim=multiply(rational(F), question.claim), tables="lists"
    )
    assert sum_invariants(less_by_a_millionth, question.neighbours, 0.5).invariants is None


def total_since(flag_step, step=None):
    """A sum that is read as 0 until a flag is up."""

    def moved(s):
        return add(choice(s["up"], s["sum"], rational(0)), X) if step is None else step(s)

    return fold(
        TEN,
        {"up": ("Bool", FALSE, flag_step), "sum": ("Real", rational(0), moved)},
        lambda s: choice(s["up"], s["sum"], rational(0)),
    )


def test_settled_an_entry_that_is_0_until_it_is_there_is_a_sum():
    program, _ = settled(total_since(lambda s: TRUE))
    assert [str(s.value) for s in program.passes[0].state] == ["sum"]


@pytest.mark.parametrize("limit", [-1, 3])
def test_settled_a_flag_is_left_out_only_if_no_row_raises_it(limit):
    raised = {"raised": ("Int", ZERO, lambda s: choice(less(X, integer(limit)), ONE, s["raised"]))}
    lines = raised | {"sum": ("Real", rational(0), lambda s: add(s["sum"], X))}
    found = settled(fold(TEN, lines, lambda s: s["sum"], exception=lambda s: s["raised"]))
    assert (found is None) == (limit == 3)


def test_settled_an_entry_that_is_moved_before_it_is_there_is_kept():
    late = total_since(lambda s: disjunction(s["up"], less(integer(5), X)), lambda s: add(s["sum"], X))
    assert settled(late) is None
    assert not isinstance(prove(Question(late, "add_remove", "L1", rational(10)), 2), Found)
