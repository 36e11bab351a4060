"""Floats on a declared grid: the nearest whole number of steps, as exact numbers say, for every type of array."""

from fractions import Fraction as F
from random import Random

import numpy as np
import pytest

import refdp
from refdp.numerics.exact import NotExact
from refdp.sampling.bulk import grids

STEPS = (1, "1/100", "1/3", 7, "3/8", "1e-9", F(1, 2**40), "12345678901234567/1000", "1e20/3")


def floats(random, number):
    """Floats of every size, ties and their neighbours among them."""
    found = []
    for _ in range(number):
        step, n = F(random.choice(("1", "1/100", "3/8"))), random.randint(-(10**6), 10**6)
        tie = float((n + F(1, 2)) * step)
        found += [
            tie,
            *(np.nextafter(tie, to) for to in (9e9, -9e9)),
            random.uniform(-1, 1) * 10.0 ** random.randint(-30, 7),
        ]
    return [*found, 0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, 0.5, 1.5, 2.5, -0.5]


@pytest.mark.parametrize("step", STEPS)
def test_arrays_are_rounded_as_exact_numbers_are(step):
    xs = floats(Random(3), 300)
    size = F(10**20, 3) if step == "1e20/3" else F(step)
    wanted = [round(F(x) / size) for x in xs]
    assert refdp.on_grid(xs, size) == wanted
    if max(map(abs, wanted)) < 2**63:
        found = refdp.on_grid(np.array(xs), size)
        assert found.dtype == np.int64
        assert found.tolist() == wanted


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "longdouble", "int8", "uint64", "int64"])
def test_every_type_of_number_is_read_as_what_it_is(kind):
    xs = np.array([0, 1, 2, 3, 5, 100], kind) * (np.array(1, kind) if "int" in kind else np.array(0.3, kind))
    wanted = [round(F(*x.as_integer_ratio()) / F(1, 7)) if "int" not in kind else 7 * int(x) for x in xs]
    assert refdp.on_grid(xs.reshape(2, 3), "1/7").tolist() == [wanted[:3], wanted[3:]]
    assert refdp.on_grid(xs[:0], "1/7").shape == (0,)


def test_great_integers_are_not_read_as_floats():
    xs = np.array([2**53 + 1, 2**62 + 1, -(2**63)], np.int64)
    assert refdp.on_grid(xs).tolist() == xs.tolist()
    assert refdp.on_grid(np.array([2**64 - 1], np.uint64), 3).tolist() == [(2**64 - 1) // 3]


@pytest.mark.parametrize("exponent", [10, 33, 49, 53, 58])
def test_great_integers_and_long_floats_next_to_ties_are_rounded_as_they_are(exponent):
    """None of them is a float64: each is one beside a tie."""
    step = 2 ** (62 - exponent)
    ties = [k * step + step // 2 for k in (2**exponent - 1, 2**exponent - 2, 1 - 2**exponent)]
    xs = np.array([tie + apart for tie in ties for apart in (-1, 0, 1)], np.int64)
    wanted = [round(F(x, step)) for x in xs.tolist()]
    assert refdp.on_grid(xs, step).tolist() == wanted
    assert refdp.on_grid(xs.astype(np.longdouble), step).tolist() == wanted
    assert refdp.on_grid(np.array(["1e4000", "-1e-4900"], np.longdouble) * 0, step).tolist() == [0, 0]
    with pytest.raises(OverflowError):
        refdp.on_grid(np.array(["1e4000"], np.longdouble), step)


def test_what_is_no_tie_is_divided_in_floats(monkeypatch):
    monkeypatch.setattr(grids, "_one_by_one", lambda *_: pytest.fail("worked out one by one"))
    xs = np.random.default_rng(3).uniform(-(10**6), 10**6, 10**4)
    for step in ("1/100", "3/8", F(2**53 - 1, 2**53 - 2)):
        refdp.on_grid(xs + 0.001, step)
    assert refdp.on_grid(np.array([2**49, 3, -(2**49)]), 1).tolist() == [2**49, 3, -(2**49)]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_finite_is_refused(value):
    for values in ([1.0, value], np.array([1.0, value]), np.array([1.0, value], np.float32)):
        with pytest.raises(ValueError, match="values must be finite numbers, got"):
            refdp.on_grid(values, 1)


@pytest.mark.parametrize("values", [["a"], [None], np.array(["a"]), np.array([True]), np.array([1j])])
def test_what_is_no_number_is_refused(values):
    with pytest.raises(ValueError, match="values must be"):
        refdp.on_grid(values, 1)


@pytest.mark.parametrize("step", [0, -1, "0/3"])
def test_a_step_must_be_positive(step):
    with pytest.raises(ValueError, match="step must be > 0"):
        refdp.on_grid([1.0], step)


def test_a_step_is_exact_and_results_must_fit():
    with pytest.raises(NotExact):
        refdp.on_grid([1.0], 0.1)
    with pytest.raises(OverflowError, match="must be an int64"):
        refdp.on_grid(np.array([1e300]), 1)
    with pytest.raises(OverflowError, match="must be an int64"):
        refdp.on_grid(np.array([2**63], np.uint64), 1)


def test_tables_on_a_grid_are_drawn_from():
    amounts = np.array([0.1, 19.994, 250.0, -3.0])
    units = refdp.on_grid(amounts, "1/100")
    assert units.tolist() == [10, 1999, 25000, -300]
    assert refdp.clamped_sum(0, 10_000)(units) == 10 + 1999 + 10_000
    noise = refdp.clamped_sum(0, 10_000) >> refdp.discrete_laplace(20_000)
    assert isinstance(noise(units), int | F)
