"""Translation to sympy: the expression has the value of the term, and symbols know no more than the hypotheses."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import sympy

from refdp.provers.symbolic.translate import facts, symbols_of, to_sympy
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, name, number
from tests.provers.random_statements import grid, is_defined, random_term, statements
from tests.provers.statements import statement


def test_expression_has_the_value_of_the_term():
    chance, compared = Random(23), 0
    for s in statements(29, 120):
        t = random_term(chance, list(s.variables) or ["x"]) / (abs(name("x")) + 1)
        for point in chance.sample(list(grid(s)), 3):
            if is_defined(t, {"x": Fraction(1), **point}):
                values = {"x": Fraction(1), **point}
                expected = evaluate(t, values)
                numbers = {sympy.Symbol(v, real=True): sympy.Rational(str(x)) for v, x in values.items()}
                found = to_sympy(t).subs(numbers)
                assert found == sympy.Rational(str(expected)), (t, values)
                compared += 1
    assert compared > 300


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pi()", sympy.pi),
        ("exp(ln(2))", sympy.Integer(2)),
        ("sqrt(9/4)", sympy.Rational(3, 2)),
        ("exp(0) - 1/3", sympy.Rational(2, 3)),
        ("x**0", sympy.Integer(1)),
        ("normal_tail(0)", sympy.Rational(1, 2)),
        ("2 * normal_tail(1)", 1 - sympy.erf(1 / sympy.sqrt(2))),
        ("integral(indicator(0 <= z) * exp(-z), z)", sympy.Integer(1)),
    ],
)
def test_functions_are_sympys(text, expected):
    assert to_sympy(read(text)).doit() == expected


def test_an_integral_is_over_all_reals_whatever_is_known_of_the_name():
    z = sympy.Symbol("z", positive=True)
    found = to_sympy(read("integral(exp(-abs(z)), z) + z"), {"z": z})
    assert found.doit() == 2 + z
    assert found.atoms(sympy.Integral).pop().limits[0][1:] == (-sympy.oo, sympy.oo)


def test_comparisons_are_sympys_relations():
    x, y = sympy.symbols("x y", real=True)
    expected = {"x <= y": sympy.Le(x, y), "x < y": sympy.Lt(x, y), "x == y": sympy.Eq(x, y), "x != y": sympy.Ne(x, y)}
    assert {text: to_sympy(read(text)) for text in expected} == expected


@pytest.mark.parametrize("text", ["table(x)", "'text'", "all_of(x <= 1)", "integer(x)", "pi(x)", "integral(x, x + 1)"])
def test_what_is_no_arithmetic_is_refused(text):
    with pytest.raises(TermError):
        to_sympy(read(text))


@pytest.mark.parametrize("exponent", [number(-1), number(Fraction(1, 2)), name("n")])
def test_a_power_that_is_not_whole_is_refused(exponent):
    with pytest.raises(TermError, match="the exponent must be a whole number"):
        to_sympy(Term("**", (name("x"), exponent)))


@pytest.mark.parametrize(
    ("given", "integers", "expected"),
    [
        (["0 < x"], "", {"positive": True}),
        (["1/2 <= x"], "", {"positive": True}),
        (["1 < x", "0 <= x"], "", {"positive": True, "nonnegative": True}),
        (["0 <= x"], "x", {"nonnegative": True, "integer": True}),
        (["integer(x)"], "", {"integer": True}),
        (["x < 0", "-1 < x", "0 < 2 * x", "0 < y", "x <= 3", "y < x", "0 != x"], "y", {}),
    ],
)
def test_symbols_know_signs_and_integrality_only(given, integers, expected):
    assert facts(statement(given, "x == x", integers), "x") == expected


def test_symbols_are_one_for_each_name():
    found = symbols_of(statement(["0 < scale"], "integral(exp(-abs(z) / scale), z) == y"))
    assert found == {"scale": sympy.Symbol("scale", positive=True, real=True), "y": sympy.Symbol("y", real=True)}
