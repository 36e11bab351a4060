"""What samplers refuse, guard against and choose, where no law shows it."""

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

from refdp.numerics.elementary import Undecided
from refdp.sampling import selection, tables
from refdp.sampling.bulk import selection as bulk_selection
from refdp.sampling.bulk.exponential import PerElement, Scales
from refdp.sampling.bulk.tables import narrowest
from refdp.sampling.lazy import Uniform
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.check import Refused, check
from refdp.sampling.slots.draws import SlotDraws
from tests.sampling.families import SLOTS
from tests.sampling.noises import gaussian, laplace
from tests.sampling.streams import Stream


def test_one_draw_beyond_the_range_is_enough_to_refuse_an_array(monkeypatch: pytest.MonkeyPatch) -> None:
    class Far:
        def sample(self, n: int, _: object) -> np.ndarray:
            return np.full(n, 2**63 - 2**49)

    monkeypatch.setattr("refdp.sampling.bulk.exponential.table", Far)
    for scales in ([1, 2**50 - 1], [2**50 - 1, 1, 1]):
        with pytest.raises(OverflowError, match="range of int64"):
            PerElement().geometric(Scales(np.array(scales), np.ones(len(scales), np.int64)), Stream(0))
    assert PerElement().geometric(Scales(np.array([1, 1]), np.array([1, 1])), Stream(0)).max() < 2**15


def test_powers_that_are_not_enclosed_narrowly_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rate = F(1, 7)
    selection.powers.__wrapped__(rate, 0)
    wide: Callable[[F, int], tuple[F, F]] = lambda x, bits: (F(9, 10), F(91, 100))  # noqa: E731
    monkeypatch.setattr(selection, "exp_bounds", wide)
    with pytest.raises(Undecided, match="the powers of e"):
        selection.powers.__wrapped__(rate, 0)


@pytest.mark.parametrize(("beyond", "narrow"), [(F(0), True), (F(1, 2), False)])
def test_powers_are_bounded_from_above(monkeypatch: pytest.MonkeyPatch, beyond: F, narrow: bool) -> None:
    """2^-100 of itself is what a power may be off by: half a unit of 2^-256 more is too much."""
    off = 2 ** (selection.FINE - 1 - 100) + beyond
    ends = F(1, 2), F(1, 2) + off / 2**selection.FINE
    monkeypatch.setattr(selection, "exp_bounds", lambda x, bits: ends)
    monkeypatch.setattr(selection, "BYTE", 1)  # d = 0 and 1
    if narrow:
        assert selection.powers.__wrapped__(F(1), 0) == (1.0, 0.5)
    else:
        with pytest.raises(Undecided, match="the powers of e"):
            selection.powers.__wrapped__(F(1), 0)


@pytest.mark.parametrize("is_loaded", [False, True])
def test_numpy_is_loaded_for_many_draws_only(monkeypatch: pytest.MonkeyPatch, is_loaded: bool) -> None:
    monkeypatch.setattr(tables, "has_numpy", lambda: True)
    if not is_loaded:
        monkeypatch.delitem(sys.modules, "numpy")
    used = {n: tables.uses_arrays(n) for n in (1, tables.FEW - 1, tables.FEW, tables.MANY - 1, tables.MANY)}
    assert used == {n: n >= (tables.FEW if is_loaded else tables.MANY) for n in used}


def test_the_digits_of_slots_and_offsets_have_bounds() -> None:
    made = certificate(gaussian(3), slot_digits=8, resolution=1)
    for digits, why in ((-1, "slot_digits must be"), (17, "slot_digits must be"), (0, "a slot for each")):
        with pytest.raises(Refused, match=why):
            check(replace(made, slot_digits=digits))
    for digits, why in ((-1, "offset_digits must be"), (46, "offset_digits must be")):
        with pytest.raises(Refused, match=why):
            check(replace(made, offset_digits=digits))


@pytest.mark.parametrize("family", SLOTS)
def test_words_are_the_narrowest_that_hold_slot_and_offset(family: str) -> None:
    draws = SlotDraws(certificate(SLOTS[family]))
    digits = draws.certificate.slot_digits + draws.certificate.offset_digits
    assert draws.word == min(width for width in (16, 32, 64) if width >= digits)


@pytest.mark.parametrize("family", SLOTS)
def test_entries_are_no_narrower_than_words_and_hold_twice_all_ends(family: str) -> None:
    draws = SlotDraws(certificate(SLOTS[family]))
    c = draws.certificate
    for rows in (1, 30, 5000, 2**16):
        digits = np.iinfo(narrowest(draws, rows)).bits
        ends = max(-c.blocks[0].start, c.blocks[-1].start + c.width, 2 * (rows + 1) << c.offset_digits)
        assert digits == min(one for one in (16, 32, 64) if one >= draws.word and 4 * ends <= 2**one)


def test_words_of_every_width_are_in_use() -> None:
    assert {SlotDraws(certificate(laplace(scale))).word for scale in (3, 10**6, 2**48)} == {16, 32, 64}


@pytest.mark.parametrize("size", [3, 1000, 100_000])
def test_the_margin_of_a_choice_counts_the_sum_and_the_additions(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """A cumulative sum takes an addition for each candidate of a block, and one for each block."""
    asked: list[tuple[float, int]] = []
    own = selection.margin

    def margin(total: float, roundings: int) -> float:
        asked.append((total, roundings))
        return own(total, roundings)

    monkeypatch.setattr(bulk_selection, "margin", margin)
    u = Uniform(Stream(1))
    u.reveal(64)
    first, last = bulk_selection.limits(u, np.full(size, 0.5), 1.0)
    assert first <= last < size
    ((total, roundings),) = asked
    assert total == size / 2
    assert roundings >= -(-size // bulk_selection.BLOCK) + min(size, bulk_selection.BLOCK)
