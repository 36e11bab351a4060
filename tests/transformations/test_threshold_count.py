"""threshold_count: the number of rows at most a threshold moves by at most 1 an edit, and by no less."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_laplace
from refdp.transformations import binary_code, clamp, threshold_count
from refdp.transformations.threshold_count import THRESHOLD_COUNT
from tests.exactness.entering import entered, written
from tests.transformations.checks import (
    NOT_NUMBERS,
    built,
    exceeded,
    fractions,
    is_sharp,
    random_tables,
    records,
    refusal,
    tables,
    verdict,
    verdicts,
)

ROWS = fractions(-1, 2, 3)
RELATIONS = ["add_remove", "change_one"]


def variant(field, body, reads="row threshold granularity"):
    """The count with one other formula."""
    return replace(THRESHOLD_COUNT, stem="wrong_threshold_count", **{field: written(field, reads, body)})


def bounded(neighbours, body):
    """The count with another bound of one edit."""
    at = (neighbours, "absolute")
    edit = replace(THRESHOLD_COUNT.edits[at], bound=written("wrong_bound", "threshold granularity", body))
    return replace(THRESHOLD_COUNT, stem="wrong_threshold_count", edits={**THRESHOLD_COUNT.edits, at: edit})


def test_threshold_count_of_table_d():
    """Every threshold of three bits: the last but one counts all rows, and so does the last."""
    code = binary_code(("D1", "D2", "D3"))
    assert [(code >> threshold_count(t))(records()) for t in range(8)] == [3, 4, 6, 6, 6, 9, 10, 10]
    assert threshold_count(3)((1, 3, 5)) == 2
    assert threshold_count(3)(()) == 0


def test_threshold_count_of_random_tables_is_its_definition():
    for at, step in [(F(0), F(1)), (F(-3), F(1)), (F(1, 2), F(1, 2)), (F(1, 3), F(1, 2))]:
        t = threshold_count(at, step)
        for table in random_tables("threshold_count", lambda chance, step=step: step * chance.randint(-4, 4)):
            assert t(table) == sum(1 for x in table if x <= at)


@pytest.mark.parametrize("neighbours", RELATIONS)
def test_threshold_count_is_stable_and_its_map_is_sharp(neighbours):
    t, inputs = threshold_count(2, neighbours=neighbours), tables(ROWS, 3)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert is_sharp(t, inputs, 3)
    assert (t.map(1), t.map("5/2")) == (1, F(5, 2))


def test_threshold_count_is_proved_under_another_stem():
    assert set(verdicts(replace(THRESHOLD_COUNT, stem="same_threshold_count")).values()) == {"proved"}


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("body", ["1/2", "999/1000", "0", "-1"])
def test_threshold_count_with_a_smaller_bound_is_not_proved(body, neighbours):
    """And it is false: one edit moves the count by 1."""
    wrong = bounded(neighbours, body)
    assert verdict(wrong, f"edit_is_bounded.{neighbours}.absolute") == "disproved"
    with entered(wrong):
        t = built(wrong, neighbours, "absolute", threshold=F(2), granularity=F(1))
        assert exceeded(t, tables(ROWS, 2)) != []


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(
    "body",
    ["2 * indicator(row <= threshold)", "indicator(row <= threshold) * 1001 / 1000",
     "row * indicator(row <= threshold)", "row"],
)  # fmt: skip
def test_threshold_count_of_larger_contributions_is_not_proved(body, neighbours):
    assert verdict(variant("contribution", body), f"edit_is_bounded.{neighbours}.absolute") == "disproved"


def test_threshold_count_that_counts_other_rows_down_is_not_proved():
    """An added row still moves it by 1; a replaced one by 2."""
    wrong = variant("contribution", "indicator(row <= threshold) - indicator(threshold < row)")
    assert verdict(wrong, "edit_is_bounded.change_one.absolute") == "disproved"
    assert verdict(wrong, "edit_is_bounded.add_remove.absolute") == "proved"


@pytest.mark.parametrize(
    ("field", "body", "said"),
    [
        ("units", "indicator(row <= threshold)", "disproved"),
        ("units", "indicator(granularity * row != threshold)", "disproved"),
        ("units", "2 * indicator(granularity * row <= threshold)", "disproved"),
        ("units", "indicator(granularity * row <= threshold) / 2", "refused"),
        ("contribution", "indicator(row <= threshold) / 2", "disproved"),
        ("contribution", "indicator(row <= threshold) + granularity", "disproved"),
        ("output_step", "2", "disproved"),
        ("output_step", "0", "disproved"),
        ("output_step", "granularity", "disproved"),
    ],
)
def test_threshold_count_off_its_grid_is_not_proved(field, body, said):
    reads = "granularity" if field == "output_step" else "row threshold granularity"
    assert verdict(variant(field, body, reads), "sum_stays_on_the_grid") == said


@pytest.mark.parametrize("parameter", ["threshold", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_threshold_count_refuses_what_is_no_exact_number(parameter, value):
    said = refusal(lambda: threshold_count(**{"threshold": 0, parameter: value}))
    assert said.startswith(f"{parameter} must be")
    assert f"got {'the float ' if isinstance(value, float) else ''}{value!r}" in said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: threshold_count(0, 0), "granularity must be > 0, got 0"),
        (lambda: threshold_count(0, "-1/2"), "granularity must be > 0, got -1/2"),
        (lambda: threshold_count(0, neighbours="near"), "neighbours must be one of add_remove, change_one, got near"),
        (lambda: threshold_count(0).map(-2), "d_in must be >= 0, got -2"),
        (lambda: threshold_count(0)((F(1, 2),)), "the input must be a member of table(grid(1))"),
        (lambda: threshold_count(0, 2)((1,)), "the input must be a member of table(grid(2))"),
        (lambda: threshold_count(0)((None,)), "the input must be a member of table(grid(1))"),
        (lambda: threshold_count(0)((0.5,)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
    ],
)
def test_threshold_count_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_threshold_count_chains_only_where_domain_and_metric_meet():
    assert (threshold_count(2) >> discrete_laplace(4)).map(1) == F(1, 4)
    assert refusal(lambda: clamp(0, 4) >> threshold_count(2, granularity=2)) == (
        "the output domain table(bounded(1, 0, 4)) does not lie in the input domain table(grid(2))"
    )
    assert refusal(lambda: clamp(0, 4) >> threshold_count(2, neighbours="change_one")) == (
        "the output metric symmetric is not the input metric change_one"
    )
