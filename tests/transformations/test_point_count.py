"""point_count: the number of rows equal to a point moves by at most 1 an edit, and by no less."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_laplace
from refdp.transformations import binary_code, point_count
from refdp.transformations.point_count import POINT_COUNT
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import NOT_NUMBERS, built, exceeded, records, tables
from tests.transformations.counts_of_rows import (
    APART,
    REFUSED,
    RELATIONS,
    ROWS,
    after_other_tables,
    is_exactly_stable,
    miscounted,
)


def variant(field, body, reads="row point granularity"):
    """The count with one other formula."""
    return replace(POINT_COUNT, stem="wrong_point_count", **{field: written(field, reads, body)})


def bounded(neighbours, body):
    """The count with another bound of one edit."""
    at = (neighbours, "absolute")
    edit = replace(POINT_COUNT.edits[at], bound=written("wrong_bound", "point granularity", body))
    return replace(POINT_COUNT, stem="wrong_point_count", edits={**POINT_COUNT.edits, at: edit})


def test_point_count_of_table_d():
    """Every point of three bits at once."""
    code = binary_code(("D1", "D2", "D3"))
    assert [(code >> point_count(p))(records()) for p in range(8)] == [3, 1, 2, 0, 0, 3, 1, 0]
    assert point_count(3)((1, 3, 3)) == 2
    assert point_count(3)(()) == 0


def test_point_count_of_random_tables_is_its_definition():
    assert miscounted(point_count, "point_count", lambda x, at: x == at) == []


@pytest.mark.parametrize("neighbours", RELATIONS)
def test_point_count_is_stable_and_its_map_is_sharp(neighbours):
    t = point_count(2, neighbours=neighbours)
    assert is_exactly_stable(t)
    assert (t.map(1), t.map("5/2")) == (1, F(5, 2))


def test_point_count_is_proved_under_another_stem():
    assert set(verdicts(replace(POINT_COUNT, stem="same_point_count")).values()) == {"proved"}


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("body", ["1/2", "999/1000", "0", "-1"])
def test_point_count_with_a_smaller_bound_is_not_proved(body, neighbours):
    """And it is false: one edit moves the count by 1."""
    wrong = bounded(neighbours, body)
    assert verdict(wrong, f"edit_is_bounded.{neighbours}.absolute") == "disproved"
    with entered(wrong):
        t = built(wrong, neighbours, "absolute", point=F(2), granularity=F(1))
        assert exceeded(t, tables(ROWS, 2)) != []


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(
    "body",
    ["2 * indicator(row == point)", "indicator(row == point) * 1001 / 1000", "row * indicator(row == point)",
     "row"],
)  # fmt: skip
def test_point_count_of_larger_contributions_is_not_proved(body, neighbours):
    assert verdict(variant("contribution", body), f"edit_is_bounded.{neighbours}.absolute") == "disproved"


def test_point_count_that_counts_other_rows_down_is_not_proved():
    """An added row still moves it by 1; a replaced one by 2."""
    wrong = variant("contribution", "indicator(row == point) - indicator(point < row)")
    assert verdict(wrong, "edit_is_bounded.change_one.absolute") == "disproved"
    assert verdict(wrong, "edit_is_bounded.add_remove.absolute") == "proved"


@pytest.mark.parametrize(
    ("field", "body", "said"),
    [
        ("units", "indicator(row == point)", "disproved"),
        ("units", "indicator(granularity * row != point)", "disproved"),
        ("units", "2 * indicator(granularity * row == point)", "disproved"),
        ("units", "indicator(granularity * row == point) / 2", "refused"),
        ("contribution", "indicator(row == point) / 2", "disproved"),
        ("contribution", "indicator(row == point) + granularity", "disproved"),
        ("output_step", "2", "disproved"),
        ("output_step", "0", "disproved"),
        ("output_step", "granularity", "disproved"),
    ],
)
def test_point_count_off_its_grid_is_not_proved(field, body, said):
    reads = "granularity" if field == "output_step" else "row point granularity"
    assert verdict(variant(field, body, reads), "sum_stays_on_the_grid") == said


@pytest.mark.parametrize("parameter", ["point", "granularity"])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_point_count_refuses_what_is_no_exact_number(parameter, value):
    assert shows(refusal(lambda: point_count(**{"point": 0, parameter: value})), parameter, value)


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_point_count_refuses_in_one_sentence(call, said):
    assert refusal(lambda: call(point_count)) == said


def test_point_count_chains_only_where_domain_and_metric_meet():
    assert (point_count(2) >> discrete_laplace(4)).map(1) == F(1, 4)
    assert after_other_tables(point_count) == APART
