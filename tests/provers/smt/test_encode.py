"""SMT-LIB texts: z3 reads back from them exactly what the statement means."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
import z3

from refdp.provers.smt import encode
from refdp.provers.smt.encode import NotEncodable, Writer, goal_text, smt_lib, symbol
from refdp.spec.goals import Goal
from refdp.spec.statements import Statement
from refdp.terms.evaluation import truth
from refdp.terms.reading import read
from refdp.terms.term import Term, denominators, indicator, name, number, term, text
from tests.provers.random_statements import NUMBERS, Point, grid, hypotheses_hold, is_defined, statements
from tests.provers.statements import FALSE, TRUE, statement

GOLDEN = {
    "linear": (
        statement(["abs(x) <= 1/3"], "x < 2"),
        """(set-logic QF_LRA)
(declare-const $x Real)
(define-fun abs-Real ((x Real)) Real (ite (<= 0.0 x) x (- x)))
(assert (<= (abs-Real $x) (/ 1.0 3.0)))
(assert (not (< $x 2.0)))
(check-sat)
""",
    ),
    "mixed": (
        statement(["0 < n"], "max(n, 2) * x <= x / n - 1", "n"),
        """(set-logic QF_NIRA)
(declare-const $n Int)
(declare-const $x Real)
(define-fun max-Real ((x Real) (y Real)) Real (ite (<= x y) y x))
(assert (< 0 $n))
(assert (not (and (<= (* (max-Real (to_real $n) 2.0) $x) (- (/ $x (to_real $n)) 1.0)) (not (= $n 0)))))
(check-sat)
""",
    ),
    "integers": (
        statement(["integer(n)", "integer(n / 2)"], "indicator(n == 1) + n**3 != -7"),
        """(set-logic QF_NIRA)
(declare-const $n Int)
(define-fun power-3-Int ((x Int)) Int (* x x x))
(assert (is_int (/ (to_real $n) 2.0)))
(assert (not (not (= (+ (ite (= $n 1) 1 0) (power-3-Int $n)) (- 7)))))
(check-sat)
""",
    ),
}


def says_violated(formula: str, point: Point) -> bool:
    """What z3 makes of the assertions of the text at a point: whether all of them are true there."""
    asserted = z3.And(*z3.parse_smt2_string(formula))
    values = [
        (constant(v, formula), z3.RealVal(x) if f"{symbol(v)} Real" in formula else z3.IntVal(int(x)))
        for v, x in point.items()
    ]
    found = z3.simplify(z3.substitute(asserted, *values))
    assert z3.is_true(found) or z3.is_false(found), found
    return z3.is_true(found)


def constant(variable: str, formula: str) -> z3.ExprRef:
    return (z3.Real if f"{symbol(variable)} Real" in formula else z3.Int)(symbol(variable))


def points(s: Statement, chance: Random) -> Iterator[Point]:
    """A few points of the statement's grid, and one beside it, at which no denominator is zero."""
    found = list(grid(s))
    beside = {v: chance.choice(NUMBERS) * (1 if v in s.integers else Fraction(5, 7)) for v in s.variables}
    for point in [*chance.sample(found, min(4, len(found))), beside]:
        integral = all(point[v].denominator == 1 for v in s.integers if v in point)
        if integral and all(is_defined(1 / d, point) for d in denominators(s.show)):
            yield point


def mismatches(count: int) -> tuple[int, int]:
    """At how many points the text means something else than the statement, and how many were tried."""
    wrong = tried = 0
    chance = Random(11)
    for s in [*statements(5, count), *TRUE.values(), *FALSE.values()]:
        formula = smt_lib(s)
        for point in points(s, chance):
            violated = hypotheses_hold(s, point) and not truth(s.show, point)
            wrong += says_violated(formula, point) != violated
            tried += 1
    return wrong, tried


def test_text_means_what_the_statement_means():
    wrong, tried = mismatches(250)
    assert wrong == 0
    assert tried > 1000


MUTANTS = {
    "abs is the identity": ("HELPERS", encode.HELPERS | {"abs": "(define-fun {name} ((x {sort})) {sort} x)"}),
    "abs is negative": (
        "HELPERS",
        encode.HELPERS | {"abs": "(define-fun {name} ((x {sort})) {sort} (ite (<= {zero} x) (- x) x))"},
    ),
    "min is max": ("HELPERS", encode.HELPERS | {"min": encode.HELPERS["max"]}),
    "max is min": ("HELPERS", encode.HELPERS | {"max": encode.HELPERS["min"]}),
    "numbers lose their sign": ("literal", lambda value, real, own=encode.literal: own(abs(value), real)),
    "numbers are rounded": ("literal", lambda value, real, own=encode.literal: own(Fraction(round(value)), real)),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_wrong_encoder_is_noticed(monkeypatch, mutant):
    monkeypatch.setattr(encode, *MUTANTS[mutant])
    assert mismatches(60)[0] > 0


@pytest.mark.parametrize(
    ("old", "new"),
    [("(< ", "(<= "), ("(<= ", "(< "), ("(= ", "(<= "), ("(- ", "(+ "), ("(* ", "(+ "), ("(/ ", "(* "),
     ("(assert (not ", "(assert (and "), (" 1.0 0.0)", " 0.0 1.0)")],
)  # fmt: skip
def test_a_wrong_operator_is_noticed(monkeypatch, old, new):
    own = encode.goal_text
    monkeypatch.setattr(encode, "goal_text", lambda g: own(g).replace(old, new))
    assert mismatches(60)[0] > 0


@pytest.mark.parametrize("golden", GOLDEN)
def test_text_is_this(golden):
    s, expected = GOLDEN[golden]
    assert smt_lib(s) == expected


def test_text_is_the_same_for_the_same_statement():
    for s in TRUE.values():
        again = Statement(tuple(read(str(g)) for g in s.given), read(str(s.show)), s.integers)
        assert smt_lib(again) == smt_lib(s)


def test_text_grows_with_the_statement_and_not_with_its_power():
    """Nothing is written twice: 12 nested clamps of a fourth power take 12 times the text of one."""
    x, lengths = name("x"), []
    for _ in range(12):
        x = Term("max", (Term("min", (abs(x) ** 4, number(2))), number(-2)))
        lengths.append(len(smt_lib(Statement((), x <= 2))))
    assert len({b - a for a, b in pairwise(lengths)}) == 1


@pytest.mark.parametrize(
    ("show", "reason"),
    [
        ("1 + x <= exp(x)", "exp cannot be sent to a solver"),
        ("ln(x) <= x", "ln cannot be sent to a solver"),
        ("sqrt(x) <= x + 1", "sqrt cannot be sent to a solver"),
        ("integral(x, x) == 0", "integral is not arithmetic"),
        ("pi() <= 4", "pi cannot be sent to a solver"),
        ("x == 'text'", "text is not arithmetic"),
        ("table(x) == 1", "table is not arithmetic"),
        ("x", "x is not a comparison"),
        ("integer(exp(x))", "exp cannot be sent to a solver"),
        ("integer(pi())", "pi cannot be sent to a solver"),
        ("integer('text')", "text is not arithmetic"),
        ("indicator(x) == 1", "x is not a comparison"),
        ("(x <= 1) + 1 <= 2", "<= is not arithmetic"),
    ],
)
def test_what_is_not_arithmetic_is_refused(show, reason):
    for s in (statement([], show), statement([show], "x == x"), statement([], show, "x")):
        with pytest.raises(NotEncodable, match=reason):
            smt_lib(s)


@pytest.mark.parametrize("exponent", [number(-1), number(Fraction(1, 2)), name("n")])
def test_a_power_that_is_not_whole_is_refused(exponent):
    for show in (Term("**", (name("x"), exponent)) <= 1, Term("integer", (Term("**", (name("x"), exponent)),))):
        with pytest.raises(NotEncodable, match="the exponent must be a whole number >= 0"):
            smt_lib(Statement((), show, frozenset({"x", "n"})))


def test_a_statement_that_nests_too_deep_is_refused():
    t = name("x")
    for _ in range(5000):
        t = Term("negate", (t,))
    with pytest.raises(NotEncodable, match="nests too deep"):
        goal_text(Goal((), Term("<=", (t, number(0))), frozenset()))


def test_symbols_of_different_names_differ():
    odd = ["x", "x.", ".x", "x.2e.", "$x", "x$", "X", "x_", "x1", "é", "e", "x y", "x\ny", "|x|", "(x)", ";x", "", '"']
    assert len({symbol(v) for v in odd}) == len(odd)
    allowed = set("$._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    assert all(set(symbol(v)) <= allowed for v in odd)


def test_only_whole_terms_have_sort_int():
    writer = Writer(frozenset({"n"}))
    whole = ["n", "3", "n + 2", "n * n - 1", "n**3", "-n", "abs(n)", "min(n, 4)", "max(n, 4)", "indicator(x < 1/2)"]
    other = ["x", "1/2", "n + 1/2", "n / 2", "4 / n", "n * x", "min(n, x)", "exp(n)", "pi()", "'n'", "sqrt(n)"]
    assert all(writer.is_integral(read(t)) for t in whole)
    assert not any(writer.is_integral(read(t)) for t in other)


@pytest.mark.parametrize(
    ("given", "show", "integers", "logic"),
    [
        ("x <= 1", "2 * x <= y / 3", "", "QF_LRA"),
        ("x <= 1", "x * y <= 1", "", "QF_NRA"),
        ("x <= 1", "1 / x <= 1", "", "QF_NRA"),
        ("x <= 1", "x**2 <= 1", "", "QF_NRA"),
        ("x <= 1", "x**1 <= 1 + x**0", "", "QF_LRA"),
        ("x <= 1", "2 * x <= y", "x y", "QF_LIA"),
        ("x <= 1", "x * y <= 1", "x y", "QF_NIA"),
        ("x <= 1", "x / 2 <= 1", "x", "QF_LIRA"),
        ("x <= 1", "2 * x <= y", "x", "QF_LIRA"),
        ("x <= 1/2", "x <= 0", "x", "QF_LIRA"),
        ("integer(x)", "2 * x != 1", "", "QF_LIA"),
        ("integer(x + y)", "2 * x != 1", "", "QF_LIRA"),
        ("x <= 1", "x * y <= 1", "x", "QF_NIRA"),
    ],
)
def test_logic_is_the_smallest(given, show, integers, logic):
    assert smt_lib(statement([given], show, integers)).splitlines()[0] == f"(set-logic {logic})"


def test_a_text_inside_a_name_asserts_nothing():
    s = Statement((), Term("<=", (Term("name", (), "x\n(assert false)\n;"), term(3))))
    assert smt_lib(s).count("(assert") == 1
    assert len(smt_lib(s).splitlines()) == 4
    assert indicator(s.show) != text("x")
