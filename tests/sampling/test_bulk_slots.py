"""Arrays by exact slots: the table, the floats and their bound; that the numbers agree is in `test_pathwise`."""

import math
import threading
from fractions import Fraction as F

import numpy as np
import pytest

from refdp.sampling.bulk.slots import BulkSlots, bulk_slots
from refdp.sampling.slots.certificate import MARGIN
from tests.sampling import laws
from tests.sampling.families import COARSE, SLOTS
from tests.sampling.noises import gaussian, laplace
from tests.sampling.streams import Stream


@pytest.mark.parametrize("family", ["laplace 1000", "gaussian 281474976710656", "k^8", "|k| and k^3", "laplace 22/7"])
def test_floats_are_within_the_error_bound(family: str) -> None:
    """|excess - (w(k) / height - level)| <= 2^-27 + level f^(m+1) / (m+1)!, by mpmath, at a place of each row."""
    sampler = bulk_slots(SLOTS[family])
    c, rows = sampler.draws.certificate, sampler._rows
    row = np.arange(rows.blocks)
    offset = (row * 2654435761 + 1) % c.width
    found = sampler._weight(row, offset, rows.start[row] + offset)
    for i in range(0, rows.blocks, max(1, rows.blocks // 150)):
        k = int(rows.start[i] + offset[i])
        fall, (low, high) = c.potential(k) - c.potential(int(rows.top[i])), laws.exp_minus(c.potential(k))
        bound = F(float(rows.weight[i])) * fall ** (c.taylor + 1) / math.factorial(c.taylor + 1) + F(1, 2**27)
        assert low / c.height - bound <= F(float(found[i])) <= high / c.height + bound
        assert bound <= F(MARGIN)


@pytest.mark.parametrize("family", [*COARSE, "laplace 1000", "k^8"])
def test_the_top_of_a_row_is_the_integer_of_its_block_nearest_to_0(family: str) -> None:
    sampler = BulkSlots(COARSE[family]) if family in COARSE else bulk_slots(SLOTS[family])
    rows, width = sampler._rows, sampler.draws.certificate.width
    blocks = [sampler.draws.place(slot, 0).owner for slot in rows.slot[: rows.blocks].tolist()]
    assert rows.top[: rows.blocks].tolist() == [min(map(abs, range(b.start, b.start + width))) for b in blocks]


@pytest.mark.parametrize("family", COARSE)
def test_every_place_means_the_same_to_arrays(family: str) -> None:
    """The table against `place`, slot by slot."""
    draws = COARSE[family]
    sampler, blocks = BulkSlots(draws), 0
    for slot, entry in enumerate(sampler._entries.table.tolist()):
        place = draws.place(slot, 0)
        if place.is_full:
            assert entry == place.k
            continue
        row = entry - sampler._entries.open >> draws.certificate.offset_digits
        assert sampler._rows.slot[row] == slot
        inside = place.owner in draws.certificate.blocks
        blocks += inside
        assert (row < sampler._rows.blocks) == inside
        assert not inside or sampler._rows.level[row] == place.level
        assert not inside or sampler._rows.start[row] == place.k
    assert sampler._rows.blocks == blocks


@pytest.mark.parametrize("n", [0, 1, 2, 65_535, 65_536, 65_537])
def test_any_number_of_draws(n: int) -> None:
    drawn = bulk_slots(laplace(1000)).sample(n)
    assert drawn.shape == (n,)
    assert drawn.dtype == np.int64


@pytest.mark.parametrize("margin", [0.0, MARGIN / 2, -1.0, math.nan])
def test_a_margin_below_the_proved_one_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="margin must be >="):
        BulkSlots(bulk_slots(laplace(3)).draws, margin)


def test_threads_may_share_a_sampler() -> None:
    """Each thread, with a stream of its own, draws what it would draw alone."""
    sampler, found = bulk_slots(gaussian(1000)), {}
    threads = [
        threading.Thread(target=lambda seed=seed: found.update({seed: sampler.sample(20_000, Stream(seed))}))
        for seed in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[seed], sampler.sample(20_000, Stream(seed))) for seed in range(6))
