"""Smooth bounds that a user wrote: wrong ones have a pair, right ones none."""

from decimal import Decimal
from fractions import Fraction

import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.records import Number
from refdp.sensitivities.smoothing.own_bounds import own_bound
from refdp.terms.leaves import rational

HEAD = """
import statistics

def middle(rows):
    return statistics.median_low(rows)

def at(rows, rank):
    if rank < 1:
        return 0
    return sorted(rows)[rank - 1] if rank <= len(rows) else 10

def reach(rows, k):
    m = (len(rows) + 1) // 2
    return max(at(rows, m + t) - at(rows, m + t - k - 1) for t in range(k + 2))
"""


def judged(text, beta, neighbours="change_one", query="middle", norm="L1", seconds=15):
    declared = Declaration(Number(rational(0), rational(10)))
    text = HEAD + text
    return own_bound(parse_source(text, "bound"), parse_source(text, query), declared, beta, neighbours, norm, seconds)


def decimal(value):
    return Decimal(value.numerator) / value.denominator


def smooth(base, start="0", span="k", ends="at"):
    return f"""
def bound(rows):
    m = (len(rows) + 1) // 2
    best = 0
    for k in range({start}, len(rows) + 1):
        for t in range(k + 2):
            best = max(best, ({base}) ** k * ({ends}(rows, m + t) - {ends}(rows, m + t - {span} - 1)))
    return best
"""


CLIPPED = """
def inside(rows, rank):
    return sorted(rows)[min(max(rank, 1), len(rows)) - 1] if rows else 0
"""


def test_own_bound_that_is_smooth_has_no_violation():
    """7/10 >= e^(-1/2): the discount is larger, and its inverse at most e^(1/2)."""
    found = judged(smooth("7 / 10"), "1/2", seconds=0.5)
    assert (found.verdict, found.violation) == ("UNKNOWN", None)
    assert "no violation on tables of 6 records and n <= " in found.reason


@pytest.mark.parametrize(
    ("text", "beta", "what"),
    [
        ("def bound(rows):\n    return reach(rows, 0)", "1/2", "not smooth"),
        (smooth("6 / 10"), "1/2", "not smooth"),
        (smooth("7 / 10"), "1/4", "not smooth"),
        (smooth("7 / 10", span="(k - 1)"), "1/2", "below the local sensitivity"),
        (smooth("7 / 10", start="1"), "1/2", "below the local sensitivity"),
        (CLIPPED + smooth("7 / 10", ends="inside"), "1/2", "below the local sensitivity"),
        ("def bound(rows):\n    return 10 - 1 / 1000", "1/2", "below the local sensitivity"),
        ("def bound(rows):\n    return 1 / 0", "1/2", "not a number >= 0"),
        ("def bound(rows):\n    return [10]", "1/2", "not a number >= 0"),
        ("def bound(rows):\n    return -1", "1/2", "not a number >= 0"),
    ],
)
def test_own_bound_that_is_none_is_refuted_by_two_tables(text, beta, what):
    found = judged(text, beta)
    assert (found.verdict, found.violation.what) == ("REFUTED", what)
    one = found.violation
    assert sum(a != b for a, b in zip(one.first, one.second, strict=True)) == 1
    if what == "not smooth":
        assert decimal(one.bounds[0]) > decimal(Fraction(beta)).exp() * decimal(one.bounds[1])


def test_own_bound_that_is_constant_is_smooth():
    assert judged("def bound(rows):\n    return 10", "1/100", seconds=0.3).verdict == "UNKNOWN"


def test_own_bound_of_a_function_that_raises_on_no_rows_is_refuted_under_add_remove():
    found = judged("def bound(rows):\n    return 10", "1/2", "add_remove")
    assert found.violation.what == "below the local sensitivity"
    assert found.violation.distance is None


def test_own_bound_is_compared_with_the_distance_under_l2():
    text = "\ndef two(rows):\n    return [sum(rows), sum(rows)]\ndef bound(rows):\n    return {}"
    assert judged(text.format("14"), "1/2", query="two", norm="L2").violation.distance == 200
    assert judged(text.format("15"), "1/2", query="two", norm="L2", seconds=0.3).verdict == "UNKNOWN"


def test_own_bound_without_time_has_seen_no_table():
    assert judged("def bound(rows):\n    return 10", "1/2", seconds=-1).reason.endswith("; the time is over")


@pytest.mark.parametrize("beta", [0, -1])
def test_own_bound_needs_beta_above_0(beta):
    with pytest.raises(ValueError, match="beta must be > 0"):
        judged("def bound(rows):\n    return 10", beta)


def test_own_bound_needs_values_of_all_parameters():
    source = parse_source("def bound(rows, c):\n    return c", "bound")
    with pytest.raises(ValueError, match="must have values, got none for c"):
        own_bound(source, source, Declaration(Number(), symbolic={"c": "Real"}), 1, "change_one")
