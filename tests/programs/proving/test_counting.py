"""Invariants that are guessed at once: they do where Spacer finds none, and for near misses there are none."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from refdp.logic.horn import Solution
from refdp.programs.checking.proof import check
from refdp.programs.language.reading import programs_in
from refdp.programs.proving import NotProved, Proved, invariants, prove
from refdp.terms.leaves import rational
from tests.examples import few

HEADER = "from refdp.programs import ALL, ONE, claim, discrete_laplace, laplace\n\n\n"
MANY = """
@claim(epsilon="epsilon", adjacency=ALL)
def many(x: float, epsilon, k):
    for _ in range(k):
        yield x + laplace({scale} / epsilon)
"""
TWO = """
@claim(epsilon="epsilon", adjacency=ALL)
def two(x: float, epsilon, k):
    for _ in range(k):
        yield x + laplace({scale} / epsilon)
        yield x + laplace(3 * k / epsilon)
"""
MORE = """
@claim(epsilon="epsilon", adjacency=ALL)
def more(x: float, epsilon, k):
    for _ in range(k + 1):
        yield x + laplace({scale} / epsilon)
"""
ALL_OF_THEM = """
@claim(epsilon="epsilon", adjacency=ALL)
def all_of_them(q, epsilon):
    for x in q:
        yield x + laplace({scale} / epsilon)
"""
ONCE = """
@claim(epsilon="epsilon", adjacency=ONE)
def once(q, epsilon):
    for x in q:
        yield x + laplace({scale} / epsilon)
"""
WHOLE = """
@claim(epsilon="epsilon", adjacency=ALL)
def whole(x: int, epsilon, k):
    for _ in range(k):
        yield x + discrete_laplace({scale} / epsilon)
"""


def of(text, scale, epsilon):
    """The program with its noise, and its claim at a value of epsilon."""
    [program] = programs_in(HEADER + text.format(scale=scale), "counting.py")
    return program, replace(program.claims[0], given={"epsilon": rational(Fraction(epsilon))})


@pytest.fixture
def without_spacer(monkeypatch):
    monkeypatch.setattr(invariants, "solved", lambda *_: Solution(reason="it is not asked"))


@pytest.mark.parametrize("epsilon", ["1/2", "2", "7/5"])
@pytest.mark.parametrize(("text", "scale"), [(MANY, "k"), (TWO, "3 * k / 2"), (WHOLE, "k")])
def test_charges_that_grow_with_the_rounds_are_proved(without_spacer, text, scale, epsilon):
    program, claim = of(text, scale, epsilon)
    found = prove(program, claim, 20)
    assert isinstance(found, Proved), found
    assert check(program, claim, found.alignments, ("z3",), 20).solvers == ("z3",)


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        (MANY, "k / 2"),
        (MANY, "99 * k / 100"),
        (TWO, "k"),
        (TWO, "149 * k / 100"),
        (WHOLE, "k / 2"),
        (MORE, "k"), (ALL_OF_THEM, "1"), (ONCE, "99 / 100"),
    ],
)  # fmt: skip
def test_near_misses_are_not_proved(without_spacer, text, scale):
    program, claim = of(text, scale, "1/2")
    assert isinstance(prove(program, claim, 8), NotProved)


def rounds(chance):
    """A program that answers a few times a round, in reals or whole numbers, and the least epsilon that it keeps.

    The losses of Laplace noise are greatest together, so that the least epsilon is the sum of what all answers cost.
    """
    is_whole, answers = chance.random() < 0.3, []
    for _ in range(chance.choice([1, 1, 2])):
        times = chance.choice([1, 1, 2, -1, 3])
        answers.append((times, Fraction(chance.choice([1, 2, 3, 4, 5, 6]), chance.choice([1, 1, 2]))))
    sort, noise = ("int", "discrete_laplace") if is_whole else ("float", "laplace")
    lines = [f"        yield {times} * x + {noise}({scale.numerator} * k / ({scale.denominator} * epsilon))"
             for times, scale in answers]  # fmt: skip
    head = f'@claim(epsilon="epsilon", adjacency=ALL)\ndef random(x: {sort}, epsilon, k):\n    for _ in range(k):\n'
    return head + "\n".join(lines) + "\n", sum(abs(times) / scale for times, scale in answers)


def proved(seed):
    """Whether a random program is proved and whether it keeps its claim; what is proved must be kept."""
    text, cost = rounds(Random(f"rounds {seed}"))
    program, claim = of(text, "", "1/2")
    is_proved = isinstance(prove(program, claim, 8), Proved)
    assert cost <= 1 or not is_proved, (text, cost)
    return is_proved, cost


def test_random_rounds_are_proved_only_where_they_keep_their_claim(without_spacer):
    found = [proved(seed) for seed in range(few(40))]
    assert any(is_proved for is_proved, _ in found)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_many_random_rounds_are_proved_only_where_they_keep_their_claim(without_spacer, first):
    found = [proved(seed) for seed in range(first, first + 100)]
    assert any(is_proved and cost == 1 for is_proved, cost in found)
    assert sum(cost > 1 for _, cost in found) > 20


def test_one_value_of_epsilon_is_proved_as_all_are():
    """Spacer alone finds no invariant in half a minute where epsilon is a number."""
    program, claim = of(MANY, "k", "1/2")
    assert isinstance(prove(program, claim, 20), Proved)
