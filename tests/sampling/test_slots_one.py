"""Single draws: the same number by floats and by exact arithmetic, and from the same digits."""

import math

import pytest

from refdp.sampling.bulk.slots import FEW, BulkSlots, bulk_slots
from refdp.sampling.lazy import Uniform
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.certificate import MARGIN
from refdp.sampling.slots.draws import OPEN, SlotDraws
from tests.examples import few
from tests.sampling.families import SLOTS
from tests.sampling.noises import gaussian, laplace
from tests.sampling.streams import Stream

COARSE = {
    "laplace 300": SlotDraws(certificate(laplace(300), slot_digits=9, resolution=2)),
    "gaussian 300": SlotDraws(certificate(gaussian(300), slot_digits=9, resolution=4)),
}
"""Few slots: many of them are not full."""


def singles_agree(draws: SlotDraws, n: int) -> None:
    """The same numbers and the same digits used, with the proved margin, a wider one, and all in exact arithmetic."""
    margins = (MARGIN, 2.0**-8, math.inf)
    streams = [Stream(12) for _ in margins]
    drawn = [[draws.one(stream, margin) for _ in range(n)] for stream, margin in zip(streams, margins, strict=True)]
    assert drawn[0] == drawn[1] == drawn[2]
    assert len({stream.used for stream in streams}) == 1


@pytest.mark.parametrize("family", SLOTS)
def test_one_is_the_same_number_whatever_the_margin(family: str) -> None:
    singles_agree(bulk_slots(SLOTS[family]).draws, few(2000))


@pytest.mark.parametrize("family", COARSE)
def test_one_is_the_same_number_where_many_places_are_not_full(family: str) -> None:
    singles_agree(COARSE[family], few(4000))


@pytest.mark.long
@pytest.mark.parametrize("family", SLOTS)
def test_one_is_the_same_number_a_hundred_thousand_times(family: str) -> None:
    singles_agree(bulk_slots(SLOTS[family]).draws, 100_000)


@pytest.mark.parametrize("family", COARSE)
def test_floats_near_the_margin_are_not_believed(family: str) -> None:
    """V is the bound itself, cut to 64 digits, or next to it: floats cannot tell, and exact arithmetic does."""
    draws, told = COARSE[family], 0
    for slot in range(1 << draws.certificate.slot_digits):
        place = draws.place(slot, 1)
        if place.is_full or place.owner not in draws.certificate.blocks:
            continue
        bound = draws.bound(place)(96)
        if not 0 < bound.lower < 1 - 2.0**-60:
            continue
        for off in (-1, 0, 1):
            v = Uniform(Stream(1), max(0, math.floor(bound.lower * 2**64) + off), 64)
            assert draws.told(place, v, MARGIN) is None
            below = v.digits + 1 <= bound.lower * 2**64
            assert off == 0 or (draws.decided(place, v, MARGIN) is not None) == below
            told += 1
    assert told > 50


@pytest.mark.parametrize("family", COARSE)
def test_starts_are_those_of_places_that_are_full(family: str) -> None:
    draws = COARSE[family]
    for slot, start in enumerate(draws._starts):
        place = draws.place(slot, 0)
        assert start == (place.k if place.is_full else OPEN)


@pytest.mark.parametrize("n", [1, 30, 100, 100 * FEW])
def test_arrays_of_any_size_hold_the_numbers_of_exact_arithmetic(n: int) -> None:
    """Where few rounds are due, and where many are."""
    for draws in COARSE.values():
        here, there = Stream(n), Stream(n)
        for _ in range(max(1, 600 // n)):
            assert BulkSlots(draws).sample(n, here).tolist() == draws.many(n, there)
        assert here.used == there.used
