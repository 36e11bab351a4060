"""M(scores) of the exponential mechanism: the candidate that inversion of the cdf names, from the same digits."""

from bisect import bisect_right
from fractions import Fraction as F
from itertools import accumulate

import pytest

from refdp import exponential, permute_and_flip
from refdp.numerics.masses import masses
from refdp.sampling.coins import Coins
from refdp.sampling.drawing import WordFlips
from refdp.sampling.plans import Choice, selection_of
from refdp.sampling.schemes import draw
from refdp.sampling.words import Recorded
from refdp.terms.reading import read
from tests.sampling.streams import Stream

SCORES = {
    "few": (1, 3, F(1, 2), F(-7, 3)),
    "equal": (F(1, 10**20),) * 5,
    "one far ahead": (0, 10**6, 5),
    "beyond 64 digits": (F(2**70), F(2**70) + F(1, 3), F(0)),
    "many": tuple(F(i * i % 101, 7) for i in range(300)),
    "large, near each other": (10**30, 10**30 + 1, 10**30 - 2),
}


@pytest.mark.parametrize("key", SCORES)
def test_choosing_inverts_the_cdf_of_the_definition(key):
    """With the 64 digits that are read first, U lies in a cell; where no F(k) is in it, the draw is known."""
    m, scores = exponential("5/2"), tuple(map(F, SCORES[key]))
    mass = list(masses(m.subject, scores, 200).values())
    ends = list(accumulate(mass, lambda a, b: a + b))
    digits = Stream(21)
    for _ in range(100 if key != "beyond 64 digits" else 3):
        octets = digits.octets(64)
        u = F(int.from_bytes(octets[:8]), 2**64)
        lowest, highest = (
            bisect_right([f.upper for f in ends], u),
            bisect_right([f.lower for f in ends], u + F(1, 2**64)),
        )
        assert lowest <= m(scores, source=Recorded(octets)) <= highest
        assert highest - lowest <= 1


def test_choosing_by_flips_is_by_the_scheme():
    m, octets = exponential(2), Stream(5).octets(400)
    wanted = draw(m.subject, (F(1), F(2)), Coins(WordFlips(Recorded(octets))))
    assert m((1, 2), bits=WordFlips(Recorded(octets))) == wanted


def test_rates_are_those_of_the_formula():
    assert selection_of(exponential("5/2").subject) == Choice(F(2, 5), by_flips=False)
    assert selection_of(permute_and_flip("5/2").subject) == Choice(F(2, 5), by_flips=True)
    assert selection_of(read("gumbel_noisy_max(3)")) == Choice(F(1, 3), by_flips=False)
    assert selection_of(read("exponential_noisy_max(3)")) == Choice(F(1, 3), by_flips=True)
    assert selection_of(read("laplace_noisy_max(3)")) is None
