"""Exact numbers and decisions: what is read is exact, what is decided is a fact, everything else is refused."""

import ast
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.numerics import cancellation, intervals
from refdp.numerics import exact as module
from refdp.numerics.exact import (
    ExactReal,
    Ln,
    NotExact,
    Undecided,
    decide,
    enclose,
    exact,
    exact_number,
    exact_real,
    lower_bound,
    resolve,
    upper_bound,
)
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, exp, ln, number
from tests.counting import counted
from tests.numerics.oracle import MANY, SOME, fraction, rationals, value
from tests.numerics.oracle import number as real

SIZED = st.fractions(-50, 50, max_denominator=10**6)
POSITIVE = rationals(exponents=60, positive=True)
REALS = st.builds(ExactReal, SIZED, POSITIVE)


# Reading


@MANY
@given(rationals(), st.integers(-(10**30), 10**30), st.integers(-300, 300))
def test_exact_reads_int_fraction_and_text(x: Fraction, n: int, e: int) -> None:
    assert exact(x) == exact(str(x)) == x
    assert exact(n) == exact(str(n)) == n
    assert exact(f"{n}e{e}") == exact(f" {n}E{e:+d} ") == n * Fraction(10) ** e
    assert exact(f"{n}.25") == n + Fraction(1 if n >= 0 and not str(n).startswith("-") else -1, 4)


@pytest.mark.parametrize(
    ("text", "value"), [(".5", "1/2"), ("1.", "1"), ("+3/6", "1/2"), ("-0.1", "-1/10"), ("1e-6", "1/1000000")]
)
def test_exact_reads_decimal_text(text: str, value: str) -> None:
    assert exact(text) == Fraction(value)


@pytest.mark.parametrize(
    "bad",
    [True, False, None, 1j, b"1", Decimal("0.1"), [1], "", " ", "abc", "nan", "inf", "-Infinity", "1/0", "1//2",
     "1e", "1e1000", "1e999999999", "1e-999999999", "\u0661", "1 2", "ln(3)", "9" * 401, "1" * 10**6],
)  # fmt: skip
@pytest.mark.parametrize("read_number", [exact, exact_real])
def test_what_is_not_exact_is_refused_by_name(read_number: Callable[[object, str], object], bad: object) -> None:
    if bad == "ln(3)" and read_number is exact_real:
        return
    with pytest.raises(NotExact, match=r"^epsilon must be .*, got ") as refusal:
        read_number(bad, "epsilon")
    assert isinstance(refusal.value, ValueError)
    assert len(str(refusal.value)) < 400


@pytest.mark.parametrize("bad", ["1/-2", "1_000", "0x10", "1 + 1"])
def test_exact_reads_no_expression(bad: str) -> None:
    with pytest.raises(NotExact, match=r"got "):
        exact(bad)


@given(st.floats(allow_nan=False, allow_infinity=False))
@SOME
def test_a_float_is_refused_and_what_was_meant_suggested(x: float) -> None:
    for read_number in (exact, exact_real):
        with pytest.raises(NotExact, match=r"epsilon must be exact, got the float ") as refusal:
            read_number(x, "epsilon")
        suggestion = str(refusal.value).split('write "')[1].split('"')[0]
        assert float(exact(suggestion)) == x  # the shortest decimal that is this float


def test_the_refusal_of_a_float_names_both_exact_numbers() -> None:
    with pytest.raises(NotExact) as refusal:
        exact(0.1, "epsilon")
    itself = Fraction(0.1)
    assert str(refusal.value) == (
        f'epsilon must be exact, got the float 0.1; write "0.1" for {Fraction("0.1")} (the float itself is {itself})'
    )
    with pytest.raises(NotExact, match=r'^scale must be exact, got the float 0.5; write "0.5" for 1/2$'):
        exact(0.5, "scale")


@pytest.mark.parametrize("x", [float("nan"), float("inf"), float("-inf")])
def test_a_float_that_is_no_number_is_refused_without_advice(x: float) -> None:
    with pytest.raises(NotExact, match=rf"^epsilon must be exact, got the float {x!r}$"):
        exact(x, "epsilon")


def test_numbers_that_cannot_be_printed_are_refused_in_a_sentence() -> None:
    with pytest.raises(NotExact, match="too long to print"):
        exact([10**5000], "epsilon")
    with pytest.raises(NotExact, match="argument of ln must be > 0, got a number too long to print"):
        Ln(-(10**5000))


# a + ln(b)


@pytest.mark.parametrize(
    ("text", "a", "b"),
    [("ln(3)", 0, 3), ("1/2 + ln(3)", "1/2", 3), ("2*ln(3)", 0, 9), ("-ln(2)", 0, "1/2"), ("1 - ln(3/2) / 1", 1, "2/3"),
     ("ln(9)/2", 0, 3),
     ("ln(exp(1/3))", "1/3", 1), ("log(5)", 0, 5), ("0.25", "1/4", 1), ("7 + ln(4) - 2*ln(2) ", 7, 1)],
)  # fmt: skip
def test_exact_real_reads_text(text: str, a: int | str, b: int | str) -> None:
    assert exact_real(text) == ExactReal(exact(a), exact(b))
    assert exact_real(exact_real(text)) == exact_real(str(exact_real(text))) == exact_real(text)


@pytest.mark.parametrize(
    "bad", ["ln(0)", "ln(-3)", "ln(3)/2", "exp(1)", "ln(2)*ln(3)", "0.5 + ln(3)", "x", "ln(3", "__import__('os')",
            "1 <= 2", "'ln(3)'", "(((((2**64)**64)**64)**64)**64)**64", "(" * 200, "ln(3)" + " " * 400, "1/(1 - 1)"],
)  # fmt: skip
def test_text_that_is_no_exact_real_is_refused_by_name(bad: str) -> None:
    with pytest.raises(NotExact, match=r"^epsilon must be .*, got "):
        exact_real(bad, "epsilon")


@MANY
@given(REALS)
def test_an_exact_real_is_printed_and_read_back(x: ExactReal) -> None:
    assert exact_real(str(x)) == x
    assert read(str(x)) == x.term
    assert exact_real(exact_number(x.term)) == x


@MANY
@given(REALS, REALS, st.integers(-5, 5), SIZED)
def test_arithmetic_of_exact_reals_is_that_of_their_values(x: ExactReal, y: ExactReal, n: int, q: Fraction) -> None:
    def close(found: ExactReal, expected: mpmath.mpf) -> bool:
        return bool(abs(value(found.term) - expected) <= mpmath.mpf(10) ** -150)

    a, b = value(x.term), value(y.term)
    assert close(x + y, a + b)
    assert close(x - y, a - b)
    assert close(-x, -a)
    assert close(x * n, a * n)
    assert close(n * x, a * n)
    assert close(x + q, a + real(q))
    assert close(q - x, real(q) - a)
    assert ExactReal(q) * Fraction(2, 3) == q * Fraction(2, 3)
    assert (x + y) - y == x


def test_a_part_of_a_logarithm_is_exact_or_refused() -> None:
    assert Ln(9) * Fraction(1, 2) == Ln(3)
    assert Fraction(3, 2) * Ln("4/9") == Ln("8/27")
    with pytest.raises(NotExact):
        Ln(3) * Fraction(1, 2)
    with pytest.raises(NotExact, match="factor must be exact, got the float"):
        Ln(9) * 0.5  # type: ignore[operator]


@MANY
@given(REALS, REALS, SIZED)
def test_comparisons_of_exact_reals_agree_with_mpmath(x: ExactReal, y: ExactReal, q: Fraction) -> None:
    for a, b in ((x, y), (x, q), (q, x)):
        left, right = value(exact_real(a).term), value(exact_real(b).term)
        assert (a < b, a <= b, a > b, a >= b) == (left < right, left <= right, left > right, left >= right)
        assert (a == b) == (left == right)
        assert (a != b) != (a == b)


@MANY
@given(REALS, st.integers(1, 600), st.sampled_from([-1, 1]))
def test_comparisons_see_the_smallest_difference(x: ExactReal, digits: int, sign: int) -> None:
    y = x + sign * Fraction(1, 10**digits)
    assert (x < y, x <= y, x > y, x >= y, x == y) == (sign > 0, sign > 0, sign < 0, sign < 0, False)
    twin = ExactReal(x.rational, x.argument * 1)
    assert (x < twin, x <= twin, x > twin, x >= twin, x == twin) == (False, True, False, True, True)


@pytest.mark.parametrize("digits", [50, 300, 600, 1200])
def test_a_rational_close_to_a_logarithm_is_told_from_it(digits: int) -> None:
    with mpmath.workdps(digits + 50):
        close = fraction(mpmath.log(3)).limit_denominator(10 ** (digits // 2))  # within about 10^-digits
        above = bool(real(close) > mpmath.log(3))
    assert (Ln(3) < close, close < Ln(3), Ln(3) == close) == (above, not above, False)


def test_a_difference_beyond_the_precision_is_undecided() -> None:
    with mpmath.workdps(2600):
        close = fraction(mpmath.log(3)).limit_denominator(10**1250)
    with pytest.raises(Undecided, match="4096 bits"):
        _ = Ln(3) < close


def test_equality_and_hash_are_those_of_fractions_where_there_is_no_logarithm() -> None:
    for q in (Fraction(0), Fraction(1, 3), Fraction(-7)):
        assert ExactReal(q) == q
        assert q == ExactReal(q)
        assert hash(ExactReal(q)) == hash(q)
        assert ExactReal(q, Fraction(2)) != q
    assert len({Ln(1), 0, Fraction(0), ExactReal(), Ln(3), Ln(3), exact_real("ln(9)/2")}) == 2
    assert Ln(3) != "ln(3)"
    assert ExactReal(Fraction(1)) != True  # noqa: E712 - what is compared is the operator
    assert Ln(3) != 1.0986122886681098


@pytest.mark.parametrize("bad", [0.5, float("nan"), None, True])
def test_an_exact_real_meets_no_inexact_number(bad: Any) -> None:
    for meet in (lambda: Ln(3) + bad, lambda: bad - Ln(3), lambda: Ln(3) <= bad, lambda: bad < Ln(3), lambda: Ln(bad)):
        with pytest.raises(NotExact):
            meet()
    with pytest.raises(NotExact, match="rational must be"):
        ExactReal(bad, Fraction(1))


def test_an_exact_real_has_a_positive_argument_of_bounded_size() -> None:
    for bad in (0, -1, "-1/3"):
        with pytest.raises(NotExact, match="argument of ln must be > 0"):
            Ln(bad)
    with pytest.raises(NotExact, match="rational upper bound"):
        Ln(10**5000)
    with counted() as calls, pytest.raises(NotExact):
        Ln(3) * 10**12
    assert calls.number < 1000
    assert str(Ln(10**3900)).startswith("ln(1000")


# Decisions

TIES = [
    "exp(ln(3)) <= 3", "1/4 * exp(ln(3)) <= 3/4", "ln(9) <= 2*ln(3)", "exp(2*ln(3)) <= 9", "ln(1/9) <= -2*ln(3)",
    "1/2*ln(3) + 1/2*ln(3) <= ln(3)", "exp(ln(9)/2) <= 3", "exp(1) * exp(-1) <= 1", "abs(ln(1/3)) <= ln(3)",
    "exp(1)/(1 + exp(1)) <= exp(1) * (1/(1 + exp(1)))", "max(ln(3), 2*ln(3)) <= ln(9)", "min(exp(1), 3) <= exp(1)",
    "exp(1 + 2*ln(3)) <= 9*exp(1)", "ln(9*exp(1)) <= 1 + 2*ln(3)", "(exp(1) + 1)**2 <= exp(2) + 2*exp(1) + 1",
    "(exp(2) - 1)/(exp(1) - 1) <= exp(1) + 1", "sqrt(exp(1)) <= exp(1/2)", "ln(2)*ln(3)/2 <= ln(3)*ln(2)*(1/2)",
    "exp(1/3 * indicator(1/3 <= 1/3)) <= exp(1/3)", "indicator(ln(9) <= 2*ln(3)) * exp(1) <= exp(1)",
    "sqrt(2) + ln(1 + exp(1)) <= sqrt(2) + ln(1 + exp(1))",
    "exp(1/2)/(2*exp(1/2) + 1) + exp(1/2)/(2*exp(1/2) + 1) + 1/(2*exp(1/2) + 1) <= 1",
]  # fmt: skip


@pytest.mark.parametrize("text", TIES)
def test_a_tie_is_decided_as_one(text: str) -> None:
    a, b = read(text).arguments
    assert abs(value_of(a) - value_of(b)) < mpmath.mpf(10) ** -190
    assert decide(a <= b)
    assert decide(b <= a)
    assert not decide(a < b)
    assert not decide(b < a)
    assert decide(Term("==", (a, b)))
    assert not decide(Term("!=", (a, b)))


def value_of(t: Term) -> mpmath.mpf:
    """The value of a closed term whose indicators are all 1."""
    return value(Term("number", (), Fraction(1)) if t.operator == "indicator" else replaced(t))


def replaced(t: Term) -> Term:
    """`t` with 1 for every indicator."""
    one = Term("number", (), Fraction(1))
    return Term(t.operator, tuple(one if a.operator == "indicator" else replaced(a) for a in t.arguments), t.value)


@pytest.mark.parametrize("text", TIES)
@pytest.mark.parametrize("digits", [20, 400])
def test_a_near_tie_is_decided_as_none(text: str, digits: int) -> None:
    (a, b), gap = read(text).arguments, number(Fraction(1, 10**digits))
    assert decide(a < b + gap)
    assert not decide(b + gap <= a)
    assert not decide(a <= b - gap)
    assert not decide(Term("==", (a, b - gap)))


ARGUMENTS = st.fractions(-20, 20, max_denominator=50).map(number)
LOGARITHMS = st.fractions(Fraction(1, 50), 50, max_denominator=50).map(number).map(ln)
CLOSED = st.recursive(
    ARGUMENTS | LOGARITHMS | ARGUMENTS.map(exp),
    lambda t: (
        st.tuples(t, t, st.sampled_from(["+", "-", "*", "/", "min", "max"])).map(lambda p: Term(p[2], p[:2]))
        | t.map(abs)
    ),
    max_leaves=5,
)


@MANY
@given(CLOSED, CLOSED)
def test_decisions_enclosures_and_bounds_agree_with_mpmath(a: Term, b: Term) -> None:
    try:
        x, y = value(a), value(b)
    except ZeroDivisionError:
        return
    gap = mpmath.mpf(10) ** -100 * (1 + abs(x) + abs(y))
    try:
        found = [decide(a <= b), decide(a < b), decide(Term("==", (a, b))), decide(Term("!=", (a, b)))]
        above, below, interval = upper_bound(a, 6), lower_bound(a, 6), enclose(a, 128)
    except (Undecided, TermError):
        assert has_a_vanishing_part(a) or has_a_vanishing_part(b) or abs(x - y) <= gap
        return
    assert found[0] == (not found[1] and x - y <= gap or x < y)
    assert found == ([True, False, True, False] if abs(x - y) <= gap else [bool(x < y)] * 2 + [False, True])
    assert real(interval.lower) - gap <= x <= real(interval.upper) + gap
    assert real(below) - gap <= x <= real(above) + gap
    assert above - below <= abs(above) / 10**4 or abs(x) <= gap


def has_a_vanishing_part(t: Term) -> bool:
    """Whether a divisor in `t` is 0, or nearly."""
    divisors = [s.arguments[1] for s in [t, *t.arguments] if s.operator == "/"]
    return any(abs(value(d)) < mpmath.mpf(10) ** -100 for d in divisors) or any(map(has_a_vanishing_part, t.arguments))


@pytest.mark.parametrize(
    "text", ["sqrt(2)*sqrt(2) == 2", "sqrt(2)*sqrt(2) <= 2", "exp(ln(3)/3)**3 <= 3", "ln(exp(1) + 1) == ln(1 + exp(1))",
             "2 <= exp(1000000000)", "1/(exp(1) - exp(1)) <= 1", "0 * ln(exp(1) - exp(1)) == 0", "integer(exp(1))",
             "ln(sqrt(2)*sqrt(2) - 1) == 0"],
)  # fmt: skip
def test_what_no_method_settles_is_undecided(text: str) -> None:
    with counted() as calls, pytest.raises(Undecided):
        decide(read(text))
    assert calls.number < 1_000_000


@pytest.mark.parametrize(
    ("text", "message"),
    [("x <= 1", "x has no value"), ("exp(x) <= 1", "x has no value"), ("ln(-1) <= 0", "ln has no value"),
     ("ln(0) <= 0", "ln has no value"), ("sqrt(-exp(1)) <= 0", "sqrt has no value"),
     ("f(3) <= 3", "no numerical value"), ("exp(1)", "not a statement"),
     ("integral(x, x) <= 1", "no numerical value"),
     ("exp(1) / 0 <= 1", "division by zero"),
     ("1 / (ln(1) + 0) <= 1", "division by zero")],
)  # fmt: skip
def test_what_means_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(TermError, match=message):
        decide(read(text))


def test_conjunctions_and_integers_are_decided() -> None:
    assert decide(read("all_of(0 < 1, exp(1) < 3, ln(9) == 2*ln(3))"))
    assert not decide(read("all_of(0 < 1, exp(1) < 2, sqrt(2)*sqrt(2) == 2)"))
    assert decide(read("integer(exp(ln(8)) / 4)"))
    assert not decide(read("integer(exp(ln(8)) / 3)"))
    assert not decide(read("integer(ln(3))"))
    assert decide(read("integer(ln(exp(2)))"))


def test_a_huge_or_tiny_exponential_is_decided() -> None:
    assert decide(read("exp(1000000) < exp(1000001)"))
    assert decide(read("exp(-1000000) < exp(-999999)"))
    assert decide(read("0 < exp(-1000000)"))
    assert decide(read("exp(-1000000000) < 1/1000"))


def test_the_size_of_a_number_next_to_0_is_the_number_where_it_is_not_negative() -> None:
    """No enclosure tells e^-3000000 from 0: that it is not less suffices."""
    tiny = read("exp(-3000000)")
    with pytest.raises(Undecided):
        decide(0 < tiny)
    assert resolve(Term("abs", (tiny,)), frozenset({"abs"})) == tiny


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1/3 + 1/6", Fraction(1, 2)), ("exp(ln(3))", Fraction(3)), ("ln(exp(2))", Fraction(2)), ("ln(3) + 1", 1 + Ln(3)),
     ("max(ln(3), 1)", Ln(3)), ("abs(-ln(3))", Ln(3)), ("abs(ln(3))", Ln(3)), ("sqrt(4/9)", Fraction(2, 3)),
     ("indicator(exp(1) <= 3)", Fraction(1))],
)  # fmt: skip
def test_exact_number_finds_the_form(text: str, expected: Fraction | ExactReal) -> None:
    found = exact_number(read(text))
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    "text", ["exp(1)", "ln(3)/2", "ln(2)*ln(3)", "sqrt(2)", "0 * (1 / (sqrt(2)*sqrt(2) - 2))", "exp(1000000000)",
             "1 / (1 / (exp(1) - exp(1)))", "0 / (1 / (ln(4)*ln(3) - 2*ln(2)*ln(3)))", "min(1, 1 / (exp(1) - exp(1)))"],
)  # fmt: skip
def test_exact_number_refuses_what_it_does_not_know(text: str) -> None:
    with pytest.raises(NotExact):
        exact_number(read(text))


@MANY
@given(rationals(exponents=200), st.integers(1, 20))
def test_bounds_are_the_nearest_decimals(x: Fraction, digits: int) -> None:
    above, below = upper_bound(number(x), digits), lower_bound(number(x), digits)
    assert below <= x <= above
    for bound in (above, below):
        shown = f"{Decimal(bound.numerator) / Decimal(bound.denominator):e}" if digits < 20 else "0"
        assert len(shown.split("e")[0].rstrip("0").replace(".", "").lstrip("-").rstrip("0")) <= digits
    assert (above - below) * 10 ** (digits - 1) <= max(abs(above), abs(below))
    assert upper_bound(number(above), digits) == above
    assert upper_bound(number(Fraction(0))) == 0


def test_bounds_are_tight_where_it_takes_more_precision_and_at_ties() -> None:
    t = exp(1) - exp(1 - Fraction(1, 10**60))
    assert 0 < upper_bound(t, 5) - lower_bound(t, 5) <= upper_bound(t, 5) / 10**4
    assert upper_bound(read("exp(ln(3))")) == lower_bound(read("exp(ln(3))")) == 3
    assert upper_bound(read("sqrt(2)*sqrt(2)")) == Fraction("2.00000000001")
    with pytest.raises(Undecided):
        upper_bound(read("exp(1000000000)"))


# The trusted source


@pytest.mark.parametrize("source", [cancellation, module, intervals])
def test_the_trusted_modules_hold_no_float_and_import_no_solver(source: object) -> None:
    tree = ast.parse(Path(str(source.__file__)).read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    constants = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    assert not [c for c in constants if isinstance(c, float | complex)]
    imported = {str(n.module).split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported <= {"__future__", "collections", "contextlib", "dataclasses", "fractions", "functools", "itertools",
                        "math", "numbers", "operator", "typing", "refdp"}  # fmt: skip
    from_math = {
        a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module == "math" for a in n.names
    }
    assert from_math <= {"ceil", "gcd", "isqrt", "lcm", "prod"}


def test_each_precision_that_is_tried_is_twice_the_one_before():
    """One that is less would cost a try, and decide nothing."""
    assert decide(read("exp(1) < 3"))  # which takes the first
    assert all(after == 2 * before for before, after in pairwise(module.PRECISIONS))
    assert module.PRECISIONS[0] == 64
    assert module.PRECISIONS[-1] >= 4096
