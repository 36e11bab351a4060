"""M(x) for a whole x: the numbers of the certified samplers, from the same words, and ints."""

import copy
import pickle
import random
from collections import Counter
from fractions import Fraction as F
from math import exp

import pytest

from refdp import (
    clamped_sum,
    discrete_gaussian,
    discrete_laplace,
    exponential,
    k_ary_randomised_response,
    permute_and_flip,
    randomised_response,
    truncated_geometric,
)
from refdp.pipeline import PipelineError
from refdp.sampling import single, tables
from refdp.sampling.lookup import LookupDraws, Masses
from refdp.sampling.pages import Page
from refdp.sampling.plans import plan_of
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.tables import BREAK_EVEN_OF_NOISE, Shelf, break_even
from refdp.sampling.words import SystemWords
from tests.examples import few
from tests.sampling.families import SLOTS
from tests.sampling.streams import Stream


class Words:
    """A source of 64 digits at a time: of every call, the digits left over of a word are dropped, as the system's."""

    step = 64

    def __init__(self, seed: int) -> None:
        self.stream, self.read = Stream(seed), 0

    def word(self) -> int:
        self.read += 1
        return self.stream.digits(64)

    def digits(self, count: int) -> int:
        value, left = 0, count
        while left > 64:
            value, left = value << 64 | self.word(), left - 64
        return value << left | self.word() >> 64 - left

    def octets(self, size: int) -> bytes:
        return b"".join(self.word().to_bytes(8, "big") for _ in range(-(-size // 8)))[:size]


COARSE = {
    "laplace 1000, few slots": SlotDraws(certificate(SLOTS["laplace 1000"], slot_digits=9, resolution=2)),
    "thirds": LookupDraws(Masses((F(1, 3), F(1, 3), F(1, 3)))),
    "near": LookupDraws(Masses((F(1, 2), F(1, 2**62), F(1, 2) - F(1, 2**62)))),
}
FINE = {name: SlotDraws(certificate(SLOTS[name])) for name in ("laplace 1000", "gaussian 1000", "laplace 22/7")}


@pytest.mark.parametrize("name", [*COARSE, *FINE])
def test_single_draws_are_those_of_the_certified_sampler(name):
    draws = (COARSE | FINE)[name]
    here, there = Words(3), Words(3)
    draw = draws.single(here)
    assert [draw() for _ in range(few(3000))] == [draws.one(there) for _ in range(few(3000))]
    assert here.read == there.read > 0


def test_the_systems_words_are_read_as_these_are():
    """Of each call of `digits`, what is left of a word is dropped; words come from the page, and are wiped there."""
    system, words = SystemWords(), Words(5)
    content = [words.word() for _ in range(40)]
    page = memoryview(bytearray(8 * 41)).cast("B").cast("Q")
    page[0] = 1
    for place, word in enumerate(content, 1):
        page[place] = word
    system._page = Page(page, list(range(40, 0, -1)))
    again = Words(5)
    asked = [64, 1, 63, 65, 128, 17, 200]
    assert [system.digits(count) for count in asked] == [again.digits(count) for count in asked]
    assert system.word() == again.word()
    assert not any(page[1 : again.read + 1])


WHOLE = {
    "laplace": (discrete_laplace("22/7"), (5, -3, 10**40)),
    "laplace on a grid of 4": (discrete_laplace(9, 4), (8, -4)),
    "gaussian": (discrete_gaussian(1000), (0, 7)),
    "truncated": (truncated_geometric(6, -3, 12, 3), (-3, 0, 12)),
    "binary": (randomised_response("3/4"), (0, 1)),
    "5-ary": (k_ary_randomised_response(5, "1/2"), (0, 4)),
    "beyond tables": (discrete_laplace(2**70), (0, 1)),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_give_whole_numbers(name):
    m, inputs = WHOLE[name]
    for x in inputs:
        drawn = [m(x), m(x, source=Stream(1)), m(x, bits=lambda: FLIPS.getrandbits(1))]
        drawn += [*m.each([x, x]), *m.each((x,), source=Stream(2))]
        assert {type(y) for y in drawn} == {int}
        if "grid of 4" in name:
            assert not any(y % 4 for y in drawn)
        if name == "truncated":
            assert set(drawn) <= {-3, 0, 3, 6, 9, 12}


FLIPS = random.Random(8)


def test_other_numbers_give_fractions():
    assert type(discrete_laplace(2, "1/2")(1)) is F
    assert type(discrete_laplace(2)(F(3))) is F
    assert type((clamped_sum(0, 3) >> discrete_laplace(2))((1, 2))) is F
    assert type(exponential(1)([F(1), 2])) is F
    assert {type(y) for y in discrete_laplace(2, dimension=2)([1, 2])} == {int}
    assert {type(y) for y in discrete_laplace(2, dimension=2)([1, F(2)])} == {F}
    assert {type(m([1, 2])) for m in (exponential(1), permute_and_flip(1))} == {int}


@pytest.mark.parametrize(
    ("m", "x"),
    [
        (randomised_response("3/4"), 2), (randomised_response("3/4"), -1), (truncated_geometric(6, -3, 12, 3), 1),
        (truncated_geometric(6, -3, 12, 3), 15), (discrete_laplace(9, 4), 2), (k_ary_randomised_response(5, "1/2"), 5),
    ],
)  # fmt: skip
def test_what_is_no_input_is_refused_before_a_table_and_after(m, x, monkeypatch):
    for _ in range(2):
        with pytest.raises(PipelineError, match="the input must be a member of"):
            m(x)
        monkeypatch.setattr(single, "SHELF", Soon())
        m = copy.copy(m)


class Soon(Shelf):
    """Tables are made at once."""

    def known(self, law):
        return super().find(law, 1, at_once=True)


def test_draws_come_from_a_table_once_that_has_paid(monkeypatch):
    shelf, made = Shelf(), []
    monkeypatch.setattr(single, "SHELF", shelf)
    monkeypatch.setattr(tables, "table_of", lambda law, make=tables.table_of: made.append(law) or make(law))
    m = discrete_laplace("1001/3")
    for _ in range(BREAK_EVEN_OF_NOISE - 1):
        m(0)
    assert not made
    slow = m._single.draw
    m(0)
    m(0)
    assert made == [Potential((F(3, 1001),))]
    assert m._single.draw is not slow
    assert {type(m(5)) for _ in range(10)} == {int}
    assert discrete_laplace("1001/3")._single.draw is None  # another measurement, which finds the same table
    assert len(made) == 1


def test_a_law_without_a_table_of_every_scale_pays_sooner():
    assert break_even(Masses((F(1, 2), F(1, 2)))) < break_even(Potential((F(1, 3),))) == BREAK_EVEN_OF_NOISE
    assert break_even(Potential((F(1), F(1)))) < BREAK_EVEN_OF_NOISE


def test_copies_and_pickles_find_out_anew_and_are_equal():
    m = discrete_laplace(3)
    m(0)
    for other in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert other == m
        assert hash(other) == hash(m)
        assert type(other(1)) is int


def test_single_draws_fit_the_law_before_a_table_and_after():
    """Counts within 6.2 standard deviations of n p, which chance exceeds at 6e-10 a count."""
    n, m = 8 * BREAK_EVEN_OF_NOISE, discrete_laplace(2)
    counts, total = Counter(m(0) for _ in range(n)), sum(exp(-abs(k) / 2) for k in range(-200, 201))
    for k in range(-3, 4):
        p = exp(-abs(k) / 2) / total
        assert abs(counts[k] - n * p) < 6.2 * (n * p * (1 - p)) ** 0.5


@pytest.mark.parametrize(
    ("m", "x", "k", "wanted"),
    [
        (discrete_laplace(3), 8, 3, 11), (discrete_laplace(9, 4), 8, 3, 20), (discrete_laplace(9, 4), 8, -3, -4),
        (truncated_geometric(6, -3, 12, 3), 3, 2, 9), (truncated_geometric(6, -3, 12, 3), 3, -2, -3),
        (truncated_geometric(6, -3, 12, 3), 3, -9, -3), (truncated_geometric(6, -3, 12, 3), 3, 9, 12),
        (k_ary_randomised_response(5, "1/2"), 4, 3, 2),
    ],
)  # fmt: skip
def test_what_a_draw_makes_of_a_whole_number(m, x, k, wanted):
    assert single.on_whole(plan_of(m.subject), lambda: k, lambda: pytest.fail("refused"))(x) == wanted
