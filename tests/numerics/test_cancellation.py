"""Symbolic cancellation: a normal form has the value of its term, and what cancels is 0."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.numerics.cancellation import (
    MOST_BITS,
    ONE,
    NotExact,
    Quotient,
    Sum,
    linear,
    monomial,
    over,
    plus,
    positive_monomial,
    quotient,
    root,
    times,
    vanishes,
)
from refdp.terms.reading import read
from refdp.terms.term import Term, exp, ln, number, sqrt
from tests.numerics.oracle import DIGITS, MANY, SOME, value
from tests.numerics.oracle import number as real

SMALL = st.fractions(-3, 3, max_denominator=4).map(number)
POSITIVE = st.fractions(Fraction(1, 4), 4, max_denominator=4).map(number)
LINEAR = st.recursive(
    SMALL | POSITIVE.map(ln),
    lambda t: (
        st.tuples(t, t).map(lambda p: p[0] + p[1])
        | st.tuples(t, SMALL).map(lambda p: p[0] * p[1])
        | t.map(lambda a: -a)
    ),
    max_leaves=4,
)
TERMS = st.recursive(
    SMALL | LINEAR | LINEAR.map(exp),
    lambda t: st.tuples(t, t, st.sampled_from("+-*/")).map(lambda p: Term(p[2], p[:2])),
    max_leaves=5,
)


def worth(p: Sum) -> mpmath.mpf:
    """The number that a sum stands for."""
    return mpmath.fsum(
        real(c) * mpmath.exp(real(r)) * mpmath.fprod(mpmath.log(real(b)) for b in logs) for (r, logs), c in p.items()
    )


def near(a: mpmath.mpf, b: mpmath.mpf) -> bool:
    """Whether two numbers agree to half of the digits, which leaves the others for what cancels on the way."""
    return bool(abs(a - b) <= mpmath.mpf(10) ** (-DIGITS // 2) * (1 + abs(a) + abs(b)))


@MANY
@given(TERMS)
def test_a_quotient_has_the_value_of_its_term(t: Term) -> None:
    try:
        expected = value(t)
        top, bottom = quotient(t)
    except (ZeroDivisionError, NotExact):
        return
    if abs(worth(bottom)) > mpmath.mpf(10) ** -50:  # else a divisor is 0 and the term has no value
        assert near(worth(top), expected * worth(bottom))


@SOME
@given(TERMS, TERMS, TERMS)
def test_what_cancels_is_zero_and_the_laws_of_algebra_cancel(a: Term, b: Term, c: Term) -> None:
    try:
        distributed, difference = quotient(a * (b + c) - (b * a + c * a)), quotient(a - b)
    except NotExact:
        return
    if all(distributed.bottom.values()) and distributed.bottom:
        assert vanishes(distributed.top)
    if vanishes(difference.top) and difference.bottom and abs(worth(difference.bottom)) > mpmath.mpf(10) ** -50:
        assert near(value(a), value(b))


@SOME
@given(LINEAR)
def test_a_linear_form_has_the_value_of_its_term(t: Term) -> None:
    a, b, n = linear(quotient(t))
    assert b > 0
    assert near(real(a) + mpmath.log(real(b)) / n, value(t))


@SOME
@given(POSITIVE, POSITIVE, st.integers(-6, 6), SMALL)
def test_the_laws_of_exp_and_ln_cancel(x: Term, y: Term, n: int, z: Term) -> None:
    for left, right in (
        (ln(x * y), ln(x) + ln(y)),
        (ln(x / y), ln(x) - ln(y)),
        (n * ln(x) / 6 * 6, ln(number(x.rational**n))),
        (exp(ln(x) + z), x * exp(z)),
        (ln(x * exp(z)), ln(x) + z),
        (exp(z) * exp(z) * exp(-z), exp(z)),
        (sqrt(x * x * exp(z)), x * exp(z / 2)),
        (ln(x) * ln(y) * (z + 1), ln(y) * z * ln(x) + ln(x) * ln(y)),
        (exp(ln(x * x) / 2), x),
    ):
        assert vanishes(quotient(left - right).top)
        assert not vanishes(quotient(left - right - exp(z)).top)


@pytest.mark.parametrize(
    "text",
    [
        "ln(exp(1) + 1)",
        "ln(2 / (exp(1) + 1))",
        "ln(-2)",
        "sqrt(-4)",
        "exp(exp(1))",
        "exp(1/2 * ln(3))",
        "sqrt(2)",
        "sqrt(ln(3))",
        "max(exp(1), 2)",
        "x",
    ],
)
def test_what_has_no_normal_form_is_refused(text: str) -> None:
    with pytest.raises(NotExact):
        quotient(read(text))


@pytest.mark.parametrize("text", ["exp(1)", "ln(2) * ln(3)", "1 / ln(3)", "exp(1) * ln(3)"])
def test_what_is_not_linear_is_refused(text: str) -> None:
    with pytest.raises(NotExact, match="not of the form a"):
        linear(quotient(read(text)))


def test_only_a_positive_multiple_of_a_power_of_e_has_a_logarithm() -> None:
    assert positive_monomial(Quotient(monomial(Fraction(2, 3), 5), ONE)) == (Fraction(2, 3), 5)
    wrong = (monomial(Fraction(-2, 3)), monomial(-1, 5), monomial(0), plus(ONE, monomial(1, 1)))
    for top, bottom in (*((one, ONE) for one in wrong), (ONE, wrong[-1])):
        with pytest.raises(NotExact, match="not of the form c e"):
            positive_monomial(Quotient(top, bottom))


def test_the_root_of_a_rational_is_exact_or_refused() -> None:
    assert root(Fraction(81, 16), 4) == Fraction(3, 2)
    assert root(Fraction(5), 1) == 5
    for x, n in ((Fraction(8), 2), (Fraction(8), 3), (Fraction(4), 4)):
        with pytest.raises(NotExact):
            root(x, n)


def test_what_grows_too_large_is_refused_soon() -> None:
    long = monomial(Fraction(2) ** (MOST_BITS - 2))
    with pytest.raises(NotExact, match="too long a coefficient"):
        times(times(long, long), long)
    many: Sum = {}
    for r in range(101):
        many = plus(many, monomial(1, r))
    with pytest.raises(NotExact, match="too many summands"):
        times(many, many)
    for text in ("exp(10**9 * ln(3))", "((((exp(ln(3)) ** 64) ** 64) ** 64) ** 64) ** 64"):
        with pytest.raises(NotExact):
            quotient(read(text.replace("10**9", str(10**9))))


def test_a_division_by_a_monomial_is_carried_out_and_by_a_sum_kept() -> None:
    e = monomial(1, 1)
    assert over(plus(e, monomial(3)), monomial(2, 1)).top == plus(
        monomial(Fraction(1, 2)), monomial(Fraction(3, 2), -1)
    )
    assert over(e, plus(e, monomial(1))).bottom == plus(e, monomial(1))
    assert vanishes(quotient(read("(exp(2) - 1) / (exp(1) + 1) - (exp(1) - 1)")).top)
