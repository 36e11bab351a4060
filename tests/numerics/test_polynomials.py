"""A polynomial has the value of the term that it was read from, at every point, and a bounded size."""

from fractions import Fraction
from random import Random

import pytest

from refdp.numerics.polynomials import (
    HIGHEST_DEGREE,
    LONGEST_COEFFICIENT,
    MOST_TERMS,
    ONE,
    ZERO,
    NotPolynomial,
    Polynomial,
    Workshop,
    added,
    scaled,
)
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, name, number

NAMES = ["x", "y", "z"]


def polynomial(text: str, work: int = 10_000) -> Polynomial:
    return Workshop(work).polynomial(read(text))


def random_term(chance: Random, depth: int) -> Term:
    if depth == 0:
        return chance.choice(
            [name(chance.choice(NAMES)), number(Fraction(chance.randint(-3, 3), chance.randint(1, 3)))]
        )
    a, b = random_term(chance, depth - 1), random_term(chance, depth - 1)
    return chance.choice([a + b, a - b, a * b, -a, a / 3, a**2, a**0, b * a])


def value(p: Polynomial, point: dict[str, Fraction]) -> Fraction:
    """The definition: the sum of coefficient times product of powers."""
    total = Fraction(0)
    for monomial, coefficient in p.items():
        for v, exponent in monomial:
            coefficient *= point[v] ** exponent
        total += coefficient
    return total


def test_polynomial_has_the_value_of_its_term():
    chance = Random(3)
    for _ in range(1000):
        t = random_term(chance, 3)
        point = {v: Fraction(chance.randint(-4, 4), chance.randint(1, 4)) for v in NAMES}
        p = Workshop(10_000).polynomial(t)
        assert value(p, point) == evaluate(t, point), t
        assert all(p.values()), "no coefficient is 0"
        assert all(list(m) == sorted(m) and all(e > 0 for _, e in m) for m in p)


@pytest.mark.parametrize(
    "text", ["x - x", "(x + y) ** 2 - x ** 2 - 2 * x * y - y ** 2", "0 * x", "(x - y) * (y + x) + y ** 2 - x * x"]
)
def test_polynomial_that_cancels_is_zero(text):
    assert polynomial(text) == ZERO


def test_polynomial_has_one_form():
    assert polynomial("y * x") == polynomial("x * y") == {(("x", 1), ("y", 1)): 1}
    assert polynomial("x ** 0") == polynomial("2 / 2") == ONE
    assert polynomial("x ** 2 / 3 - 1/2") == {(("x", 2),): Fraction(1, 3), (): Fraction(-1, 2)}
    assert added(ONE, scaled(ONE, Fraction(-1))) == ZERO


@pytest.mark.parametrize(
    "text", ["1 / x", "x / (2 * y)", "abs(x)", "max(x, 1)", "exp(1)", "indicator(x <= 1)", "x <= 1", "'x'", "pi()"]
)
def test_what_is_no_polynomial_is_refused(text):
    with pytest.raises(NotPolynomial, match="makes no polynomial"):
        polynomial(text)


@pytest.mark.parametrize(
    "t", [Term("/", (name("x"), number(0))), Term("**", (name("x"), number(-1))), Term("**", (name("x"), name("y"))),
          Term("**", (name("x"), number(Fraction(1, 2)))), Term("**", (name("x"), number(HIGHEST_DEGREE + 1)))],
)  # fmt: skip
def test_what_cannot_be_written_is_refused_too(t):
    with pytest.raises(NotPolynomial):
        Workshop(10_000).polynomial(t)


def test_too_large_a_polynomial_is_refused():
    assert len(polynomial(f"x ** {HIGHEST_DEGREE}")) == 1
    with pytest.raises(NotPolynomial, match="degree"):
        polynomial(f"x ** {HIGHEST_DEGREE} * y")
    with pytest.raises(NotPolynomial, match=f"at most {MOST_TERMS} terms"):
        polynomial("(a + b + c + d + e + f) ** 4 * (a + b + c + d + e + f) ** 4", 10**6)
    with pytest.raises(NotPolynomial, match=f"at most {LONGEST_COEFFICIENT} binary digits"):
        polynomial(f"{2**LONGEST_COEFFICIENT} * x")
    with pytest.raises(NotPolynomial, match="binary digits"):
        polynomial(f"x / {2**LONGEST_COEFFICIENT}")


def test_work_is_counted_and_ends():
    assert polynomial("(x + y) * (x + y)", 4)
    with pytest.raises(NotPolynomial, match="too much work"):
        polynomial("(x + y) * (x + y)", 3)
    shop = Workshop(7)
    shop.polynomial(read("(x + y) * (x + y)"))
    assert shop.left == 3
