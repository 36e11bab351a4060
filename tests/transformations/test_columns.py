"""columns: records become numbers, categories and bits row by row, so that tables d_in edits apart stay so."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.transformations import attributes, binary_code, category_of, clamped_sum, column, count, histogram
from refdp.transformations.columns import ATTRIBUTES, BINARY_CODE, CATEGORY_OF, COLUMN
from tests.exactness.entering import written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.transformations.checks import NOT_NUMBERS, exceeded, fractions, is_sharp, random_tables, records, tables

ROWS = ({"a": F(0), "b": F(1)}, {"a": F(1), "b": "x"}, {"a": None}, {"b": F(1, 2)})
PARTS = {
    "column": lambda **more: column("a", **more),
    "category_of": lambda **more: category_of("b", ("x", "y"), **more),
    "attributes": lambda **more: attributes(("a", "b"), **more),
    "binary_code": lambda **more: binary_code(("a", "b"), **more),
}


def test_column_of_worked_examples():
    ages = [{"age": F(5, 2)}, {"age": F(7, 2)}, {"age": "old"}, {"age": None}, {}, {"age": F(-9, 4)}]
    assert column("age")(ages) == fractions(2, 4, 0, 0, 0, -2)
    assert column("age", "1/2")(ages) == (F(5, 2), F(7, 2), 0, 0, 0, -2)
    assert column("age", 10)([{"age": 44}, {"age": 45}, {"age": 55}]) == (40, 40, 60)


def test_category_of_worked_examples():
    islands = [{"island": "Dream"}, {"island": "Biscoe"}, {"island": "dream"}, {"island": None}, {}, {"island": F(0)}]
    assert category_of("island", ("Biscoe", "Dream"))(islands) == fractions(1, 0, -1, -1, -1, -1)


def test_attributes_and_binary_code_of_table_d():
    code = (0, 5, 2, 5, 0, 1, 6, 0, 2, 5)
    assert binary_code(("D1", "D2", "D3"))(records()) == code
    assert binary_code(("D3", "D2", "D1"))(records()) == (0, 5, 2, 5, 0, 4, 3, 0, 2, 5)
    assert attributes(("D1", "D3"))(records()) == tuple((c // 4, c % 2) for c in code)
    assert attributes(("D1",))([{"D1": "1"}, {"D1": F(1)}, {"D1": F(2)}, {}]) == ((0,), (1,), (0,), (0,))


def test_columns_of_random_tables_are_their_definitions():
    def row(chance):
        bits = {f"D{i}": chance.choice([F(0), F(1), None]) for i in (1, 2, 3)}
        return bits | {"x": F(chance.randint(-40, 40), 4), "t": chance.choice(["u", "v", "w", None])}

    for table in random_tables("columns", row):
        bits = [[int(r[f"D{i}"] == 1) for i in (1, 2, 3)] for r in table]
        assert attributes(("D1", "D2", "D3"))(table) == tuple(map(tuple, bits))
        assert binary_code(("D1", "D2", "D3"))(table) == tuple(4 * a + 2 * b + c for a, b, c in bits)
        assert category_of("t", ("v", "u"))(table) == tuple({"v": 0, "u": 1}.get(r["t"], -1) for r in table)
        found = column("x", "3/4")(table)
        assert all(
            abs(y - r["x"]) <= F(3, 8) and (y / F(3, 4)).denominator == 1 for y, r in zip(found, table, strict=True)
        )


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("stem", sorted(PARTS))
def test_columns_are_stable_and_their_map_is_sharp(stem, neighbours):
    t, inputs = PARTS[stem](neighbours=neighbours), tables(ROWS, 2)
    assert exceeded(t, inputs) == []
    assert is_sharp(t, inputs)
    assert is_sharp(t, inputs, 2)
    assert (t.map(1), t.map("1/3")) == (1, F(1, 3))


@pytest.mark.parametrize("stem", sorted(PARTS))
@pytest.mark.parametrize("factor", [F(1, 2), F(999, 1000)])
def test_columns_with_a_smaller_map_are_exceeded(stem, factor):
    for neighbours in ("add_remove", "change_one"):
        t = PARTS[stem](neighbours=neighbours)
        assert exceeded(replace(t, d_out=t.d_out * factor), tables(ROWS, 1)) != []


@pytest.mark.parametrize("stem", sorted(PARTS))
def test_columns_of_a_public_size_keep_it(stem):
    t = PARTS[stem](neighbours="change_one", size=2)
    assert (t.input_domain.operator, t.output_domain.operator) == ("sized_table", "sized_table")
    assert exceeded(t, tables(ROWS, 2, 2)) == []
    assert refusal(lambda: t(ROWS[:1])) == "the input must be a member of sized_table(records(), 2)"


@pytest.mark.parametrize("kind", [COLUMN, CATEGORY_OF, ATTRIBUTES, BINARY_CODE], ids=lambda k: k.stem)
def test_columns_with_a_formula_that_is_none_is_not_proved(kind):
    """A function has no obligation; a formula in its place does not lead from a grid into bounds."""
    assert verdicts(replace(kind, stem="same_function")) == {}
    assert (
        verdict(replace(kind, stem="wrong_function", formula=written("wrong", "row", "row")), "rows_stay_inside")
        == "refused"
    )


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_columns_refuse_what_is_no_exact_number(value):
    assert shows(refusal(lambda: column("a", value)), "granularity", value)


TEXTS = "must be a tuple of one text or several different ones, got"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: column(3), "name must be text, got 3"),
        (lambda: column(None), "name must be text, got None"),
        (lambda: column("a", 0), "granularity must be > 0, got 0"),
        (lambda: column("a", -1), "granularity must be > 0, got -1"),
        (lambda: column("a", neighbours="near"), "neighbours must be one of add_remove, change_one, got near"),
        (lambda: column("a", 1, "change_one", 0), "size must be a whole number >= 1, got 0"),
        (lambda: column("a", 1, "change_one", "1/2"), "size must be a whole number >= 1, got 1/2"),
        (lambda: category_of(1, ("x",)), "name must be text, got 1"),
        (lambda: category_of("a", "xy"), f"labels {TEXTS} 'xy'"),
        (lambda: category_of("a", ("x", "x")), f"labels {TEXTS} ('x', 'x')"),
        (lambda: category_of("a", (1,)), "labels must be text, got 1"),
        (lambda: category_of("a", ("x", [])), "labels must be text, got []"),
        (lambda: attributes("ab"), f"columns {TEXTS} 'ab'"),
        (lambda: attributes(("a", "a")), f"columns {TEXTS} ('a', 'a')"),
        (lambda: binary_code(("a", 2)), "columns must be text, got 2"),
        (lambda: binary_code(None), f"columns {TEXTS} None"),
        (lambda: column("a")((1,)), "the input must be a member of table(records())"),
        (lambda: column("a")(({"a": 0.5},)), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: column("a")(({"a": True},)), "the input must be a member of table(records())"),
    ],
)
def test_columns_refuse_in_one_sentence(call, said):
    assert refusal(call) == said


@pytest.mark.parametrize("call", [lambda: category_of("a", ()), lambda: attributes(()), lambda: binary_code([])])
def test_columns_refuse_an_empty_list(call):
    assert TEXTS in refusal(call)


def test_columns_refuse_a_public_size_under_add_remove():
    assert "neighbours must be change_one where size is given, got add_remove" in refusal(lambda: column("a", size=3))


def test_columns_chain_only_where_domain_and_metric_meet():
    assert (column("a") >> clamped_sum(0, 5)).map(1) == 5
    assert refusal(lambda: column("a", "1/2") >> clamped_sum(0, 5)) == (
        "the output domain table(grid(1/2)) does not lie in the input domain table(grid(1))"
    )
    assert refusal(lambda: category_of("a", ("x",), "change_one") >> histogram(1)) == (
        "the output metric change_one is not the input metric symmetric"
    )
    assert refusal(lambda: column("a") >> count()) == (
        "the output domain table(grid(1)) does not lie in the input domain table(records())"
    )
