"""Terms: the text is read back as the same term, and the reader accepts nothing but terms."""

import ast
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import (
    Term,
    TermError,
    apply,
    both,
    denominators,
    exp,
    indicator,
    maximum,
    minimum,
    name,
    names,
    number,
    power,
    substitute,
    term,
    text,
)
from tests.examples import few

NAMES = ("x", "y", "d_in", "scale")
rationals = st.fractions(min_value=-20, max_value=20, max_denominator=12)
leaves = rationals.map(number) | st.sampled_from(NAMES).map(name)


def grown(inner):
    binary = st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda t: divided(*t))
    unary = st.tuples(st.sampled_from(("negate", "abs")), inner).map(lambda t: apply(*t))
    powers = st.tuples(inner, st.integers(0, 4)).map(lambda t: power(*t))
    two = st.tuples(st.sampled_from((minimum, maximum)), inner, inner).map(lambda t: t[0](t[1], t[2]))
    step = st.tuples(inner, inner).map(lambda t: indicator(t[0] <= t[1]))
    return binary | unary | powers | two | step


def divided(operator, a, b):
    """The operation, a division by the number 0 replaced by one by 1."""
    return apply(operator, a, number(1) if operator == "/" and b == number(0) else b)


terms = st.recursive(leaves, grown, max_leaves=12)


@settings(max_examples=few(1000))
@given(terms)
def test_text_is_read_back_as_the_same_term(t):
    assert read(str(t)) == t


@settings(max_examples=few(300))
@given(terms, terms)
def test_different_terms_have_different_texts(s, t):
    assert (s == t) == (str(s) == str(t))


def as_python(source, values):
    """What Python itself makes of the text, where every number is a Fraction."""
    tree = ast.parse(source, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = node.value if isinstance(node.value, str) else int(node.value)
    functions = {"abs": abs, "min": min, "max": max, "indicator": lambda b: Fraction(int(b)), "F": Fraction}

    class Fractions(ast.NodeTransformer):
        def visit_Constant(self, node):
            return ast.Call(ast.Name("F", ast.Load()), [node], [])

        def visit_BinOp(self, node):
            node.left = self.visit(node.left)
            node.right = node.right if isinstance(node.op, ast.Pow) else self.visit(node.right)
            return node

    return eval(compile(ast.fix_missing_locations(Fractions().visit(tree)), "", "eval"), functions, values)


@settings(max_examples=few(300))
@given(terms, st.tuples(*[rationals] * 4))
def test_text_means_in_python_what_the_term_means(t, point):
    values = dict(zip(NAMES, point, strict=True))
    try:
        value = evaluate(t, values)
    except TermError:
        with pytest.raises(ZeroDivisionError):
            as_python(str(t), values)
        return
    assert as_python(str(t), values) == value


@settings(max_examples=few(300))
@given(terms, terms, st.tuples(*[rationals] * 4))
def test_substitution_is_evaluation_at_the_value(t, inner, point):
    values = dict(zip(NAMES, point, strict=True))
    try:
        replaced = substitute(t, {"x": inner})
        expected = evaluate(t, {**values, "x": evaluate(inner, values)})
    except TermError:
        return
    assert evaluate(replaced, values) == expected
    assert names(replaced) <= (names(t) | names(inner))


@pytest.mark.parametrize(
    "source",
    [
        "x.y", "x[0]", "lambda: 1", "f'{x}'", "(x := 1)", "*x", "f(*x)", "f(x=1)", "a < b < c", "0.5", "1e3", "1j",
        "b'a'", "True", "None", "...", "x if y else z", "x and y", "not x", "x or y", "[1]", "{1}", "{1: 2}", "(1, 2)",
        "x ** y", "x ** 0.5", "x ** -1", "2 ** 65", "x // 2", "x % 2", "x @ y", "x << 1", "+x", "~x", "x is y",
        "x in y", "await x", "(yield)", "`x`", "x; y", "import os", "", "(", "f(x)(y)", "'a'.b()", "abs(x, y)", "exp()",
        "negate(x)", "number(1)", "name(x)", "text(x)", "1/0", "max(1)",
    ],
)  # fmt: skip
def test_reader_refuses_what_is_no_term(source):
    with pytest.raises(TermError):
        read(source)


@pytest.mark.parametrize(
    "source",
    ["(" * 10_000 + "x" + ")" * 10_000, "-" * 10_000 + "x", "x" * 30_000, "+".join(["x"] * 9_999),
     "((((((2**64)**64)**64)**64)**64)**64)", "9" * 25_000, "[" * 70 + "]" * 70],
    ids=["brackets", "signs", "long", "sum", "powers", "digits", "lists"],
)  # fmt: skip
def test_reader_refuses_what_is_too_large(source):
    with pytest.raises(TermError):
        read(source)


def test_one_third_stays_exact():
    assert read("1/3") == number(Fraction(1, 3))
    assert read("x * (1/3)").arguments[1].rational == Fraction(1, 3)
    assert read("x / 3") != read("x * (1/3)")


@pytest.mark.parametrize("wrong", [0.5, True, None, "x", 1j, float("nan")])
def test_term_of_something_else_is_refused(wrong):
    with pytest.raises(TermError):
        term(wrong)


@pytest.mark.parametrize("exponent", [-1, Fraction(1, 2), 65, 0.5, True])
def test_powers_that_are_not_small_and_whole_are_refused(exponent):
    with pytest.raises(TermError):
        name("x") ** exponent


@pytest.mark.parametrize("identifier", ["", "x y", "x + 1", "1x", "x\n", "x)"])
def test_names_that_are_no_identifiers_are_refused(identifier):
    with pytest.raises(TermError):
        name(identifier)


def test_a_comparison_has_no_truth_value():
    with pytest.raises(TermError, match="no truth value"):
        bool(name("k") == 0 or name("k") <= 0)
    with pytest.raises(TermError, match="no truth value"):
        min(name("a"), name("b"))


def test_denominators_are_listed_once_unless_they_are_numbers():
    assert [str(d) for d in denominators(read("x / y + z / y / 3 + 1 / (y - 1)"))] == ["y", "y - 1"]
    assert [str(d) for d in denominators(Term("/", (name("x"), number(0))))] == ["0"]


def test_integrals_bind_their_variable():
    t = apply("integral", exp(-abs(name("z")) / name("scale")), name("z"))
    assert names(t) == {"scale"}
    assert substitute(t, {"z": number(1)}) == t
    with pytest.raises(TermError, match="captures"):
        substitute(t, {"scale": name("z")})


def test_both_takes_conjunctions_apart():
    a, b, c = (name(n) <= 0 for n in "abc")
    assert both(a, both(b, c)).arguments == (a, b, c)
    assert both(a) == a


def test_texts_keep_every_character():
    for content in ("", "it's", 'say "so"', "a\nb", "\\", "ünïcode"):
        assert read(str(text(content))) == text(content)
