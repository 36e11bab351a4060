"""Declarations as users write them."""

from fractions import Fraction

import pytest

from refdp.sensitivities.declaring import FORMS, concrete, declaration, declared, read_kind
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.sensitivities.request import Request
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import variable

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
    [("0.1", Fraction(1, 10)), ("3/4", Fraction(3, 4)), ("None", None), ("Adelie", "Adelie"),
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


BAD_KINDS = [
    "Integers 0..5", "integer 0..5", "integers 0..5 or missing or missing", "A | B or missing or missing", "words",
    "0..1..2", "integers 0..5 or Missing", "0..x", "1/0..2", "5..3", "a | a", "True | 1", "|", "",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_KINDS)
def test_bad_kind_is_refused_with_its_parameter_the_kinds_there_are_and_the_value(text):
    for record, parameter in ((text, "records"), ({"x": "0..1", "age": text}, "column age"), ([text], "column 0")):
        with pytest.raises(ValueError, match="must be") as refused:
            declaration(record)
        assert str(refused.value).startswith(f"{parameter} must be {FORMS}, got {text!r}")


@pytest.mark.parametrize("text", ["a | a", "'a' | a", "1 | 1", "true | True"])
def test_labels_that_are_one_value_are_refused(text):
    with pytest.raises(ValueError, match="labels must be different"):
        read_kind(text, {})


DOUBTFUL = [
    "inf", "-inf", "Infinity", "nan", "1_000", "1,000", "1 000", "0x10", "none", "null", "true", "false", "TRUE",
    "007", "5%", "1.5.2e1", "5;", "5#", "--5", "1/0", "1//2", "2**3", "\u00bd", "\u221e", "...",
    "(1, 2)", "{}", "", "'x", 'a"b', "[[1, 100], [2, 3]]", "[1,,2]", "[1,000]", "[inf]", "1j", "0b1", "[1", "--",
]  # fmt: skip
"""What somebody could mean as another value than a text."""


@pytest.mark.parametrize("text", [one for one in DOUBTFUL if one not in ("1.5.2e1", "--")])
def test_values_that_could_be_meant_as_something_else_are_refused(text):
    with pytest.raises(ValueError, match=r"the value of cap must be .* is none of these for certain"):
        declaration("0..1", {"cap": text})
    if text and "[" not in text:
        quote = "'" if '"' in text else '"'
        assert concrete(quote + text + quote) == text or quote in text


@pytest.mark.parametrize("text", ["median", "New York", "18-24", "60+", "NA", "n/a", "x.y", "1.5.2e1", "--"])
def test_words_that_are_no_value_are_texts(text):
    assert concrete(text) == text
    assert concrete(f"[{text}, 'a, b']") == (text, "a, b")


@pytest.mark.parametrize(
    "text", ["1 | 2.0", "True | False | None", "1 | A", "01 | 02", "inf | x", "1 | 01", "-0 | 0", "a |", "|", "0x1 | b",
             "1/2 | a", "True | A", "1_0 | 20", "[a] | b"],
)  # fmt: skip
def test_labels_of_which_one_could_be_meant_as_something_else_are_refused(text):
    with pytest.raises(ValueError, match="labels must be all whole numbers, all true or false, or all texts"):
        read_kind(text, {})


def test_labels_in_quotation_marks_are_texts_whatever_they_say():
    assert read_kind("'1' | '2.0' | \"True\" | A", {}) == Category(("1", "2.0", "True", "A"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"values": {"capp": "3"}}, r"set must be for a parameter of f \(cap, low\), got capp"),
        ({"values": {"rows": "3"}}, r"set must be for a parameter of f \(cap, low\), got rows"),
        ({"values": {"k": "3"}, "claim": "2 * k"}, r"set must be for a parameter of f \(cap, low\), got k"),
        ({"symbols": ["capp"]}, r"symbol must be for a parameter of f \(cap, low\), got capp"),
    ],
)
def test_names_that_nothing_reads_are_refused(words, sentence):
    source = parse_source("def f(rows, cap=1, *, low=0):\n    return len(rows)", "f")
    with pytest.raises(ValueError, match=sentence):
        declared(Request("f.py:f", "0..1", "add_remove", **words), source)


@pytest.mark.parametrize(
    "words",
    [{"values": {"cap": "3", "low": "1"}}, {"symbols": ["k"], "claim": "k"},
     {"symbols": ["k"], "record": "0..k"}, {"symbols": ["k"], "assume": "n <= k"}, {"symbols": ["cap: integer"]}],
)  # fmt: skip
def test_names_that_the_function_or_the_question_reads_are_taken(words):
    source = parse_source("def f(rows, cap=1, *, low=0):\n    return len(rows)", "f")
    given = declared(Request(**({"target": "f.py:f", "record": "0..1", "neighbours": "add_remove"} | words)), source)
    assert {**given.values, **given.symbolic}


@pytest.mark.parametrize("name", ["n", "row", "ghost", "ghost2"])
@pytest.mark.parametrize("sort", ["", ": integer", ": real"])
def test_symbols_that_conditions_use_themselves_are_refused(name, sort):
    with pytest.raises(ValueError, match="a symbol must be a name other than n, row, ghost, ghost2") as refused:
        declaration("0..1", symbols=["lower", name + sort])
    assert repr(name + sort) in str(refused.value)


def test_symbols_that_only_begin_like_reserved_ones_are_read():
    assert declaration("0..1", symbols=["ghosts", "rows: integer"]).symbolic == {"ghosts": "Real", "rows": "Int"}
