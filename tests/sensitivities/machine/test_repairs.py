"""Repaired sums keep the ideal bound where the plain ones lose it: by search, and by all small tables."""

import itertools
import random
from fractions import Fraction

import pytest

from refdp.sensitivities.machine.formats import FLOAT16, FLOAT64, INT8, INT64, IntegerFormat, saturating
from refdp.sensitivities.machine.narrow import Narrow
from refdp.sensitivities.machine.pair import machine_run
from refdp.sensitivities.machine.quick import quick_sum
from refdp.sensitivities.machine.repairs import grid_sum, split_sum
from refdp.sensitivities.machine.runs import runs
from refdp.sensitivities.machine.search import MachineQuestion, find_machine_pair
from refdp.sensitivities.machine.wholes import Whole

TINY = IntegerFormat("int3", 3, overflow="saturate")


def asked(algorithm, form, lower, upper, changes, claim):
    run = machine_run(algorithm, form)
    return MachineQuestion(run, form, Fraction(lower), Fraction(upper), changes, Fraction(claim), tables="multisets")


@pytest.mark.parametrize("changes", ["add_remove", "change_one", "reorder"])
@pytest.mark.parametrize("form", [saturating(INT8), saturating(INT64)], ids=lambda f: f.name)
def test_split_sums_keep_the_ideal_bound_in_every_order(form, changes):
    lower, upper = -form.highest // 3, form.highest // 2
    claim = {"add_remove": upper, "change_one": upper - lower, "reorder": 0}[changes]
    assert find_machine_pair(asked(split_sum, form, lower, upper, changes, claim), 0.15, 257) is None
    if claim:
        assert find_machine_pair(asked(split_sum, form, lower, upper, changes, claim - 1), 2, 257) is not None
    assert find_machine_pair(asked(quick_sum("naive"), form, lower, upper, changes, claim), 2, 257) is not None


def test_split_sums_of_all_tables_of_three_bits_move_by_the_row_alone():
    """Every multiset of at most 4 rows of -3 ... 3 beside every row that is added; every order of each."""
    for size in range(5):
        for table in itertools.combinations_with_replacement(range(-3, 4), size):
            orders = {_split(rows) for rows in itertools.permutations(table)}
            assert orders == {_split(table)}
            assert all(abs(_split((*table, row)) - _split(table)) <= abs(row) for row in range(-3, 4))


def _split(rows):
    return split_sum([Whole(x, TINY) for x in rows], Whole(0, TINY)).number


def test_split_sums_of_runs_are_those_of_rows():
    rng = random.Random(2)
    for _ in range(50):
        table = runs((Whole(rng.randint(-4, 3), TINY), rng.randint(1, 3)) for _ in range(4))
        assert split_sum(table, Whole(0, TINY)).number == split_sum(list(table), Whole(0, TINY)).number


@pytest.mark.parametrize("form", [FLOAT64, FLOAT16], ids=lambda f: f.name)
def test_grid_sums_keep_the_ideal_bound_in_every_order(form):
    quantum = Fraction(1, 1000)
    for changes, claim in (("add_remove", 1000), ("change_one", 1000), ("reorder", 0)):
        assert find_machine_pair(asked(grid_sum(quantum), form, 0, 1, changes, claim), 0.1) is None
        if claim:
            assert find_machine_pair(asked(grid_sum(quantum), form, 0, 1, changes, claim - 1), 1) is not None


def test_grid_sums_are_exact_sums_of_rounded_rows():
    rng = random.Random(3)
    numbers = [rng.uniform(-5, 5) for _ in range(50)]
    exactly = sum(round(Fraction(x) / Fraction(1, 7)) for x in numbers)
    assert (
        grid_sum(Fraction(1, 7))(numbers, 0.0)
        == exactly
        == grid_sum(Fraction(1, 7))(runs((x, 1) for x in numbers), 0.0)
    )
    assert grid_sum(Fraction(1, 4))([Narrow(0.5, FLOAT16)] * 3, Narrow(0.0, FLOAT16)) == 6
    with pytest.raises(ValueError, match="quantum must be > 0, got 0"):
        grid_sum(Fraction(0))
    with pytest.raises(ValueError, match="NaN"):
        grid_sum(Fraction(1))([float("nan")], 0.0)
