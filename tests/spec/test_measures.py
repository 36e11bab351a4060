"""Measures against brute force over every event."""

import random
from fractions import Fraction
from itertools import chain, combinations

import pytest

from refdp.spec.measures import MeasureError, greatest_ratio, hockey_stick, measure, renyi_moment

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
    assert greatest_ratio(p, q) is None
    assert hockey_stick(p, q, Fraction(100)) == 1
    assert renyi_moment(p, q, 2) is None


def test_an_unknown_measure_is_refused():
    with pytest.raises(MeasureError, match="measure must be one of"):
        measure("hellinger")
