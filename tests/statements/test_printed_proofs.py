"""printed_proofs: each step on random numbers; what is a little stronger is not proved, what is false is disproved."""

from fractions import Fraction as F
from random import Random

import pytest

from refdp.spec.obligations import obligations
from refdp.terms.evaluation import truth
from tests.statements.checks import variant, verdict

FALSE = {"delta_inside_the_minimum", "factor_dropped", "raw_mean_is_unbiased", "shift_of_the_sensitivity_is_any"}
STATEMENTS = obligations("printed_proofs")


def chosen(chance, key):
    """Random values for the names of a statement: t above 1, the rest between 0 and 1, signs for places."""
    values = {}
    for name in STATEMENTS[key].variables:
        share = F(chance.randint(0, 12), 12)
        values[name] = 1 + share if name == "t" else 2 * share - 1 if name in ["zgh", "shift"] else share
    return values


@pytest.mark.parametrize("key", sorted(set(STATEMENTS) - FALSE))
def test_printed_proofs_hold_on_random_numbers(key):
    held = 0
    for i in range(3000):
        values = chosen(Random(f"{key} {i}"), key)
        if all(truth(g, values) for g in STATEMENTS[key].given):
            assert truth(STATEMENTS[key].conclusion, values), values
            held += 1
    assert held > 100


@pytest.mark.parametrize("key", sorted(FALSE))
def test_printed_proofs_that_are_false_are_disproved(key):
    assert verdict(STATEMENTS[key]) == "disproved"


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("reverse_triangle", "abs(h - g)", "999 / 1000 * abs(h - g)"),
        ("coordinates_add_up", "epsilon / sensitivity * distance <= epsilon",
         "epsilon / sensitivity * distance <= 999 / 1000 * epsilon"),
        ("shift_of_at_most_the_sensitivity", "abs(z + shift) - abs(z)", "abs(z + 2 * shift) - abs(z)"),
        ("rectangles", "u * v + d_1 + d_2", "u * v + d_1"),
        ("rectangles", "u * v", "999 / 1000 * (u * v)"),
        ("rectangles_minimum", "min(u, 1)", "min(u, 999 / 1000)"),
        ("estimate_is_unbiased", "t / (1 + t)", "t / (2 + t)"),
        ("constant_cancels", "k * q", "q"),
    ],
)  # fmt: skip
def test_printed_proofs_with_something_less_are_not_proved(key, old, new):
    assert verdict(variant(f"printed_proofs.{key}", old, new)) == "disproved"
