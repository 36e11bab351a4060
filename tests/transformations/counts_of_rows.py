"""What counts of the rows at a value, or up to it, have in common."""

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from typing import Any

from refdp.transformations import clamp
from tests.exactness.refusals import refusal
from tests.transformations.checks import exceeded, fractions, is_sharp, random_tables, tables

ROWS = fractions(-1, 2, 3)
RELATIONS = ["add_remove", "change_one"]
PLACES = [(F(0), F(1)), (F(-3), F(1)), (F(1, 2), F(1, 2)), (F(1, 3), F(1, 2))]
"""Where rows are counted, and the grid that they are on."""

REFUSED = [
    (lambda count: count(0, 0), "granularity must be > 0, got 0"),
    (lambda count: count(0, "-1/2"), "granularity must be > 0, got -1/2"),
    (lambda count: count(0, neighbours="near"), "neighbours must be one of add_remove, change_one, got near"),
    (lambda count: count(0).map(-2), "d_in must be >= 0, got -2"),
    (lambda count: count(0)((F(1, 2),)), "the input must be a member of table(grid(1))"),
    (lambda count: count(0, 2)((1,)), "the input must be a member of table(grid(2))"),
    (lambda count: count(0)((None,)), "the input must be a member of table(grid(1))"),
    (lambda count: count(0)((0.5,)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
]
"""Calls of the function that makes a count, and what is said."""

APART = [
    "the output domain table(bounded(1, 0, 4)) does not lie in the input domain table(grid(2))",
    "the output metric symmetric is not the input metric change_one",
]
"""How a count refuses the clamped tables of `after_other_tables`."""


def miscounted(count: Callable[..., Any], name: str, counts: Callable[[F, F], bool]) -> list[Sequence[F]]:
    """The random tables whose count is not the number of rows that `counts`."""
    found = []
    for at, step in PLACES:
        for table in random_tables(name, lambda chance, step=step: step * chance.randint(-4, 4)):
            if count(at, step)(table) != sum(1 for x in table if counts(x, at)):
                found.append(table)
    return found


def is_exactly_stable(count: Any) -> bool:
    """Whether no pair of tables exceeds the map, and pairs 1 and 3 apart reach it."""
    inputs = tables(ROWS, 3)
    return exceeded(count, inputs) == [] and is_sharp(count, inputs) and is_sharp(count, inputs, 3)


def after_other_tables(count: Callable[..., Any]) -> list[str]:
    """How a count refuses clamped tables on another grid, and under another relation."""
    asked = ({"granularity": 2}, {"neighbours": "change_one"})
    return [refusal(lambda more=more: clamp(0, 4) >> count(2, **more)) for more in asked]
