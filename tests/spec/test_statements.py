"""A statement is its canonical text: quantifiers, hypotheses, conclusion, and that no denominator is zero."""

import pytest

from refdp.spec.statements import Statement, term_is_not_zero
from refdp.terms.reading import read
from refdp.terms.term import TermError, name, number


def statement(show, *given, integers=""):
    return Statement(tuple(map(read, given)), read(show), frozenset(integers.split()))


def test_statement_says_what_it_quantifies_over():
    s = statement("x / y <= k", "0 < y", "x < z", integers="k n")
    assert str(s) == "for all real x, y, z and integer k: if 0 < y and x < z then x / y <= k and y != 0"
    assert s.variables == ("k", "x", "y", "z")
    assert str(statement("1 <= 2")) == "1 <= 2"
    assert str(statement("k <= k", integers="k")) == "for all integer k: k <= k"


def test_statement_brings_every_denominator_once_outermost_first():
    s = statement("1 / (1 / x) + y / x <= z / 2")
    assert [str(t) for t in s.conclusion.arguments[1:]] == ["1 / x != 0", "x != 0"]
    assert s.conclusion.arguments[0] == s.show
    inside = statement("indicator(1 / x <= 1) <= 1")
    assert term_is_not_zero(name("x")) in inside.conclusion.arguments


def test_statement_that_divides_by_zero_says_that_zero_is_not_zero():
    s = statement("x <= y")
    divided = Statement((), s.show.arguments[0] / (name("x") - 0) <= name("y") / number(3))
    assert str(divided.conclusion) == "all_of(x / (x - 0) <= y / 3, x - 0 != 0)"


@pytest.mark.parametrize("given", ["1 / x <= 1", "0 < y / x", "indicator(1 / x <= 1) == 1", "x / (y - y) <= 1"])
def test_statement_with_a_hypothesis_that_divides_by_a_name_is_refused(given):
    """What x/0 is would be assumed."""
    with pytest.raises(TermError, match="a hypothesis must not divide by a name"):
        statement("x <= x", given)
    assert statement("x <= x", "x / 2 <= 1/3")


@pytest.mark.parametrize(
    "other",
    [
        statement("x < y", "0 <= x"),
        statement("x <= y", "0 < x"),
        statement("x <= y"),
        statement("x <= y", "0 <= x", "0 <= y"),
        statement("y <= x", "0 <= x"),
        statement("x <= y", "0 <= x", integers="x"),
        statement("x <= z", "0 <= x"),
        statement("all_of(x <= y, 0 <= x)"),
    ],
)
def test_statement_digest_tells_statements_apart(other):
    assert statement("x <= y", "0 <= x").digest != other.digest


def test_statement_digest_is_of_the_text_alone():
    """Names that do not occur make no difference, nor does the way in which the terms were made."""
    s = statement("x + 1 <= y", "0 <= x")
    assert Statement((0 <= name("x"),), name("x") + 1 <= name("y"), frozenset({"n"})).digest == s.digest
    assert len(s.digest) == 64
