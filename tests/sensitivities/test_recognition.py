"""A user's function is recognised as the order statistic that it is, and as no other."""

from fractions import Fraction

import pytest

from refdp.logic.operations import absolute, add, choice, equal, multiply, subtract
from refdp.logic.terms import integer, rational
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.nearby.reading import Read
from refdp.sensitivities.program import EXCEPTIONS
from refdp.sensitivities.records import Category, Number
from refdp.sensitivities.smooth import smooth_sensitivity
from refdp.sensitivities.smoothing.functions import smooth_function
from refdp.sensitivities.smoothing.recognition import plausible_statistic, recognised

TEN = Declaration(Number(rational(0), rational(10)))
HALF = rational(Fraction(1, 2))


def least(a, b):
    """min(a, b), not written as a comparison."""
    return multiply(HALF, subtract(add(a, b), absolute(subtract(a, b))))


def smallest(rows):
    found = rows[0][0]
    for (x,) in rows[1:]:
        found = least(found, x)
    return Read((found,))


def middle_of_three(rows):
    """The median of up to three rows, of more the last one."""
    values = [row[0] for row in rows]
    if len(values) == 2:
        return Read((multiply(HALF, add(*values)),))
    if len(values) != 3:
        return Read((values[-1],))
    a, b, c = values
    low, high = least(a, b), subtract(add(a, b), least(a, b))
    capped = least(high, c)
    return Read((subtract(add(low, capped), least(low, capped)),))


def raising(rows):
    """The minimum, but ValueError where a row is 10."""
    wrong = equal(rows[0][0], rational(10))
    return Read(smallest(rows).numbers, choice(wrong, integer(EXCEPTIONS.index("ValueError")), integer(0)))


def test_recognition_proves_equality_up_to_the_number_of_rows_that_it_says():
    found = recognised(smallest, TEN, "minimum", most=4)
    assert (found.rows, found.reason) == (4, "")


@pytest.mark.parametrize(
    ("read", "statistic", "rows"),
    [(middle_of_three, "median", 3), (smallest, "median_low", 2), (smallest, "median", 1), (smallest, "maximum", 1),
     (raising, "minimum", 0), (smallest, "rank 2", 1)],
)  # fmt: skip
def test_recognition_of_what_differs_stops_before_it(read, statistic, rows):
    found = recognised(read, TEN, statistic, most=4)
    assert (found.rows, found.reason) == (rows, f"for {rows + 1} rows the function differs")


def test_recognition_without_time_stops_and_says_so():
    found = recognised(smallest, TEN, "minimum", seconds=0)
    assert found.rows < 5
    assert "not compared" in found.reason


@pytest.mark.parametrize(
    ("text", "statistic"),
    [
        ("import statistics\ndef f(rows):\n    return statistics.median(rows)", "median"),
        ("def f(rows):\n    return sorted(rows)[(len(rows) - 1) // 2]", "median_low"),
        ("def f(rows):\n    return sorted(rows)[len(rows) // 2]", "median_high"),
        ("def f(rows):\n    return min(rows)", "minimum"),
        ("def f(rows):\n    return max(rows)", "maximum"),
        ("def f(rows):\n    return sum(rows) / len(rows)", None),
        ("def f(rows):\n    return rows[0]", None),
        ("def f(rows):\n    return 1 / 0", None),
    ],
)
def test_recognition_names_the_statistic_that_runs_suggest(text, statistic):
    assert plausible_statistic(parse_source(text, "f"), TEN) == statistic


def smooth(text, read, table, statistic=None, neighbours="change_one", declared=TEN):
    rows = tuple(map(Fraction, table))
    return smooth_function(parse_source(text, "f"), declared, read, rows, "1/2", neighbours, statistic)


MIN = "def f(rows):\n    return min(rows)"


def test_recognition_gives_a_function_the_smooth_bound_of_its_statistic():
    found = smooth(MIN, smallest, [3, 1, 2])
    assert found.smooth == smooth_sensitivity("minimum", [1, 2, 3], 0, 10, "1/2")
    assert (found.recognised.statistic, found.recognised.rows) == ("minimum", 5)


def test_recognition_takes_the_value_at_the_empty_table_from_the_function():
    text = "def f(rows):\n    return min(rows) if rows else 4"
    found = smooth(text, smallest, [3, 1, 2], "minimum", "add_remove")
    assert found.smooth == smooth_sensitivity("minimum", [1, 2, 3], 0, 10, "1/2", "add_remove", empty=4)


@pytest.mark.parametrize(
    ("text", "statistic", "neighbours", "message"),
    [
        (MIN, "median", "change_one", "must be median, and is 1 where that is 2"),
        ("def f(rows):\n    return 1", "minimum", "change_one", "for 1 rows the function differs"),
        ("def f(rows):\n    return sum(rows) / len(rows)", None, "change_one", "its answers are those of none"),
        (MIN, "minimum", "add_remove", "answer on the empty table"),
        (MIN, "mean", "change_one", "order statistic must be one of"),
    ],
)
def test_recognition_refuses_what_is_not_the_statistic(text, statistic, neighbours, message):
    read = smallest if "min" in text else (lambda rows: Read((rational(1),)))
    with pytest.raises(ValueError, match=message):
        smooth(text, read, [3, 1, 2], statistic, neighbours)


@pytest.mark.parametrize("kind", [Number(), Number(rational(0)), Category(("a",))])
def test_recognition_needs_bounded_numbers(kind):
    with pytest.raises(ValueError, match="between two given bounds"):
        smooth(MIN, smallest, [1], "minimum", declared=Declaration(kind))
