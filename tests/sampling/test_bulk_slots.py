"""Pathwise refinement: from the same digits, arrays hold the numbers of exact arithmetic, whatever the margin."""

import math
import threading
from fractions import Fraction as F

import numpy as np
import pytest

from refdp.sampling.bulk import slots as bulk
from refdp.sampling.bulk.slots import BulkSlots, bulk_slots
from refdp.sampling.potentials import gaussian, laplace
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.certificate import MARGIN
from refdp.sampling.slots.draws import SlotDraws
from tests.examples import few
from tests.sampling import laws
from tests.sampling.families import SLOTS
from tests.sampling.streams import Stream

WIDENED = [2.0**-8, math.inf]
"""Margins that leave a few draws in a hundred thousand, or every place that is not full, to exact arithmetic."""
COARSE = {
    "laplace 300": SlotDraws(certificate(laplace(300), slot_digits=9, resolution=2)),
    "gaussian 300": SlotDraws(certificate(gaussian(300), slot_digits=9, resolution=4)),
    "laplace 5": SlotDraws(certificate(laplace(5), slot_digits=7, resolution=4)),
}
"""Few slots: many of them are not full, many are tails, and some are void."""


def paths_agree(draws: SlotDraws, n: int) -> None:
    """The same numbers and the same digits used: arrays, arrays with wider margins, exact arithmetic."""
    exact, digits = Stream(7), [Stream(7) for _ in range(1 + len(WIDENED))]
    drawn = [BulkSlots(draws, m).sample(n, d) for m, d in zip([MARGIN, *WIDENED], digits, strict=True)]
    expected = np.array(draws.many(n, exact), np.int64)
    assert all(np.array_equal(x, expected) for x in drawn)
    assert {d.used for d in digits} == {exact.used}


@pytest.mark.parametrize("family", SLOTS)
def test_paths_agree(family: str) -> None:
    paths_agree(bulk_slots(SLOTS[family]).draws, few(100_000))


@pytest.mark.parametrize("family", COARSE)
def test_paths_agree_where_many_places_are_not_full(family: str) -> None:
    paths_agree(COARSE[family], few(10_000))


@pytest.mark.long
@pytest.mark.parametrize("family", SLOTS)
def test_paths_agree_on_a_million_draws(family: str) -> None:
    paths_agree(bulk_slots(SLOTS[family]).draws, 1_000_000)


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


@pytest.mark.parametrize("family", COARSE)
def test_every_place_means_the_same_to_arrays(family: str) -> None:
    """The table against `place`, slot by slot."""
    draws = COARSE[family]
    sampler, blocks = BulkSlots(draws), 0
    for slot, entry in enumerate(sampler._table.tolist()):
        place = draws.place(slot, 0)
        if place.is_full:
            assert entry == place.k
            continue
        row = entry - bulk.OPEN >> draws.certificate.offset_digits
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


def statistic(drawn: np.ndarray, family: str, cells: int) -> float:
    """sqrt(2 chi^2) - sqrt(2 cells - 1), about a standard normal; cells of about equal mass, by mpmath's law."""
    q = SLOTS[family]
    support = range(-40_000, 40_001)
    weights = np.array([math.exp(-float(q(k))) for k in range(40_001)])
    masses = np.concatenate([weights[:0:-1], weights]) / (2 * weights.sum() - 1)
    cell = np.minimum((np.cumsum(masses) * cells).astype(int), cells - 1)
    expected = np.bincount(cell, masses, cells) * drawn.size
    counts, some = np.bincount(cell[drawn - support[0]], minlength=cells), expected > 0
    chi2 = ((counts[some] - expected[some]) ** 2 / expected[some]).sum() + counts[~some].sum()
    return math.sqrt(2 * float(chi2)) - math.sqrt(2 * np.count_nonzero(some) - 3)


def test_draws_fit_the_law() -> None:
    """False-alarm rate below 1e-9: the statistic is nearly normal, and P[|N| > 6.2] = 6e-10.  Digits are fixed."""
    for family in ("laplace 1000", "gaussian 1000"):
        drawn = bulk_slots(SLOTS[family]).sample(1_000_000, Stream(3))
        assert abs(statistic(drawn, family, 200)) < 6.2
        assert abs(statistic(drawn + 20, family, 200)) > 6.2  # that is: the test can fail


@pytest.mark.long
@pytest.mark.parametrize("family", ["laplace 1000", "gaussian 1000", "laplace 22/7", "gaussian 22/7"])
def test_a_hundred_million_draws_fit_the_law(family: str) -> None:
    """The operating system's digits.  False-alarm rate below 1e-9 each: chi^2 with 10 degrees exceeds 70 at 5e-11."""
    drawn = np.concatenate([bulk_slots(SLOTS[family]).sample(10**7).astype(np.int32) for _ in range(10)])
    assert abs(statistic(drawn, family, 200 if "1000" in family else 12)) < 7.5
