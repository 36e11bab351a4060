"""Declarations as users write them."""

from fractions import Fraction

import pytest

from refdp.logic.evaluation import evaluate
from refdp.logic.terms import variable
from refdp.sensitivities.declaring import concrete, declaration, read_kind
from refdp.sensitivities.records import Category, Fields, Missing, Number

LOWER, UPPER = variable("lower", "Real"), variable("upper", "Real")


def admits(kind, *values):
    """Whether the record with these slots is as declared."""
    return evaluate(kind.constraint("row"), dict(zip(kind.slots("row"), values, strict=True)))


def test_bounds_admit_what_lies_between_them():
    kind = read_kind("-1/2..0.25", {})
    assert [admits(kind, Fraction(x)) for x in ("-1/2", "1/4", "0", "-0.51", "0.26")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_open_bounds_admit_every_number_on_that_side():
    assert admits(read_kind("0..", {}), Fraction(10**9)) is True
    assert admits(read_kind("..0", {}), Fraction(1)) is False
    assert read_kind("numbers", {}) == Number()


def test_integers_are_whole():
    kind = read_kind("integers 0..5", {})
    assert kind.slots("row")[0].sort == "Int"


def test_bounds_may_be_symbols():
    given = declaration("lower..upper", symbols=["lower", "upper"], assume="lower <= upper")
    assert given.record == Number(LOWER, UPPER)
    assert evaluate(given.assumption, {LOWER: Fraction(1), UPPER: Fraction(0)}) is False


def test_labels_are_text_numbers_or_truth_values():
    assert read_kind("Adelie | Gentoo", {}) == Category(("Adelie", "Gentoo"))
    assert read_kind("1 | 2 | 10", {}) == Category((1, 2, 10))
    assert read_kind("true | false", {}) == Category((True, False))


def test_missing_values_are_declared_in_words():
    kind = read_kind("0..1 or missing", {})
    assert isinstance(kind, Missing)
    assert admits(kind, True, Fraction(7)) is True
    assert admits(kind, False, Fraction(7)) is False


def test_columns_have_names_or_places():
    named, placed = declaration({"x": "0..1", "s": "a | b"}).record, declaration(["0..1", "numbers"]).record
    assert isinstance(named, Fields)
    assert [key for key, _ in named.kinds] == ["x", "s"]
    assert isinstance(placed, Fields)
    assert [key for key, _ in placed.kinds] == [0, 1]


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.1", Fraction(1, 10)), ("3/4", Fraction(3, 4)), ("true", True), ("none", None), ("Adelie", "Adelie"),
     ("'7'", "7"), ("[1, 2]", (Fraction(1), Fraction(2))), ("[]", ())],
)  # fmt: skip
def test_fixed_values_are_exact(text, value):
    assert concrete(text) == value


@pytest.mark.parametrize(
    "arguments",
    [{"record": "1..0"}, {"record": "0..1..2"}, {"record": "words"}, {"record": "a | a"}, {"record": "a | "},
     {"record": {}}, {"record": "0..x"}, {"record": "0..1", "symbols": ["n"]}, {"record": "0..1", "symbols": ["a b"]},
     {"record": "0..1", "symbols": ["a: text"]}, {"record": "0..1", "assume": "x < 1"},
     {"record": "0..1", "values": {"a": "1"}, "symbols": ["a"]}, {"record": "0..1 or"}],
)  # fmt: skip
def test_other_declarations_are_refused_in_one_sentence(arguments):
    with pytest.raises(ValueError, match=r"must be|must use") as refused:
        declaration(**arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["a | a", "'a' | a", "1 | 01", "-0 | 0", "true | True", "a |", "|"])
def test_labels_that_are_one_value_are_refused(text):
    with pytest.raises(ValueError, match="labels must be different"):
        read_kind(text, {})


@pytest.mark.parametrize("name", ["n", "row", "ghost", "ghost2"])
@pytest.mark.parametrize("sort", ["", ": integer", ": real"])
def test_symbols_that_conditions_use_themselves_are_refused(name, sort):
    with pytest.raises(ValueError, match="a symbol must be a name other than n, row, ghost, ghost2") as refused:
        declaration("0..1", symbols=["lower", name + sort])
    assert repr(name + sort) in str(refused.value)


def test_symbols_that_only_begin_like_reserved_ones_are_read():
    assert declaration("0..1", symbols=["ghosts", "rows: integer"]).symbolic == {"ghosts": "Real", "rows": "Int"}
