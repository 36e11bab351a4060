"""user_rows: a user's function of a row keeps tables d_in edits apart; a filter may turn one edit into two."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.terms.term import apply
from refdp.transformations import count, filter_rows, map_rows
from refdp.transformations.user_rows import FILTER_ROWS, MAP_ROWS
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import exceeded, fractions, is_sharp, random_tables, tables

ROWS = fractions(-1, 0, 2)


def square(row):
    return row * row


def half(row):
    return row / 2


def positive(row):
    return row > 0


def test_user_rows_of_worked_examples():
    assert map_rows(square, "grid(1)", "grid(1)")((1, -2, 3)) == fractions(1, 4, 9)
    assert map_rows(half, "grid(1)", "grid(1/2)")((1,)) == (F(1, 2),)
    assert filter_rows(positive, "grid(1)")((1, -2, 0, 3)) == fractions(1, 3)
    assert map_rows(lambda r: {"x": r}, "grid(1)", "records()")((1,)) == ({"x": F(1)},)


def test_user_rows_of_random_tables_are_their_definition():
    for table in random_tables("user_rows", lambda chance: F(chance.randint(-9, 9))):
        assert map_rows(square, "grid(1)", "grid(1)")(table) == tuple(x * x for x in table)
        assert filter_rows(positive, "grid(1)")(table) == tuple(x for x in table if x > 0)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_user_rows_are_stable_and_their_map_is_sharp(neighbours):
    inputs = tables([*ROWS, F(3)], 3)
    for t in (map_rows(square, "grid(1)", "grid(1)", neighbours), filter_rows(positive, "grid(1)", neighbours)):
        assert exceeded(t, inputs) == []
        assert is_sharp(t, inputs)
    assert filter_rows(positive, "grid(1)", neighbours).map(1) == (1 if neighbours == "add_remove" else 2)


def test_user_rows_with_a_smaller_map_are_exceeded():
    """Half of it, and a filter under change_one without the factor 2, or with outputs of one size."""
    inputs = tables([*ROWS, F(3)], 2)
    for neighbours in ("add_remove", "change_one"):
        for t in (map_rows(square, "grid(1)", "grid(1)", neighbours), filter_rows(positive, "grid(1)", neighbours)):
            assert 1 in exceeded(replace(t, d_out=t.d_out / 2), inputs)
            assert 1 in exceeded(replace(t, d_out=t.d_out * F(999, 1000)), inputs)
    filtered = filter_rows(positive, "grid(1)", "change_one")
    assert 1 in exceeded(replace(filtered, output_metric="change_one"), inputs)


def test_user_rows_that_read_other_rows_would_exceed_the_map():
    """Why a function that holds other values is refused: a counter of the rows before moves every row after."""
    seen = []

    def rank(row, arguments):
        seen.append(row)
        return F(sum(1 for other in seen if other <= row))

    wrong = replace(MAP_ROWS, stem="wrong_map_rows", run=rank)
    right = map_rows(square, "grid(1)", "grid(1)")
    with entered(wrong):
        images = []
        for table in ((F(0), F(1), F(2)), (F(-1), F(0), F(1), F(2))):
            seen.clear()
            images.append(replace(right, subject=apply(wrong.stem, *right.subject.arguments))(table))
    assert images == [(1, 2, 3), (1, 2, 3, 4)]
    assert "must read only its row" in refusal(lambda: map_rows(lambda row: len(seen), "grid(1)", "grid(1)"))


@pytest.mark.parametrize("kind", [MAP_ROWS, FILTER_ROWS], ids=lambda k: k.stem)
def test_user_rows_with_a_formula_that_is_none_are_not_proved(kind):
    assert verdicts(replace(kind, stem="same_function")) == {}
    assert (
        verdict(replace(kind, stem="wrong_function", formula=written("wrong", "row", "row")), "rows_stay_inside")
        == "refused"
    )


def test_user_rows_of_one_name_are_kept_apart():
    def made(row):
        return row

    first = made

    def made(row):
        return -row

    assert map_rows(first, "grid(1)", "grid(1)")((1,)) == (1,)
    assert map_rows(made, "grid(1)", "grid(1)")((1,)) == (-1,)
    assert map_rows(first, "grid(1)", "grid(1)")((2,)) == (2,)


def test_user_rows_outside_the_declared_domain_are_refused():
    off_grid = map_rows(half, "grid(1)", "grid(1)")
    assert off_grid((2,)) == (1,)
    assert refusal(lambda: off_grid((1,))) == "the row function must return members of grid(1)"
    inexact = map_rows(lambda row: 0.5, "grid(1)", "reals()")
    assert refusal(lambda: inexact((1,))) == 'input must be exact, got the float 0.5; write "0.5" for 1/2'
    assert "must return members of" in refusal(lambda: map_rows(lambda row: None, "grid(1)", "grid(1)")((1,)))


@pytest.mark.parametrize("value", [3, None, "square", F(1, 2), (square,)])
def test_user_rows_refuse_what_is_no_function(value):
    for call in (lambda: map_rows(value, "grid(1)", "grid(1)"), lambda: filter_rows(value, "grid(1)")):
        assert refusal(call) == f"a row function must be a function of a row, got {value!r}"


@pytest.mark.parametrize("value", [3, None, "grid", "1", "rows", 0.5])
def test_user_rows_refuse_what_is_no_domain(value):
    said = f'must be a domain such as "grid(1)" or "records()", got {value!r}'
    assert refusal(lambda: map_rows(square, value, "grid(1)")) == f"input_rows {said}"
    assert refusal(lambda: map_rows(square, "grid(1)", value)) == f"output_rows {said}"
    assert refusal(lambda: filter_rows(positive, value)) == f"rows {said}"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: filter_rows(positive, "grid(1)", "near"),
            "neighbours must be one of add_remove, change_one, got near",
        ),
        (lambda: filter_rows(positive, "grid(1)")((F(1, 2),)), "the input must be a member of table(grid(1))"),
        (lambda: map_rows(square, "grid(2)", "grid(1)")((1,)), "the input must be a member of table(grid(2))"),
        (lambda: map_rows(square, "grid(1)", "grid(1)").map("-1"), "d_in must be >= 0, got -1"),
    ],
)
def test_user_rows_refuse_in_one_sentence(call, said):
    assert refusal(call) == said


def test_user_rows_chain_only_where_domain_and_metric_meet():
    assert (filter_rows(positive, "grid(1)", "change_one") >> count("grid(1)")).map(1) == 2
    assert refusal(lambda: map_rows(half, "grid(1)", "grid(1/2)") >> count("grid(1)")) == (
        "the output domain table(grid(1/2)) does not lie in the input domain table(grid(1))"
    )
    assert refusal(lambda: filter_rows(positive, "grid(1)", "change_one") >> count("grid(1)", "change_one")) == (
        "the output metric symmetric is not the input metric change_one"
    )
