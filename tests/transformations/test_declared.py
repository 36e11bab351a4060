"""declared: whatever a file holds, a function of one's own reads rows of the domain that its theorem is about."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.spec.domains import contains
from refdp.terms.reading import read
from refdp.transformations import declared_column, declared_columns
from refdp.transformations.declared import fitted
from tests.exactness.refusals import refusal
from tests.transformations.checks import exceeded, fractions, is_sharp, random_tables, tables

RECORD = "record(field('age', optional(bounded(1, 0, 120))), field('sex', labels('F', 'M')))"
ROWS = ({"age": F(1), "sex": "F"}, {"age": F(500), "sex": "M"}, {"age": None, "sex": "?"}, {"sex": "F"})
CELLS = [None, "", "F", "x", "1", F(-1), F(0), F(1, 2), F(3, 4), F(1), F(5, 2), F(200)]
DOMAINS = [
    "reals()", "grid(1)", "above(reals(), 1/2)", "below(reals(), 2)", "above(grid(1), 1/2)", "below(grid(1), 5/2)",
    "bounded(1, 0, 3)", "bounded(1, 1/2, 5/2)", "interval(1/3, 2)", "labels('F', 'M')",
    "labels(1, 2)", "optional(labels('F', 'M'))", "optional(bounded(1, -1, 1))", "optional(reals())",
]  # fmt: skip
PARTS = {
    "columns": lambda **more: declared_columns(RECORD, **more),
    "column": lambda **more: declared_column("age", "bounded(1, 0, 120)", **more),
}


def test_declared_columns_of_a_worked_example():
    assert declared_columns(RECORD)(ROWS) == (
        {"age": 1, "sex": "F"}, {"age": 120, "sex": "M"}, {"age": None, "sex": "F"}, {"age": None, "sex": "F"}
    )  # fmt: skip
    assert declared_column("age", "bounded(1, 0, 120)")(ROWS) == fractions(1, 120, 0, 0)


@pytest.mark.parametrize("domain", DOMAINS)
def test_declared_cell_is_a_member_and_one_that_is_a_member_stays(domain):
    d = read(domain)
    for cell in CELLS:
        found = fitted(d, cell)
        assert contains(d, found)
        assert found == cell or not contains(d, cell)


def test_declared_cells_go_to_the_nearest_member():
    whole = read("bounded(1, 1/2, 5/2)")
    assert [fitted(whole, F(x)) for x in (-7, 0, 1, 2, 3)] == [1, 1, 1, 2, 2]
    assert fitted(read("interval(1/3, 2)"), "text") == F(1, 3)
    assert fitted(read("labels(1, 2)"), "2") == 1
    assert fitted(read("optional(labels('F', 'M'))"), "x") is None


def test_declared_rows_of_random_tables_lie_in_the_domain():
    def row(chance):
        return {"age": chance.choice(CELLS), "sex": chance.choice(CELLS), "other": F(1)}

    for table in random_tables("declared", row):
        found = declared_columns(RECORD)(table)
        assert len(found) == len(table)
        assert all(contains(read(RECORD), one) for one in found)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("stem", sorted(PARTS))
def test_declared_rows_are_stable_and_their_map_is_sharp(stem, neighbours):
    t, inputs = PARTS[stem](neighbours=neighbours), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert (t.map(1), t.map("1/3")) == (1, F(1, 3))


@pytest.mark.parametrize("stem", sorted(PARTS))
def test_declared_rows_with_a_smaller_map_are_exceeded(stem):
    for neighbours in ("add_remove", "change_one"):
        t = PARTS[stem](neighbours=neighbours)
        assert exceeded(replace(t, d_out=t.d_out * F(1, 2)), tables(ROWS, 1)) != []


def test_declared_rows_of_a_public_size_keep_it():
    t = PARTS["columns"](neighbours="change_one", size=2)
    assert (t.input_domain.operator, t.output_domain.operator) == ("sized_table", "sized_table")
    assert refusal(lambda: t(ROWS[:1])) == "the input must be a member of sized_table(records(), 2)"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: declared_columns("bounded(1, 0, 1)"), "rows must be record(field(COLUMN, D), ...), got bounded"),
        (lambda: declared_columns("nothing"), "rows must be a domain such as"),
        (lambda: declared_columns("record(field('a', table(reals())))"), "rows must be numbers, labels"),
        (lambda: declared_column("a", "grid(1/2)"), "rows must be numbers, labels"),
        (lambda: declared_column("a", "finite(3)"), "rows must be numbers, labels"),
        (lambda: declared_column(3, "reals()"), "column must be text, got 3"),
        (lambda: declared_column("a", "reals()", "add_remove", 2), "neighbours must be change_one where size is given"),
    ],
)
def test_declared_rows_of_other_parameters_are_refused(call, said):
    assert refusal(call).startswith(said)


def test_cells_beyond_the_end_of_a_half_line_are_moved_to_it():
    assert [fitted(read("above(grid(1), 1/2)"), F(x)) for x in (-7, 0, 1, 9)] == [1, 1, 1, 9]
    assert [fitted(read("below(grid(1), 5/2)"), F(x)) for x in (-7, 2, 3)] == [-7, 2, 2]
    assert [fitted(read("above(reals(), 1/2)"), F(x)) for x in (-7, 1)] == [F(1, 2), 1]
    assert fitted(read("above(reals(), 3)"), "text") == 3
