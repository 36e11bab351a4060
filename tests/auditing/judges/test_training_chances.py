"""The judges of training accuse right loops no more often than their error says, and their chances are exact."""

from dataclasses import dataclass, replace
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from refdp.auditing.evidence.binomial import tail
from refdp.auditing.judges.training import judges
from refdp.auditing.judges.training.judges import counts_of_lots, on_lots, on_noise, within_share
from refdp.auditing.judges.training.loops import StepClaim
from refdp.learning.loops import StepLoop
from refdp.learning.training import Plan

PLAN = Plan(F(1, 10), 100, F(2), F(33), F(2))
RUNS, ERROR, MOST = 60, F(1, 10), 24
"""Runs of a right loop, the error of each, and how many refutations are beyond chance: a false alarm has 1e-9."""


def test_so_many_refutations_of_a_right_loop_are_beyond_chance():
    assert tail(RUNS, MOST, ERROR).upper <= F(1, 10**9) < tail(RUNS, MOST - 2, ERROR).lower


@pytest.mark.parametrize("rate", [F(1, 10), F(1, 2)])
def test_right_lots_are_refuted_no_more_often_than_the_error_says(rate):
    loop = StepLoop(replace(PLAN, rate=rate))
    assert sum(on_lots(loop, ERROR).verdict == "REFUTED" for _ in range(RUNS)) < MOST


def test_right_noise_is_refuted_no_more_often_than_the_error_says(monkeypatch):
    monkeypatch.setattr(judges, "SAMPLES", 400)
    loop = StepLoop(replace(PLAN, lot=F(1), granularity=F(1, 2)))  # noise of four cells: rounding counts
    assert sum(on_noise(loop, ERROR).verdict == "REFUTED" for _ in range(RUNS)) < MOST


OF_UNITS = StepClaim(F(1), F(1), F(1))


@dataclass(frozen=True)
class Numbers:
    rate: F


@dataclass(frozen=True)
class Counted:
    """A loop of which only the rate counts; tables of one row are in no lot."""

    plan: Numbers
    claim: StepClaim = OF_UNITS

    def lots(self, rows, steps):
        return [np.zeros(rows, np.int64)] * steps


@pytest.mark.parametrize("rate", [F(1, 2), F(1, 3), F(1, 4), F(2, 3), F(1)])
@pytest.mark.parametrize(("rows", "steps"), [(2, 1), (3, 2), (4, 2), (2, 4)])
def test_chances_of_lots_are_those_of_all_coins(rate, rows, steps):
    """The mean of each count over all outcomes of the coins, weighed by their probabilities, is chance times trials."""
    loop, means, said = Counted(Numbers(rate)), {}, {}
    for coins in product((0, 1), repeat=rows * steps):
        weight = rate ** sum(coins) * (1 - rate) ** (rows * steps - sum(coins))
        if weight:
            for text, trials, found, chance in counts_of_lots(loop, np.array(coins).reshape(steps, rows), rate):
                means[text] = means.get(text, 0) + weight * found
                said[text] = chance * trials
    assert {text for text in means if "empty" not in text}
    assert all(means[text] == said[text] for text in means if "empty" not in text)


@pytest.mark.parametrize("cells", [1, 2, 4, 100])
def test_the_share_within_quartiles_encloses_that_of_rounded_noise(cells):
    """Of noise of a deviation of so many cells, rounded to the nearest: the mass of the cells, by erf."""
    from math import erf, sqrt

    low, high = within_share(F(6745, 10000), Counted(Numbers(F(1)), StepClaim(F(1), F(cells), F(1))))
    inside = int(0.6745 * cells)
    share = erf((inside + 0.5) / cells / sqrt(2))
    assert low <= F(share) + F(1, 10**12)
    assert F(share) - F(1, 10**12) <= high
