"""Counterexamples: checked against the definition at every point of a grid."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refdp.provers.counterexamples import violates
from tests.provers.random_statements import grid, holds_at, statements
from tests.provers.statements import statement


def test_violates_is_the_negation_of_the_definition():
    found = {True: 0, False: 0}
    for s in statements(19, 150):
        for point in list(grid(s))[::5]:
            assert violates(s, point) is not holds_at(s, point), (s, point)
            found[violates(s, point)] += 1
    assert min(found.values()) > 100


@pytest.mark.parametrize(
    ("s", "values", "expected"),
    [
        (statement([], "2 * x != 1", "x"), {"x": Fraction(1, 2)}, False),
        (statement([], "2 * x != 1"), {"x": Fraction(1, 2)}, True),
        (statement(["integer(x)"], "2 * x != 1"), {"x": Fraction(1, 2)}, False),
        (statement([], "1 / x == 1 / x"), {"x": Fraction(0)}, True),
        (statement([], "1 / (1 / x) == x"), {"x": Fraction(0)}, True),
        (statement([], "0 * (1 / x) == 0"), {"x": Fraction(0)}, True),
        (statement(["x != 0"], "1 / x == 1 / x"), {"x": Fraction(0)}, False),
        (statement([], "exp(x) <= 2"), {"x": Fraction(5)}, False),
        (statement([], "exp(x) <= 0"), {"x": Fraction(0)}, True),
        (statement(["exp(x) <= 0"], "x <= 0"), {"x": Fraction(5)}, False),
        (statement([], "x <= y"), {"x": Fraction(5)}, False),
        (statement([], "all_of(x <= 9, x <= 3)"), {"x": Fraction(5)}, True),
        (statement([], "integer(x)"), {"x": Fraction(1, 2)}, True),
    ],
)
def test_violates_needs_exact_values_that_the_statement_speaks_of(s, values, expected):
    assert violates(s, values) is expected


def test_violates_is_false_of_what_is_no_statement():
    assert violates(statement([], "x"), {"x": Fraction(0)}) is False
