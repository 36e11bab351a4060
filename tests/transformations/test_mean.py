"""mean: of exactly `size` clamped rows; one replaced row moves it by (upper - lower) / size, and by no less."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_laplace
from refdp.transformations import clamp, column, mean
from refdp.transformations.mean import MEAN
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import NOT_NUMBERS, built, exceeded, fractions, is_sharp, random_tables, tables

ATOMS = fractions(-7, -1, 2, 15)
AT = ("change_one", "absolute")
BOUND = "lower upper size granularity"


def variant(field, body, reads="row lower upper size granularity"):
    """The mean with one other formula."""
    return replace(MEAN, stem="wrong_mean", **{field: written(field, reads, body)})


def bounded(body):
    """The mean with another bound of one edit."""
    return replace(MEAN, stem="wrong_mean", edits={AT: replace(MEAN.edits[AT], bound=written("b", BOUND, body))})


def test_mean_of_worked_examples():
    assert mean(0, 1, size=4)((1, 0, 1, 1)) == F(3, 4)
    assert mean(0, 12, size=3)((15, -3, 7)) == F(19, 3)
    assert mean("-1/2", "1/2", 2, granularity="1/2")((F(-1, 2), F(3))) == 0


@pytest.mark.parametrize(("lower", "upper", "step", "size"), [(0, 12, 1, 5), (-3, 4, 1, 3), ("-3/2", "1/2", "1/4", 7)])
def test_mean_of_random_tables_is_its_definition(lower, upper, step, size):
    t, (low, high, unit) = mean(lower, upper, size, step), fractions(lower, upper, step)
    for table in random_tables("mean", lambda chance: unit * chance.randint(-30, 30), size=size):
        assert t(table) == sum(min(max(x, low), high) for x in table) / size
        assert (t(table) / (unit / size)).denominator == 1


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize(("lower", "upper"), [(0, 12), (-3, 2), (1, 4), (2, 2)])
def test_mean_is_stable_and_its_map_is_sharp(lower, upper, size):
    t, inputs = mean(lower, upper, size), tables([*ATOMS, F(lower)], size, size)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert t.map(1) == F(upper - lower, size)


def test_mean_is_proved_under_another_stem():
    assert set(verdicts(replace(MEAN, stem="same_mean")).values()) == {"proved"}


@pytest.mark.parametrize(
    "body",
    [
        "(upper - lower) / size / 2",
        "(upper - lower) / size * 999 / 1000",
        "(upper - lower) / (size + 1)",
        "(upper - lower) / size ** 2",
        "upper / size",
        "(upper + lower) / size",
        "max(abs(lower), abs(upper)) / size",
    ],
)
def test_mean_with_a_smaller_bound_is_not_proved(body):
    """And it is false: at bounds -3 and 2, two tables of 2 rows have means farther apart."""
    wrong = bounded(body)
    assert verdict(wrong, "edit_is_bounded.change_one.absolute") == "disproved"
    with entered(wrong):
        t = built(wrong, *AT, lower=F(-3), upper=F(2), size=F(2), granularity=F(1))
        assert exceeded(t, tables(ATOMS, 2, 2)) != []


@pytest.mark.parametrize(
    "body",
    [
        "2 * max(lower, min(row, upper)) / size",
        "max(lower, min(row, upper)) / (size - 1/2)",
        "max(lower, min(row, upper))",
        "row / size",
        "max(lower, row) / size",
        "max(lower, min(row, upper + 1)) / size",
    ],
)
def test_mean_of_larger_contributions_is_not_proved(body):
    assert verdict(variant("contribution", body), "edit_is_bounded.change_one.absolute") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "reads"),
    [
        ("output_step", "granularity", "granularity size"),
        ("output_step", "2 * granularity / size", "granularity size"),
        ("output_step", "granularity / (size + 1)", "granularity size"),
        ("units", "row", "row lower upper"),
        ("contribution", "max(lower, min(row, upper)) / size + 1", "row lower upper size"),
    ],
)
def test_mean_off_its_grid_is_not_proved(field, body, reads):
    assert verdict(variant(field, body, reads), "sum_stays_on_the_grid") == "disproved"


@pytest.mark.parametrize("parameter", ["lower", "upper", "size", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_mean_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: mean(**{"lower": 0, "upper": 1, "size": 2, parameter: value})), parameter, value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: mean(2, 1, 4), "lower <= upper must hold, got lower = 2, upper = 1"),
        (lambda: mean(0, 1, 0), "size must be >= 1, got 0"),
        (lambda: mean(0, 1, -4), "size must be >= 1, got -4"),
        (lambda: mean(0, 1, "5/2"), "size must be a whole number, got 5/2"),
        (lambda: mean(0, 1, 4, 0), "granularity must be > 0, got 0"),
        (lambda: mean(0, 1, 4, neighbours="add_remove"), "neighbours must be change_one for mean, got add_remove"),
        (lambda: mean(0, 1, 4, neighbours=""), "neighbours must be one of add_remove, change_one, got "),
        (lambda: mean(0, 1, 4)((1, 0, 1)), "the input must be a member of sized_table(grid(1), 4)"),
        (lambda: mean(0, 1, 1)((F(1, 2),)), "the input must be a member of sized_table(grid(1), 1)"),
        (lambda: mean(0, 1, 1)((0.5,)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
    ],
)
def test_mean_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_mean_chains_only_where_domain_and_metric_meet():
    hours = column("hours", neighbours="change_one", size=4)
    assert (hours >> mean(0, 12, 4) >> discrete_laplace(3, granularity="1/4")).map(1) == 1
    assert refusal(lambda: hours >> mean(0, 12, 5)) == (
        "the output domain sized_table(grid(1), 4) does not lie in the input domain sized_table(grid(1), 5)"
    )
    assert refusal(lambda: mean(0, 12, 4) >> discrete_laplace(3)) == (
        "the output domain grid(1/4) does not lie in the input domain grid(1)"
    )
    unsized = clamp(0, 12, neighbours="change_one")
    assert refusal(lambda: unsized >> mean(0, 12, 4)) == (
        "the output domain table(bounded(1, 0, 12)) does not lie in the input domain sized_table(grid(1), 4)"
    )
