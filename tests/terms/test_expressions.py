"""Claims and assumptions: what is read means what Python means by it, and nothing else is read."""

import re
from fractions import Fraction
from random import Random

import pytest

from refdp.terms.exact_values import evaluate
from refdp.terms.expressions import NotRead, read_number, read_statement
from refdp.terms.leaves import variable

NAMES = {name: variable(name, "Real") for name in ("a", "b")} | {"n": variable("n", "Int")}
LEAVES = ("a", "b", "n", "0", "1", "7", "0.25")
NUMBERS = ("({} + {})", "({} - {})", "({} * {})", "min({}, {})", "max({}, {})", "({} - {}) ** 2", "max({}, {}, 1)")


def number_text(random: Random, depth: int) -> str:
    """A random expression of a number."""
    if depth == 0 or random.random() < 0.2:
        return random.choice(LEAVES)
    shape = random.choice((*NUMBERS, "abs({})", "-{}", "({}) / 3"))
    return shape.format(*(number_text(random, depth - 1) for _ in range(shape.count("{}"))))


def statement_text(random: Random, depth: int) -> str:
    """A random statement."""
    if depth == 0 or random.random() < 0.4:
        sign = random.choice(("<", "<=", ">", ">=", "==", "!="))
        chained = random.choice(("", f" <= {number_text(random, 1)}"))
        return f"{number_text(random, 2)} {sign} {number_text(random, 2)}{chained}"
    shape = random.choice(("({}) and ({})", "({}) or ({})", "not ({})"))
    return shape.format(*(statement_text(random, depth - 1) for _ in range(shape.count("{}"))))


def in_python(text: str, values: dict[str, Fraction]) -> object:
    """What Python makes of the text, with Fractions for its numbers."""
    text = re.sub(r"(?<![*\w.])\d+(\.\d+)?", r"Fraction('\g<0>')", text)
    return eval(text, {"__builtins__": {"Fraction": Fraction, "abs": abs, "min": min, "max": max}}, dict(values))


@pytest.mark.parametrize(("make", "read"), [(number_text, read_number), (statement_text, read_statement)])
def test_expression_means_what_python_means_by_it(make, read):
    random = Random(make.__name__)
    for _ in range(300):
        text = make(random, 3)
        values = {"a": Fraction(random.randint(-8, 8), 2), "b": Fraction(random.randint(-3, 3)), "n": Fraction(3)}
        term = read(text, NAMES, "claim")
        assert evaluate(term, {NAMES[k]: v for k, v in values.items()}) == in_python(text, values), text


def test_decimal_is_the_number_that_is_written():
    assert evaluate(read_number("0.1", NAMES, "claim"), {}) == Fraction(1, 10)
    assert evaluate(read_number("1e-3 * 3", NAMES, "claim"), {}) == Fraction(3, 1000)
    assert evaluate(read_number("sqrt(9) + sqrt(1/4)", NAMES, "claim"), {}) == Fraction(7, 2)


@pytest.mark.parametrize(
    "text",
    ["a.real", "f(a)", "a < b", "__import__('os')", "1/0", "9**9**9", "2**9", "(lambda: 1)()", "c", "1e400", "'a'",
     "[a]", "a if b else n", "a b", "", "min(a)", "abs(a, b)", "abs(x=a)", "sqrt(-1)", "True + 1", "1j", "a[0]",
     "min(*[a, b])", "(" * 400 + "a" + ")" * 400, "+".join(["a"] * 2000)],
)  # fmt: skip
def test_other_text_is_no_number(text):
    with pytest.raises(NotRead, match="claim"):
        read_number(text, NAMES, "claim")


@pytest.mark.parametrize("text", ["a", "a in b", "a is b", "a < b < f(n)", "not a", "a and b", "1"])
def test_other_text_is_no_statement(text):
    with pytest.raises(NotRead, match="assume"):
        read_statement(text, NAMES, "assume")
