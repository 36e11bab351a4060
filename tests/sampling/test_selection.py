"""One draw of the exponential mechanism: its law, and the same candidate by floats, arrays and exact arithmetic."""

import math
from fractions import Fraction as F
from itertools import permutations

import numpy as np
import pytest

from refdp.sampling import selection
from refdp.sampling.bulk import selection as bulk
from refdp.sampling.lookup import Exponentials, LookupDraws
from refdp.sampling.tree import law_of
from refdp.sampling.words import Flipped, Recorded
from tests.examples import few
from tests.sampling import laws
from tests.sampling.streams import Stream

CASES = {
    "alone": ([5], F(1)),
    "a tie": ([3, 3], F(7)),
    "few": ([0, 3, 1, 4, 1, 5], F(1, 3)),
    "negative": ([-7, 0, -2, -9], F(22, 7)),
    "a gap beyond all floats": ([0, 10**6, 0, 10**6 - 1], F(1)),
    "the ends of int64": ([-(2**63), 2**63 - 1, 0, 2**63 - 2], F(1, 2**62)),
    "a tiny rate": ([0, 10**9, 2**62], F(1, 10**30)),
    "a huge rate": ([1, 0, 1, 0], F(10**30)),
    "bytes of both kinds": ([i * 37 % 4099 for i in range(120)], F(1, 500)),
    "blocks": ([i * i % 101 for i in range(2500)], F(1, 30)),
}


def exact(scores: list[int], rate: F) -> LookupDraws:
    return LookupDraws(Exponentials(tuple(-rate * score for score in scores)))


@pytest.mark.parametrize("name", ["alone", "a tie", "few", "negative", "a gap beyond all floats", "a huge rate"])
@pytest.mark.parametrize("arrays", [False, True])
def test_selected_has_its_law(name: str, arrays: bool) -> None:
    scores, rate = CASES[name]
    run = bulk.selected if arrays else selection.selected
    given = np.array(scores) if arrays else scores
    law = law_of(lambda bits: run(given, rate, Flipped(bits)), 9)
    best = max(scores)
    assert laws.is_law(law, laws.proportional(lambda k: rate * (best - scores[k]), range(len(scores))))
    assert law.unresolved <= F(len(scores), 2**9)


@pytest.mark.parametrize("name", CASES)
def test_selected_is_the_same_candidate_as_by_the_table(name: str) -> None:
    """From the same 64 digits; with the proved margin, with a wider one, and in arrays."""
    scores, rate = CASES[name]
    table, array, digits = exact(scores, rate), np.array(scores), Stream(8)
    small = len(scores) < 100
    for i in range(few(500) if small else few(50)):
        record = digits.octets(24)
        right = table.one(Recorded(record))
        assert selection.selected(scores, rate, Recorded(record)) == right
        assert bulk.selected(array, rate, Recorded(record)) == right
        if i < (100 if small else 2):
            assert bulk.selected(array, rate, Recorded(record), 2.0**40) == right


@pytest.mark.parametrize("arrays", [False, True])
def test_selected_next_to_a_bound_is_as_by_the_table(arrays: bool) -> None:
    """U within 2^-45 to 2^-64 of each C_k / W, on both sides."""
    for name in ("few", "negative", "a tie", "bytes of both kinds"):
        scores, rate = CASES[name][0][:20], CASES[name][1]
        table, run = exact(scores, rate), bulk.selected if arrays else selection.selected
        for bound in table.bounds.low:
            for off in (-(2**19), -(2**10), -1, 0, 1, 2**10, 2**19):
                record = (bound + off).to_bytes(8) + b"\xaa" * 64
                found = run(np.array(scores) if arrays else scores, rate, Recorded(record))
                assert found == table.one(Recorded(record))


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_selected_is_the_same_candidate_100_000_times(name: str) -> None:
    scores, rate = CASES[name]
    table, array, digits = exact(scores, rate), np.array(scores), Stream(9)
    for _ in range(100_000):
        record = digits.octets(24)
        assert bulk.selected(array, rate, Recorded(record)) == table.one(Recorded(record))


@pytest.mark.parametrize("name", CASES)
def test_floats_are_within_a_quarter_of_the_margin(name: str) -> None:
    """|c_k - C_k| <= 1.01 (R + 16) 2^-53 C_k + 2^-87, by mpmath."""
    scores, rate = CASES[name]
    gaps = np.array([max(scores) - score for score in scores], np.uint64)
    found = bulk.weights(gaps, rate)
    known = selection.weights(set(gaps.tolist()), rate)
    assert found.tolist() == [known[gap] for gap in gaps.tolist()]
    for w, gap in zip(found.tolist(), gaps.tolist(), strict=True):
        low, high = laws.exp_minus(rate * gap)
        assert low * (1 - F(16, 2**53)) - F(1, 2**127) <= F(w) <= high * (1 + F(16, 2**53)) + F(1, 2**127)
    assert max(found) == 1
    sums = np.cumsum(found).tolist()
    exactly = [sum(map(F, found.tolist()[: k + 1])) for k in range(min(len(sums), 300))]
    assert all(abs(F(c) - e) <= e * len(sums) / 2**53 for c, e in zip(sums, exactly, strict=False))


def test_margin_covers_the_errors_that_its_docstring_adds_up() -> None:
    u = F(1, 2**53)
    for roundings in (1, 1000, 10**9):
        a, m = F(101, 100) * (roundings + 16) * u, F(selection.margin(1.0, roundings))
        assert 2 * u + 2 * a + 4 * a**2 + F(1, 2**85) + 2 * u < m * (1 - 3 * u)
    assert selection.margin(3.0, 5) == 3 * selection.margin(1.0, 5)


def test_limits_hold_the_draw_and_are_narrow() -> None:
    scores, rate = CASES["blocks"]
    w = bulk.weights(np.array([max(scores) - s for s in scores], np.uint64), rate)
    narrow = 0
    for seed in range(50):
        u = selection.first_digits(Stream(seed))
        first, last = bulk.limits(u, w, 1.0)
        wide = bulk.limits(u, w, math.inf)
        assert wide == (0, len(scores) - 1)
        assert first <= last
        narrow += first == last
        sums = np.cumsum(w)
        assert (first == 0 or sums[first - 1] <= u.digits / 2**64 * sums[-1]) or first == last
    assert narrow == 50


@pytest.mark.parametrize("scores", [[], [0.5], [True], [2**63], ["1"]])
def test_scores_that_are_no_ints_are_refused(scores: list) -> None:
    with pytest.raises(ValueError, match="scores must be ints"):
        selection.selected(scores, 1)


@pytest.mark.parametrize("scores", [np.array([], np.int64), np.array([0.5]), np.array([[1]]), np.array([1], np.int32)])
def test_arrays_that_are_not_int64_are_refused(scores: np.ndarray) -> None:
    for select in (bulk.selected, bulk.flipped):
        with pytest.raises(ValueError, match="scores must be int64"):
            select(scores, 1)


@pytest.mark.parametrize("rate", [0, F(-1, 3)])
def test_rates_that_are_not_positive_are_refused(rate: F) -> None:
    for run in (lambda: selection.selected([1], rate), lambda: bulk.selected(np.array([1]), rate)):
        with pytest.raises(ValueError, match="rate must be > 0"):
            run()


FLIPS = {
    "alone": ([5], F(1)), "a tie": ([3, 3], F(7)), "two": ([0, 1], F(1, 3)), "three": ([0, 2, 1], F(1, 2)),
    "far": ([0, 10**6, 10**6], F(1)),
}  # fmt: skip


def permuted(scores: list[int], rate: F) -> dict[int, tuple[F, F]]:
    """The law of permute and flip, by its definition: over all orders, the first candidate whose flip comes up."""
    found, orders = {k: (F(0), F(0)) for k in range(len(scores))}, list(permutations(range(len(scores))))
    for order in orders:
        low = high = F(1, len(orders))
        for k in order:
            p, q = laws.exp_minus(rate * (max(scores) - scores[k])) if scores[k] < max(scores) else (F(1), F(1))
            found[k] = found[k][0] + low * p, found[k][1] + high * q
            low, high = low * (1 - q), high * (1 - p)
    return found


@pytest.mark.parametrize("name", FLIPS)
@pytest.mark.parametrize("arrays", [False, True])
def test_flipped_has_the_law_of_permute_and_flip(name: str, arrays: bool) -> None:
    """Its tree, walked where digits come one by one; arrays, which read words, on all first octets of words."""
    scores, rate = FLIPS[name]
    expected = permuted(scores, rate)
    if not arrays:
        law = law_of(lambda bits: selection.flipped(scores, rate, Flipped(bits)), 15)
        assert laws.is_law(law, lambda k: expected.get(k, (F(0), F(0))))
        assert law.unresolved <= F(1, 100)
        return
    counts, n = [0] * len(scores), few(4000)
    digits = Stream(11)
    for _ in range(n):
        counts[bulk.flipped(np.array(scores), rate, digits)] += 1
    for k, count in enumerate(counts):  # within 6.2 standard deviations, which chance exceeds at 6e-10
        p = float(expected[k][0])
        assert abs(count - n * p) <= 6.2 * (n * p * (1 - p)) ** 0.5 + 1e-9


@pytest.mark.parametrize("name", CASES)
def test_flipped_is_the_same_candidate_in_floats_in_arrays_and_in_exact_arithmetic(name: str) -> None:
    scores, rate = CASES[name]
    array = np.array(scores)
    for seed in range(few(40) if len(scores) < 200 else 3):
        digits = [Stream(seed) for _ in range(5)]
        found = [
            selection.flipped(scores, rate, digits[0]), selection.flipped(scores, rate, digits[1], math.inf),
            bulk.flipped(array, rate, digits[2]), bulk.flipped(array, rate, digits[3], 2.0**20),
            bulk.flipped(array, rate, digits[4], math.inf),
        ]  # fmt: skip
        assert len(set(found)) == 1
        assert len({d.used for d in digits}) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_below_is_uniform(n: int) -> None:
    law = law_of(lambda bits: selection.below(n, Flipped(bits)), 12)
    assert laws.is_law(law, lambda k: (F(1, n), F(1, n)) if k in range(n) else (F(0), F(0)))
    assert law.unresolved <= F(1, 10)


def test_below_refuses_the_words_that_would_tip_it() -> None:
    """2^64 is no multiple of 3: its last word is not taken."""
    assert selection.below(3, Recorded(b"\xff" * 8 + bytes(7) + b"\x04")) == 1
    assert selection.below(3, Recorded(b"\xff" * 7 + b"\xfe")) == 2
