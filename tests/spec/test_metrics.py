"""Metrics against brute force: the least number of edits that leads from one small table to another."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from refdp.spec import metrics
from refdp.spec.domains import is_geodesic
from refdp.spec.metrics import MetricError, metric
from refdp.spec.terms import read

ATOMS = (Fraction(0), Fraction(1), Fraction(2))
TABLES = [t for n in range(4) for t in combinations_with_replacement(ATOMS, n)]


def steps(start, neighbours):
    """The least number of steps from one table to each other, by breadth-first search on multisets."""
    found, frontier = {start: 0}, [start]
    while frontier:
        frontier = [
            t for s in frontier for t in neighbours(s) if t not in found and not found.update({t: found[s] + 1})
        ]
    return found


def added_or_removed(table):
    yield from (tuple(sorted((*table, a))) for a in ATOMS if len(table) < 6)
    yield from (table[:i] + table[i + 1 :] for i in range(len(table)))


def replaced(table):
    yield from (tuple(sorted((*table[:i], a, *table[i + 1 :]))) for i in range(len(table)) for a in ATOMS)


@pytest.mark.parametrize(("name", "neighbours"), [("symmetric", added_or_removed), ("change_one", replaced)])
def test_table_metric_is_the_least_number_of_edits(name, neighbours):
    """So any two tables at distance k are joined by k steps of distance 1: the domain is geodesic."""
    for u in TABLES:
        reached = steps(u, neighbours)
        for v in TABLES:
            for d in range(8):
                assert metric(name).within(u, v, Fraction(d)) == (v in reached and reached[v] <= d), (u, v, d)
    assert is_geodesic(read("table(grid(1))"), name)


def test_table_metrics_do_not_see_the_order_of_rows():
    u, v = (Fraction(1), Fraction(2), Fraction(1)), (Fraction(2), Fraction(1), Fraction(1))
    assert metrics.symmetric_distance(u, v) == 0
    assert metrics.change_one_distance(u, v) == 0
    assert metrics.hamming_distance(u, v) == 2


@pytest.mark.parametrize("name", sorted(metrics.METRICS))
def test_metric_is_symmetric_and_obeys_the_triangle(name):
    points = TABLES if name in ("symmetric", "change_one", "hamming") else list(product(ATOMS, repeat=2))
    points = ATOMS if name in ("absolute", "discrete") else points
    within = metric(name).within
    grid = [Fraction(n, 2) for n in range(9)]
    for u, v in product(points, repeat=2):
        assert [within(u, v, d) for d in grid] == [within(v, u, d) for d in grid]
        assert within(u, v, Fraction(0)) == (sorted(u) == sorted(v) if name in ("symmetric", "change_one") else u == v)
    for u, v, w in list(product(points, repeat=3))[::7]:
        for a, b in ((Fraction(1), Fraction(1)), (Fraction(1, 2), Fraction(2))):
            assert not (within(u, v, a) and within(v, w, b)) or within(u, w, a + b)


def test_vector_metrics_are_their_formulas():
    u, v = (Fraction(0), Fraction(3)), (Fraction(4), Fraction(0))
    assert metrics.l1_distance(u, v) == 7
    assert metrics.l2_distance_squared(u, v) == 25
    assert metrics.linf_distance(u, v) == 4
    assert metric("l2").within(u, v, Fraction(5))
    assert not metric("l2").within(u, v, Fraction(5) - Fraction(1, 10**9))
    assert not metric("l2").within(u, u, Fraction(-1))


def test_vectors_of_different_dimensions_are_refused():
    for name in ("l1", "l2", "linf"):
        with pytest.raises(MetricError, match="same dimension"):
            metric(name).within((Fraction(1),), (Fraction(1), Fraction(2)), Fraction(1))


def test_tables_of_different_sizes_are_infinitely_far_by_replacement():
    assert metrics.change_one_distance((), (Fraction(1),)) is None
    assert metrics.hamming_distance((), (Fraction(1),)) is None
    assert not metric("change_one").within((), (Fraction(1),), Fraction(10**9))


def test_an_unknown_metric_is_refused():
    with pytest.raises(MetricError, match="metric must be one of"):
        metric("cosine")
