"""Terms are written as a textbook writes them, and mean the same."""

import pytest

from refdp.programs.prose import expression, sentences
from refdp.terms.leaves import variable
from refdp.terms.smtlib import read

KNOWN = {
    name: variable(name, sort)
    for name, sort in (("x", "Real"), ("y", "Real"), ("n", "Int"), ("m", "Int"), ("b", "Bool"))
}


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("(+ 1.0 (* (- 1.0) x))", "1 - x"),
        ("(* (/ 1.0 2.0) (+ x (* (- 3.0) y)))", "x/2 - 3*y/2"),
        ("(* x y)", "x*y"),
        ("(/ x (* 4.0 y))", "x/(4*y)"),
        ("(/ (* x y) (+ x y))", "x*y/(x + y)"),
        ("(ite (< x y) x y)", "(x if x < y else y)"),
        ("(to_real n)", "n"),
        ("0.0", "0"),
    ],
)
def test_expressions_are_plain(term, text):
    assert expression(read(term, KNOWN), str) == text


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("(<= (+ x (* (- 1.0) y)) (- 1.0))", ["x + 1 <= y"]),
        ("(not (<= 1.0 (+ x (* (- 1.0) y))))", ["x < y + 1"]),
        ("(not (<= 1 (+ n (* (- 1) m))))", ["n <= m"]),
        ("(and (<= x y) (<= y x) (<= 0.0 x))", ["x == y", "0 <= x"]),
        ("(or (not (<= 1 n)) (<= x y))", ["if 1 <= n then x <= y"]),
        ("(or (not (<= 1 n)) (not (<= x y)))", ["if 1 <= n then y < x"]),
        ("(ite (<= n m) (<= x y) b)", ["if n <= m then x <= y", "if m + 1 <= n then b"]),
        ("(= b (<= x y))", ["b == (x <= y)"]),
        ("(not b)", ["not (b)"]),
        ("b", ["b"]),
    ],
)
def test_sentences_have_no_negative_parts(statement, said):
    assert sentences(read(statement, KNOWN), str) == said
