"""Distances are refdp's, with values told apart bit by bit; what cannot be compared is infinitely far apart."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.auditing.neighbours.distances import apart, key, outcomes_apart
from refdp.auditing.targets import Outcome
from refdp.spec.distances import METRICS, insert_delete_distance

WHOLES = st.lists(st.integers(-3, 3), max_size=5)
NAN = math.nan


@given(
    st.sampled_from(["symmetric", "change_one", "hamming", "insert_delete", "l1", "l2", "linf", "discrete"]),
    WHOLES,
    WHOLES,
)
def test_distances_agree_with_the_registered_metric(metric, u, v):
    found = apart(metric, u, v)
    if metric in ("l1", "l2", "linf") and len(u) != len(v):
        assert found.amount is None
        return
    for bound in (Fraction(n, 2) for n in range(45)):
        assert METRICS[metric].within(tuple(u), tuple(v), bound) != found.exceeds(bound)


def subsequences(rows):
    """Every list that is left when rows are deleted."""
    return {
        tuple(r for r, kept in zip(rows, choice, strict=True) if kept) for choice in product((0, 1), repeat=len(rows))
    }


@given(WHOLES, WHOLES)
def test_insert_delete_distance_is_by_definition_what_the_longest_common_subsequence_leaves(u, v):
    longest = max(map(len, subsequences(u) & subsequences(v)))
    assert apart("opendp:InsertDeleteDistance", u, v).amount == len(u) + len(v) - 2 * longest
    assert apart("insert_delete", u, v).amount == insert_delete_distance(tuple(u), tuple(v))


@pytest.mark.parametrize(
    ("metric", "u", "v", "amount"),
    [
        ("symmetric", [0.0], [-0.0], 2), ("symmetric", [1], [1.0], 2), ("symmetric", [NAN], [NAN], 0),
        ("symmetric", [True], [1], 2), ("discrete", {"a": 1}, {"a": 1}, 0), ("discrete", {"a": 1}, {"b": 1}, 1),
        ("absolute", 0.1, 0.1 + 2**-55, Fraction(1, 2**55)), ("absolute", 2.0**53, 2.0**53 + 2, 2),
        ("absolute", NAN, NAN, 0), ("absolute", 0, 0.5, Fraction(1, 2)),
        ("l1", [1, 0], [1.0, Fraction(1, 2)], Fraction(1, 2)),
        ("absolute", math.inf, math.inf, 0), ("l1", {"a": 1}, {"b": 2}, 3),
        ("l2", [1.5, 0.0], [0.0, 2.0], Fraction(25, 4)),
        ("diffprivlib:handed", [("Laplace", 2.0, 1.0)], [("Laplace", 2.0, 4.0)], Fraction(3, 2)),
        ("diffprivlib:handed", [("Laplace", 0.0, 1.0)], [("Laplace", 0.0, 1.0)], 0),
    ],
)  # fmt: skip
def test_distances_of_values_are_exact(metric, u, v, amount):
    assert apart(metric, u, v).amount == amount


@pytest.mark.parametrize(
    ("metric", "u", "v", "why"),
    [
        ("absolute", NAN, 0.0, "nan"), ("absolute", math.inf, 0.0, "inf"), ("absolute", 1, True, "one is int"),
        ("absolute", "a", "b", "str is no number"), ("absolute", None, 0, "NoneType"), ("l1", [1], [1, 2], "lengths"),
        ("hamming", [1], [], "lengths"), ("symmetric", 3, [3], "no table"), ("absolute", True, False, "bool"),
        ("diffprivlib:handed", [("Laplace", 0.0, 1.0)], [("Laplace", 0.0, 2.0)], "sensitivity 0.0"),
        ("diffprivlib:handed", [("Laplace", 1.0, 1.0)], [("Laplace", 2.0, 1.0)], "other sensitivities"),
        ("diffprivlib:handed", [], [("Laplace", 2.0, 1.0)], "other mechanisms"),
        ("diffprivlib:handed", 1, 2, "does not speak of int"),
    ],
)  # fmt: skip
def test_distances_are_infinite_where_there_is_nothing_to_subtract(metric, u, v, why):
    found = apart(metric, u, v)
    assert found.amount is None
    assert why in found.difference
    assert found.exceeds(Fraction(10**9))


def test_distances_that_are_irrational_are_compared_by_squares():
    found = apart("l2", [0, 0], [1, 1])
    assert found.exceeds(Fraction(14142135623730950488, 10**19))
    assert not found.exceeds(Fraction(14142135623730950489, 10**19))


@pytest.mark.parametrize(
    ("u", "v", "amount"),
    [
        (Outcome("raised", "ValueError", "a"), Outcome("raised", "ValueError", "b"), 0),
        (Outcome("raised", "ValueError"), Outcome("raised", "KeyError"), None),
        (Outcome("raised", "ValueError"), Outcome("value", 3), None),
        (Outcome("value", 3), Outcome("value", 5), 2),
    ],
)
def test_outcomes_differ_where_one_is_an_exception(u, v, amount):
    assert outcomes_apart("absolute", u, v).amount == amount


@given(st.floats(), st.floats())
def test_keys_are_equal_just_where_the_bits_are(u, v):
    same = math.isnan(u) and math.isnan(v) or u == v and math.copysign(1, u) == math.copysign(1, v)
    assert (key(u) == key(v)) == same
