"""Terms written as SMT-LIB text and read back are the same terms; anything else is refused."""

import random

import pytest

from refdp.terms.leaves import integer, variable
from refdp.terms.operations import choice, divide, equal, floor, multiply, real, root
from refdp.terms.smtlib import LARGEST, read, written
from tests.sensitivities.random_folds import term

KNOWN = {"a": "Int", "b c": "Bool", "x!1": "Real", "i": "Int"}
SYMBOLS = {name: variable(name, sort) for name, sort in KNOWN.items()}
A, B, X, I = SYMBOLS.values()  # noqa: E741


@pytest.mark.parametrize("seed", range(50))
def test_terms_come_back_as_they_were_written(seed):
    rng = random.Random(seed)
    made = term(rng, rng.choice(("Int", "Bool", "Real")), list(SYMBOLS.values()), 4)
    assert read(written(made), SYMBOLS) is made


@pytest.mark.parametrize(
    "made", [root(X), divide(X, real(A)), multiply(X, X), floor(X), choice(B, X, real(A)), equal(B, equal(A, I))]
)
def test_terms_of_every_operator_come_back(made):
    assert read(written(made), SYMBOLS) is made


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(=> |b c| (> a 3))", "(or (not |b c|) (< 3 a))"),
        ("(- a i 1)", "(+ (+ a (* (- 1) i)) (- 1))"),
        ("(distinct a i)", "(not (= a i))"),
        ("(< a i 3)", "(and (< a i) (< i 3))"),
        ("(let ((t a) (u i)) (let ((t u)) (<= t 1)))", "(<= i 1)"),
        ("(let ((a i) (i a)) (< a i))", "(< i a)"),
        ("(xor |b c| true)", "(not (= |b c| true))"),
        ("(/ 1.0 3.0)", "(* (/ 1.0 3.0) 1.0)"),
    ],
)
def test_terms_mean_what_solvers_take_them_for(text, same):
    assert read(text, SYMBOLS) is read(same, SYMBOLS)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "(", ")", "())", "a a", "(a)", "((not |b c|))", "()", "(foo a)", "(and a)", "(not a)", "(+ a |b c|)",
        "(ite a a a)", "(ite |b c| a |b c|)", "(= a |b c|)", "(let a)", "(let ((x)) a)", "(let ((1 a)) a)", "(let)",
        "(not)", "(not |b c| |b c|)", "(/ x!1)", "unknown", "nan", "inf", "1e5", "1.", ".5", "-1", "0x10", "|a", "a|",
        "(forall ((z Int)) |b c|)", "(! |b c| :named q)", "(check-sat)", "(div a 2)", "(^ x!1 2)", "\"a\"", ";a",
        "a" * (LARGEST + 1), "(not " * 300 + "|b c|" + ")" * 300, "(" * 100_000, "9" * 3_000,
    ],
)  # fmt: skip
def test_terms_anything_else_is_refused(text):
    with pytest.raises(ValueError, match=r"must|may not"):
        read(text, SYMBOLS)


def test_terms_numbers_do_not_grow_without_bound():
    squares = "".join(f"(let ((t{k + 1} (* t{k} t{k}))) " for k in range(60))
    with pytest.raises(ValueError, match="bits"):
        read(f"(let ((t0 7)) {squares} (< t60 a){')' * 61}", SYMBOLS)


def test_terms_shared_branches_are_gone_through_once():
    lines = "".join(
        f"(let ((u{k + 1} (ite (< a {k}) u{k} v{k})) (v{k + 1} (ite (< i {k}) v{k} u{k}))) " for k in range(60)
    )
    found = read(f"(let ((u0 a) (v0 i)) {lines} (= (to_real u60) x!1){')' * 61}", SYMBOLS)
    assert found is read(written(found), SYMBOLS)
    assert integer(0) is not found
