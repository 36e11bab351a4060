"""sensitivity_examples: each against its definition on a grid of numbers; a little less is not proved."""

from fractions import Fraction as F
from itertools import product

import pytest

from refdp.spec.obligations import obligations
from refdp.statements.sensitivity_examples import median_of_three
from refdp.terms.evaluation import truth
from refdp.terms.term import number
from tests.statements.checks import variant, verdict

FALSE = {"clamp_bound_in_any_order", "count_below_mean", "mean_below_count"}
STATEMENTS = obligations("sensitivity_examples")


@pytest.mark.parametrize("key", sorted(set(STATEMENTS) - FALSE))
def test_sensitivity_examples_hold_on_a_grid(key):
    """Every choice of halves between -4 and 4 that satisfies the hypotheses satisfies the conclusion."""
    statement, held = STATEMENTS[key], 0
    for values in product([F(n, 2) for n in range(-8, 9)], repeat=len(statement.variables)):
        here = dict(zip(statement.variables, values, strict=True))
        if all(truth(g, here) for g in statement.given):
            assert truth(statement.conclusion, here), here
            held += 1
    assert held > 5


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("identity", "abs(x - y) <= 1", "abs(x - y) <= 999 / 1000"),
        ("twice", "abs((x + x) - (y + y)) <= 2", "abs((x + x) - (y + y)) <= 1"),
        ("tenfold", "abs(10 * x - 10 * y) <= 10", "abs(10 * x - 10 * y) <= 9"),
        ("square_between_bounds", "23", "22"),
        ("square_is_unbounded", "(bound + 1) ** 2", "(bound + 1 / 4) ** 2"),
        ("average_of_a_count", "1 / n", "999 / 1000 / n"),
        ("rank_score", "1", "999 / 1000"),
        ("median_is_unbounded", "max(0, min(0, bound + 1))", "max(1, min(1, bound + 1))"),
        ("no_constant_over_n", "1", "1 / 2"),
        ("noise_falls_with_epsilon", "sensitivity / more", "1001 / 1000 * sensitivity / more"),
    ],
)  # fmt: skip
def test_sensitivity_examples_with_a_little_less_are_not_proved(key, old, new):
    assert verdict(variant(f"sensitivity_examples.{key}", old, new)) == "disproved"


@pytest.mark.parametrize("key", sorted(FALSE))
def test_sensitivity_examples_that_are_false_are_disproved(key):
    assert verdict(STATEMENTS[key]) == "disproved"


def test_median_of_three_is_the_middle_one():
    for rows in product(range(3), repeat=3):
        assert median_of_three(*map(number, rows)) == number(sorted(rows)[1])
