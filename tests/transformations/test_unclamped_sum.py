"""unclamped_sum: no finite bound holds, and it has no stability map."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.proofs.lemmas import sum_is_stable
from refdp.spec.obligations import stability, unbounded
from refdp.spec.rows import Edit
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.transformations import UNCLAMPED_SUM
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import built, exceeded, fractions, random_tables

SUM = read("unclamped_sum(1)")


def variant(field, body, reads):
    """The sum with one other formula."""
    return replace(UNCLAMPED_SUM, stem="wrong_unclamped_sum", **{field: written(field, reads, body)})


def test_unclamped_sum_of_worked_examples():
    assert value(SUM, fractions(15, -3, 7)) == 19
    assert value(SUM, ()) == 0


def test_unclamped_sum_of_random_tables_is_its_definition():
    for table in random_tables("unclamped_sum", lambda chance: F(chance.randint(-(10**9), 10**9))):
        assert value(SUM, table) == sum(table)


def test_unclamped_sum_is_proved_to_exceed_every_bound():
    assert verdicts(replace(UNCLAMPED_SUM, stem="same_unclamped_sum")) == {
        "row_is_on_the_grid": "proved", "row_exceeds_every_bound": "proved",
    }  # fmt: skip


@pytest.mark.parametrize("bound", [0, 1, 12, 10**30])
def test_unclamped_sum_exceeds_each_bound_by_one_row(bound):
    row = UNCLAMPED_SUM.unbounded_row(F(bound), F(1))
    assert abs(value(SUM, (row,)) - value(SUM, ())) > bound


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("body", ["0", "granularity", "1000000", "10 ** 30 * granularity"])
def test_unclamped_sum_with_a_finite_bound_is_not_proved(body, neighbours):
    at = (neighbours, "absolute")
    wrong = replace(
        UNCLAMPED_SUM,
        stem="wrong_unclamped_sum",
        edits={at: Edit(written("bound", "granularity", body))},
        unbounded_row=None,
        unbounded_units=None,
    )
    assert verdict(wrong, f"edit_is_bounded.{neighbours}.absolute") == "disproved"
    with entered(wrong):
        t = built(wrong, *at, granularity=F(1))
        assert exceeded(t, [(F(0),), (), (F(10**31),)]) != []


@pytest.mark.parametrize(
    ("field", "body", "reads", "key"),
    [
        ("unbounded_row", "granularity * bound", "bound granularity", "row_exceeds_every_bound"),
        ("unbounded_row", "granularity * (bound - 1)", "bound granularity", "row_exceeds_every_bound"),
        ("unbounded_row", "1 + bound", "bound", "row_exceeds_every_bound"),
        ("unbounded_row", "granularity * (bound + 1/2)", "bound granularity", "row_is_on_the_grid"),
        ("unbounded_units", "bound + 2", "bound", "row_is_on_the_grid"),
        ("contribution", "min(row, 12)", "row", "row_exceeds_every_bound"),
        ("contribution", "max(-12, min(row, 12))", "row", "row_exceeds_every_bound"),
        ("output_step", "2 * granularity", "granularity", "row_exceeds_every_bound"),
        ("output_step", "-granularity", "granularity", "row_exceeds_every_bound"),
    ],
)
def test_unclamped_sum_with_a_row_within_the_bound_is_not_proved(field, body, reads, key):
    assert verdict(variant(field, body, reads), key) == "disproved"


def test_unclamped_sum_of_clamped_rows_is_not_proved_unbounded():
    wrong = replace(UNCLAMPED_SUM, stem="wrong_unclamped_sum", unbounded_row=None)
    with entered(wrong):
        assert refusal(lambda: unbounded(wrong.stem)) == f"{wrong.stem} has no row that exceeds every bound"


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_unclamped_sum_has_no_stability_map(neighbours):
    said = f"unclamped_sum has no stability map from {neighbours} to absolute"
    assert refusal(lambda: stability("unclamped_sum", neighbours, "absolute")) == said
    assert refusal(lambda: sum_is_stable("unclamped_sum", neighbours)) == said
    assert refusal(lambda: built(UNCLAMPED_SUM, neighbours, "absolute", granularity=F(1))) == said


@pytest.mark.parametrize("written_down", ["unclamped_sum(0)", "unclamped_sum(-1)"])
def test_unclamped_sum_refuses_a_granularity_that_is_not_positive(written_down):
    assert refusal(lambda: value(read(written_down), fractions(1))) == f"{written_down} breaks 0 < granularity"
