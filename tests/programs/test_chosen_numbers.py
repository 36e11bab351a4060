"""Noise on a number that is chosen after the datum was read: proved at its true loss, and never below it.

The truth is how far Python's answers are apart, on a grid of eighths, between numbers that are at most 1 apart.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from refdp.programs.judging import judge
from refdp.programs.question import Question

GRID = [Fraction(k, 8) for k in range(-64, 65)]
CHOSEN = {
    "y = max(x, 0)": 1,
    "y = 3 if x > 2 else 0": 3,
    "y = x\nif y > 3:\n    y = 3": 1,
    "y = 0\nif x > 1:\n    y = 2 * x": 4,
    "y = abs(x)\nif y > 2:\n    y = 2": 1,
    "y = min(max(2 * x, -1), 1)": 2,
    "y = 1 if x > 0 else 0\ny = y + (1 if x > 5 else 0)": 1,
}


def answered(body: str, x: Fraction) -> Fraction:
    """The answer by CPython."""
    names: dict[str, Any] = {"x": x}
    exec(body, {}, names)
    return Fraction(names["y"])


def moves(body: str) -> Fraction:
    """How far the answer moves at least where x moves by at most 1."""
    answers = [answered(body, x) for x in GRID]
    return max(abs(a - b) for k, a in enumerate(answers) for b in answers[max(0, k - 8) : k])


def verdict(body: str, times: Fraction, sign: str = "+") -> str:
    """What refdp says of a claim of that many times epsilon."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    source = (
        f'from refdp.programs import ALL, claim, laplace\n\n@claim(epsilon="{times}*epsilon", adjacency=ALL)\n'
        f"def f(x: float, epsilon: float):\n{lines}\n    return y {sign} laplace(1 / epsilon)\n"
    )
    asked = Question(source, "f", 0)
    return judge(asked, *asked.read(), 5.0).verdict


@pytest.mark.parametrize("body", CHOSEN)
def test_number_that_is_chosen_is_proved_at_its_true_loss_and_not_below(body):
    most = Fraction(CHOSEN[body])
    assert moves(body) == most
    assert verdict(body, most) == "PROVED"
    assert verdict(body, most, "-") == "PROVED"
    assert verdict(body, most * Fraction(99, 100)) != "PROVED"


def random_body(random: Random) -> str:
    """Two or three ways for a number to be chosen."""

    def value() -> str:
        return random.choice(("0", "1", "x", "2", "2 * x", "-x", "x + 1", "3", "x / 2", "max(x, 1)", "min(x, 2)"))

    test = random.choice(("x > 0", "x >= 1", "x < 2", "x > -1", "x <= 1", "y > 1", "y < 2"))
    first = f"y = {value()}\nif {test}:\n    y = {value()}"
    if random.random() < 0.4:
        first += f"\nelse:\n    y = {random.choice((value(), 'y + 1', 'y'))}"
    if random.random() < 0.3:
        first += f"\ny = {random.choice(('min(y, 2)', 'max(y, 0)', '2 * y', '1 - y', 'min(max(y, 0), 1)'))}"
    return first


def held_against_python(seeds: range) -> list[str]:
    """The verdicts of claims about random choices; none is proved below what Python's answers move by."""
    found = []
    for seed in seeds:
        random = Random(f"chosen {seed}")
        body = random_body(random)
        least = moves(body)
        times = max(least, Fraction(1, 2)) * random.choice((Fraction(1), Fraction(1), Fraction(9, 10), Fraction(1, 2)))
        found.append(verdict(body, times, random.choice("+-")))
        assert found[-1] != "PROVED" or least <= times, f"{seed}: {body}\nmoves by {least}, and {times} was proved"
    return found


def test_random_choices_are_never_proved_below_what_python_says():
    assert held_against_python(range(40)).count("PROVED") >= 8


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_random_choices_are_never_proved_below_what_python_says(part):
    assert held_against_python(range(1000 + 100 * part, 1100 + 100 * part)).count("PROVED") >= 20
