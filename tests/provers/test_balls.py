"""Arb decides comparisons of numbers as the kernel does, and says nothing where it cannot."""

import pytest

from refdp.provers.balls import decide
from tests.provers.statements import statement


@pytest.mark.parametrize("show", ["ln(2) <= 7/10", "exp(1) < 3", "sqrt(2) != 7/5", "1/2 + 1/4 == 3/4",
                                  "all_of(3 < pi(), pi() < 22/7)", "exp(-100) <= 1 / 10 ** 43",
                                  "ln(1 + 1 / 10 ** 60) <= 1 / 10 ** 60"])  # fmt: skip
def test_balls_decide_a_true_comparison(show):
    answer = decide(statement([], show))
    assert answer.verdict == "proved"
    [who] = answer.trusts
    assert who.startswith("Arb (python-flint ")


@pytest.mark.parametrize("show", ["7/10 <= ln(2)", "3 <= exp(1)", "sqrt(2) == 7/5", "all_of(3 < pi(), 22/7 < pi())"])
def test_balls_decide_a_false_comparison(show):
    assert decide(statement([], show)).verdict == "disproved"


@pytest.mark.parametrize(
    ("show", "why"),
    [
        ("x <= x + 1", "not names"),
        ("sqrt(2) * sqrt(2) == 2", "4096 binary digits do not decide it"),
        ("ln(-1) <= 0", "do not decide it"),
        ("integral(exp(-z ** 2), z) <= 2", "no numerical value"),
    ],
)
def test_balls_do_not_know(show, why):
    answer = decide(statement([], show))
    assert answer.verdict == "unknown"
    assert why in answer.reason


def test_balls_take_a_false_hypothesis_for_what_it_is():
    assert decide(statement(["2 <= ln(2)"], "3 <= exp(1)")).verdict == "proved"
    assert decide(statement(["ln(2) <= 2"], "3 <= exp(1)")).verdict == "disproved"
