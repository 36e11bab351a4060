"""quantile_scores: weighted imbalance around each candidate; one row moves it by a weight, or by both."""

from dataclasses import replace
from fractions import Fraction as F
from random import Random

import pytest

import refdp
from refdp.provers.oracles import run
from refdp.spec.rows import Edit, sum_obligations
from refdp.transformations.quantile_scores import QUANTILE_SCORES, quantile_scores
from tests.exactness.entering import written
from tests.exactness.refusals import refusal
from tests.kinds import registered

EDITS = {"add_remove": "max(above, below)", "change_one": "above + below"}


def by_definition(order, table, candidates):
    """-|a (rows above) - b (rows below)| for the order a / (a + b)."""
    a, b = order.numerator, order.denominator - order.numerator
    return tuple(F(-abs(a * sum(r > c for r in table) - b * sum(r < c for r in table))) for c in range(candidates))


def test_quantile_scores_of_random_tables_are_their_definition():
    for i in range(200):
        chance = Random(f"quantile scores {i}")
        order = F(chance.randint(1, 6), 7)
        table = tuple(chance.randint(-3, 7) for _ in range(chance.randint(0, 9)))
        assert quantile_scores(order, 5)(table) == by_definition(order, table, 5)


def test_quantile_scores_are_greatest_at_the_quantile():
    for order in (F(1, 4), F(1, 2), F(9, 10)):
        scores = quantile_scores(order, 100)(tuple(range(100)))
        assert abs(scores.index(max(scores)) - 100 * order) <= 1


def test_quantile_scores_of_order_one_half_are_rank_scores():
    for i in range(50):
        chance = Random(f"quantile and rank {i}")
        table = tuple(chance.randint(-1, 5) for _ in range(chance.randint(0, 6)))
        assert quantile_scores("1/2", 4)(table) == refdp.rank_scores(4)(table)


@pytest.mark.parametrize("neighbours", EDITS)
def test_quantile_scores_are_stable_and_the_map_is_sharp(neighbours):
    """Random tables and edits: never further, and just so far for some."""
    farthest, order = F(0), F(3, 4)
    t = quantile_scores(order, 4, neighbours=neighbours)
    for i in range(300):
        chance = Random(f"quantile edits {i}")
        table = [chance.randint(-1, 4) for _ in range(chance.randint(1, 5))]
        edited = [*table, chance.randint(-1, 4)] if neighbours == "add_remove" else [chance.randint(-1, 4), *table[1:]]
        moved = max(abs(a - b) for a, b in zip(t(tuple(table)), t(tuple(edited)), strict=True))
        assert moved <= t.map(1)
        farthest = max(farthest, moved)
    assert farthest == t.map(1) == (3 if neighbours == "add_remove" else 4)


@pytest.mark.parametrize("neighbours", EDITS)
@pytest.mark.parametrize("factor", ["999/1000", "1/2"])
def test_quantile_scores_with_a_smaller_bound_are_not_proved(neighbours, factor):
    edit = (neighbours, "linf")
    less = Edit(written("bound", "above below", f"{factor} * ({EDITS[neighbours]})"))
    wrong = sum_obligations(replace(QUANTILE_SCORES, edits={edit: less}), *edit)
    assert run("z3", wrong[f"edit_is_bounded.{neighbours}.linf"]).verdict == "disproved"


def test_quantile_scores_with_weights_that_need_not_be_whole_are_off_their_grid():
    loose = [c for c in QUANTILE_SCORES.conditions if str(c) != "integer(above)"]
    with registered(replace(QUANTILE_SCORES, stem="m", conditions=tuple(loose))):
        said = refusal(lambda: sum_obligations(replace(QUANTILE_SCORES, conditions=tuple(loose)), "add_remove", "linf"))
    assert "is not integer-valued by its shape" in said


def test_quantile_scores_then_a_selection_have_their_theorem():
    pipeline = quantile_scores("3/4", 6) >> refdp.exponential(8)
    assert pipeline.map(1) == F(3, 4)
    assert refdp.theorem(pipeline, 1).claim.d_out[0].rational == F(3, 4)
    several = quantile_scores("3/4", 6) >> refdp.top_k(2, scale=8)
    assert refdp.theorem(several, 1).claim.d_out[0].rational == several.map(1) == F(3, 2)
    assert len(several((1, 2, 3))) == 2


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: quantile_scores(0, 3), "order must be > 0 and < 1, got 0"),
        (lambda: quantile_scores(1, 3), "order must be > 0 and < 1, got 1"),
        (lambda: quantile_scores("-1/2", 3), "order must be > 0 and < 1, got -1/2"),
        (lambda: quantile_scores(0.5, 3), "must be exact, got the float 0.5"),
        (lambda: quantile_scores("1/2", 0), "dimension must be >= 1, got 0"),
        (lambda: quantile_scores("1/2", 3, 0), "granularity must be > 0, got 0"),
        (lambda: quantile_scores("1/2", 3, neighbours="near"), "neighbours must be one of add_remove, change_one"),
        (lambda: quantile_scores("1/2", 3)((F(1, 2),)), "the input must be a member of table(grid(1))"),
    ],
)
def test_quantile_scores_refuse_in_one_sentence(call, said):
    assert said in refusal(call)
