"""Draws by slots have the law of their weights: summed over every slot, and by walking the coin-flip tree."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.sampling.lazy import GUARD, Uniform
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.certificate import Block, Certificate
from refdp.sampling.slots.check import Refused
from refdp.sampling.slots.draws import FIRST_DIGITS, SlotDraws
from refdp.sampling.tree import law_of
from refdp.sampling.words import SYSTEM_WORDS, Flipped
from tests.sampling import laws
from tests.sampling.families import SLOTS
from tests.sampling.noises import gaussian, laplace
from tests.sampling.streams import Stream


def offsets(c: Certificate) -> list[int]:
    """The ends of a block, and a place within."""
    return sorted({0, c.width // 3, c.width - 1})


SUMMED = ["laplace 1/3", "gaussian 22/7", "laplace 281474976710656", "gaussian 1000", "k^4", "geometric"]


@pytest.mark.parametrize("family", SUMMED)
def test_a_round_returns_each_integer_of_a_block_in_proportion_to_its_weight(family: str) -> None:
    """Sum over slots of P(V < bound) is around w(k) / height, by mpmath, at several offsets of every block."""
    draws = SlotDraws(certificate(SLOTS[family]))
    c = draws.certificate
    for offset in offsets(c):
        places = [draws.place(slot, offset) for slot in range(1 << c.slot_digits)]
        inside = [place for place in places if isinstance(place.owner, Block)]
        low = Counter[int](place.k for place in inside if place.is_full)
        high = low.copy()
        for place in (place for place in inside if not place.is_full):
            bound = draws.bound(place)(80)
            low[place.k] += min(F(1), max(F(0), bound.lower))
            high[place.k] += min(F(1), max(F(0), bound.upper))
        assert len(low) == len(c.blocks)
        for k in low:
            least, most = laws.exp_minus(c.potential(k))
            assert low[k] <= most / c.height
            assert least / c.height <= high[k]
            assert high[k] - low[k] <= F(1, 2**50)


TREES = {
    "laplace 1/2": (laplace(F(1, 2)), 3, 16, F(1, 5)),
    "laplace 1": (laplace(1), 4, 16, F(1, 8)),
    "laplace 4 in pairs": (laplace(4), 5, 2, F(2, 5)),
    "gaussian 1": (gaussian(1), 4, 16, F(1, 15)),
    "gaussian 2": (gaussian(2), 4, 1, F(1, 4)),
    "geometric 2": (Potential((F(1, 2),), two_sided=False), 4, 16, F(1, 7)),
    "|k| + |k|^3 / 3": (Potential((F(1), F(0), F(1, 3))), 4, 1, F(1, 15)),
}


def expected(q: Potential):
    """The law by the definition; weights beyond 400 are below e^-100 of the sum."""
    return laws.proportional(q, range(-400 if q.two_sided else 0, 401))


@pytest.mark.parametrize("name", TREES)
def test_one_has_its_law(name: str) -> None:
    q, slot_digits, resolution, unresolved = TREES[name]
    draws = SlotDraws(certificate(q, slot_digits, resolution))
    law = law_of(lambda bits: draws.one(Flipped(bits)), 14)
    assert laws.is_law(law, expected(q))
    assert law.unresolved <= unresolved
    assert draws.certificate.offset_digits == ("pairs" in name)


@pytest.mark.parametrize("name", ["laplace 1", "gaussian 1", "gaussian 2", "geometric 2"])
def test_a_tail_has_its_law(name: str) -> None:
    """`decided` in a tail: None, or sign (K + g) with probability w(K + g) / (n_T height B)."""
    q, slot_digits, resolution, _ = TREES[name]
    draws = SlotDraws(certificate(q, slot_digits, resolution))
    c = draws.certificate
    for i, tail in enumerate(c.tails):
        place = draws.place(sum(c.sizes()) - len(c.tails) + i, 0)
        assert place.owner == tail
        law = law_of(lambda bits, place=place: draws.decided(place, Uniform(Flipped(bits))), 14)
        masses = dict(law.masses)
        masses.pop(None)
        assert masses
        assert law.unresolved <= F(1, 50)
        for k, mass in masses.items():
            assert k * tail.sign >= tail.start
            assert mass <= laws.exp_minus(q(k))[1] / (tail.slots * c.height * c.width)
            assert mass + law.unresolved >= laws.exp_minus(q(k))[0] / (tail.slots * c.height * c.width)


def test_wrong_laws_are_found_out() -> None:
    """That is: the tests above can fail."""
    draws = SlotDraws(certificate(laplace(1), 4))
    law = law_of(lambda bits: draws.one(Flipped(bits)), 14)
    assert not laws.is_law(law, expected(laplace(F(3, 2))))
    assert not laws.is_law(law, expected(gaussian(1)))
    assert not laws.is_law(law, lambda k: expected(laplace(1))(-k if k == 1 else k + (k > 1)))


def test_draws_need_a_certificate_that_is_right() -> None:
    made = certificate(laplace(5))
    with pytest.raises(Refused):
        SlotDraws(replace(made, tails=made.tails[:1]))


@pytest.mark.parametrize("family", ["laplace 1/3", "gaussian 1000", "laplace 281474976710656"])
def test_many_are_the_draws_of_their_words(family: str) -> None:
    """Where every place is full, many(n) is what `one` makes of each word."""
    draws = SlotDraws(certificate(SLOTS[family]))
    c, drawn = draws.certificate, draws.many(200, Stream(1))
    record = Stream(1).octets(200 * draws.word // 8)
    size, full = draws.word // 8, 0
    for i, k in enumerate(drawn):
        word = int.from_bytes(record[i * size : i * size + size], "little")
        place = draws.place(word >> draws.word - c.slot_digits, word & c.width - 1)
        full += place.is_full
        assert k == place.k or not place.is_full
    assert full > 150


def test_the_share_kept_is_as_narrow_as_is_asked_for_most_often() -> None:
    draws = SlotDraws(certificate(laplace(1000)))
    for tail in draws.certificate.tails:
        for bits in (FIRST_DIGITS + GUARD, 200):
            share = draws.share(tail, bits)
            assert share.upper - share.lower <= F(1, 2**bits)


def test_one_draws_from_the_system_if_asked_to() -> None:
    draws = SlotDraws(certificate(gaussian(1000)))
    assert len({draws.one(SYSTEM_WORDS) for _ in range(20)}) > 10
