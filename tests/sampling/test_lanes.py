"""Draws of lanes are those of the same digits one after another, however many digits a number takes."""

from fractions import Fraction

import pytest

from refdp.sampling.bulk.lanes import Lanes, packed, unpacked
from tests.sampling.streams import Stream


def drawn_alone(bound, source):
    """A number below the bound from the digits of a source: those of a word of 16, 32 or 64 that come first."""
    size, value = 1, 0
    while True:
        count = max(0, (-(-bound // size) - 1).bit_length())
        if count:
            width = next(one for one in (16, 32, 64) if count <= one)
            word = int.from_bytes(source.octets(width // 8), "little")
            value = value << count | word >> width - count
        if value < bound:
            return value
        value, size = value - bound, (size << count) - bound


@pytest.mark.parametrize("n", [1, 64, 65, 640])
def test_a_word_of_digits_is_read_for_64_lanes(n):
    source = Stream(n)
    shown = Lanes(source).bernoulli(n, Fraction(1, 2))
    words = -(-n // 64)
    assert (shown.size, source.used) == (n, 8 * words)
    assert packed(shown).size == words
    assert (unpacked(packed(shown))[:n] == shown).all()


@pytest.mark.parametrize("bound", [1, 2, 3, 2**16, 2**16 + 1, 2**31 + 5, 2**32, 2**32 + 1, 3**30, 2**60 + 1, 2**61])
def test_a_uniform_number_is_that_of_its_digits(bound):
    found = [int(Lanes(Stream(seed)).uniform(1, bound)[0]) for seed in range(50)]
    assert found == [drawn_alone(bound, Stream(seed)) for seed in range(50)]
    assert bound < 2**16 or max(found) > bound // 2
