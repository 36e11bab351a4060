"""Distances against brute force: metrics over the least number of edits, measures over every event."""

import random
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product

import pytest

from refdp.spec import distances
from refdp.spec.distances import (
    MEASURES,
    METRICS,
    DistanceError,
    greatest_ratio,
    hockey_stick,
    loss_tail,
    masses,
    measure,
    metric,
    renyi_moment,
)
from refdp.spec.domains import is_geodesic
from refdp.terms.reading import read

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


def inserted_or_deleted(table):
    yield from ((*table[:i], a, *table[i:]) for a in ATOMS for i in range(len(table) + 1) if len(table) < 5)
    yield from (table[:i] + table[i + 1 :] for i in range(len(table)))


def test_insert_delete_is_the_least_number_of_rows_inserted_and_deleted():
    lists = [t for n in range(4) for t in product(ATOMS[:2], repeat=n)]
    for u in lists:
        reached = steps(u, inserted_or_deleted)
        for v in lists:
            for d in range(7):
                assert metric("insert_delete").within(u, v, Fraction(d)) == (reached[v] <= d), (u, v, d)
    assert not is_geodesic(read("table(grid(1))"), "insert_delete")


def test_table_metrics_do_not_see_the_order_of_rows():
    u, v = (Fraction(1), Fraction(2), Fraction(1)), (Fraction(2), Fraction(1), Fraction(1))
    assert distances.symmetric_distance(u, v) == 0
    assert distances.change_one_distance(u, v) == 0
    assert distances.hamming_distance(u, v) == 2


OF_PAIRS = ("smooth", "tested")
"""Relations of a number and what is known of it, of which the size is no distance."""
RELATIONS = ("one_coordinate", "monotone", *OF_PAIRS)
"""Two steps may leave the relation, and no rule of the kernel takes two."""


@pytest.mark.parametrize("name", sorted(METRICS))
def test_metric_is_symmetric_and_obeys_the_triangle(name):
    points = TABLES if name in ("symmetric", "change_one", "hamming") else list(product(ATOMS, repeat=2))
    points = ATOMS if name in ("absolute", "discrete") else points
    within = metric(name).within
    grid = [Fraction(n, 2) for n in range(9)]
    for u, v in product(points, repeat=2):
        assert [within(u, v, d) for d in grid] == [within(v, u, d) for d in grid]
        assert name in OF_PAIRS or within(u, v, Fraction(0)) == (
            sorted(u) == sorted(v) if name in ("symmetric", "change_one") else u == v
        )
    if name in RELATIONS:
        return
    for u, v, w in list(product(points, repeat=3))[::7]:
        for a, b in ((Fraction(1), Fraction(1)), (Fraction(1, 2), Fraction(2))):
            assert not (within(u, v, a) and within(v, w, b)) or within(u, w, a + b)


@pytest.mark.parametrize("name", OF_PAIRS)
def test_relations_of_pairs_grow_with_their_size(name):
    within = metric(name).within
    grid = [Fraction(n, 2) for n in range(9)]
    for u, v in product(product(ATOMS, repeat=2), repeat=2):
        said = [within(u, v, d) for d in grid]
        assert said == sorted(said)
        assert not within(u, v, Fraction(-1)) or (name == "smooth" and u == v and u[1] == 0)


def test_vector_metrics_are_their_formulas():
    u, v = (Fraction(0), Fraction(3)), (Fraction(4), Fraction(0))
    assert distances.l1_distance(u, v) == 7
    assert distances.l2_distance_squared(u, v) == 25
    assert distances.linf_distance(u, v) == 4
    assert metric("l2").within(u, v, Fraction(5))
    assert not metric("l2").within(u, v, Fraction(5) - Fraction(1, 10**9))
    assert not metric("l2").within(u, u, Fraction(-1))


def test_vectors_of_different_dimensions_are_refused():
    for name in ("l1", "l2", "linf"):
        with pytest.raises(DistanceError, match="same dimension"):
            metric(name).within((Fraction(1),), (Fraction(1), Fraction(2)), Fraction(1))


def test_tables_of_different_sizes_are_infinitely_far_by_replacement():
    assert distances.change_one_distance((), (Fraction(1),)) is None
    assert distances.hamming_distance((), (Fraction(1),)) is None
    assert not metric("change_one").within((), (Fraction(1),), Fraction(10**9))


def test_an_unknown_metric_is_refused():
    with pytest.raises(DistanceError, match="metric must be one of"):
        metric("cosine")


CHANCE = random.Random(20)


def law(outcomes):
    """A random rational law; some masses are 0."""
    weights = [CHANCE.choice((0, 1, 2, 3, 5, 8)) for _ in range(outcomes)]
    weights[CHANCE.randrange(outcomes)] += 1
    return {y: Fraction(w, sum(weights)) for y, w in enumerate(weights)}


PAIRS = [(law(n), law(n)) for n in (2, 3, 4, 5) for _ in range(100)]


def events(p):
    """Every set of outcomes."""
    return chain.from_iterable(combinations(p, n) for n in range(len(p) + 1))


def total(p, event):
    return sum((p[y] for y in event), Fraction(0))


def test_hockey_stick_is_the_worst_event():
    for p, q in PAIRS:
        for factor in (Fraction(1), Fraction(3, 2), Fraction(4)):
            worst = max(total(p, e) - factor * total(q, e) for e in events(p))
            assert hockey_stick(p, q, factor) == worst


def test_greatest_ratio_is_the_worst_event():
    for p, q in PAIRS:
        impossible = any(total(p, e) > 0 and total(q, e) == 0 for e in events(p))
        ratios = [total(p, e) / total(q, e) for e in events(p) if total(q, e) > 0]
        assert greatest_ratio(p, q) == (None if impossible else max(ratios))


def test_loss_tail_is_the_chance_of_the_outcomes_whose_loss_is_more():
    for p, q in PAIRS:
        for factor in (Fraction(1), Fraction(3, 2), Fraction(4)):
            more = [y for y in p if p[y] > 0 and (q[y] == 0 or p[y] / q[y] > factor)]
            assert loss_tail(p, q, factor) == total(p, more)


def test_greatest_ratio_is_where_the_hockey_stick_ends():
    for p, q in PAIRS:
        t = greatest_ratio(p, q)
        if t is not None:
            assert hockey_stick(p, q, t) == 0
            assert t == 1 or hockey_stick(p, q, t * Fraction(999, 1000)) > 0


def test_renyi_moment_of_order_2_is_one_plus_the_chi_square():
    for p, q in PAIRS:
        moment = renyi_moment(p, q, 2)
        if moment is None:
            assert any(p[y] > 0 and q[y] == 0 for y in p)
            continue
        assert moment == 1 + sum(((p[y] - q[y]) ** 2 / q[y] for y in p if q[y] > 0), Fraction(0))


def test_laws_on_different_outcomes_are_compared_on_all():
    p, q = {0: Fraction(1)}, {1: Fraction(1)}
    assert masses(p, q) == [(1, 0), (0, 1)]
    assert greatest_ratio(p, q) is None
    assert hockey_stick(p, q, Fraction(100)) == 1
    assert loss_tail(p, q, Fraction(100)) == 1
    assert renyi_moment(p, q, 2) is None


def test_an_unknown_measure_is_refused():
    with pytest.raises(DistanceError, match="measure must be one of"):
        measure("hellinger")


def test_no_word_names_both_a_metric_and_a_measure():
    assert not METRICS.keys() & MEASURES.keys()


def test_no_coordinates_are_near_in_every_way_and_no_change_goes_both_ways():
    one, both = Fraction(1), (Fraction(0), Fraction(0))
    for name in ("one_coordinate", "monotone", "linf", "l1"):
        assert METRICS[name].within((), (), Fraction(0))
        assert not METRICS[name].within((), (), Fraction(-1)) or name == "l1"
    up, down, mixed = (one, one), (-one, Fraction(0)), (one, -one)
    assert [METRICS["monotone"].within(both, v, one) for v in (both, up, down, mixed)] == [True, True, True, False]
    assert [METRICS["one_coordinate"].within(both, v, one) for v in (both, up, down, mixed)] == [
        True,
        False,
        True,
        False,
    ]
    assert not METRICS["monotone"].within(both, (2 * one, one), one)
    assert not METRICS["one_coordinate"].within(both, (2 * one, Fraction(0)), one)
    for name in ("one_coordinate", "monotone"):
        with pytest.raises(DistanceError, match="the same dimension"):
            METRICS[name].within((one,), both, one)
