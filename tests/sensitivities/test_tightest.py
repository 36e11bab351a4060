"""Bounds of sums against enumeration: never below it, and tight where it is met."""

from fractions import Fraction as F
from itertools import product
from random import Random

import pytest

from refdp.sensitivities import judging
from refdp.sensitivities.limits import upper_bound
from refdp.sensitivities.program import outcome
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.request import Request
from refdp.sensitivities.search.proving import Found, prove
from refdp.sensitivities.search.tightest import tightest_bound
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import ZERO, rational, variable
from refdp.terms.operations import absolute, add, at_most, choice, less, multiply, subtract, total
from tests.sensitivities.folds import clamp, fold, numbers
from tests.sensitivities.test_sums import SUM, mean
from tests.sensitivities.thinning import mostly_long

X, L, U = variable("row", "Real"), variable("L", "Real"), variable("U", "Real")
WIDTH, TEN = subtract(U, L), numbers(0, 10)
SYMBOLS = {"parameters": (L, U), "assumption": at_most(L, U)}


def is_proved(program, neighbours, claim, norm="L1", seconds=20.0):
    return isinstance(prove(Question(program, neighbours, norm, claim), seconds, ("z3",)), Found)


def largest_move(program, neighbours, values, most=3):
    """The largest distance in L1 over all tables of up to `most` rows of these values; None: an exception moves."""
    found = F(0)
    for size in range(most + 1):
        for rows in product(values, repeat=size):
            others = (
                [(*rows, v) for v in values]
                if neighbours == "add_remove"
                else [(*rows[:-1], v) for v in values if rows]
            )
            first = outcome(program, [{X: v} for v in rows], {})
            for other in others:
                second = outcome(program, [{X: v} for v in other], {})
                if first.exception != second.exception:
                    return None
                found = max(found, sum((abs(a - b) for a, b in zip(first.numbers, second.numbers, strict=True)), F(0)))
    return found


def random_summand(random):
    pieces = [
        X,
        rational(random.randint(-3, 3)),
        clamp(X, rational(-1), rational(random.randint(0, 2))),
        multiply(X, X),
        choice(less(X, rational(random.randint(-1, 2))), rational(1), rational(0)),
        absolute(X),
    ]
    return total(multiply(rational(random.randint(-2, 2)), p) for p in random.sample(pieces, 2))


@pytest.mark.parametrize("seed", mostly_long(range(100), 17))
def test_a_random_sum_is_never_proved_below_what_enumeration_finds(seed):
    random = Random(seed)
    summands = {f"s{k}": random_summand(random) for k in range(random.randint(1, 2))}
    states = {name: ("Real", rational(0), lambda s, n=name: add(s[n], summands[n])) for name in summands}
    program = fold(numbers(-2, 2), states, lambda s: tuple(s.values()))
    neighbours = random.choice(["add_remove", "change_one"])
    least = largest_move(program, neighbours, [F(v, 2) for v in range(-4, 5)], 1)
    if least > 0:
        assert not is_proved(program, neighbours, rational(least * F(999, 1000)), seconds=1.0)
    assert is_proved(program, neighbours, rational(2 * least + 200))


@pytest.mark.parametrize(
    ("program", "neighbours"),
    [
        (fold(numbers(-2, 2), {"sum": SUM}, lambda s: s["sum"]), "add_remove"),
        (mean(numbers(-2, 2), rational(0)), "add_remove"),
        (fold(numbers(-2, 2), {"sum": SUM}, lambda s: s["sum"]), "change_one"),
    ],
)
def test_the_tightest_bound_is_what_enumeration_finds(program, neighbours):
    least = largest_move(program, neighbours, [F(v) for v in range(-2, 3)], 2)
    found = tightest_bound(
        Question(program, neighbours, "L1", ZERO),
        rational(least),
        lambda c: is_proved(program, neighbours, c, seconds=3.0),
        20,
    )
    assert found.is_tight
    assert found.upper.rational == least


def test_the_tightest_bound_of_symbols_is_a_term_in_them():
    program = fold(numbers(L, U), {"sum": SUM}, lambda s: s["sum"], **SYMBOLS)
    known = {L: F(-1), U: F(5), SIZE: F(9)}

    def proves(claim):
        """Provers are not asked about what two tables of nine rows from -1 to 5 exceed."""
        return upper_bound(claim, known) >= 6 and is_proved(program, "change_one", claim, seconds=2.0)

    found = tightest_bound(Question(program, "change_one", "L1", ZERO), None, proves, 30)
    assert evaluate(found.upper, known) == 6
    assert proves(found.upper)


@pytest.mark.parametrize(
    ("answer", "missing"),
    [("10 // (r - 41)", "what is missing may be a proof that it never raises"), ("r", "claim one to have it judged")],
)
def test_function_of_which_no_bound_is_proved_is_told_what_may_be_missing(answer, missing, tmp_path, monkeypatch):
    """No claim helps a function that raises somewhere, so none is suggested where the text may raise."""
    (tmp_path / "f.py").write_text(f"def f(rows):\n    return sum({answer} for r in rows)\n", encoding="utf-8")
    monkeypatch.setattr(judging, "largest_move", lambda *given, **named: None)
    monkeypatch.setattr(judging.Case, "proved", lambda *given: (None, "time ran out"))
    found = judging.judge(Request(f"{tmp_path / 'f.py'}:f", "integers 0..120", "add_remove"), 5)
    assert found.verdict == "UNKNOWN"
    assert found.reason.startswith("no bound was claimed, and none that was tried is proved for every table (")
    assert found.reason.endswith(f"time ran out); {missing}")
