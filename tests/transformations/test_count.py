"""count: the number of rows moves by 1 per row added or removed, and not at all per row replaced."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.mechanisms import discrete_laplace
from refdp.transformations import clamp, count
from refdp.transformations.count import COUNT
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import built, exceeded, fractions, is_sharp, random_tables, records, spread, tables

ROWS = fractions(0, 1, 5)


def variant(**changes):
    """The count with other formulas; bounds by their neighbouring relation."""
    edits = dict(COUNT.edits)
    for neighbours in ("add_remove", "change_one"):
        if neighbours in changes:
            edits[neighbours, "absolute"] = replace(
                edits[neighbours, "absolute"], bound=written("wrong_bound", "", changes.pop(neighbours))
            )
    found = {key: written(key, "", body) for key, body in changes.items()}
    return replace(COUNT, stem="wrong_count", edits=edits, **found)


def test_count_of_worked_examples():
    assert count()(records()) == 10
    assert count("grid(1)")((5, 5, 7)) == 3
    assert count("vector(grid(1), 2)")(((1, 2), (1, 2))) == 2
    assert count()(()) == 0


def test_count_of_random_tables_is_its_definition():
    t = count("grid(1)")
    for table in random_tables("count", lambda chance: chance.randint(-9, 9)):
        assert t(table) == sum(1 for _ in table)


def test_count_is_stable_and_its_map_is_sharp():
    t = count("grid(1)")
    assert exceeded(t, tables(ROWS, 3)) == []
    assert is_sharp(t, tables(ROWS, 3))
    assert is_sharp(t, tables(ROWS, 3), 3)
    assert (t.map(1), t.map("7/2"), t.map(0)) == (1, F(7, 2), 0)


def test_count_does_not_move_under_change_one():
    t = count("grid(1)", neighbours="change_one")
    assert set(spread(t, tables(ROWS, 3)).values()) == {0}
    assert t.map(5) == 0


def test_count_is_proved_under_another_stem():
    assert set(verdicts(replace(COUNT, stem="same_count")).values()) == {"proved"}


@pytest.mark.parametrize("body", ["1/2", "999/1000", "0", "-1"])
def test_count_with_a_smaller_bound_is_not_proved(body):
    """And it is false: one row more is one more."""
    wrong = variant(add_remove=body)
    assert verdict(wrong, "edit_is_bounded.add_remove.absolute") == "disproved"
    with entered(wrong):
        t = built(wrong, "add_remove", "absolute", rows=COUNT.example["rows"])
        assert exceeded(replace(t, input_domain=count("grid(1)").input_domain), tables(ROWS, 1)) != []


def test_count_with_a_negative_bound_under_change_one_is_not_proved():
    assert verdict(variant(change_one="-1/1000"), "edit_is_bounded.change_one.absolute") == "disproved"


@pytest.mark.parametrize("body", ["2", "1001/1000", "-2"])
def test_count_of_larger_contributions_is_not_proved(body):
    assert verdict(variant(contribution=body), "edit_is_bounded.add_remove.absolute") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "said"),
    [
        ("units", "2", "disproved"),
        ("units", "1/2", "refused"),
        ("output_step", "2", "disproved"),
        ("output_step", "0", "disproved"),
        ("output_step", "-1", "disproved"),
        ("contribution", "1/2", "disproved"),
    ],
)
def test_count_off_its_grid_is_not_proved(field, body, said):
    assert verdict(variant(**{field: body}), "sum_stays_on_the_grid") == said


@pytest.mark.parametrize("rows", ["nonsense", "1", "grid()", "scale", 3, None, 0.5, ("grid(1)",), "table(1)"])
def test_count_refuses_what_is_no_domain_of_rows(rows):
    said = refusal(lambda: count(rows))
    assert said == f'rows must be a domain such as "grid(1)" or "records()", got {rows!r}'


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: count(neighbours="near"), "neighbours must be one of add_remove, change_one, got near"),
        (lambda: count("grid(1)").map(-1), "d_in must be >= 0, got -1"),
        (lambda: count("grid(1)").check(1, 0.5), 'd_out must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: count("grid(2)")((1,)), "the input must be a member of table(grid(2))"),
        (lambda: count()((1,)), "the input must be a member of table(records())"),
        (lambda: count()({"D1": 1}), "the input must be a member of table(records())"),
        (lambda: count()(({"D1": 0.5},)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: count("grid(0)")((1,)), "the step of grid(0) must be > 0, got 0"),
    ],
)
def test_count_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_count_chains_only_where_domain_and_metric_meet():
    assert (count() >> discrete_laplace(2)).map(1) == F(1, 2)
    assert refusal(lambda: count() >> discrete_laplace(1, "1/2")) == (
        "the output domain grid(1) does not lie in the input domain grid(1/2)"
    )
    assert refusal(lambda: clamp(0, 1) >> count("grid(1)", neighbours="change_one")) == (
        "the output metric symmetric is not the input metric change_one"
    )
