"""What attacks are measured with: intervals, fair coins, public subsets, estimates that solve for bits."""

from fractions import Fraction as F
from hashlib import shake_256
from itertools import product
from math import comb

import numpy as np
import pytest

from refdp.attacks import arrays
from refdp.attacks.arrays import (
    chunks,
    counts,
    fair_bits,
    greatest,
    guesses,
    least_squares,
    linear_programming,
    noisy,
    one_hot,
    public_subsets,
    random_places,
    variance,
    whole_numbers,
)
from refdp.attacks.coins import below
from refdp.attacks.games import Tally

RARE = F(1, 10**10)
"""The chance that a test of statistics here fails for nothing."""


def within(successes, runs, chance):
    low, high = Tally(successes, runs).interval(RARE)
    return low <= chance <= high


@pytest.mark.parametrize("runs", [1, 2, 7, 20])
@pytest.mark.parametrize("error", [F(1, 2), F(1, 20), F(1, 10**9)])
def test_an_interval_misses_the_probability_with_at_most_its_error(runs, error):
    ends = [Tally(k, runs).interval(error) for k in range(runs + 1)]
    for p in (F(i, 40) for i in range(41)):
        mass = [comb(runs, k) * p**k * (1 - p) ** (runs - k) for k in range(runs + 1)]
        below_it = sum(m for m, (low, _) in zip(mass, ends, strict=True) if p < low)
        above_it = sum(m for m, (_, high) in zip(mass, ends, strict=True) if p > high)
        assert below_it <= error / 2
        assert above_it <= error / 2


def test_an_interval_holds_what_was_seen_and_ends_at_0_and_1():
    assert all(low <= F(k, 9) <= high for k in range(10) for low, high in [Tally(k, 9).interval(F(1, 100))])
    assert Tally(0, 9).interval(F(1, 100))[0] == 0
    assert Tally(9, 9).interval(F(1, 100))[1] == 1


class Given:
    """Digits that are given, so many at a time."""

    step = 64

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def digits(self, count):
        found = self.numbers.pop(0)
        assert 0 <= found < 2**count
        return found


@pytest.mark.parametrize("count", range(1, 18))
def test_a_choice_has_the_exact_law(count):
    """Each number is one of the equally likely digits, and all others are drawn again."""
    size = (count - 1).bit_length()
    first = [below(count, Given(d, count - 1)) if d >= count else below(count, Given(d)) for d in range(2**size)]
    if count > 1:
        assert first[:count] == list(range(count))
        assert set(first[count:]) <= {count - 1}
    else:
        assert below(1, Given()) == 0


def test_a_choice_among_nothing_is_refused():
    with pytest.raises(ValueError, match="count must be >= 1, got 0"):
        below(0)


def test_coins_and_places_are_fair():
    assert within(int(fair_bits(100, 100).sum()), 10_000, F(1, 2))
    places = random_places(6000, 3)
    assert all(within(int((places == i).sum()), 6000, F(1, 3)) for i in range(3))


def test_a_tie_is_guessed_by_a_fair_coin():
    scores = whole_numbers([0] * 4000 + [1] * 10 + [-3] * 10)
    found = guesses(scores)
    assert within(int(found[:4000].sum()), 4000, F(1, 2))
    assert found[4000:].tolist() == [1] * 10 + [0] * 10


def test_of_several_greatest_cells_each_is_named_as_often():
    cells = whole_numbers([[2, 5, 5, 5]] * 4000 + [[7, 5, 5, 5]] * 10)
    found = greatest(cells)
    assert all(within(int((found[:4000] == i).sum()), 4000, F(1, 3)) for i in (1, 2, 3))
    assert found[4000:].tolist() == [0] * 10


def test_a_single_greatest_cell_is_named():
    assert greatest(whole_numbers([[1, 2], [3, -1]])).tolist() == [1, 0]


def test_subsets_are_the_digits_of_shake_256():
    content = shake_256(b"refdp attack 5 3 7").digest(3)
    digits = [int(d) for octet in content for d in f"{octet:08b}"][:21]
    assert public_subsets(3, 7, 5).ravel().tolist() == digits
    assert public_subsets(3, 7, 5).tolist() != public_subsets(3, 7, 6).tolist()


def test_counts_are_the_sums_of_the_bits_in_each_subset():
    subsets, bits = public_subsets(9, 5, 1), fair_bits(9, 4)
    assert counts(subsets, bits).tolist() == (subsets @ bits).tolist()


def test_chunks_are_all_runs_and_say_how_many_are_done(monkeypatch):
    monkeypatch.setattr(arrays, "CHUNK", 10)
    heard = []
    assert list(chunks(10, 3, heard.append)) == [3, 3, 3, 1]
    assert heard == [0, 3, 6, 9]
    assert list(chunks(3, 100, heard.append)) == [1, 1, 1]
    assert list(chunks(0, 3, heard.append)) == []


def test_noise_is_that_of_the_mechanism():
    """P[Z = 0] is (1 - q) / (1 + q) with q = e^(-1 / scale) = 1/2, up to the digits of the scale."""
    scale = F(1442695040888963407, 10**18)
    zeros = int((noisy(whole_numbers([7] * 9000), scale) == 7).sum())
    assert within(zeros, 9000, F(1, 3))
    assert noisy(whole_numbers([7]), None).tolist() == [7]


def test_the_variance_that_attackers_use_is_that_of_the_noise():
    for scale in (F(1, 3), F(1), F(20)):
        q = np.exp(-1 / float(scale))
        masses = [(z, (1 - q) / (1 + q) * q ** abs(z)) for z in range(-2000, 2001)]
        assert variance(scale) == pytest.approx(sum(z * z * m for z, m in masses), rel=1e-9)
    assert (variance(None), variance(F(1, 1000))) == (0.0, 0.0)


def test_least_squares_is_the_estimate_of_least_mean_square_error():
    """Against the formula with covariances: E[x] + Cov(x, y) Cov(y, y)^-1 (y - E[y]), Cov(x, x) = 1/4."""
    subsets, bits, scale = public_subsets(4, 9, 2).astype(float), fair_bits(4, 3), F(2)
    answers = noisy(counts(subsets.astype(int), bits), scale)
    spread = subsets @ subsets.T / 4 + variance(scale) * np.eye(9)
    mean = subsets.sum(axis=1, keepdims=True) / 2
    expected = 0.5 + subsets.T / 4 @ np.linalg.solve(spread, answers - mean)
    assert np.allclose(least_squares(subsets.astype(int), answers, scale), expected)


@pytest.mark.parametrize("solve", [least_squares, linear_programming])
def test_without_noise_every_bit_is_recovered(solve):
    subsets, bits = public_subsets(6, 30, 1), np.array(list(product((0, 1), repeat=6))).T
    estimates = solve(subsets, counts(subsets, bits), None)
    assert np.allclose(estimates, bits, atol=1e-6)


def test_linear_programming_does_not_mind_a_few_answers_that_are_far_off():
    subsets, bits = public_subsets(20, 200, 1), fair_bits(20, 1)
    answers = counts(subsets, bits)
    answers[:20] += 1000
    assert np.array_equal(linear_programming(subsets, answers, F(1)) > 0.5, bits == 1)
    assert not np.array_equal(least_squares(subsets, answers, F(1)) > 0.5, bits == 1)


def test_one_hot_marks_each_place():
    assert one_hot(whole_numbers([2, 0]), 3).tolist() == [[0, 0, 1], [1, 0, 0]]
