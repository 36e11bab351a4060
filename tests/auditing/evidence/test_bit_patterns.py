"""Event families over bit patterns of floats: what they tell apart, and what they must not.

All streams are fixed, so that each test is deterministic.
"""

from fractions import Fraction as F
from math import floor, inf, log, nan
from random import Random

import pytest

from refdp.auditing.evidence.bit_patterns import PLACES, low_bits, residue, residues
from refdp.auditing.evidence.learning import learned_events
from refdp.auditing.evidence.pairs import PairTest, claim
from tests.auditing.evidence.looking import run_pairs

VIEWS = {"output": lambda y: y, "low_bits": low_bits, "residues": residues}
ALPHA = F(1, 10**9)


def laplace(random: Random, scale: float) -> float:
    return -scale * log(1.0 - random.random()) * random.choice((1, -1))


def whole(random: Random) -> int:
    return round(random.gauss(0, 1000))


def judged(noisy, first, second, views, budget=2000, train=1000):
    """The verdict on a function of a random source and an answer, for two answers."""
    random = Random(7)
    learned = [[noisy(random, x) for _ in range(train)] for x in (first, second)]
    events = learned_events(claim(1), *learned, [(name, VIEWS[name]) for name in views])
    draw = lambda n: [(noisy(random, first), noisy(random, second)) for _ in range(n)]  # noqa: E731
    return run_pairs(PairTest(claim(1), events, ALPHA), draw, budget)[0]


LEAKS = {
    "naive Laplace noise, finer near 0 than an answer of 1 leaves it": (
        lambda r, x: x + laplace(r, 1.0), 0.0, 1.0, "low_bits"
    ),
    "its answer far from 0": (lambda r, x: x + laplace(r, 1.0), 1.0, 2.0, "low_bits"),
    "whole noise, answers with the same granularity": (lambda r, x: x + whole(r), 0.25, 0.75, "low_bits"),
    "whole noise, answers that no grid holds": (lambda r, x: x + whole(r), 0.3, 0.7, "residues"),
    "noise on a grid of 2^-10": (lambda r, x: x + whole(r) / 1024, 0.3, 0.3003, "residues"),
    "noise on a grid of 2^10": (lambda r, x: x + 1024.0 * whole(r), 1.0, 400.0, "residues"),
    "vectors": (lambda r, x: [x + laplace(r, 1.0), r.random()], 0.0, 1.0, "low_bits"),
}  # fmt: skip


@pytest.mark.parametrize(("noisy", "first", "second", "view"), LEAKS.values(), ids=LEAKS)
def test_what_floats_give_away_is_refuted_by_its_view_rather_than_by_the_values(noisy, first, second, view):
    found = judged(noisy, first, second, ["output", view])
    assert found.refuted
    assert found.event.name.startswith(view)


@pytest.mark.parametrize(("first", "second"), [(0.3, 1.3)])
def test_noise_that_is_rounded_together_with_the_answer_is_not_refuted(first, second):
    rounded = lambda r, x: round((x + laplace(r, 1.0)) * 1024) / 1024  # noqa: E731
    assert not judged(rounded, first, second, VIEWS, 1000).refuted


def test_low_bits_are_exponent_zeros_granularity_and_last_digits():
    assert low_bits(1.0) == ("2^1", 52, 0, "0000", "0001")
    assert low_bits(-0.75) == ("2^0", 51, -2, "0000", "1101")
    assert low_bits(1.0 + 2.0**-52) == ("2^1", 0, -52, "0001", "0001")
    assert low_bits(5e-324)[0] == "2^-1073"
    assert low_bits(0.0) != low_bits(-0.0)


def test_residues_are_those_of_exact_arithmetic():
    random = Random(3)
    for _ in range(300):
        y = random.gauss(0, 1) * 2.0 ** random.randrange(-12, 60)
        assert [residue(y, k) for k in PLACES] == [floor(F(y) * F(2) ** k * 16) % 16 for k in PLACES]
    assert {residue(y, k) for y in (2.0**1000, -(2.0**60), 0.0) for k in PLACES} == {0}


@pytest.mark.parametrize("view", [low_bits, residues])
def test_views_look_into_sequences_and_dictionaries_and_leave_out_what_is_no_float(view):
    assert [view(y) for y in (1, True, None, "a")] == [None] * 4
    assert (view(inf), view(-inf)) == (inf, -inf)
    assert view(nan) != view(nan)
    assert view([1.0, (2.0, 3)]) == (view(1.0), (view(2.0), None))
    assert view({"a": 1.0}) == {"a": view(1.0)}
    assert len(view([1.0] * 1000)) == 16
