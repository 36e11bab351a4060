"""Tables k edits apart: the distance that is computed is the number of steps to neighbours on a shortest path."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from refdp.sensitivities.checking.pairs import edits_apart, is_too_far, records
from refdp.sensitivities.language.concrete.answers import Answer
from refdp.sensitivities.question import SIZE
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.terms.leaves import integer
from refdp.terms.operations import divide

TABLES = [table for n in range(4) for table in product("ab", repeat=n)]


def neighbours(table, kind):
    """Every table one edit away, by the definition."""
    for place in range(len(table)):
        if kind == "add_remove":
            yield table[:place] + table[place + 1 :]
        else:
            yield from ((*table[:place], new, *table[place + 1 :]) for new in "ab")
    if kind == "add_remove":
        for place in range(len(table) + 1):
            yield from ((*table[:place], new, *table[place:]) for new in "ab")


def steps(table, kind, tables):
    """The number of steps to every table that is reached in six, where a step of multisets may also reorder."""
    found = dict.fromkeys({table} if tables == "lists" else set(permutations(table)), 0)
    for step in range(1, 7):
        for one in list(found):
            for other in neighbours(one, kind):
                for either in (other,) if tables == "lists" else set(permutations(other)):
                    if len(either) <= 4:
                        found.setdefault(either, step)
    return found


@pytest.mark.parametrize("kind", ["add_remove", "change_one"])
@pytest.mark.parametrize("tables", ["lists", "multisets"])
def test_edits_apart_is_the_length_of_a_shortest_path(kind, tables):
    for table in TABLES:
        reached = steps(table, kind, tables)
        for other in TABLES:
            rows = [[(letter,) for letter in t] for t in (table, other)]
            if other in reached:
                assert edits_apart(*rows, kind, tables) == reached[other]
            else:
                with pytest.raises(ValueError, match="as many rows"):
                    edits_apart(*rows, kind, tables)


KIND = Fields((("x", Number(integer(0), integer(2), True)), ("y", Missing(Category(("a", 1, True))))))


@pytest.mark.parametrize(
    "row",
    [
        {"x": Fraction(1, 2), "y": None},
        {"x": Fraction(3), "y": None},
        {"x": Fraction(-1), "y": None},
        {"x": None, "y": None},
        {"x": True, "y": None},
        {"x": Fraction(1), "y": "b"},
        {"x": Fraction(1), "y": False},
        {"x": Fraction(1)},
        {"y": None, "x": Fraction(1)},
        {"x": Fraction(1), "y": None, "z": None},
        (Fraction(1), None),
        Fraction(1),
        None,
    ],
)
def test_records_that_are_not_as_declared_are_refused(row):
    with pytest.raises(ValueError, match="a row must be"):
        records(KIND, [row], {})


def test_records_equal_rows_have_equal_slots_and_different_ones_have_not():
    rows = [{"x": Fraction(x), "y": y} for x in range(3) for y in (None, "a", Fraction(1), True)]
    found = records(KIND, rows, {})
    assert len(set(found)) == len(rows)
    assert records(KIND, rows[:1], {}) == found[:1]


def answered(*values):
    return Answer(tuple(((place,), value) for place, value in enumerate(values)))


@pytest.mark.parametrize(
    ("first", "second", "norm", "claim", "far"),
    [
        (answered(Fraction(0)), answered(Fraction(1)), "L1", integer(1), False),
        (answered(Fraction(0)), answered(Fraction(2)), "L1", integer(1), True),
        (answered(Fraction(0), Fraction(0)), answered(Fraction(3), Fraction(4)), "L2", integer(5), False),
        (answered(Fraction(0), Fraction(0)), answered(Fraction(3), Fraction(5)), "L2", integer(5), True),
        (answered(Fraction(0), Fraction(0)), answered(Fraction(0), Fraction(0)), "L2", integer(-1), True),
        (answered(Fraction(0), Fraction(0)), answered(Fraction(3), Fraction(4)), "Linf", integer(4), False),
        (answered(Fraction(0), Fraction(0)), answered(Fraction(3), Fraction(4)), "L1", integer(6), True),
        (answered(Fraction(0)), answered(Fraction(0), Fraction(0)), "L1", integer(9), True),
        (answered(Fraction(0)), Answer((), "ValueError"), "L1", integer(9), True),
        (Answer((), "KeyError"), Answer((), "ValueError"), "L1", integer(9), True),
        (Answer((), "KeyError"), Answer((), "KeyError"), "L1", integer(0), False),
        (Answer((), "KeyError"), Answer((), "KeyError"), "L1", integer(-1), True),
        (Answer((), "KeyError"), Answer((), "KeyError"), "L2", integer(-1), True),
        (answered(True), answered(False), "L1", integer(1), False),
        (answered(Fraction(0)), answered(Fraction(1, 4)), "L1", divide(integer(1), SIZE), False),
        (answered(Fraction(0)), answered(Fraction(1, 3)), "L1", divide(integer(1), SIZE), True),
    ],
)
def test_answers_are_too_far_apart_by_the_definition(first, second, norm, claim, far):
    assert is_too_far((first, second), norm, claim, {SIZE: Fraction(4)}) is far
    assert is_too_far((second, first), norm, claim, {SIZE: Fraction(4)}) is far


def test_rows_of_fields_are_read_by_their_places_or_their_names():
    number, label = Number(integer(0), integer(9)), Category(("a", "b"))
    assert records(Fields(((0, number), (1, label))), [(Fraction(7), "b")], {}) == [(Fraction(7), Fraction(1))]
    assert records(Fields((("x", number), ("y", label))), [{"x": Fraction(7), "y": "b"}], {}) == [
        (Fraction(7), Fraction(1))
    ]
    for kind, row in (
        (Fields(((0, number), (1, number))), {"x": Fraction(7), "y": Fraction(1)}),
        (Fields((("x", number), ("y", number))), (Fraction(7), Fraction(1))),
        (Fields((("x", number), ("y", number))), ("x", "y")),
        (Fields((("x", number), ("y", number))), {"y": Fraction(7), "x": Fraction(1)}),
    ):
        with pytest.raises(ValueError, match="a row must be as declared"):
            records(kind, [row], {})
