"""histogram: moves by 1 per row added or removed in every norm; by 2, sqrt(2) and 1 per row replaced, by no less."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_gaussian, discrete_laplace, exponential
from refdp.transformations import category_of, histogram
from refdp.transformations.histogram import HISTOGRAM
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import (
    NOT_NUMBERS,
    built,
    exceeded,
    fractions,
    is_sharp,
    random_tables,
    spread,
    tables,
)

ROWS = fractions(-1, 0, 1, 2)
EDITS = sorted(HISTOGRAM.edits)


def bounded(neighbours, norm, body):
    """The histogram with another bound of one edit."""
    edit = replace(HISTOGRAM.edits[neighbours, norm], bound=written("wrong_bound", "dimension", body))
    return replace(HISTOGRAM, stem="wrong_histogram", edits={**HISTOGRAM.edits, (neighbours, norm): edit})


def prefixed(neighbours, norm, body):
    """The histogram with another prefix of one edit."""
    wrong = written("wrong_prefix", "row other coordinate dimension", body)
    edit = replace(HISTOGRAM.edits[neighbours, norm], prefix=wrong)
    return replace(HISTOGRAM, stem="wrong_histogram", edits={**HISTOGRAM.edits, (neighbours, norm): edit})


def test_histogram_of_worked_examples():
    assert histogram(3)((0, 2, 2, -1)) == fractions(1, 0, 2)
    assert histogram(1)((-1, -1)) == fractions(0)
    islands = category_of("island", ("Dream", "Biscoe")) >> histogram(2)
    assert islands(({"island": "Biscoe"}, {"island": None}, {"island": "Dream"}, {"island": "Biscoe"}, {})) == (1, 2)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_histogram_of_random_tables_is_its_definition(dimension):
    t = histogram(dimension)
    for table in random_tables("histogram", lambda chance: chance.randint(-1, dimension - 1)):
        assert t(table) == tuple(table.count(i) for i in range(dimension))


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
def test_histogram_is_stable_and_its_map_is_sharp(neighbours, norm):
    t, inputs = histogram(3, neighbours, norm), tables(ROWS, 3)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    worst = {("change_one", "l1"): 2, ("change_one", "l2"): 2}.get((neighbours, norm), 1)
    assert spread(t, inputs)[F(1)] == worst


def test_histogram_of_one_category_moves_by_less_under_change_one():
    """The map for any number of categories is sharp from two on."""
    assert spread(histogram(1, "change_one"), tables(fractions(-1, 0), 3))[F(1)] == 1


def test_histogram_is_proved_under_another_stem():
    found = verdicts(replace(HISTOGRAM, stem="same_histogram"))
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 1 + 4 * 3 + 2


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
@pytest.mark.parametrize("factor", ["1/2", "999/1000", "0"])
def test_histogram_with_a_smaller_bound_is_not_proved(factor, neighbours, norm):
    """And it is false: tables one edit apart have counts farther apart."""
    right = HISTOGRAM.edits[neighbours, norm].bound.term
    wrong = bounded(neighbours, norm, f"{right} * {factor}")
    key = "edit_is_bounded" if norm == "linf" else "prefix_ends_at_the_bound"
    assert verdict(wrong, f"{key}.{neighbours}.{norm}") == "disproved"
    with entered(wrong):
        assert exceeded(built(wrong, neighbours, norm, dimension=F(3)), tables(ROWS, 2)) != []


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("body", ["1", "dimension - 1", "min(2, dimension - 1)"])
def test_histogram_with_the_bound_of_other_neighbours_is_not_proved(norm, body):
    wrong = bounded("change_one", norm, body)
    assert verdict(wrong, f"prefix_ends_at_the_bound.change_one.{norm}") == "disproved"


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize(
    "body",
    ["0", "indicator(row <= coordinate - 2)", "indicator(row <= coordinate)", "indicator(row == coordinate)",
     "indicator(other <= coordinate - 1) * (1 - indicator(other == row))"],
)  # fmt: skip
def test_histogram_with_a_wrong_cumulative_is_not_proved(body, neighbours, norm):
    wrong = prefixed(neighbours, norm, body)
    assert verdict(wrong, f"prefix_grows_by_the_edit.{neighbours}.{norm}") == "disproved"


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_histogram_with_the_prefix_of_one_row_under_change_one_is_not_proved(norm):
    wrong = prefixed("change_one", norm, "indicator(row <= coordinate - 1)")
    assert verdict(wrong, f"prefix_grows_by_the_edit.change_one.{norm}") == "disproved"


@pytest.mark.parametrize(("neighbours", "norm"), [e for e in EDITS if e[1] != "linf"])
def test_histogram_with_a_prefix_that_starts_below_0_is_not_proved(neighbours, norm):
    right = HISTOGRAM.edits[neighbours, norm].prefix.term
    wrong = prefixed(neighbours, norm, f"{right} - 1")
    assert verdict(wrong, f"prefix_starts_at_0.{neighbours}.{norm}") == "disproved"


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
@pytest.mark.parametrize("body", ["2 * indicator(row == coordinate)", "indicator(row <= coordinate) * 1001 / 1000"])
def test_histogram_of_larger_contributions_is_not_proved(body, neighbours, norm):
    wrong = replace(HISTOGRAM, stem="wrong_histogram", contribution=written("contribution", "row coordinate", body))
    key = "edit_is_bounded" if norm == "linf" else "prefix_grows_by_the_edit"
    assert verdict(wrong, f"{key}.{neighbours}.{norm}") == "disproved"


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_histogram_that_is_cumulative_is_not_proved(neighbours):
    """Every category from the row's own on: it moves as many counts as there are categories."""
    wrong = replace(
        HISTOGRAM, stem="wrong_histogram", contribution=written("c", "row coordinate", "indicator(row <= coordinate)")
    )
    assert verdict(wrong, f"prefix_grows_by_the_edit.{neighbours}.l1") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "reads", "said"),
    [
        ("output_step", "2", "", "disproved"),
        ("output_step", "0", "", "disproved"),
        ("units", "2 * indicator(row == coordinate)", "row coordinate", "disproved"),
        ("units", "indicator(row == coordinate) / 2", "row coordinate", "refused"),
        ("contribution", "indicator(row == coordinate) / 2", "row coordinate", "disproved"),
    ],
)
def test_histogram_off_its_grid_is_not_proved(field, body, reads, said):
    wrong = replace(HISTOGRAM, stem="wrong_histogram", **{field: written(field, reads, body)})
    assert verdict(wrong, "sum_stays_on_the_grid") == said


def test_histogram_of_rows_without_a_category_count_is_not_proved():
    """Without the condition that there is a category, the greatest one is not one below their number."""
    wrong = replace(HISTOGRAM, stem="wrong_histogram", conditions=HISTOGRAM.conditions[:1])
    assert verdict(wrong, "edit_is_bounded.add_remove.linf") == "refused"


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_histogram_refuses_what_is_no_exact_number(value):
    assert shows(refusal(lambda: histogram(value)), "dimension", value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: histogram(0), "dimension must be >= 1, got 0"),
        (lambda: histogram(-3), "dimension must be >= 1, got -3"),
        (lambda: histogram("3/2"), "dimension must be a whole number, got 3/2"),
        (lambda: histogram(3, "near"), "neighbours must be one of add_remove, change_one, got near"),
        (lambda: histogram(3, norm="absolute"), "norm must be one of l1, l2, linf for histogram, got absolute"),
        (lambda: histogram(3)((3,)), "the input must be a member of table(category(3))"),
        (lambda: histogram(3)((-2,)), "the input must be a member of table(category(3))"),
        (lambda: histogram(3)((F(1, 2),)), "the input must be a member of table(category(3))"),
        (lambda: histogram(3)(("Dream",)), "the input must be a member of table(category(3))"),
        (lambda: histogram(3)((1.0,)), 'input must be exact, got the float 1.0; write "1.0" for 1'),
    ],
)
def test_histogram_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_histogram_chains_only_where_domain_and_metric_meet():
    assert (histogram(3) >> discrete_laplace(2, dimension=3)).map(1) == F(1, 2)
    rho = (histogram(3, "change_one", "l2") >> discrete_gaussian(2, dimension=3)).map(1)
    assert F(1, 4) <= rho <= F(1, 4) * (1 + F(1, 10**9))
    assert (histogram(3, norm="linf") >> exponential(2)).map(1) == 1
    assert refusal(lambda: histogram(3, norm="l2") >> discrete_laplace(2, dimension=3)) == (
        "the output metric l2 is not the input metric l1"
    )
    assert refusal(lambda: histogram(3) >> exponential(2)) == "the output metric l1 is not the input metric linf"
    assert refusal(lambda: histogram(3) >> discrete_laplace(2, dimension=2)) == (
        "the output domain vector(grid(1), 3) does not lie in the input domain vector(grid(1), 2)"
    )
    assert refusal(lambda: category_of("island", ("Dream", "Biscoe")) >> histogram(3)) == (
        "the output domain table(category(2)) does not lie in the input domain table(category(3))"
    )
