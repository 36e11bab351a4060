"""clamp: every row moves to the nearer bound if it lies outside, and tables at most d_in edits apart stay so."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_laplace
from refdp.transformations import clamp, clamped_sum, count
from refdp.transformations.clamp import CLAMP
from tests.exactness.entering import written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import NOT_NUMBERS, exceeded, fractions, is_sharp, random_tables, tables

ATOMS = fractions(-2, 0, 1, 5)


def by_hand(x, lower, upper):
    """The definition, by cases."""
    if x < lower:
        return lower
    return upper if x > upper else x


def test_clamp_of_a_worked_example():
    assert clamp(0, 12)((15, -3, 7, 0, 12)) == fractions(12, 0, 7, 0, 12)
    assert clamp("1/2", "3/2", "1/2")(("1/2", F(5, 2))[1:]) == (F(3, 2),)
    assert clamp(0, 12)(()) == ()


def test_clamp_of_random_tables_is_its_definition():
    for lower, upper, step in [(F(-3), F(4), F(1)), (F(0), F(0), F(1)), (F(-3, 2), F(1, 2), F(1, 4))]:
        t = clamp(lower, upper, step)
        for table in random_tables("clamp", lambda chance, step=step: step * chance.randint(-30, 30)):
            assert t(table) == tuple(by_hand(x, lower, upper) for x in table)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_clamp_is_stable_and_its_map_is_sharp(neighbours):
    t, inputs = clamp(0, 2, neighbours=neighbours), tables(ATOMS, 3)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert is_sharp(t, inputs, 2)
    assert (t.map(1), t.map(5), t.map("1/2")) == (1, 5, F(1, 2))


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_clamp_with_half_its_map_is_exceeded(neighbours):
    t = clamp(0, 2, neighbours=neighbours)
    assert exceeded(replace(t, d_out=t.d_out / 2), tables(ATOMS, 2)) != []
    assert exceeded(replace(t, d_out=t.d_out * F(999, 1000)), tables(ATOMS, 2)) != []


def test_clamp_is_proved_under_another_stem():
    assert set(verdicts(replace(CLAMP, stem="same_clamp")).values()) == {"proved"}


@pytest.mark.parametrize(
    "body",
    [
        "max(lower, min(row, upper + 1))",
        "max(lower, min(row, upper)) * 2",
        "max(lower - 1, min(row, upper))",
        "min(row, upper)",
        "max(lower, row)",
        "min(upper, max(-upper, row))",
        "row",
        "max(row, min(lower, upper))",
    ],
)
def test_clamp_to_wrong_bounds_is_not_proved(body):
    wrong = replace(CLAMP, stem="wrong_clamp", formula=written("wrong", "row lower upper granularity", body))
    assert verdict(wrong, "rows_stay_inside") == "disproved"


@pytest.mark.parametrize("body", ["max(lower, min(row, upper)) + 1", "max(lower, min(1, upper))"])
def test_clamp_off_the_grid_is_not_proved(body):
    wrong = replace(CLAMP, stem="wrong_clamp", formula=written("wrong", "row lower upper granularity", body))
    assert verdict(wrong, "rows_stay_on_the_grid") == "disproved"


@pytest.mark.parametrize("body", ["granularity * row", "row / 2", "min(row, upper) * 1001 / 1000"])
def test_clamp_whose_shape_is_not_whole_is_not_proved(body):
    wrong = replace(CLAMP, stem="wrong_clamp", formula=written("wrong", "row lower upper granularity", body))
    assert verdict(wrong, "rows_stay_on_the_grid") == "refused"


@pytest.mark.parametrize("parameter", ["lower", "upper", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_clamp_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: clamp(**{"lower": 0, "upper": 1, parameter: value})), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: clamp(2, 1), "lower <= upper must hold, got lower = 2, upper = 1"),
        (lambda: clamp(0, 1, 0), "granularity must be > 0, got 0"),
        (lambda: clamp(0, 1, -1), "granularity must be > 0, got -1"),
        (lambda: clamp("1/2", 1), "lower must be a whole multiple of granularity, got granularity = 1, lower = 1/2"),
        (lambda: clamp(0, 3, 2), "upper must be a whole multiple of granularity, got granularity = 2, upper = 3"),
        (lambda: clamp(0, 1, neighbours="near"), "neighbours must be one of add_remove, change_one, got near"),
        (lambda: clamp(0, 1).map(-1), "d_in must be >= 0, got -1"),
        (lambda: clamp(0, 1).map(0.5), 'd_in must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: clamp(0, 1)((F(1, 2),)), "the input must be a member of table(grid(1))"),
        (lambda: clamp(0, 1)((0.5,)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: clamp(0, 1)((True,)), "the input must be a member of table(grid(1))"),
        (lambda: clamp(0, 1)(("a",)), "the input must be a member of table(grid(1))"),
        (lambda: clamp(0, 1)(((1,),)), "the input must be a member of table(grid(1))"),
        (lambda: clamp(0, 1)(1), "the input must be a member of table(grid(1))"),
        (lambda: clamp(0, 1)(None), "the input must be a member of table(grid(1))"),
    ],
)
def test_clamp_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_clamp_chains_only_where_domain_and_metric_meet():
    assert (clamp(0, 12) >> clamped_sum(0, 5)).map(1) == 5
    assert refusal(lambda: clamp(0, 12) >> count("grid(2)")) == (
        "the output domain table(bounded(1, 0, 12)) does not lie in the input domain table(grid(2))"
    )
    assert refusal(lambda: clamp(0, 12) >> discrete_laplace(1)) == (
        "the output domain table(bounded(1, 0, 12)) does not lie in the input domain grid(1)"
    )
    assert refusal(lambda: clamp(0, 12, neighbours="change_one") >> count("grid(1)")) == (
        "the output metric change_one is not the input metric symmetric"
    )
