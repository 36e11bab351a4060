"""The bounds hold for every table of small formats, exhaustively, and are refused where nothing is proved."""

import dataclasses
import itertools
from fractions import Fraction

import pytest

from refdp.sensitivities.machine.adjusted import (
    MachineQuery,
    adjusted_bound,
    common_quantum,
    ideal_sensitivity,
    rounded_up,
)
from refdp.sensitivities.machine.error_bounds import BOUNDS, sum_error
from refdp.sensitivities.machine.formats import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, FloatFormat, representable, rounded
from refdp.sensitivities.machine.heights import numpy_height, pairwise_height
from refdp.sensitivities.machine.narrow import Narrow
from refdp.sensitivities.machine.statistics import mean, two_pass
from refdp.sensitivities.machine.summands import NoBound, power_of_two, rounding_error, summands
from refdp.sensitivities.machine.sums import blocks, naive, pairwise, sum_named

ORDERS = ("naive", "pairwise", "pairwise:2", "kahan", "neumaier", "fsum")
TOY3, TOY4, TOY5 = (FloatFormat(f"toy{p}", p, -1, 9) for p in (3, 4, 5))
RANGES = ((0, 2), (-1, 1), (3, 6))
COMPUTED = {"sum": lambda total: total, "mean": mean, "deviations": two_pass}


def exactly(kind, table):
    total, n = sum(table, Fraction()), len(table)
    if kind == "deviations":
        return sum((x - total / n) ** 2 for x in table)
    return total / n if kind == "mean" else total


def floats(form, lower, upper, most=8):
    """Floats of the format between the bounds: both ends and every so many of the others."""
    steps = range(int(lower / form.smallest), int(upper / form.smallest) + 1)
    found = [i * form.smallest for i in steps if representable(i * form.smallest, form)]
    stride = -(-len(found) // (most - 1))
    return sorted({*found[::stride], found[-1]})


def results(kind, order, form, values, n):
    """What is computed from each table of n of the values."""
    algorithm, zero = COMPUTED[kind](sum_named(order)), Narrow(0.0, form)
    machine = {v: Narrow(float(v), form) for v in values}
    tables = itertools.product(values, repeat=n)
    return {t: Fraction(algorithm([machine[v] for v in t], zero).number) for t in tables}


def furthest_changed(found):
    """The largest move where one row is changed."""
    worst = Fraction(0)
    for place in range(len(next(iter(found)))):
        alike = {}
        for table, result in found.items():
            alike.setdefault(table[:place] + table[place + 1 :], []).append(result)
        worst = max(worst, *(max(r) - min(r) for r in alike.values()))
    return worst


@pytest.mark.parametrize("kind", COMPUTED)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("form", [TOY3, TOY5], ids=lambda form: form.name)
def test_no_table_of_a_small_format_exceeds_a_bound(kind, order, form):
    tried, least = 0, 0 if order == "kahan" and form == TOY3 else 1000  # Kahan's bound needs n u to be small
    for lower, upper in RANGES:
        longest, most = (4, 5) if kind == "sum" or form == TOY3 else (3, 7)
        values = floats(form, lower, upper, most)
        for n in range(1, longest + 1):
            query = MachineQuery(kind, order, form, Fraction(lower), Fraction(upper), "change_one", n, n)
            try:
                bound = adjusted_bound(query)
            except NoBound:
                assert order == "kahan"
                continue
            found = results(kind, order, form, values, n)
            tried += len(found)
            assert all(abs(result - exactly(kind, table)) <= bound.error for table, result in found.items())
            assert furthest_changed(found) <= bound.bound
    assert tried >= least


def test_four_rows_inserted_anywhere_and_in_any_order_stay_within_the_bound():
    for order in ORDERS:
        values = floats(TOY5, 0, 3, 5)
        bound = adjusted_bound(MachineQuery("sum", order, TOY5, Fraction(0), Fraction(3), "add_remove", 4, 0)).bound
        three, four = (results("sum", order, TOY5, values, n) for n in (3, 4))
        by_rows = {}
        for table, result in four.items():
            by_rows.setdefault(tuple(sorted(table)), []).append(result)
        for table, result in three.items():
            for row in values:
                others = by_rows[tuple(sorted((*table, row)))]
                assert all(abs(other - result) <= bound for other in others)


def test_rounding_does_move_small_formats_beyond_the_ideal_sensitivity():
    for order in ORDERS:
        found = results("sum", order, TOY4, floats(TOY4, 0, 2), 4)
        ideal = ideal_sensitivity(MachineQuery("sum", order, TOY4, Fraction(0), Fraction(2), "change_one", 4, 4))
        assert furthest_changed(found) > ideal


def test_the_bound_of_a_naive_sum_is_no_more_than_three_times_what_happens():
    found = results("sum", "naive", TOY5, floats(TOY5, 0, 2, 9), 4)
    worst = max(abs(result - sum(table)) for table, result in found.items())
    bound = adjusted_bound(MachineQuery("sum", "naive", TOY5, Fraction(0), Fraction(2), "change_one", 4, 4)).error
    assert bound / 3 <= worst <= bound


@pytest.mark.parametrize("order", [*BOUNDS, "pairwise:8"])
def test_a_bound_grows_with_the_number_of_rows(order):
    found = [
        adjusted_bound(MachineQuery("sum", order, FLOAT32, Fraction(-1), Fraction(7, 3), "add_remove", n)).bound
        for n in (1, 2, 3, 8, 9, 127, 128, 129, 1000, 5000)
    ]
    assert found == sorted(found)


class Depth:
    """A number that counts the additions it went through."""

    def __init__(self, depth=0):
        self.depth = depth

    def __add__(self, other):
        return Depth(max(self.depth, other.depth) + 1)


@pytest.mark.parametrize("base", [1, 2, 3, 8, 10])
def test_a_sum_by_halves_is_no_higher_than_its_height(base):
    for n in range(1, 130):
        assert pairwise(base)([Depth() for _ in range(n)], Depth()).depth <= pairwise_height(base)(n)
    heights = [pairwise_height(base)(n) for n in range(300)]
    assert heights == sorted(heights)


def test_numpy_sums_are_no_higher_than_their_height():
    for n in (*range(1, 300), 1000, 1023, 4095, 8191, 8200):
        assert blocks([Depth() for _ in range(n)], Depth()).depth <= numpy_height(n)
    heights = [numpy_height(n) for n in range(1000)]
    assert heights == sorted(heights)


@pytest.mark.parametrize("form", [TOY3, TOY4], ids=lambda form: form.name)
def test_every_rounding_is_within_the_error_of_one_rounding(form):
    values = [Fraction(i, 64) for i in range(-700, 700)]
    w = form.unit / (1 + form.unit)
    for value in values:
        off = abs(rounded(value, form) - value)
        assert off <= rounding_error(form, abs(value))
        assert off <= w * abs(value) or abs(value) < form.smallest_normal
    for size in (Fraction(1), Fraction(3, 2), Fraction(4), Fraction(5)):
        worst = max(abs(rounded(v, form) - v) for v in values if abs(v) <= size)
        assert worst <= rounding_error(form, size) <= 2 * worst


@pytest.mark.parametrize("form", [TOY3, TOY4], ids=lambda form: form.name)
def test_sums_of_two_floats_lose_no_more_than_either(form):
    values = floats(form, -9, 9, 60)
    for a, b in itertools.product(values, repeat=2):
        lost = abs(rounded(a + b, form) - (a + b))
        assert lost <= min(abs(a), abs(b))
        assert lost <= form.unit * abs(rounded(a + b, form))
        if abs(a) >= abs(b):
            total = rounded(a + b, form)
            part = rounded(total - a, form)
            assert rounded(b - part, form) == a + b - total


def test_whole_numbers_in_doubles_have_the_ideal_sensitivity_up_to_two_to_the_53():
    ages = MachineQuery("sum", "naive", FLOAT64, Fraction(0), Fraction(100), "add_remove", 10**13, 0, 1, Fraction(1))
    assert adjusted_bound(ages).bound == 100
    assert adjusted_bound(dataclasses.replace(ages, maximum_rows=10**15)).bound > 100


def test_floats_between_bounds_of_one_sign_are_multiples_of_the_spacing_there():
    query = MachineQuery("sum", "naive", TOY4, Fraction(3), Fraction(6), "change_one", 2)
    assert all((value / common_quantum(query)).denominator == 1 for value in floats(TOY4, 3, 6, 100))
    assert power_of_two(Fraction(12, 5)) == 4
    with pytest.raises(ValueError, match="quantum must be > 0"):
        power_of_two(Fraction(0))


def test_a_quantum_that_is_no_power_of_two_counts_as_the_power_of_two_in_it():
    values = [3 * i for i in range(3)]
    found = results("sum", "naive", TOY3, [Fraction(v) for v in values if representable(Fraction(v), TOY3)], 3)
    error = sum_error("naive", summands(TOY3, 3, Fraction(6)), Fraction(3)).error
    assert 0 < max(abs(result - sum(table)) for table, result in found.items()) <= error


@pytest.mark.parametrize("order", BOUNDS)
def test_sums_that_may_leave_the_format_are_refused(order):
    with pytest.raises(NoBound, match="beyond the largest"):
        adjusted_bound(MachineQuery("sum", order, FLOAT16, Fraction(0), Fraction(60000), "add_remove", 2))


def test_bounds_are_refused_with_a_reason():
    with pytest.raises(NoBound, match="whole float16 number"):
        adjusted_bound(MachineQuery("mean", "naive", FLOAT16, Fraction(0), Fraction(1), "change_one", 2049))
    with pytest.raises(NoBound, match="no proved bound"):
        adjusted_bound(MachineQuery("sum", "kahan", BFLOAT16, Fraction(0), Fraction(1), "change_one", 100_000))
    with pytest.raises(NoBound, match="numpy's squared deviations"):
        adjusted_bound(MachineQuery("deviations", "numpy", FLOAT16, Fraction(0), Fraction(1), "change_one", 10))
    for wrong in (
        lambda: MachineQuery("sum", "naive", FLOAT64, Fraction(1), Fraction(0), "change_one", 3),
        lambda: MachineQuery("mean", "naive", FLOAT64, Fraction(0), Fraction(1), "change_one", 3, 0),
        lambda: MachineQuery("sum", "naive", FLOAT64, Fraction(0), Fraction(1), "change_one", 3, 1, 0),
        lambda: adjusted_bound(MachineQuery("sum", "sorted", FLOAT64, Fraction(0), Fraction(1), "change_one", 3)),
    ):
        with pytest.raises(ValueError, match="must be"):
            wrong()


def test_bounds_are_rounded_up():
    third = Fraction(1, 3)
    assert third <= rounded_up(third) <= third * (1 + Fraction(1, 2**60))
    assert rounded_up(Fraction(0)) == 0


def test_the_bound_of_a_naive_sum_of_doubles_is_the_closed_form():
    n, u = 1000, Fraction(1, 2**53)
    bound = adjusted_bound(MachineQuery("sum", "naive", FLOAT64, Fraction(0), Fraction(1, 3), "change_one", n)).error
    assert bound <= u * n**2 / 2 * Fraction(1, 3) * (1 + Fraction(2, n))
    assert bound < n**2 * u * Fraction(1, 3)
    sums = [naive([1 / 3] * k, 0.0) for k in (10, 100, 999)]
    assert all(abs(Fraction(s) - k * Fraction(1 / 3)) <= bound for s, k in zip(sums, (10, 100, 999), strict=True))
