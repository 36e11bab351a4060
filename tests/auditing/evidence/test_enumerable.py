"""Exact judgements against the definition: the greatest excess over all events, listed one by one."""

from fractions import Fraction as F
from itertools import combinations
from random import Random

import pytest

from refdp.auditing.evidence.enumerable import excess, judge, known, max_divergence
from refdp.auditing.evidence.pairs import claim
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.intervals import Interval
from refdp.sampling.tree import law_of


def greatest_excess(p, q, factor: F) -> F:
    """The most P(S) - factor Q(S) over every event."""
    outcomes = sorted({*p, *q})
    events = [s for n in range(len(outcomes) + 1) for s in combinations(outcomes, n)]
    return max(sum((p.get(y, F(0)) - factor * q.get(y, F(0)) for y in s), F(0)) for s in events)


def law(random: Random) -> dict[int, F]:
    units = [random.choice([0, 1, 2, 5]) for _ in range(4)]
    units[0] += 1
    return {y: F(u, sum(units)) for y, u in enumerate(units)}


def widened(p, by: F) -> dict[int, Interval]:
    return {y: Interval(x - by, x + by) if x else Interval(x, x) for y, x in p.items()}


def test_excess_is_the_greatest_over_all_events():
    for seed in range(200):
        random = Random(seed)
        p, q, x = law(random), law(random), F(random.randint(4, 12), 4)
        found = excess(claim(f"ln({x})"), known(p), known(q))
        truth = greatest_excess(p, q, x)
        assert found.delta == Interval(truth, truth)
        assert sum((p.get(y, F(0)) - x * q.get(y, F(0)) for y in found.event), F(0)) == truth


def test_excess_is_enclosed_where_masses_or_e_to_the_epsilon_are():
    for seed in range(100):
        random = Random(seed)
        p, q = law(random), law(random)
        low, high = exp_bounds(F(1, 2), 128)
        for first, second in ((p, q), (widened(p, F(1, 10**9)), widened(q, F(1, 10**9)))):
            found = excess(claim("1/2"), known(first), known(second))
            assert found.delta.lower <= greatest_excess(p, q, low)
            assert greatest_excess(p, q, high) <= found.delta.upper
            assert found.delta.upper - found.delta.lower < F(1, 10**7)


def test_judgement_is_proved_at_the_greatest_excess_and_refuted_just_below():
    for seed in range(100):
        random = Random(seed)
        p, q = law(random), law(random)
        delta = max(greatest_excess(p, q, F(2)), greatest_excess(q, p, F(2)))
        if delta < 1:
            assert judge(claim("ln(2)", delta), p, q).verdict == "PROVED"
        if delta > 0:
            below = judge(claim("ln(2)", delta - F(1, 10**12)), p, q)
            assert below.verdict == "REFUTED"
            assert below.excesses[0].delta.lower == delta


def response(p_numerator: int):
    """True with probability p_numerator / 8, by three flips."""
    return lambda bits: 4 * bits() + 2 * bits() + bits() < p_numerator


def stubborn(bits) -> int:
    """Geometric: never ends by any depth for sure."""
    k = 0
    while bits():
        k += 1
    return k


def test_programs_of_flips_are_judged_by_walking_their_tree():
    first, second = law_of(response(6), 3), law_of(response(2), 3)
    assert judge(claim("ln(3)"), first, second).verdict == "PROVED"
    found = judge(claim("ln(2)"), first, second)
    assert found.verdict == "REFUTED"
    assert found.excesses[0].delta == Interval(F(1, 4), F(1, 4))
    assert max_divergence(first, second).lower > 1


def test_paths_that_are_cut_leave_room_and_no_more():
    short = law_of(stubborn, 8)
    shifted = law_of(lambda bits: stubborn(bits) + 1, 8)
    found = judge(claim("ln(2)"), shifted, short)
    assert found.verdict == "REFUTED"  # 0 comes with probability 1/2 against 0
    assert F(49, 100) < found.excesses[0].delta.lower <= F(1, 2) <= found.excesses[0].delta.upper
    assert judge(claim("ln(2)", "1/2"), shifted, short).verdict == "UNKNOWN"
    assert judge(claim("ln(2)", "51/100"), shifted, short).verdict == "PROVED"
    assert max_divergence(short, shifted) is None


def test_divergences_are_exact_or_enclosed():
    p, q = {0: F(3, 4), 1: F(1, 4)}, {0: F(1, 4), 1: F(3, 4)}
    log3 = max_divergence(p, q)
    assert exp_bounds(log3.lower, 64)[0] <= 3 <= exp_bounds(log3.upper, 64)[1]
    wide = max_divergence(widened(p, F(1, 1000)), widened(q, F(1, 1000)))
    assert wide.lower < log3.lower <= log3.upper < wide.upper
    assert max_divergence({0: F(1)}, {1: F(1)}) is None


def test_laws_that_are_none_are_refused():
    for masses in ({0: F(1, 2)}, {0: F(2), 1: F(-1)}, {0: Interval(F(2, 3), F(1)), 1: Interval(F(1, 2), F(1))}):
        with pytest.raises(ValueError, match="masses"):
            known(masses)
