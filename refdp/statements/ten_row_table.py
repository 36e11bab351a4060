"""The numbers that a document reads off a table of ten rows of three bits, and off its neighbour, computed anew.

A row of bits b_1 b_2 b_3 is the number 4 b_1 + 2 b_2 + b_3; each value printed is a mean over the rows.
Source: 001_e5b0b5b677e886f3.txt, Examples 1 to III.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, both, indicator, name, number

TABLE = (0, 5, 2, 5, 0, 1, 6, 0, 2, 5)
"""D: the rows I1 to I10 as numbers."""
NEIGHBOUR = (0, 5, 2, 5, 2, 1, 6, 0, 2, 5)
"""D': row I5 is another."""
THRESHOLDS = ("3/10", "4/10", "6/10", "6/10", "6/10", "9/10", "1", "1")
"""The printed means of `row <= y`, for y from 000 to 111."""
ATTRIBUTES = ("4/10", "3/10", "4/10")
"""The printed means of the bits."""
POINTS = ("3/10", "1/10", "2/10", "0", "0", "3/10", "1/10", "0")
"""The printed means of `row = y`, for y from 000 to 111."""
POINTS_OF_THE_NEIGHBOUR = ("2/10", "1/10", "3/10", "0", "0", "3/10", "1/10", "0")


def _mean(rows: Sequence[int], value: Callable[[Term], Term]) -> Term:
    """The mean of the value over the rows."""
    first, *others = (value(number(row)) for row in rows)
    total = first
    for one in others:
        total = total + one
    return total / len(rows)


def _at_most(y: int) -> Callable[[Term], Term]:
    """1 for a row at most y."""
    return lambda row: indicator(row <= y)


def _same(y: int) -> Callable[[Term], Term]:
    """1 for the row y."""
    return lambda row: indicator(equal(row, y))


def _bit(j: int) -> Callable[[Term], Term]:
    """Bit j of a row, counted from the left: 1 for the numbers that have it."""
    having = [v for v in range(8) if v >> (3 - j) & 1]

    def value(row: Term) -> Term:
        found = indicator(equal(row, having[0]))
        for v in having[1:]:
            found = found + indicator(equal(row, v))
        return found

    return value


def _printed(rows: Sequence[int], values: Sequence[Callable[[Term], Term]], means: Sequence[str]) -> Statement:
    """Each mean is the printed one."""
    pairs = zip(values, means, strict=True)
    return Statement((), both(*(equal(_mean(rows, value), Fraction(mean)) for value, mean in pairs)))


_points = [_same(y) for y in range(8)]
row = name("row")

TEN_ROW_TABLE = register(
    NamedStatements(
        "ten_row_table",
        {
            "thresholds": _printed(TABLE, [_at_most(y) for y in range(8)], THRESHOLDS),
            "attributes": _printed(TABLE, [_bit(j) for j in (1, 2, 3)], ATTRIBUTES),
            "points": _printed(TABLE, _points, POINTS),
            "points_of_the_neighbour": _printed(NEIGHBOUR, _points, POINTS_OF_THE_NEIGHBOUR),
            "last_threshold_is_constant": Statement((0 <= row, row <= 7), equal(indicator(row <= 7), 1)),
        },
    )
)
