"""rank_scores: minus the imbalance around each candidate; moves by 1 per row added or removed, 2 per row replaced."""

from dataclasses import replace
from fractions import Fraction as F
from random import Random

import pytest

from refdp.derivations import theorem
from refdp.mechanisms import exponential
from refdp.transformations import rank_scores
from refdp.transformations.rank_scores import RANK_SCORES
from refdp.transformations.unclamped_sum import UNCLAMPED_SUM
from tests.exactness.entering import entered, written
from tests.exactness.refusals import refusal
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

ROWS = fractions(-1, 0, 1, 7)
EDITS = sorted(RANK_SCORES.edits)


def variant(**formulas):
    """rank_scores with other formulas, each given as `body` or as (body, what it reads)."""
    made = {f: written(f, reads, body) for f, (body, reads) in formulas.items()}
    return replace(RANK_SCORES, stem="wrong_scores", **made)


def test_rank_scores_of_worked_examples():
    assert rank_scores(3)((0, 1, 1000000)) == fractions(-2, 0, -1)
    assert rank_scores(4)(()) == fractions(0, 0, 0, 0)
    assert rank_scores(2, granularity="1/2")(fractions("1/2", "3/2")) == fractions(-2, 0)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_rank_scores_of_random_tables_is_its_definition(dimension):
    t = rank_scores(dimension)
    for table in random_tables("rank_scores", lambda chance: chance.randint(-9, 9)):
        below = [sum(row < c for row in table) for c in range(dimension)]
        above = [sum(row > c for row in table) for c in range(dimension)]
        assert t(table) == tuple(-abs(a - b) for a, b in zip(above, below, strict=True))


def test_rank_scores_is_greatest_at_the_median_of_rows_that_differ():
    t = rank_scores(20)
    for i in range(100):
        table = Random(f"medians {i}").sample(range(20), 7)
        scores = t(table)
        assert scores[sorted(table)[3]] == max(scores) == 0


def test_rank_scores_of_equal_rows_may_prefer_a_number_beside_their_median():
    """Four zeros and three larger rows: 1 has four below it and three above."""
    assert rank_scores(3)((0, 0, 0, 0, 2, 3, 4)) == fractions(-3, -1, -2)


@pytest.mark.parametrize("edit", EDITS)
def test_rank_scores_is_stable_and_its_map_is_sharp(edit):
    t, inputs = rank_scores(3, neighbours=edit[0]), tables(ROWS, 3)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert spread(t, inputs)[F(1)] == {"add_remove": 1, "change_one": 2}[edit[0]]


def test_rank_scores_is_proved_under_another_stem():
    found = verdicts(replace(RANK_SCORES, stem="same_scores"))
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 3 + 2


@pytest.mark.parametrize(("neighbours", "norm"), EDITS)
@pytest.mark.parametrize("factor", ["1/2", "999/1000", "0"])
def test_rank_scores_with_a_smaller_bound_is_not_proved(factor, neighbours, norm):
    edit = RANK_SCORES.edits[neighbours, norm]
    smaller = replace(edit, bound=written("smaller", "", f"{edit.bound.term} * {factor}"))
    wrong = replace(RANK_SCORES, stem="wrong_scores", edits={**RANK_SCORES.edits, (neighbours, norm): smaller})
    assert verdict(wrong, f"edit_is_bounded.{neighbours}.{norm}") == "disproved"
    with entered(wrong):
        assert exceeded(built(wrong, neighbours, norm, dimension=F(3), granularity=F(1)), tables(ROWS, 2)) != []


@pytest.mark.parametrize(
    ("body", "key", "said"),
    [
        ("2 * total", "finish_moves_no_farther", "disproved"),
        ("total * total", "finish_moves_no_farther", "disproved"),
        ("indicator(0 <= total)", "finish_moves_no_farther", "disproved"),
        ("-abs(total) * 1001 / 1000", "finish_stays_on_the_grid", "refused"),
        ("total / 2", "finish_stays_on_the_grid", "refused"),
    ],
)
def test_rank_scores_with_another_finish_is_not_proved(body, key, said):
    """What moves farther than the sum, or leaves the grid."""
    assert verdict(variant(finish=(body, "total")), key) == said


def test_sum_with_a_finish_that_does_not_scale_is_not_proved():
    """min(total, 1) of a multiple of 1/2 need not be 1/2 of min(its units, 1)."""
    wrong = variant(finish=("min(total, 1)", "total"), output_step=("1 / 2", ""))
    assert verdict(wrong, "finish_stays_on_the_grid") == "disproved"


@pytest.mark.parametrize(
    ("field", "body", "reads", "said"),
    [
        ("output_step", "2", "", "disproved"),
        ("output_step", "0", "", "disproved"),
        ("units", "indicator(coordinate < row)", "row coordinate", "disproved"),
        ("units", "row / 2", "row", "refused"),
    ],
)
def test_rank_scores_off_its_grid_is_not_proved(field, body, reads, said):
    assert verdict(variant(**{field: (body, reads)}), "sum_stays_on_the_grid") == said


def test_rank_scores_then_the_exponential_mechanism_answers_the_median_of_unbounded_rows():
    pipeline = rank_scores(5) >> exponential(4)
    assert pipeline.map(1) == F(1, 2)
    assert str(theorem(pipeline, 1).claim.d_out[0]) == "1/2"
    likeliest = [pipeline.pmf(c, (2, 2, 3, 10**9)) for c in range(5)]
    assert max(range(5), key=lambda c: likeliest[c].lower) in (2, 3)


@pytest.mark.parametrize("value", NOT_NUMBERS)
@pytest.mark.parametrize("parameter", ["dimension", "granularity"])
def test_rank_scores_refuses_what_is_no_exact_number(parameter, value):
    said = refusal(lambda: rank_scores(**{"dimension": 3, parameter: value}))
    assert said.startswith(f"{parameter} must be")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rank_scores(0), "dimension must be >= 1, got 0"),
        (lambda: rank_scores("3/2"), "dimension must be a whole number, got 3/2"),
        (lambda: rank_scores(3, 0), "granularity must be > 0, got 0"),
        (lambda: rank_scores(3, neighbours="near"), "neighbours must be one of add_remove, change_one, got near"),
        (lambda: rank_scores(3)((F(1, 2),)), "the input must be a member of table(grid(1))"),
    ],
)
def test_rank_scores_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


def test_sum_with_a_finish_has_no_rows_that_exceed_every_bound():
    """A finish may undo what a row does."""
    undone = replace(UNCLAMPED_SUM, stem="undone_sum", finish=written("finish", "total", "min(total, 0)"))
    assert verdict(undone, "row_exceeds_every_bound") == "refused"
